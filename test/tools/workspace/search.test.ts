import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { comparePaths } from '#base/pathOrder.ts';
import { InvalidArgumentsError } from '#base/toolError.ts';
import { findFiles } from '#tools/workspace/findFiles.ts';
import { getWorkspace } from '#tools/workspace/getWorkspace.ts';
import { listDirectory } from '#tools/workspace/listDirectory.ts';
import { searchCode } from '#tools/workspace/searchCode.ts';
import { pipe } from '../../fakes/files.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { size } from '../../size.ts';
import { ToolRun } from './toolRun.ts';

const lastModified = '2026-11-21T00:00:00.000Z';
const tree = { '/w/b.ts': 'x\nno\nx', '/w/a/z.ts': 'x', '/w/a.ts': 'no', '/w/.env': 'x' };

/** Lets 20 s pass in each search after its first results. Returns what makes the searches fast again. */
function slow({ search }: ToolRun, results: number): () => void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const [text, listed] = [search.text.bind(search), search.files.bind(search)];
  const slowly = async function* <Item>(found: AsyncIterable<Item>, signal: AbortSignal): AsyncGenerator<Item> {
    let count = 0;
    for await (const each of found) {
      if (count === results) vi.advanceTimersByTime(20_000);
      signal.throwIfAborted();
      count += 1;
      yield each;
    }
  };
  search.text = (query, signal) => slowly(text(query, signal), signal);
  search.files = (query, signal) => slowly(listed(query, signal), signal);
  return () => Object.assign(search, { text, files: listed });
}

const stopped = /^stopped after 20 s, before all files were looked at; narrow it down/;

