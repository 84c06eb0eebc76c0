import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { FoundProblem } from '#language/problemsChange.ts';
import { createProblems, type ProblemSources } from '#language/editor/problems.ts';
import { FakeWorkspace } from '../../fakes/workspace.ts';

/** A workspace in which every line with "bad" in it is a problem. */
class World {
  readonly texts = new Map<string, string>();
  /** Texts as the queried service last read them. */
  readonly seen = new Map<string, string>();
  /** Paths that the service reread, in order. */
  readonly shown: string[] = [];
  /** Files with mixed line ends. */
  readonly odd = new Set<string>();
  /** The problems that services published, by path. */
  readonly published = new Map<string, readonly FoundProblem[]>();
  readonly spoken = new Set<string>();
  /** Runs when the queried service notices created or deleted files. */
  notice = (): void => undefined;
  /** The queried service answers only after this. */
  until: Promise<void> = Promise.resolve();

  readonly sources: ProblemSources = {
    queried: {
      checks: async (fsPath) => /\.(?:ts|json)$/.test(fsPath),
      reread: async (fsPaths) => {
        await this.until;
        for (const fsPath of fsPaths) {
          this.shown.push(fsPath);
          this.seen.set(fsPath, this.texts.get(fsPath) ?? '');
        }
      },
      waitForWatcher: async () => this.notice(),
      problemsOf: async (fsPath) => {
        await this.until;
        const text = this.seen.get(fsPath);
        return text === undefined ? undefined : badLines(text);
      },
    },
    published: {
      problemsOf: (fsPath) => this.published.get(fsPath) ?? [],
      waitUntilQuiet: async () => this.spoken,
    },
    textOf: async (fsPath) => {
      const text = this.texts.get(fsPath);
      return text === undefined ? undefined : { text, isPlain: !this.odd.has(fsPath) };
    },
  };

  readonly problems = createProblems(new FakeWorkspace(), { home: '/nowhere', privateFolders: [] }, this.sources);

  set(texts: Readonly<Record<string, string>>): void {
    for (const [fsPath, text] of Object.entries(texts)) this.texts.set(fsPath, text);
  }
}

function badLines(text: string): readonly FoundProblem[] {
  return text.split('\n').flatMap((line, at) => {
    if (!line.includes('bad')) return [];
    return [{ line: at + 1, severity: 'error', message: 'Bad.', code: 'ts(1)', lineText: line.trim() } as const];
  });
}

let world: World;
beforeEach(() => {
  world = new World();
  world.set({ '/w/a.ts': 'good\n', '/w/b.ts': 'bad\n', '/w/n.md': 'text\n' });
});

describe('a service that answers requests', () => {
  test('reports the new and the fixed problems of a change', async () => {
    const snapshot = await world.problems.snapshot(['/w/a.ts', '/w/b.ts']);
    world.set({ '/w/a.ts': 'good\nbad\n', '/w/b.ts': 'good\n' });
    expect(await snapshot.changeSince(['/w/a.ts', '/w/b.ts'])).toEqual({
      new: [{ path: 'a.ts', line: 2, severity: 'error', message: 'Bad.', code: 'ts(1)' }],
      newCount: 1,
      fixedCount: 1,
      unchangedCount: 0,
      freshness: 'fresh',
    });
  });

  test('rereads all changed files before the first request', async () => {
    const snapshot = await world.problems.snapshot(['/w/a.ts', '/w/b.ts']);
    world.shown.length = 0;
    await snapshot.changeSince(['/w/a.ts', '/w/b.ts']);
    expect(world.shown).toEqual(['/w/a.ts', '/w/b.ts']);
  });

  test('does not reread a file before a change when the service knows it', async () => {
    world.seen.set('/w/a.ts', 'good\n');
    await world.problems.snapshot(['/w/a.ts']);
    expect(world.shown).toEqual([]);
  });

  test('treats a moved file as the same file', async () => {
    const snapshot = await world.problems.snapshot(['/w/b.ts', '/w/b.ts']);
    world.set({ '/w/c/d.ts': '\nbad\nbad too\n' });
    world.texts.delete('/w/b.ts');
    expect(await snapshot.changeSince(['/w/c/d.ts', '/w/c/d.ts'])).toMatchObject({
      new: [{ path: 'c/d.ts', line: 3 }],
      newCount: 1,
      fixedCount: 0,
    });
  });

  test('reports all problems of a created file as new', async () => {
    const snapshot = await world.problems.snapshot(['/w/new.ts']);
    world.set({ '/w/new.ts': 'bad\n' });
    expect(await snapshot.changeSince(['/w/new.ts'])).toMatchObject({ newCount: 1, fixedCount: 0, freshness: 'fresh' });
  });

  test('reports problems of a deleted file neither as new nor as fixed', async () => {
    const snapshot = await world.problems.snapshot(['/w/b.ts']);
    world.texts.delete('/w/b.ts');
    expect(await snapshot.changeSince(['/w/b.ts'])).toBeUndefined();
  });

  test('asks again about an importer once the service has noticed the moved file', async () => {
    const snapshot = await world.problems.snapshot(['/w/a.ts', '/w/b.ts']);
    world.set({ '/w/a.ts': 'bad import of c\n', '/w/c.ts': 'bad\n' });
    world.notice = () => void world.seen.set('/w/a.ts', 'import of c\n');
    expect(await snapshot.changeSince(['/w/a.ts', '/w/c.ts'])).toMatchObject({ newCount: 0, freshness: 'fresh' });
  });

  test('B9: asks about an importer once the service has noticed that a file is gone', async () => {
    const snapshot = await world.problems.snapshot(['/w/a.ts', '/w/b.ts']);
    world.texts.delete('/w/b.ts');
    world.notice = () => void world.seen.set('/w/a.ts', 'bad import of b\n');
    expect(await snapshot.changeSince(['/w/a.ts', '/w/b.ts'])).toMatchObject({
      new: [{ path: 'a.ts', line: 1 }],
      newCount: 1,
      freshness: 'fresh',
    });
  });

  test('does not wait for the watcher when no file was created', async () => {
    const snapshot = await world.problems.snapshot(['/w/a.ts']);
    world.set({ '/w/a.ts': 'bad\n' });
    world.notice = () => expect.unreachable();
    expect(await snapshot.changeSince(['/w/a.ts'])).toMatchObject({ newCount: 1 });
  });

  test('neither opens a file that the editor would hold differently, nor calls its answer fresh', async () => {
    world.odd.add('/w/a.ts');
    world.seen.set('/w/a.ts', 'good\n');
    const snapshot = await world.problems.snapshot(['/w/a.ts']);
    expect(await snapshot.changeSince(['/w/a.ts'])).toMatchObject({ newCount: 0, freshness: 'settling' });
    expect(world.shown).toEqual([]);
  });

  test('ignores answers from before the change that came only after it', async () => {
    const late = Promise.withResolvers<void>();
    world.until = late.promise;
    const snapshot = world.problems.snapshot(['/w/a.ts']);
    await Promise.resolve();
    world.set({ '/w/a.ts': 'bad\n' });
    late.resolve();
    expect(await (await snapshot).changeSince(['/w/a.ts'])).toBeUndefined();
  });

  test('stops waiting for the service when the time has expired', async () => {
    const expired = new AbortController();
    const snapshot = await world.problems.snapshot(['/w/a.ts', '/w/b.ts']);
    world.until = new Promise(() => undefined);
    vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(expired.signal);
    const change = snapshot.changeSince(['/w/a.ts', '/w/b.ts']);
    await new Promise(setImmediate);
    expired.abort();
    expect(await change).toEqual({
      new: [],
      newCount: 0,
      fixedCount: 0,
      unchangedCount: 0,
      freshness: 'settling',
    });
  });

  test('treats a service that fails as one that does not answer', async () => {
    vi.spyOn(world.sources.queried, 'checks').mockRejectedValue(new Error('broken'));
    const snapshot = await world.problems.snapshot(['/w/a.ts']);
    expect(await snapshot.changeSince(['/w/a.ts'])).toBeUndefined();
  });

  test('examines at most 50 files', async () => {
    const paths = Array.from({ length: 60 }, (_each, at) => `/w/${at}.ts`);
    world.set(Object.fromEntries(paths.map((path) => [path, 'good\n'])));
    const snapshot = await world.problems.snapshot(paths);
    for (const path of paths) world.set({ [path]: 'bad\n' });
    expect((await snapshot.changeSince(paths))?.newCount).toBe(50);
  });
});

