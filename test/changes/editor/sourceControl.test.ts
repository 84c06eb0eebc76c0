import { beforeEach, expect, test, vi } from 'vitest';
import { Uri } from 'vscode';
import { sourceControl } from '#changes/editor/sourceControl.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';

const root = '/w/';
/** Paths below the repository. */
let head: Set<string>;
let changes: {
  workingTreeChanges: string[];
  indexChanges: string[];
  mergeChanges: string[];
  untrackedChanges?: string[];
};
let asked: string[];
let activated: number;

beforeEach(() => {
  resetEditor();
  head = new Set(['a', 'b', 'deep/c']);
  changes = { workingTreeChanges: [], indexChanges: [], mergeChanges: [] };
  asked = [];
  activated = 0;
  install();
});

const repository = {
  looked: false,
  get state() {
    const lists = Object.entries(repository.looked ? changes : {});
    const none = { workingTreeChanges: [], indexChanges: [], mergeChanges: [] };
    return {
      ...none,
      ...Object.fromEntries(lists.map(([name, all]) => [name, all.map((one) => ({ uri: Uri.file(root + one) }))])),
    };
  },
  async status() {
    repository.looked = true;
  },
  async getObjectDetails(commit: string, path: string) {
    asked.push(`${commit} ${path}`);
    if (path === '/w/broken') throw new Error('git is broken');
    if (!head.has(path.slice(root.length)))
      throw Object.assign(new Error('Path not known by git'), { gitErrorCode: 'UnknownPath' });
    return { mode: '100644', object: '', size: 1 };
  },
};

function install(getAPI: () => unknown = api, isActive = true): void {
  const exports = { getAPI };
  const activate = async (): Promise<unknown> => {
    activated += 1;
    return exports;
  };
  editor.extensions.set('vscode.git', { isActive, exports, activate });
}

const api = () => ({
  getRepository: ({ fsPath }: { fsPath: string }) => (fsPath.startsWith(root) ? repository : null),
});

const recovery = (...paths: string[]) => sourceControl.recovery(paths.map((path) => root + path));

test('reports committed when the newest commit has the files as they are', async () => {
  expect(await recovery('a', 'b', 'deep/c')).toBe('committed');
  expect(asked.toSorted()).toEqual(['HEAD /w/a', 'HEAD /w/b', 'HEAD /w/deep/c']);
});

test.each(['workingTreeChanges', 'indexChanges', 'mergeChanges', 'untrackedChanges'] as const)(
  'reports not_committed for a file among the %s',
  async (list) => {
    changes[list] = ['b'];
    expect(await recovery('a', 'b')).toBe('not_committed');
    expect(await recovery('a')).toBe('committed');
  },
);

test('reports not_committed for a file that the newest commit lacks, ignored or hidden', async () => {
  expect(await recovery('a', 'ignored')).toBe('not_committed');
});

test("refreshes the repository's state before it answers", async () => {
  repository.looked = false;
  changes.workingTreeChanges = ['a'];
  expect(await recovery('a')).toBe('not_committed');
});

test('reports unknown for files of no repository and errors of git, unless one file is not committed', async () => {
  expect(await sourceControl.recovery(['/elsewhere/a'])).toBe('unknown');
  expect(await sourceControl.recovery(['/elsewhere/a', '/w/a'])).toBe('unknown');
  expect(await sourceControl.recovery(['/elsewhere/a', '/w/ignored'])).toBe('not_committed');
  expect(await recovery('a', 'broken')).toBe('unknown');
});

test('reports unknown when there are more changes than the git extension counts', async () => {
  editor.settings.set('git.statusLimit', 2);
  changes.workingTreeChanges = ['x', 'y'];
  expect(await recovery('a')).toBe('unknown');
});

test('reports unknown for too many files, no files, no git extension, or git turned off', async () => {
  expect(await recovery(...Array.from({ length: 1001 }, (_each, at) => String(at)))).toBe('unknown');
  expect(await recovery()).toBe('unknown');
  install(() => {
    throw new Error('Git model not found');
  });
  expect(await recovery('a')).toBe('unknown');
  editor.extensions.clear();
  expect(await recovery('a')).toBe('unknown');
  expect(asked).toEqual([]);
});

test('activates the git extension only in a trusted workspace', async () => {
  install(api, false);
  editor.isTrusted = false;
  expect(await recovery('a')).toBe('unknown');
  expect(activated).toBe(0);
  editor.isTrusted = true;
  expect(await recovery('a')).toBe('committed');
  expect(activated).toBe(1);
});

test('reports unknown when git does not answer', async () => {
  const late = new AbortController();
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late.signal);
  vi.spyOn(repository, 'status').mockReturnValueOnce(new Promise(() => undefined));
  const waiting = recovery('a');
  late.abort();
  expect(await waiting).toBe('unknown');
});
