import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textVersion } from '#audit/textVersion.ts';
import { readFile } from '#tools/workspace/readFile.ts';
import { readFiles } from '#tools/workspace/readFiles.ts';
import type { ReadResult } from '#tools/workspace/readRange.ts';
import { ToolRun } from './toolRun.ts';

describe('read_file', () => {
  it('returns lines with LF and facts about their file', async () => {
    const run = new ToolRun({ '/w/a.ts': 'one\r\ntwo\r\nthree\r\n' });
    expect(await run.data(readFile, { path: 'a.ts', firstLine: 2, lastLine: 3 })).toEqual({
      kind: 'text',
      path: 'a.ts',
      uri: 'file:///w/a.ts',
      version: textVersion('one\ntwo\nthree\n'),
      encoding: 'utf8',
      eol: 'crlf',
      totalLines: 4,
      firstLine: 2,
      lastLine: 3,
      text: 'two\nthree',
      nextFirstLine: 4,
      lastModified: '2026-11-21T00:00:00.000Z',
    });
  });

  it('renders numbered lines and an embedded resource', async () => {
    const run = new ToolRun({ '/w/a.ts': 'one\ntwo' });
    const { text, embedded, links } = await run.rendering(readFile, { path: 'a.ts' });
    expect(text).toBe(`a.ts: lines 1-2 of 2, version ${textVersion('one\ntwo')}\n1\tone\n2\ttwo`);
    expect(embedded).toEqual([
      { path: 'a.ts', uri: 'file:///w/a.ts', text: 'one\ntwo', modified: Date.UTC(2026, 10, 21) },
    ]);
    expect(links).toBeUndefined();
  });

  it('makes the text of a result once when the record measures it and the client gets it', async () => {
    const run = new ToolRun({ '/w/a.ts': 'one\ntwo' });
    const data = await run.data(readFile, { path: 'a.ts' });
    let reads = 0;
    const counted = {
      ...data,
      get firstLine() {
        reads += 1;
        return 1;
      },
    };
    const rendering = readFile.render(counted);
    expect(reads).toBe(0);
    const { text } = rendering;
    const once = reads;
    expect(rendering.text).toBe(text);
    expect(reads).toBe(once);
  });

  it('returns unsaved text and marks it as unsaved', async () => {
    const run = new ToolRun({ '/w/a.ts': 'disk' });
    run.files.buffers.set('/w/a.ts', 'buffer');
    run.files.facts.set('/w/a.ts', { unsavedElsewhere: true, readonly: true });
    expect(await run.data(readFile, { path: 'a.ts' })).toMatchObject({
      text: 'buffer',
      unsaved: true,
      unsavedElsewhere: true,
      readonly: true,
    });
  });

  it.each([
    ['', 'lf', 1],
    ['a', 'lf', 1],
    ['a\n', 'lf', 2],
    ['a\r\n', 'crlf', 2],
    ['a\r\nb\n', 'mixed', 3],
    ['a\rb', 'mixed', 2],
    ['\n', 'lf', 2],
    ['\r\n\n', 'mixed', 3],
  ])('reports for %j the line ends %s and %i lines', async (text, eol, totalLines) => {
    const run = new ToolRun({ '/w/a': text });
    expect(await run.data(readFile, { path: 'a' })).toMatchObject({ eol, totalLines });
  });

  it('names the number of lines when firstLine is after the end', async () => {
    const run = new ToolRun({ '/w/a': 'one\ntwo' });
    await expect(run.data(readFile, { path: 'a', firstLine: 3 })).rejects.toMatchObject({
      code: 'not_found',
      message: 'a has 2 lines; line 3 does not exist.',
    });
  });

  it('P13 cuts a huge line with a mark, and goes on after it', async () => {
    const run = new ToolRun({ '/w/min.js': `${'é'.repeat(100_000)}\nnext` });
    const { text, ...read } = await run.textOf({ path: 'min.js' });
    expect(read).toMatchObject({ lastLine: 2 });
    expect(text).toMatch(/^é{2000}… \[cut: line 1 has 100000 characters; .*\]\nnext$/);
  });

  it('P13 cuts the only line that fits with a note, and continues after that line on the next page', async () => {
    const run = new ToolRun({ '/w/min.js': `${'é'.repeat(1999)}\nnext` });
    run.limits = { ...run.limits, readBytes: 1500 };
    const first = await run.textOf({ path: 'min.js' });
    expect(first).toMatchObject({
      lastLine: 1,
      truncated: true,
      nextFirstLine: 2,
      note: expect.stringContaining('firstColumn'),
    });
    expect(Buffer.byteLength(first.text)).toBeLessThanOrEqual(1500);
    expect(first.text).not.toContain('\uFFFD');
    expect(await run.data(readFile, { path: 'min.js', firstLine: 2 })).toMatchObject({ text: 'next' });
  });

  it('P13 refuses binary and huge files', async () => {
    const run = new ToolRun({ '/w/a.png': Buffer.from([0x89, 0x50, 0, 0]), '/w/big': 'x'.repeat(5 * 1024 * 1024 + 1) });
    await expect(run.data(readFile, { path: 'a.png' })).rejects.toMatchObject({ code: 'binary_file' });
    await expect(run.data(readFile, { path: 'big' })).rejects.toMatchObject({ code: 'too_large' });
  });

  it('names the real file when the path is a link', async () => {
    const run = new ToolRun({ '/w/src/a.ts': 'x', '/w/link': { link: 'src' } });
    const data = await run.data(readFile, { path: 'link/a.ts' });
    expect(data).toMatchObject({ path: 'link/a.ts', resolvedTo: 'src/a.ts' });
    expect(readFile.render(data).text).toMatch(/^link\/a\.ts -> src\/a\.ts: lines 1-1/);
    expect((await run.data(readFiles, { files: [{ path: 'link/a.ts' }] })).files[0]?.resolvedTo).toBe('src/a.ts');
    expect(await run.data(readFile, { path: 'src/a.ts' })).not.toHaveProperty('resolvedTo');
  });

  it('returns the whole text when all pages are read in order', async () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' ', '\t'), maxLength: 30 });
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const text = fc
      .array(fc.tuple(line, end), { maxLength: 30 })
      .map((lines) => lines.map((parts) => parts.join('')).join(''));
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.integer({ min: 120, max: 300 }),
        fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined }),
        async (content, readBytes, lineCount) => {
          const run = new ToolRun({ '/w/a': content });
          run.limits = { ...run.limits, readBytes };
          const pages: string[] = [];
          for (let firstLine: number | undefined = 1; firstLine !== undefined;) {
            const page: ReadResult = await run.textOf({
              path: 'a',
              firstLine,
              ...(lineCount === undefined ? {} : { lastLine: firstLine + lineCount - 1 }),
            });
            expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(readBytes);
            expect(page.text.split('\n')).toHaveLength(page.lastLine - page.firstLine + 1);
            pages.push(page.text);
            firstLine = page.nextFirstLine;
          }
          expect(pages.join('\n')).toBe(content.replaceAll(/\r\n|\r/g, '\n'));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('returns a version that changes with the text and with nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '\n', 'b'), maxLength: 12 }),
        fc.string({ unit: fc.constantFrom('a', '\n', 'b'), maxLength: 12 }),
        async (one, other) => {
          const run = new ToolRun({ '/w/a': one, '/w/b': one.replaceAll('\n', '\r\n'), '/w/c': 'disk', '/w/d': other });
          run.files.buffers.set('/w/c', one);
          run.files.facts.set('/w/b', { encoding: 'utf16le' });
          const version = async (path: string) => (await run.textOf({ path })).version;
          const first = await version('a');
          expect(first).toMatch(/^[0-9a-f]{16}$/);
          expect([await version('b'), await version('c')]).toEqual([first, first]);
          expect((await version('d')) === first).toBe(one === other);
        },
      ),
      { numRuns: 100 },
    );
  });
});

