import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolResult } from '#call/result.ts';
import { profileFor } from '#call/resultProfile.ts';
import { openDayWindow } from '../bench/dayWindow.ts';
import { FakeSearch } from '../fakes/search.ts';
import { folderAt } from '../fakes/workspace.ts';
import { forwardingClients, type ForwardingClient } from './clientForwarding.ts';

const principal = { credential: 'window', connectionId: 'test' };
const readableCap = 5 * 1024 * 1024;

/** A window that answers a client by the shipped profiles. */
function openWindow(files: ReadonlyMap<string, string>) {
  const search = new FakeSearch();
  for (const [path, text] of files) {
    search.add({ path, uri: `file:///w/${path}`, fsPath: `/w/${path}`, folder: folderAt('/w') }, text);
  }
  const profileOf = (name = '') => profileFor({ name, version: '1' }, {});
  const window = openDayWindow(files, 'manual', { profileOf, readBytes: readableCap, search });
  return async (client: ForwardingClient, tool: string, input: object): Promise<ToolResult> => {
    const outcome = await window.call(tool, input, principal, client.name);
    if (outcome.kind !== 'result') throw new Error(JSON.stringify(outcome));
    return outcome.result;
  };
}

/** Parts of lines with and without escapes, with a letter of two bytes and one of four bytes. */
const piece = fc.constantFrom('value', '"quoted"', '\\', '\t', 'é', '😀', '// ', ' = ', '\u0001', '{', '}');
const line = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));
// The first letters begin no reserved name of Windows such as con, because such a path is refused.
const path = fc.stringMatching(/^s[a-z]{0,11}(\/s[a-z]{0,11}){0,3}\.ts$/);
const workspace = fc
  .uniqueArray(path, { minLength: 1, maxLength: 3 })
  .chain((paths) =>
    fc
      .tuple(...paths.map(() => fc.tuple(fc.array(line, { minLength: 1, maxLength: 20 }), fc.constantFrom(1, 3, 50))))
      .map((contents) => new Map(paths.map((each, at) => [each, marked(at, contents[at])]))),
  );

/** All lines differ, so that each can be counted. */
function marked(file: number, content: readonly [readonly string[], number] | undefined): string {
  const [lines, times] = content ?? [[''], 1];
  return Array.from({ length: times }, () => lines)
    .flat()
    .map((each, at) => `<${file}:${at + 1}>${each}`)
    .join('\n');
}

/** Returns the numbers of the marked lines of a file that the model sees, in order. */
function seenLines(seen: string, file: number): readonly number[] {
  return [...seen.matchAll(new RegExp(`<${file}:(\\d+)>`, 'g'))].map(([, number]) => Number(number));
}

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe.each(forwardingClients.map((client) => [client.name, client] as const))('the model of %s', (_, client) => {
  const fits = (seen: string): void => {
    expect(Buffer.byteLength(seen)).toBeLessThanOrEqual(client.wholeUpTo ?? 65_536);
  };

  it('gets a file in whole pages, with every line once and unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(workspace, async (files) => {
        const call = openWindow(files);
        for (const [at, [name, text]] of [...files].entries()) {
          const lines = text.split('\n');
          for (let firstLine = 1; firstLine <= lines.length;) {
            const seen = client.forward(await call(client, 'read_file', { path: name, firstLine }));
            fits(seen);
            const numbers = seenLines(seen, at);
            expect(numbers, seen).not.toEqual([]);
            expect(numbers).toEqual(range(firstLine, firstLine + numbers.length - 1));
            for (const number of numbers) expect(seen).toContain(shown(lines[number - 1]));
            firstLine += numbers.length;
          }
        }
      }),
      { numRuns: 12 },
    );
  });

  it('gets matches in whole pages, with every match once', async () => {
    await fc.assert(
      fc.asyncProperty(workspace, async (files) => {
        const call = openWindow(files);
        const counts = [...files.keys()].map(() => 0);
        for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
          const input = { query: '>', maxResults: 1000, ...(cursor === undefined ? {} : { cursor }) };
          const seen = client.forward(await call(client, 'search_code', input));
          fits(seen);
          for (const at of counts.keys()) {
            const numbers = seenLines(seen, at);
            const before = counts[at] ?? 0;
            expect(numbers).toEqual(range(before + 1, before + numbers.length));
            counts[at] = before + numbers.length;
          }
          cursor = /\(more: cursor ([\w-]+)\)/.exec(seen)?.[1];
        }
        expect(counts).toEqual([...files.values()].map((text) => text.split('\n').length));
      }),
      { numRuns: 12 },
    );
  });

  it('gets several files whole in one result, which names the files that did not fit', async () => {
    await fc.assert(
      fc.asyncProperty(workspace, async (files) => {
        const names = [...files.keys()];
        const asked = { files: [...names, 'not/there.ts'].map((each) => ({ path: each })) };
        const seen = client.forward(await openWindow(files)(client, 'read_files', asked));
        fits(seen);
        for (const [at, name] of names.entries()) {
          expect(seen).toContain(name);
          const numbers = seenLines(seen, at);
          expect(numbers).toEqual(range(1, numbers.length));
        }
        expect(seen).toContain('not/there.ts');
      }),
      { numRuns: 12 },
    );
  });

  it('gets a read whole when it has redacted secrets and visible control characters', async () => {
    const lines = 'x\n'.repeat(60_000);
    const files = new Map([
      ['token.ts', `const token = 'ghp_${'aB3'.repeat(12)}'; ${'a.'.repeat(50_000)}\n`],
      ['controls.ts', `${'\u0001'.repeat(20)}\n`.repeat(40)],
      ['lines.ts', lines],
    ]);
    const call = openWindow(files);
    const read = client.forward(await call(client, 'read_file', { path: 'token.ts' }));
    expect(read).toContain('[redacted:');
    fits(read);
    const asked = { files: [{ path: 'controls.ts' }, { path: 'lines.ts' }] };
    fits(client.forward(await call(client, 'read_files', asked)));
  });

  it('gets a match among long lines whole, with its line unchanged', async () => {
    const around = `${'長い行'.repeat(200)}\n`.repeat(10);
    const own = `needle ${'な'.repeat(300)}`;
    const call = openWindow(new Map([['long.ts', `${around}${own}\n${around}`]]));
    const seen = client.forward(
      await call(client, 'search_code', { query: 'needle', linesBefore: 10, linesAfter: 10 }),
    );
    fits(seen);
    expect(seen).toContain(own);
    expect(seen).toMatch(/^1-\t(長い行)+.{0,2}…$/mu);
  });

  it('gets a list of long names in whole pages', async () => {
    const names = range(1, 400).map((number) => `${'folder-with-a-long-name/'.repeat(number % 7)}file-${number}-.ts`);
    const call = openWindow(new Map(names.map((name) => [name, 'x'])));
    const found: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const input = { query: '*.ts', maxResults: 1000, ...(cursor === undefined ? {} : { cursor }) };
      const seen = client.forward(await call(client, 'find_files', { ...input, query: 'file-' }));
      fits(seen);
      found.push(...[...seen.matchAll(/file-(\d+)-\.ts/g)].map(([, number]) => number ?? ''));
      cursor = /\(more: cursor ([\w-]+)\)/.exec(seen)?.[1];
    }
    expect(found.toSorted()).toEqual(range(1, 400).map(String).toSorted());
  });
});

/** Returns text with control characters as control pictures. */
function shown(text = ''): string {
  return text.replaceAll('\u0001', '\u2401');
}
