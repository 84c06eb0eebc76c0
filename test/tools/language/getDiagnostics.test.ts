import { beforeEach, describe, expect, it } from 'vitest';
import type { AppliedChange } from '#changes/changes.ts';
import type { Diagnostic } from '#language/diagnostics.ts';
import { getDiagnostics } from '#tools/language/getDiagnostics.ts';
import { FakeChanges } from '../../fakes/changes.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { ToolRun } from '../workspace/toolRun.ts';

let run: ToolRun;
const folder = folderAt('/w');

function problem(firstLine: number, facts: Partial<Diagnostic> = {}): Diagnostic {
  const range = { firstLine, firstColumn: 3, lastLine: firstLine, lastColumn: 8 };
  return { severity: 'error', message: `Wrong ${firstLine}`, source: 'ts', code: '2322', ...range, ...facts };
}

function fileAt(path: string) {
  return { path, uri: `file:///w/${path}`, fsPath: `/w/${path}`, folder };
}

beforeEach(() => {
  run = new ToolRun({
    '/w/src/a.ts': 'a\n',
    '/w/src/b.ts': 'b\n',
    '/w/src/style.css': 'c\n',
    '/w/docs/d.ts': 'd\n',
    '/w/.env': 'SECRET=1\n',
  });
});

const ask = (input: object) => run.data(getDiagnostics, input);

describe('get_diagnostics', () => {
  it('examines the files that the call names, whatever their language', async () => {
    await ask({ paths: ['src/style.css', 'src/a.ts'] });
    expect(run.diagnostics.examined).toEqual([['src/style.css', 'src/a.ts']]);
  });

  it('examines the scripts below a folder, and reports published diagnostics of its other files', async () => {
    run.diagnostics.publish(
      { ...fileAt('src/style.css'), diagnostics: [problem(1)] },
      { ...fileAt('docs/other.css'), diagnostics: [problem(1)] },
    );
    const { files } = await ask({ paths: ['src'] });
    expect(run.diagnostics.examined).toEqual([['src/a.ts', 'src/b.ts']]);
    expect(files).toMatchObject([{ path: 'src/style.css', freshness: 'published' }]);
  });

  it('examines the whole workspace when the call names no path', async () => {
    await ask({});
    expect(run.diagnostics.examined).toEqual([['docs/d.ts', 'src/a.ts', 'src/b.ts']]);
  });

  it('examines only the files that assistants changed when asked for those', async () => {
    const change = (path: string, state: AppliedChange['state']): AppliedChange => ({
      id: path,
      tool: 'apply_edit',
      principal: { credential: 'window' },
      client: undefined,
      appliedAt: 1,
      state,
      canRevert: true,
      files: [{ index: 0, change: 'edit', path, uri: `file:///w/${path}`, addedLines: 1, removedLines: 0 }],
    });
    const changes = new FakeChanges();
    changes.list = () => [
      change('src/a.ts', 'applied'),
      change('docs/d.ts', 'applied'),
      change('src/b.ts', 'reverted'),
    ];
    run.changes = changes;
    await ask({ changedOnly: true });
    await ask({ changedOnly: true, paths: ['src'] });
    expect(run.diagnostics.examined).toEqual([['src/a.ts', 'docs/d.ts'], ['src/a.ts']]);
  });

  it('refuses missing and secret files', async () => {
    await expect(ask({ paths: ['src/none.ts'] })).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask({ paths: ['.env'] })).rejects.toMatchObject({ code: 'denied' });
  });
});