describe('search_code', () => {
  it('looks up the folder of the search and each file with a match once', async () => {
    const run = new ToolRun({ '/w/a.ts': 'one\n', '/w/b.ts': 'two\n' });
    const locate = run.files.locate.bind(run.files);
    const asked: string[] = [];
    run.files.locate = (fsPath, purpose) => {
      asked.push(fsPath);
      return locate(fsPath, purpose);
    };
    const { files } = await run.data(searchCode, { query: 'one' });
    expect(files).toMatchObject([{ path: 'a.ts', size: 4 }]);
    expect(asked).toEqual(['/w', '/w/a.ts']);
  });

  it('returns one match per line, sorted, with counts and one link per file', async () => {
    const run = new ToolRun(tree);
    const data = await run.data(searchCode, { query: 'x' });
    expect(data).toEqual({
      output: 'lines',
      matches: [
        { file: 'a/z.ts', line: 1, column: 1, content: 'x' },
        { file: 'b.ts', line: 1, column: 1, content: 'x' },
        { file: 'b.ts', line: 3, column: 1, content: 'x' },
      ],
      totalCount: 3,
      totalIsExact: true,
      fileCount: 2,
      truncated: false,
      files: [
        { path: 'a/z.ts', uri: 'file:///w/a/z.ts', matches: 1, size: 1, lastModified },
        { path: 'b.ts', uri: 'file:///w/b.ts', matches: 2, size: 6, lastModified },
      ],
    });
    const { text, links } = searchCode.render(data);
    expect(text).toBe('3 matches in 2 files\na/z.ts\n1:\tx\nb.ts\n1:\tx\n3:\tx');
    expect(links).toEqual([
      { path: 'a/z.ts', uri: 'file:///w/a/z.ts', description: '1 match', size: 1, modified: Date.parse(lastModified) },
      { path: 'b.ts', uri: 'file:///w/b.ts', description: '2 matches', size: 6, modified: Date.parse(lastModified) },
    ]);
  });

  it('shows lines around a match once', () => {
    const match = (line: number, before: string[], after: string[]) => ({
      file: 'a',
      line,
      column: 1,
      content: `m${line}`,
      before,
      after,
    });
    const { text } = searchCode.render({
      output: 'lines',
      matches: [match(2, ['l1'], ['m3']), match(3, ['m2'], ['l4']), match(9, ['l8'], [])],
      totalCount: 3,
      totalIsExact: true,
      fileCount: 1,
      truncated: false,
      files: [],
    });
    expect(text).toBe('3 matches in 1 file\na\n1-\tl1\n2:\tm2\n3:\tm3\n4-\tl4\n--\n8-\tl8\n9:\tm9');
  });

  it('returns paths of files, or counts by file, when asked for them', async () => {
    const run = new ToolRun(tree);
    const data = await run.data(searchCode, { query: 'x', output: 'counts' });
    expect(data).toMatchObject({ matches: [], totalCount: 3, fileCount: 2, totalIsExact: true, truncated: false });
    expect(data.files.map(({ path, matches }) => [path, matches])).toEqual([
      ['a/z.ts', 1],
      ['b.ts', 2],
    ]);
    expect(searchCode.render(data).text).toBe('2 files with 3 matches\na/z.ts\t1\nb.ts\t2');
    expect((await run.rendering(searchCode, { query: 'x', output: 'files' })).text).toBe(
      '2 files with 3 matches\na/z.ts\nb.ts',
    );
    const page = await run.data(searchCode, { query: 'x', output: 'files', maxResults: 1 });
    expect(searchCode.render(page).text).toBe(`1 of 2 files with 3 matches\na/z.ts\n(more: cursor ${page.nextCursor})`);
    const next = await run.data(searchCode, { query: 'x', output: 'files', cursor: page.nextCursor });
    expect(next.files.map(({ path }) => path)).toEqual(['b.ts']);
    expect(next.truncated).toBe(false);
  });

  it('counts a file that comes in several parts once', async () => {
    const run = new ToolRun(tree);
    const whole = new ToolRun(tree).search;
    run.search.text = async function* (query, signal) {
      for await (const { matches, ...file } of whole.text(query, signal)) {
        for (const match of matches) yield { ...file, matches: [match] };
      }
    };
    const data = await run.data(searchCode, { query: 'x', output: 'counts' });
    expect(data.files.map(({ matches }) => matches)).toEqual([1, 2]);
    expect(data.fileCount).toBe(2);
  });

  it('adds as many lines before and after a match as were asked for', async () => {
    const run = new ToolRun({ '/w/a.ts': '1\n2\nx\n4\n5' });
    const of = async (more: object) => (await run.data(searchCode, { query: 'x', ...more })).matches[0];
    expect(await of({ linesBefore: 2 })).toEqual({
      file: 'a.ts',
      line: 3,
      column: 1,
      content: 'x',
      before: ['1', '2'],
    });
    expect(await of({ linesAfter: 1 })).toEqual({ file: 'a.ts', line: 3, column: 1, content: 'x', after: ['4'] });
  });

  it('finding 16: begins a page with what it has of all, honours maxResults up to one read, and says when fewer fit', async () => {
    const run = new ToolRun({ '/w/a.ts': 'needle in a line of some length\n'.repeat(400) });
    run.limits = { ...run.limits, listBytes: 2000, readBytes: 6000 };
    const usual = await run.data(searchCode, { query: 'needle' });
    const shown = usual.matches.length;
    expect(shown).toBeLessThan(60);
    expect(searchCode.render(usual).text).toMatch(new RegExp(`^${shown} of 400 matches in 1 file\n`));
    expect(usual.note).toBeUndefined();
    const asked = await run.data(searchCode, { query: 'needle', maxResults: 400 });
    expect(asked.matches.length).toBeGreaterThan(2 * shown);
    expect(asked.note).toBe('a page of this client ends at 6 KB, so it has fewer than maxResults');
    expect(asked.nextCursor?.length).toBeLessThanOrEqual(60);
    const few = await run.data(searchCode, { query: 'needle', maxResults: 3 });
    expect([few.matches.length, few.note]).toEqual([3, undefined]);
  });

  it('answers with what it found when its time is up, and says so', async () => {
    const run = new ToolRun(tree);
    const fast = slow(run, 1);
    const data = await run.data(searchCode, { query: 'x' });
    expect(data).toMatchObject({
      matches: [{ file: 'b.ts', line: 1 }, { line: 3 }],
      totalCount: 2,
      totalIsExact: false,
      truncated: true,
      note: expect.stringMatching(stopped),
    });
    // Files that come before these were not looked at, so a next page would leave them out.
    expect(data.nextCursor).toBeUndefined();
    expect(searchCode.render(data).text).toMatch(/^2 of at least 2 matches in 1 file\n/);
    const counts = await run.data(searchCode, { query: 'x', output: 'counts' });
    expect(counts).toMatchObject({ totalCount: 2, totalIsExact: false, truncated: true, files: [{ path: 'b.ts' }] });
    expect(searchCode.render(counts).text).toMatch(/^1 of at least 1 file with 2 matches\n/);
    fast();
    slow(run, 0);
    const nothing = await run.data(searchCode, { query: 'x' });
    expect(nothing).toMatchObject({ totalCount: 0, truncated: true, note: expect.stringMatching(stopped) });
  });

  it('gives no reason for no match when there is no time left to count files', async () => {
    const run = new ToolRun(tree);
    run.search.ignored.add('b.ts');
    expect((await run.data(searchCode, { query: 'nothing' })).note).toMatch(/^1 file is left out by ignore rules/);
    slow(run, 1);
    const data = await run.data(searchCode, { query: 'nothing' });
    expect([data.totalIsExact, data.truncated, data.note]).toEqual([true, false, undefined]);
  });

  it('goes on in path order from where its time was up when there are too many matches to hold', async () => {
    const many = 'x\n'.repeat(6000);
    const run = new ToolRun({ '/w/a.ts': many, '/w/b.ts': many });
    const page = (cursor?: string) =>
      run.data(searchCode, { query: 'x', maxResults: 1000, ...(cursor === undefined ? {} : { cursor }) });
    let last = await page();
    for (let count = 1; count < 5; count += 1) last = await page(last.nextCursor);
    expect(last.matches.at(-1)).toMatchObject({ file: 'a.ts', line: 5000 });
    const fast = slow(run, 1);
    last = await page(last.nextCursor);
    expect(last.matches.at(-1)).toMatchObject({ file: 'a.ts', line: 6000 });
    expect(last).toMatchObject({ truncated: true, note: expect.stringMatching(stopped) });
    fast();
    expect((await page(last.nextCursor)).matches[0]).toMatchObject({ file: 'b.ts', line: 1 });
  });

  it('says that there are no matches when nothing is found', async () => {
    expect((await new ToolRun(tree).rendering(searchCode, { query: 'nothing' })).text).toBe('0 matches in 0 files');
  });

  it('refuses a path that does not exist', async () => {
    await expect(new ToolRun(tree).data(searchCode, { query: 'x', path: 'gone' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('never reveals whether a secret file matched', async () => {
    const secret = { ...tree, '/w/.env': 'needle' };
    const [with_, without] = [
      await new ToolRun(secret).data(searchCode, { query: 'needle' }),
      await new ToolRun(tree).data(searchCode, { query: 'needle' }),
    ];
    expect(with_).toEqual(without);
    await expect(new ToolRun(secret).data(searchCode, { query: 'needle', path: '.env' })).rejects.toMatchObject({
      code: 'denied',
    });
  });

  it.each([
    { query: '' },
    { query: 'x', include: ['a'.repeat(257)] },
    { query: 'x', include: ['*'.repeat(17)] },
    { query: 'x', exclude: ['{a,b'] },
    { query: 'x', include: ['[a'] },
    { query: 'x', include: ['!a'] },
    { query: 'x\0' },
    { query: 'x', include: ['a\0'] },
    { query: 'x', exclude: ['file:///w/*.ts'] },
    { query: 'x', linesBefore: 11 },
    { query: 'x', maxResults: 0 },
    { query: 'x', cursor: 'nonsense' },
    { query: 'x', unknown: 1 },
  ])('P14 refuses %j', async (input) => {
    await expect(new ToolRun(tree).data(searchCode, input)).rejects.toThrow(InvalidArgumentsError);
  });

  it('refuses the cursor of another query', async () => {
    const run = new ToolRun(tree);
    const { nextCursor } = await run.data(searchCode, { query: 'x', maxResults: 1 });
    expect(nextCursor).toBeTypeOf('string');
    await expect(run.data(searchCode, { query: 'no', cursor: nextCursor })).rejects.toThrow(InvalidArgumentsError);
    expect((await run.data(searchCode, { query: 'x', cursor: nextCursor, maxResults: 5 })).matches).toHaveLength(2);
  });

  const files = fc.dictionary(
    fc.stringMatching(/^[ab.-]{1,2}(\/[ab-]{1,2})?$/).filter((path) => !/(^|\/)\.|\.$|\.\//.test(path)),
    fc.array(fc.constantFrom('x', 'no', 'xx'), { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n')),
    { maxKeys: 8 },
  );

  it('returns all matches over all pages, sorted, each once, and no page is too large', async () => {
    await fc.assert(
      fc.asyncProperty(
        files,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 400, max: 900 }),
        async (texts, maxResults, listBytes) => {
          const run = new ToolRun(
            Object.fromEntries(Object.entries(texts).map(([path, text]) => [`/w/f/${path}`, text])),
          );
          const whole = await run.data(searchCode, { query: 'x', maxResults: 1000 });
          expect(whole.matches).toEqual(
            whole.matches.toSorted((a, b) => comparePaths(a.file, b.file) || a.line - b.line),
          );
          run.limits = { ...run.limits, listBytes };
          const seen: unknown[] = [];
          for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
            const page = await run.data(searchCode, {
              query: 'x',
              maxResults,
              ...(cursor === undefined ? {} : { cursor }),
            });
            expect(page.matches.length).toBeLessThanOrEqual(maxResults);
            expect(page.truncated).toBe(page.nextCursor !== undefined);
            expect([page.totalCount, page.fileCount]).toEqual([whole.totalCount, whole.fileCount]);
            if (page.matches.length > 1)
              expect(Buffer.byteLength(JSON.stringify(page.matches))).toBeLessThanOrEqual(listBytes);
            seen.push(...page.matches);
            cursor = page.nextCursor;
          }
          expect(seen).toEqual(whole.matches);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('returns all matches over all pages when there are more matches than it counts exactly', async () => {
    const run = new ToolRun(
      Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`/w/d${(at * 7) % 25}/f`, 'x\n'.repeat(500)])),
    );
    const seen: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await run.data(searchCode, {
        query: 'x',
        maxResults: 1000,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(page.totalIsExact).toBe(false);
      expect(page.totalCount).toBeGreaterThanOrEqual(10_000);
      seen.push(...page.matches.map(({ file, line }) => `${file}:${line}`));
      cursor = page.nextCursor;
      pages += 1;
    }
    expect(seen).toHaveLength(12_500);
    expect(new Set(seen).size).toBe(12_500);
    expect(pages).toBe(13);
    expect(run.search.stopped).toBeGreaterThanOrEqual(13);
  });

  it('P13 returns a page of a file with very many matches', async () => {
    const run = new ToolRun({ '/w/a': 'x\n'.repeat(300_000), '/w/b': 'x' });
    const first = await run.data(searchCode, { query: 'x', maxResults: 3 });
    expect(first).toMatchObject({ totalIsExact: false, truncated: true });
    expect(first.matches.map(({ line }) => line)).toEqual([1, 2, 3]);
    const next = await run.data(searchCode, { query: 'x', maxResults: 3, cursor: first.nextCursor });
    expect(next.matches.map(({ line }) => line)).toEqual([4, 5, 6]);
  });

  it('keeps no more matches than the limit over all files', async () => {
    const run = new ToolRun({ '/w/a': 'x\n'.repeat(6_000), '/w/b': 'x\n'.repeat(6_000) });
    expect(await run.data(searchCode, { query: 'x', maxResults: 1 })).toMatchObject({
      totalCount: 10_000,
      totalIsExact: false,
    });
  });

  it('A5 links only to files that can be read, and shows invisible characters in names', async () => {
    const names = ['a\u200b', 'b\u001b[31m', 'c:d', 'ok'];
    const run = new ToolRun({
      ...Object.fromEntries(names.map((name) => [`/w/${name}`, 'x'])),
      '/w/large': `x\n${'y'.repeat(2 * 1024 * 1024)}`,
    });
    const data = await run.data(searchCode, { query: 'x' });
    expect(data.matches.map(({ file }) => file)).toEqual(['a<U+200B>', 'b<U+001B>[31m', 'c:d', 'large', 'ok']);
    expect(searchCode.render(data).links?.map(({ path }) => path)).toEqual(['ok']);
    const found = await run.data(findFiles, { query: '*' });
    expect(found.files.map(({ path }) => path)).toEqual(['a<U+200B>', 'b<U+001B>[31m', 'c:d', 'large', 'ok']);
    expect(findFiles.render(found).links?.map(({ path }) => path)).toEqual(['ok']);
    const listed = await run.data(listDirectory, {});
    expect(listed.entries.map(({ path }) => path)).toEqual(['a<U+200B>', 'b<U+001B>[31m', 'c:d', 'large', 'ok']);
  });
});

describe('find_files', () => {
  it('answers with what it found when its time is up, and says so', async () => {
    const run = new ToolRun(tree);
    slow(run, 2);
    const data = await run.data(findFiles, { query: '**', maxResults: 1 });
    expect(data).toMatchObject({
      files: [{ path: 'a/z.ts' }],
      totalCount: 2,
      truncated: true,
      note: expect.stringMatching(stopped),
    });
    expect(data.nextCursor).toBeUndefined();
  });

  it.each([
    ['*.ts', ['a/z.ts', 'a.ts', 'b.ts']],
    ['Z', ['a/z.ts']],
    ['A/Z.T', ['a/z.ts']],
    ['.env', []],
    ['nothing', []],
    ['/b.ts', ['b.ts']],
    ['/w/a/z.ts', ['a/z.ts']],
  ])('%s finds %j', async (query, expected) => {
    const run = new ToolRun({ ...tree, '/w/a/z.ts': '' });
    run.search.queries.length = 0;
    const data = await run.data(findFiles, { query: query === '*.ts' ? '**/*.ts' : query });
    expect(data.files.map(({ path }) => path)).toEqual(expected);
    expect(data.totalCount).toBe(expected.length);
  });

  it('takes glob syntax literally when it is a part of the name', async () => {
    const run = new ToolRun({ '/w/(a)+b@$!^.ts': '' });
    expect((await run.data(findFiles, { query: '(A)+b@$!^' })).totalCount).toBe(1);
  });

  it('returns all files over all pages, sorted', async () => {
    const run = new ToolRun(
      Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`/w/d${(at * 37) % 300}/f-${at}`, ''])),
    );
    run.limits = { ...run.limits, listBytes: 2_000 };
    const seen: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await run.data(findFiles, { query: 'f-', ...(cursor === undefined ? {} : { cursor }) });
      expect(Buffer.byteLength(JSON.stringify(page.files))).toBeLessThanOrEqual(2_000);
      expect(page.totalCount).toBe(300);
      seen.push(...page.files.map(({ path }) => path));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(300);
    expect(seen).toEqual([...new Set(seen)].toSorted(comparePaths));
  });

  it('P14 returns one page, the count and a cursor when a glob matches 500,000 files', async () => {
    const count = size({ quick: 20_000, full: 500_000 });
    const run = new ToolRun();
    const folder = folderAt('/w');
    run.search.files = async function* files() {
      for (let at = 0; at < count; at += 1) {
        // In no order, as ripgrep finds them.
        const path = `d/${String((at * 7919) % count).padStart(6, '0')}.ts`;
        yield { path, fsPath: `/w/${path}`, uri: `file:///w/${path}`, folder };
      }
    };
    const page = await run.data(findFiles, { query: '**/**/**/**/*' });
    expect(page).toMatchObject({ totalCount: count, truncated: true, nextCursor: expect.any(String) });
    expect(page.files.map(({ path }) => path)).toEqual(
      Array.from({ length: run.limits.maxResults }, (_, at) => `d/${String(at).padStart(6, '0')}.ts`),
    );
  });

  it('links the files', async () => {
    expect((await new ToolRun(tree).rendering(findFiles, { query: 'z' })).links).toEqual([
      { path: 'a/z.ts', uri: 'file:///w/a/z.ts', size: 1, modified: Date.parse(lastModified) },
    ]);
  });
});

describe('list_directory', () => {
  it('lists kinds and sizes without denied entries', async () => {
    const run = new ToolRun({ ...tree, '/w/link': { link: 'a' }, '/w/.git/config': '', '/w/pipe': pipe });
    expect((await run.data(listDirectory, {})).entries).toEqual([
      { path: 'a', kind: 'directory' },
      { path: 'a.ts', kind: 'file', size: 2 },
      { path: 'b.ts', kind: 'file', size: 6 },
      { path: 'link', kind: 'link' },
      { path: 'pipe', kind: 'other' },
    ]);
    expect((await run.rendering(listDirectory, {})).text).toBe(
      '5 entries\na/\na.ts\t2\nb.ts\t6\nlink\t(link)\npipe\t(other)',
    );
  });

  it('lists as deep as requested without ignored directories', async () => {
    const run = new ToolRun({ '/w/a/b/c/d.ts': 'x', '/w/a/e.ts': 'x', '/w/dist/f/g.js': Buffer.from('ignored') });
    const paths = async (depth: number) => (await run.data(listDirectory, { depth })).entries.map(({ path }) => path);
    expect(await paths(1)).toEqual(['a', 'dist']);
    expect(await paths(2)).toEqual(['a', 'a/b', 'a/e.ts', 'dist']);
    expect(await paths(5)).toEqual(['a', 'a/b', 'a/b/c', 'a/b/c/d.ts', 'a/e.ts', 'dist']);
    expect((await run.data(listDirectory, { path: 'dist' })).entries).toEqual([{ path: 'dist/f', kind: 'directory' }]);
  });

  it('looks at few levels of the tree, and further only below directories in which it saw no file', async () => {
    const run = new ToolRun({
      '/w/a/b/c.ts': 'x',
      '/w/deep/1/2/3/4/5/d.ts': 'x',
      '/w/dist/f/g.js': Buffer.from('ignored'),
    });
    const { entries } = await run.data(listDirectory, { depth: 2 });
    expect(entries.map(({ path }) => path)).toEqual(['a', 'a/b', 'deep', 'deep/1', 'dist']);
    expect(run.search.queries).toMatchObject([{ maxDepth: 4, exclude: [] }, { exclude: ['/w/a'] }]);
    expect(run.search.queries[1]).not.toHaveProperty('maxDepth');
  });

  it('looks once when each directory has a file nearby', async () => {
    const run = new ToolRun({ '/w/a/b/c.ts': 'x', '/w/a/d/e/f.ts': 'x' });
    await run.data(listDirectory, { depth: 3 });
    expect(run.search.queries).toHaveLength(1);
  });

  it('looks at no more files of a tree than show that each directory has one, when it lists two levels', async () => {
    const run = new ToolRun({ '/w/a/b.ts': 'x', '/w/c/d.ts': 'x', '/w/c/e.ts': 'x' });
    const { entries } = await run.data(listDirectory, { depth: 2 });
    expect(entries.map(({ path }) => path)).toEqual(['a', 'a/b.ts', 'c', 'c/d.ts', 'c/e.ts']);
    expect(run.search.stopped).toBe(1);
  });

  it('begins with the workspace folders when the window has several', async () => {
    const run = new ToolRun({ '/r/app/a': '', '/r/lib/b': '' }, [folderAt('/r/lib'), folderAt('/r/app')]);
    expect((await run.data(listDirectory, {})).entries.map(({ path }) => path)).toEqual(['app', 'lib']);
    expect((await run.data(listDirectory, { depth: 2 })).entries.map(({ path }) => path)).toEqual([
      'app',
      'app/a',
      'lib',
      'lib/b',
    ]);
  });

  it('returns the whole listing over all pages', async () => {
    const run = new ToolRun(
      Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`/w/${at % 2 === 0 ? 'd/' : ''}f${at}`, ''])),
    );
    run.limits = { ...run.limits, listBytes: 700 };
    const seen: string[] = [];
    for (let cursor: string | undefined, first = true; first || cursor !== undefined; first = false) {
      const page = await run.data(listDirectory, { depth: 2, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...page.entries.map(({ path }) => path));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(101);
    expect(seen).toEqual([...new Set(seen)].toSorted(comparePaths));
  });

  it('refuses a file and a missing path', async () => {
    await expect(new ToolRun(tree).data(listDirectory, { path: '.env' })).rejects.toMatchObject({ code: 'denied' });
  });
});

describe('get_workspace', () => {
  it('returns the open folders', async () => {
    const run = new ToolRun({ '/r/app/a': '', '/r/lib/b': '' }, [folderAt('/r/app'), folderAt('/r/lib')]);
    expect(await run.data(getWorkspace, {})).toMatchObject({
      folders: [
        { path: 'app', name: 'app', uri: 'file:///r/app' },
        { path: 'lib', name: 'lib', uri: 'file:///r/lib' },
      ],
      trusted: true,
      canEdit: true,
      editor: 'Fake Editor 1.0.0',
      paths: expect.stringContaining('app/src/main.ts'),
    });
  });

  it('says in text and data that paths of a single folder begin without its name', async () => {
    const run = new ToolRun({ '/r/proj/a': '' }, [folderAt('/r/proj')]);
    const data = await run.data(getWorkspace, {});
    expect(data).toMatchObject({ folders: [{ path: '.', name: 'proj' }], paths: expect.stringContaining('not proj/') });
    const { text } = getWorkspace.render(data);
    expect(text).toContain('folder . (proj): file:///r/proj\nPaths are relative');
  });

  it.each([
    ['ssh-remote', 'ssh-remote'],
    ['ssh-remote+build.example.com', 'ssh-remote'],
    ['127.0.0.1:46229', 'remote'],
    ['localhost', 'remote'],
  ])('shows the remote %s as %s', async (remote, kind) => {
    const run = new ToolRun({ '/w/a': '' });
    run.workspace.editor = { ...run.workspace.editor, remote };
    expect(await run.data(getWorkspace, {})).toMatchObject({ remote: kind });
  });

  it('returns a result that says what to do when there is no folder or no trust', async () => {
    const empty = new ToolRun({}, []);
    expect(await empty.data(getWorkspace, {})).toMatchObject({
      folders: [],
      canEdit: false,
      next: expect.stringContaining('Open Folder'),
    });
    const run = new ToolRun({ '/w/a': '' });
    run.workspace.held = true;
    expect(await run.data(getWorkspace, {})).toMatchObject({
      trusted: true,
      canEdit: false,
      next: expect.stringContaining('enables edits'),
    });
    run.workspace.held = false;
    run.workspace.trusted = false;
    expect(await run.data(getWorkspace, {})).toMatchObject({
      trusted: false,
      canEdit: false,
      next: expect.stringContaining('trust'),
    });
    expect(getWorkspace).toMatchObject({ worksWithoutFolder: true, worksUntrusted: true });
  });

  it('returns the mode, and canEdit false in the mode Read-only', async () => {
    const run = new ToolRun({ '/w/a': '' });
    const manual = await run.data(getWorkspace, {});
    expect(manual).toMatchObject({ mode: 'manual', canEdit: true });
    expect(getWorkspace.render(manual).text).toContain('edits are possible, the user approves each');
    run.mode = 'acceptEdits';
    expect(getWorkspace.render(await run.data(getWorkspace, {})).text).toContain('possible, in mode acceptEdits');
    run.mode = 'readOnly';
    const data = await run.data(getWorkspace, {});
    expect(data).toMatchObject({ canEdit: false, next: expect.stringContaining('in this mode') });
    expect(getWorkspace.render(data).text).toContain('edits are not possible');
  });
});
