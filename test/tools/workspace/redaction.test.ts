import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { textVersion } from '#base/textVersion.ts';
import { defineTool, inputFromZod } from '#call/tool.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import { redactMatches } from '#tools/workspace/redactMatches.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import { githubToken, keyLines, keyPieces, privateKey } from '../../fakes/secrets.ts';
import { ToolRun } from './toolRun.ts';

const source = `const a = 1;\nconst key = \`${privateKey}\`;\nconst b = 2;\n`;
const marker = /^\[redacted:private_key:[0-9a-f]{8}\]$/;
const piecesIn = (value: unknown): readonly string[] =>
  keyPieces.filter((piece) => JSON.stringify(value).includes(piece));

describe('A8: the text that a read returns of a file with a secret', () => {
  it('has its lines, its version and its length', async () => {
    const run = new ToolRun({ '/w/a.ts': source.replaceAll('\n', '\r\n') });
    const read = await run.textOf({ path: 'a.ts' });
    expect(read).toMatchObject({ version: textVersion(source), totalLines: 25, lastLine: 25, eol: 'crlf' });
    const lines = read.text.split('\n');
    expect(lines).toHaveLength(25);
    expect(lines[0]).toBe('const a = 1;');
    expect(lines[1]).toBe('const key = `-----BEGIN PRIVATE KEY-----');
    for (const line of lines.slice(2, 22)) expect(line).toMatch(marker);
    expect(lines[23]).toBe('const b = 2;');
  });

  it('hides a key on every page that begins or ends within it', async () => {
    const run = new ToolRun({ '/w/a.ts': source });
    for (let firstLine = 1; firstLine <= 25; firstLine += 1) {
      const page = await run.textOf({ path: 'a.ts', firstLine, lineCount: 3 });
      expect(piecesIn(page), `from line ${firstLine}`).toEqual([]);
      expect(page.firstLine).toBe(firstLine);
      expect(page.text.split('\n')).toHaveLength(Math.min(3, 26 - firstLine));
    }
    run.limits = { ...run.limits, readBytes: 40 };
    expect(piecesIn(await run.data(readFile, { path: 'a.ts', firstLine: 5 }))).toEqual([]);
  });

  it('hides the secret in unsaved text and in each of several files', async () => {
    const run = new ToolRun({ '/w/a.ts': 'x', '/w/b.ts': `token: ${githubToken}` });
    run.files.buffers.set('/w/a.ts', source);
    const read = await run.data(readFiles, { files: [{ path: 'a.ts', firstLine: 9, lineCount: 2 }, { path: 'b.ts' }] });
    expect(piecesIn(read)).toEqual([]);
    expect(JSON.stringify(read)).not.toContain(githubToken);
  });
});

describe('A8: the lines that a search returns of a file with a secret', () => {
  it('hide a line of a key that matches by itself', async () => {
    const run = new ToolRun({ '/w/a.ts': source, '/w/b.ts': 'Ab0' });
    const found = await run.data(searchCode, { query: keyLines[7]?.slice(0, 6) });
    expect(found.totalCount).toBeGreaterThan(0);
    expect(piecesIn(found)).toEqual([]);
    expect(found.matches[0]?.text).toMatch(marker);
  });

  const shown = { path: 'a.json', column: 1, before: [], after: [] };

  it('hide secrets in the lines around a match and in a match of several lines', async () => {
    const run = new ToolRun({ '/w/a.json': source });
    const around = [
      {
        ...shown,
        line: 1,
        text: 'const a = 1;',
        after: ['const key = `-----BEGIN PRIVATE KEY-----', keyLines[0] ?? ''],
      },
      { ...shown, line: 24, text: 'const b = 2;', before: [keyLines[19] ?? '', '-----END PRIVATE KEY-----`;'] },
      { ...shown, line: 6, text: keyLines.slice(3, 6).join('\n') },
    ];
    const shownAround = await redacted(run, around);
    expect(piecesIn(shownAround)).toEqual([]);
    expect(shownAround[0]).toMatchObject({
      text: 'const a = 1;',
      after: [around[0]?.after[0], expect.stringMatching(marker)],
    });
    expect(shownAround[1]).toMatchObject({ before: [expect.stringMatching(marker), '-----END PRIVATE KEY-----`;'] });
    expect(shownAround[2]?.text.split('\n')).toHaveLength(3);
  });

  it('hide a piece of a secret that was cut out of a long line', async () => {
    const line = `{"x":"${'x'.repeat(300)} ${githubToken}","private_key":${JSON.stringify(privateKey)},"end":"${'z'.repeat(500)}"}`;
    const run = new ToolRun({ '/w/a.json': line });
    for (let at = 0; at + 400 <= line.length; at += 3) {
      const cut = { ...shown, line: 1, column: at + 101, text: `…${line.slice(at, at + 400)}…` };
      const [all] = await redacted(run, [cut]);
      expect(piecesIn(all), `at ${at}`).toEqual([]);
      expect(all?.text.includes(githubToken.slice(6, 30)), `at ${at}`).toBe(false);
      expect(all?.text).toMatch(/^….*…$/);
    }
  });

  it('stay as they are in files without secrets, and ordinary lines cause no read of the file', async () => {
    const run = new ToolRun({ '/w/a.json': `first\n${keyLines[0]}\n`, '/w/b.json': 'const b = 1;' });
    const matches = [
      { ...shown, line: 2, text: keyLines[0] ?? '' },
      { ...shown, path: 'b.json', line: 1, text: 'const b = 1;' },
    ];
    expect(await redacted(run, matches)).toEqual(matches);
    expect(run.files.reads).toEqual(['/w/a.json']);
  });

  it('hide what looks like a piece of a key when the file changed after the search', async () => {
    const run = new ToolRun({ '/w/a.json': `now\nother\ngithub ${githubToken}\n` });
    const matches = [
      { ...shown, line: 2, text: keyLines[0] ?? '' },
      { ...shown, path: 'gone.json', line: 1, text: `"${keyLines[1]}\\n"` },
    ];
    const all = await redacted(run, matches);
    expect(piecesIn(all)).toEqual([]);
    expect(all[1]?.text).toMatch(/^"\[redacted:unknown:[0-9a-f]{8}\]\\n"$/);
  });
});

type Shown = { path: string; line: number; column: number; text: string; before: string[]; after: string[] };

/** The matches as the search would show them. */
async function redacted(run: ToolRun, matches: readonly Shown[]): Promise<readonly Shown[]> {
  const { shown } = await run.data(
    defineTool({
      ...readFile,
      needs: ['files'],
      input: inputFromZod(z.strictObject({})),
      output: { jsonSchema: {}, check: () => undefined },
      targets: () => [],
      run: async (_input, context) => ({ shown: await redactMatches(matches, context) }),
      render: () => ({ text: '' }),
    }),
    {},
  );
  return shown;
}
