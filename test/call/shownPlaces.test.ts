import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactText } from '#audit/redactText.ts';
import { columnsIn } from '#audit/shownColumns.ts';
import { ToolError } from '#base/toolError.ts';
import { ShownPlaces } from '#call/shownPlaces.ts';
import { getSymbol } from '#tools/language/getSymbol.ts';
import { findReferences } from '#tools/language/findReferences.ts';
import { renameSymbol } from '#tools/language/renameSymbol.ts';
import { listDirectory } from '#tools/workspace/listDirectory.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import { characters, githubToken, privateKey } from '../fakes/secrets.ts';
import { folderAt } from '../fakes/workspace.ts';
import { ProposeRun } from '../tools/edit/proposeRun.ts';
import { ToolRun } from '../tools/workspace/toolRun.ts';

const text = `first\r\nf("${githubToken}", total, "${githubToken}"); total\n${privateKey}\nlast`;

describe('A32: the columns of a text with a secret', () => {
  const columns = columnsIn(text);
  const shown = redactText(text).text.split(/\r\n|\n/);
  const lines = text.split(/\r\n|\n/);

  it('are those of the redacted line, and lead back to the same character', () => {
    for (const word of ['f(', 'total', '; total', 'last', 'first']) {
      const line = lines.findIndex((one) => one.includes(word));
      const at = (all: readonly string[]): number => (all[line] ?? '').lastIndexOf(word) + 1;
      expect(columns?.shown({ line: line + 1, column: at(lines) }), word).toBe(at(shown));
      expect(columns?.real({ line: line + 1, column: at(shown) }), word).toBe(at(lines));
    }
  });

  it('are those of the marker inside the secret, and of the secret inside the marker', () => {
    const [start, shownStart] = [4, 4];
    for (const inside of [1, 9, 30]) expect(columns?.shown({ line: 2, column: start + inside })).toBe(shownStart);
    for (const inside of [1, 9, 20]) expect(columns?.real({ line: 2, column: shownStart + inside })).toBe(start);
    const range = { firstLine: 2, firstColumn: 6, lastLine: 2, lastColumn: 9 };
    expect(columns?.hides(range)).toBe(true);
    expect(columns?.hides({ ...range, lastColumn: 60 })).toBe(false);
  });

  it('lead back and forth for every column outside a secret', () => {
    const numbers = [fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 120 })] as const;
    const leadsBack = fc.property(...numbers, (line, column) => {
      const there = columns?.shown({ line, column }) ?? column;
      const hidden = columns?.hides({ firstLine: line, firstColumn: column, lastLine: line, lastColumn: column + 1 });
      return hidden === true || columns?.real({ line, column: there }) === column;
    });
    expect(fc.check(leadsBack).counterexample).toBeNull();
  });

  it('are unchanged in a text without a secret, and in a file that cannot be read', async () => {
    expect(columnsIn('const a = 1;\n')).toBeUndefined();
    const places = new ShownPlaces(() => Promise.reject(new ToolError('binary_file', 'a', 'b')));
    expect(await places.real({ fsPath: '/w/a' }, { line: 1, column: 9 })).toEqual({ line: 1, column: 9 });
  });
});

/** Returns what several tools answer in a workspace whose only difference is a secret. */
async function answersFor(secret: string): Promise<unknown> {
  const source = `f("${secret}", total);\nconst other = "${secret}"; other; total();\n`;
  const run = new ToolRun({ '/w/a.ts': source, '/w/b.ts': 'total();\n' });
  const file = { path: 'a.ts', uri: 'file:///w/a.ts', fsPath: '/w/a.ts', folder: folderAt('/w') };
  const rangeOf = (line: number, column: number) => ({
    firstLine: line,
    firstColumn: column,
    lastLine: line,
    lastColumn: column + 5,
  });
  const columnIn = (line: number, word: string): number => (source.split('\n')[line - 1] ?? '').indexOf(word) + 1;
  const uses = [1, 2].map((line) => ({ ...file, ...rangeOf(line, columnIn(line, 'total')) }));
  run.language.uses.set('references a.ts:1', uses);
  run.language.hovers.set('a.ts:1', ['```\nfunction total()\n```']);
  const marked = `f("[redacted:github_token#1]", total);`;
  const shownColumn = marked.indexOf('total') + 1;
  return Promise.all([
    run.data(findReferences, { path: `a.ts:1:${shownColumn}` }),
    run.data(getSymbol, { path: `a.ts:1:${shownColumn}` }),
    run.data(getSymbol, { path: `a.ts:2:40` }).catch((error: unknown) => String(error)),
    run.data(getSymbol, { symbol: githubToken, path: 'a.ts' }).catch((error: unknown) => String(error)),
    run.data(getSymbol, { symbol: githubToken }).catch((error: unknown) => String(error)),
    run.data(searchCode, { query: 'total' }),
    run.data(listDirectory, {}),
  ]);
}

describe('A32: the answers about a file with a secret', () => {
  it('are the same for every secret: places, names, sizes', async () => {
    const first = await answersFor(githubToken);
    expect(JSON.stringify(first)).toContain('total');
    expect(await answersFor(`ghp_${characters(37).slice(1)}`)).toEqual(first);
    expect(await answersFor(`ghp_${characters(61)}`)).toEqual(first);
  });

  it('ask the language service about the place that the assistant sees', async () => {
    const run = new ProposeRun({ '/w/a.ts': `f("${githubToken}", total);\n` });
    const column = 'f("[redacted:github_token#1]", '.length + 1;
    await run.codeOf(renameSymbol, { path: `a.ts:1:${column}`, newName: 'sum' });
    expect(run.refactorings.asked).toEqual([`rename a.ts:1:${`f("${githubToken}", `.length + 1} sum`]);
  });
});