describe('A8: secret files', () => {
  const quoting: FoundProblem = { line: 1, severity: 'error', message: 'Unexpected "hunter2".', lineText: 'hunter2' };

  test('are left out of the result and of the requests', async () => {
    world.set({ '/w/.env.json': 'good\n', '/w/secrets/a.json': 'good\n' });
    const paths = ['/w/.env', '/w/.env.json', '/w/secrets/a.json', '/w/a.ts'];
    const snapshot = await world.problems.snapshot(paths);
    world.published.set('/w/.env', [quoting]);
    world.spoken.add('/w/.env');
    world.set({ '/w/.env': 'x\n', '/w/.env.json': 'bad\n', '/w/secrets/a.json': 'bad\n', '/w/a.ts': 'bad\n' });
    expect(await snapshot.changeSince(paths)).toMatchObject({ new: [{ path: 'a.ts' }], newCount: 1 });
    expect(new Set(world.shown)).toEqual(new Set(['/w/a.ts']));
  });

  test('are left out when a file becomes or was secret', async () => {
    const snapshot = await world.problems.snapshot(['/w/a.ts', '/w/.env.json']);
    world.set({ '/w/secrets/a.json': 'bad\n', '/w/c.ts': 'bad\n' });
    expect(await snapshot.changeSince(['/w/secrets/a.json', '/w/c.ts'])).toBeUndefined();
  });
});

describe('services that publish at their own time', () => {
  const spelling: FoundProblem = { line: 1, severity: 'warning', message: 'Spelling.', lineText: 'text' };

  test('are quoted, but never as fresh', async () => {
    const snapshot = await world.problems.snapshot(['/w/n.md']);
    world.published.set('/w/n.md', [spelling]);
    expect(await snapshot.changeSince(['/w/n.md'])).toEqual({
      new: [{ path: 'n.md', line: 1, severity: 'warning', message: 'Spelling.' }],
      newCount: 1,
      fixedCount: 0,
      unchangedCount: 0,
      freshness: 'settling',
    });
  });

  test('count a withdrawn problem as fixed', async () => {
    world.published.set('/w/n.md', [spelling]);
    const snapshot = await world.problems.snapshot(['/w/n.md']);
    world.published.delete('/w/n.md');
    expect(await snapshot.changeSince(['/w/n.md'])).toMatchObject({ newCount: 0, fixedCount: 1 });
  });

  test('give no result for a file that no service reports on', async () => {
    const snapshot = await world.problems.snapshot(['/w/n.md']);
    expect(await snapshot.changeSince(['/w/n.md'])).toBeUndefined();
    world.spoken.add('/w/n.md');
    expect(await snapshot.changeSince(['/w/n.md'])).toMatchObject({ newCount: 0, fixedCount: 0 });
  });
});