describe('read_files', () => {
  it('reads each requested file and reports each failure', async () => {
    const run = new ToolRun({ '/w/a': 'one\ntwo', '/w/b': 'three', '/w/.env': 'secret' });
    const data = await run.data(readFiles, {
      files: [{ path: 'a', firstLine: 2 }, { path: '.env' }, { path: '../x' }, { path: 'gone' }, { path: 'b' }],
    });
    expect(data.files.map(({ path, text }) => [path, text])).toEqual([
      ['a', 'two'],
      ['b', 'three'],
    ]);
    expect(data.failed?.map(({ path, code }) => [path, code])).toEqual([
      ['.env', 'denied'],
      ['../x', 'outside_workspace'],
      ['gone', 'not_found'],
    ]);
    expect(JSON.stringify(data)).not.toContain('secret"');
    expect(run.files.reads).not.toContain('/w/.env');
  });

  it('stops at the budget and names the files that are left', async () => {
    const run = new ToolRun({ '/w/a': 'x'.repeat(60), '/w/b': 'y\n'.repeat(1000), '/w/c': 'z' });
    run.limits = { ...run.limits, readBytes: 2500 };
    const data = await run.data(readFiles, { files: [{ path: 'a' }, { path: 'b' }, { path: 'c' }] });
    expect(data.files.map(({ path, truncated }) => [path, truncated])).toEqual([
      ['a', undefined],
      ['b', true],
    ]);
    expect(data.notRead).toEqual(['c']);
    for (const seen of [JSON.stringify(data), readFiles.render(data).text]) expect(seen.length).toBeLessThan(2500);
    expect(readFiles.render(data).text.length).toBeGreaterThan(1900);
  });

  it('renders text and embeds every file', async () => {
    const run = new ToolRun({ '/w/a': 'one', '/w/b': 'two' });
    const { text, embedded } = await run.rendering(readFiles, {
      files: [{ path: 'a' }, { path: 'gone' }, { path: 'b' }],
    });
    expect(text).toMatch(/a: lines 1-1 of 1.*\n1\tone\n\nb: lines 1-1 of 1.*\n1\ttwo\n\ngone: .* \[not_found\]$/);
    expect(embedded?.map(({ uri }) => uri)).toEqual(['file:///w/a', 'file:///w/b']);
  });
});