describe('the result of get_diagnostics', () => {
  it('says for every named file how fresh its diagnostics are', async () => {
    run.diagnostics.answers.set('src/a.ts', { freshness: 'fresh', diagnostics: [problem(2)] });
    run.diagnostics.answers.set('src/style.css', { freshness: 'unanswered', diagnostics: [] });
    const data = await ask({ paths: ['src/a.ts', 'src/b.ts', 'src/style.css'] });
    expect(data).toMatchObject({
      files: [
        { path: 'src/a.ts', freshness: 'fresh', diagnostics: [{ firstLine: 2, code: '2322' }] },
        { path: 'src/b.ts', freshness: 'fresh', diagnostics: [] },
        { path: 'src/style.css', freshness: 'unanswered', diagnostics: [] },
      ],
      errorCount: 1,
      unansweredCount: 1,
    });
    expect(getDiagnostics.render(data).text).toBe(
      [
        '1 problem: 1 error, 0 warnings in 2 checked files; 1 file without an answer of a language service yet: ask again',
        'src/a.ts (fresh)',
        '  2:3-8 error Wrong 2 (ts 2322)',
        'src/b.ts (no problems, fresh)',
        'src/style.css (no answer yet)',
      ].join('\n'),
    );
  });

  it('says of a language without a service that it was not checked, and never that it has no problems', async () => {
    run = new ToolRun({ '/w/py/app.py': 'x\n' });
    run.diagnostics.answers.set('py/app.py', { freshness: 'no_service', diagnostics: [] });
    const data = await ask({ paths: ['py/app.py'] });
    expect(data.notChecked).toEqual(['no extension here checks Python (py/app.py)']);
    expect(getDiagnostics.render(data).text).toBe('not checked: no extension here checks Python (py/app.py)');
  });

  it('lists files that nothing checks in one line, by language', async () => {
    const names = ['a.py', 'b.py', 'c.py', 'd.py', 'x.lua', 'LICENSE', 'n.txt'];
    run = new ToolRun(Object.fromEntries(names.map((name) => [`/w/${name}`, 'x\n'])));
    for (const name of names) run.diagnostics.answers.set(name, { freshness: 'no_service', diagnostics: [] });
    expect((await ask({ paths: names })).notChecked?.toSorted()).toEqual([
      'no extension here checks .txt files (n.txt)',
      'no extension here checks Lua (x.lua)',
      'no extension here checks Python (a.py, b.py, c.py and 1 more)',
      'no extension here checks this kind of file (LICENSE)',
    ]);
  });

  it('tells files without an answer from clean ones in the first line, and lists what is known first', async () => {
    run.diagnostics.answers.set('src/a.ts', { freshness: 'unanswered', diagnostics: [] });
    const data = await ask({ paths: ['src/a.ts', 'src/b.ts'] });
    expect(data.files.map(({ path }) => path)).toEqual(['src/b.ts', 'src/a.ts']);
    run.diagnostics.answers.set('src/b.ts', { freshness: 'unanswered', diagnostics: [] });
    const none = await ask({ paths: ['src/a.ts', 'src/b.ts'] });
    const [first] = getDiagnostics.render(none).text.split('\n');
    expect(first).toBe('2 files without an answer of a language service yet: ask again');
  });

  it('says when there was no file to check', async () => {
    run = new ToolRun({ '/w/n.txt': 'x\n' });
    expect(getDiagnostics.render(await ask({})).text).toBe('No file was checked');
  });

  it.each([
    ['error', 1],
    ['warning', 2],
    ['information', 3],
    ['hint', 4],
  ])('omits diagnostics below the severity %s', async (severity, expected) => {
    const severities = ['hint', 'information', 'warning', 'error'] as const;
    const diagnostics = severities.map((each, at) => problem(at + 1, { severity: each }));
    run.diagnostics.answers.set('src/a.ts', { freshness: 'fresh', diagnostics });
    expect((await ask({ paths: ['src/a.ts'], severity })).totalCount).toBe(expected);
  });

  it('names the related places of a diagnostic, except those in secret files', async () => {
    const range = { firstLine: 7, firstColumn: 1, lastLine: 7, lastColumn: 2 };
    const related = [
      { message: 'Declared here.', place: { ...fileAt('src/b.ts'), ...range } },
      { message: 'And here.', place: { outside: true as const, path: 'node_modules/x/i.d.ts', ...range } },
      { message: 'Not told.', place: { ...fileAt('.env'), ...range } },
    ];
    run.diagnostics.answers.set('src/a.ts', { freshness: 'fresh', diagnostics: [problem(1, { related })] });
    expect((await ask({ paths: ['src/a.ts'] })).files[0]?.diagnostics[0]?.related).toEqual([
      'src/b.ts:7 Declared here.',
      'node_modules/x/i.d.ts:7 And here.',
    ]);
  });

  it('names the quick fixes of each diagnostic when the call asks for them', async () => {
    const { actions } = run.refactorings;
    const action = (title: string, fixes: readonly string[]) => ({
      title,
      kind: 'quickfix',
      isPreferred: false,
      fixes,
      expand: async () => ({}),
    });
    actions.push(action('Add import', ['Wrong 1']), action('Remove', ['Wrong 2']), action('Other', []));
    run.diagnostics.answers.set('src/a.ts', { freshness: 'fresh', diagnostics: [problem(1), problem(2), problem(3)] });
    const titles = (await ask({ paths: ['src/a.ts'], quickFixes: true })).files[0]?.diagnostics.map(
      ({ quickFixes }) => quickFixes,
    );
    expect(titles).toEqual([['Add import'], ['Remove'], undefined]);
    run.refactorings.asked.length = 0;
    await ask({ paths: ['src/a.ts'] });
    expect(run.refactorings.asked).toEqual([]);
  });

  it('comes in pages, each diagnostic once', async () => {
    const diagnostics = Array.from({ length: 7 }, (_, at) => problem(at + 1));
    run.diagnostics.answers.set('src/a.ts', { freshness: 'fresh', diagnostics });
    run.diagnostics.answers.set('src/b.ts', { freshness: 'fresh', diagnostics: diagnostics.slice(0, 2) });
    run.limits = { ...run.limits, maxResults: 4 };
    const lines: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await ask({ paths: ['src'], ...(cursor !== undefined && { cursor }) });
      expect(page.totalCount).toBe(9);
      for (const file of page.files) lines.push(...file.diagnostics.map((one) => `${file.path}:${one.firstLine}`));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(lines).toHaveLength(9);
    expect(new Set(lines).size).toBe(9);
  });

  it('finding 16: honours maxResults up to one read, and says when fewer fit', async () => {
    const diagnostics = Array.from({ length: 90 }, (_, at) => problem(at + 1));
    run.diagnostics.answers.set('src/a.ts', { freshness: 'fresh', diagnostics });
    const few = await ask({ paths: ['src/a.ts'], maxResults: 3 });
    expect(few.files[0]?.diagnostics).toHaveLength(3);
    run.limits = { ...run.limits, maxResults: 2, listBytes: 1000, readBytes: 4000 };
    const asked = await ask({ paths: ['src/a.ts'], maxResults: 80 });
    const shown = asked.files[0]?.diagnostics.length ?? 0;
    expect(shown).toBeGreaterThan(10);
    expect(shown).toBeLessThan(80);
    expect(asked.note).toBe('a page of this client ends at 4 KB, so it has fewer than maxResults');
  });

  it('counts the files of a large folder that were not examined', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 502 }, (_, at) => [`/w/src/f${String(at).padStart(4, '0')}.ts`, 'x\n']),
    );
    run = new ToolRun(many);
    const { notExaminedCount } = await ask({});
    expect(run.diagnostics.examined[0]).toHaveLength(500);
    expect(notExaminedCount).toBe(1);
  });
});
