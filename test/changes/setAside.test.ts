import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { InterruptedApplies, TemporaryEntry } from '#changes/edits.ts';
import { FakeHistory } from '../fakes/history.ts';
import { applied, killDuring, killDuringApply, removeFolder, setUpEditor } from './editorSetUp.ts';
import { create, edit, move, remove } from './queueSetUp.ts';

type Act = 'apply' | 'undo' | 'redo';

/** The temporary entries that a killed apply left beside the files, and a record of what the recovery did with them. */
class Leftovers implements InterruptedApplies {
  readonly done: string[] = [];
  readonly loaded: string[] = [];
  readonly #temporaries: readonly TemporaryEntry[];
  folders: readonly string[] = [];
  /** A removal leaves a part of the entry. */
  keepsSome = false;
  /** A path is taken, or the disk refuses. */
  refusesNames = false;

  constructor(temporaries: readonly TemporaryEntry[] = []) {
    this.#temporaries = temporaries;
  }

  async loadUnsaved(paths: Parameters<InterruptedApplies['loadUnsaved']>[0]): Promise<void> {
    this.loaded.push(...paths.map(({ path }) => path));
  }

  async temporaries(_recordId: string, folders: readonly string[]): Promise<readonly TemporaryEntry[]> {
    this.folders = folders;
    return this.#temporaries;
  }

  async putBack({ realPath }: TemporaryEntry, place: string): Promise<boolean> {
    this.done.push(`put back ${realPath} as ${place}`);
    return !this.refusesNames;
  }

  async remove({ realPath }: TemporaryEntry, known?: Parameters<InterruptedApplies['remove']>[1]): Promise<boolean> {
    const holding = known?.map(({ relative, sha256 }) => `${relative}=${sha256.slice(0, 8)}`).join(',');
    this.done.push(`remove ${realPath}${holding === undefined ? '' : ` holding [${holding}]`}`);
    return !this.keepsSome;
  }

  async removeSecondName(first: string, second: string): Promise<void> {
    this.done.push(`second name of ${first}: ${second}`);
    if (this.refusesNames) throw new Error('the disk refuses');
  }

  async removeEmptyFolder(realPath: string): Promise<void> {
    this.done.push(`empty folder ${realPath}`);
    if (this.refusesNames) throw new Error('the disk refuses');
  }
}

const before = { '/w/a': 'old\n', '/w/b': 'old\n' };

function old(change: number): TemporaryEntry {
  return { change, kind: 'old', realPath: '/w/.old' };
}

/** Returns the SHA-256 of a text in the short form of {@link Leftovers}. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** Kills the window during an act, and starts another run over the given files and leftovers. */
async function recover(
  files: readonly FileChange[],
  left: Leftovers,
  { act = 'apply', texts = before, now }: { act?: Act; texts?: Record<string, string>; now: Record<string, string> },
) {
  let history = new FakeHistory();
  if (act === 'apply') ({ history } = await killDuringApply(texts, files));
  else {
    const t = setUpEditor(texts, history);
    const id = await applied(t, files);
    if (act === 'redo') await t.queue.undo(id);
    await t.queue.settled();
    await killDuring(t, () => (act === 'undo' ? t.queue.undo(id) : t.queue.redo(id)));
  }
  const next = setUpEditor(now, history, { interrupted: left });
  const notices = await next.queue.restore();
  await next.queue.settled();
  return { ...next, notices };
}

describe('F20 the file that a killed delete set aside', () => {
  const files = [edit('a', 'old\n', 'new\n'), remove('b', 'old\n')];
  const removeIt = `remove /w/.old holding [=${hash('old\n')}]`;
  const putItBack = 'put back /w/.old as /w/b';

  it('is removed, as far as the history holds its bytes, when the other changes were made', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('is put back when the history does not hold its bytes', async () => {
    const left = new Leftovers([old(1)]);
    left.keepsSome = true;
    await recover(files, left, { now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([removeIt, putItBack]);
  });

  it('is put back when the other change was not made', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { now: { '/w/a': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });

  it('is put back when one of the other changes was not made', async () => {
    const left = new Leftovers([old(2)]);
    const texts = { ...before, '/w/c': 'old\n' };
    const three = [edit('a', 'old\n', 'new\n'), edit('c', 'old\n', 'new\n'), remove('b', 'old\n')];
    await recover(three, left, { texts, now: { '/w/a': 'new\n', '/w/c': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });

  it('is put back when the proposal had no other change', async () => {
    const left = new Leftovers([old(0)]);
    await recover([remove('b', 'old\n')], left, { now: { '/w/a': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });

  it('is removed, as far as the history holds its bytes, when its path is taken', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { now: before });
    expect(left.done).toEqual([removeIt]);
    const refusing = new Leftovers([old(1)]);
    refusing.refusesNames = true;
    await recover(files, refusing, { now: { '/w/a': 'old\n' } });
    expect(refusing.done).toEqual([putItBack, removeIt]);
  });

  it('is found by the number of its change among the applied ones', async () => {
    const t = setUpEditor(before);
    void t.ask(files);
    t.show();
    t.queue.endReached(t.only().id);
    t.queue.selectFile(t.only().id, 0, false);
    t.clock.advance(1000);
    await killDuring(t, async () => t.approve());
    const left = new Leftovers([old(0)]);
    const next = setUpEditor({ '/w/a': 'old\n' }, t.history, { interrupted: left });
    await next.queue.restore();
    expect(left.done).toEqual([putItBack]);
  });

  it('is left alone when no change of the record has its number', async () => {
    const left = new Leftovers([old(7)]);
    await recover(files, left, { now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([]);
  });

  it('is removed when the delete was being undone, since its file came from the history', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { act: 'undo', now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('is put back when a redo was killed before the other change was made', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { act: 'redo', now: { '/w/a': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });
});

describe('F20 the created file that a rollback or an undo set aside', () => {
  const files = [edit('a', 'old\n', 'new\n'), create('n', 'x\n')];
  const removeIt = `remove /w/.old holding [=${hash('x\n')}]`;

  it('is removed after a rollback when it holds the proposed text', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { now: { ...before, '/w/n': 'x\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('is put back when the bytes of its text in its encoding are unknown', async () => {
    const left = new Leftovers([old(1)]);
    left.keepsSome = true;
    const encoded: FileChange = { ...create('n', 'x\n'), result: { text: 'x\n', encoding: 'utf16le' } };
    await recover([edit('a', 'old\n', 'new\n'), encoded], left, { now: { ...before, '/w/n': 'x\n' } });
    expect(left.done).toEqual(['remove /w/.old holding []', 'put back /w/.old as /w/n']);
  });

  it('is recognised by its bytes in every encoding once it was written', async () => {
    const left = new Leftovers([old(1)]);
    const encoded: FileChange = { ...create('n', 'x\n'), result: { text: 'x\n', encoding: 'utf16le' } };
    await recover([edit('a', 'old\n', 'new\n'), encoded], left, { act: 'redo', now: { ...before, '/w/n': 'x\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('is put back after an undo, at the present path, when the other change was not undone', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { act: 'undo', now: { ...before, '/w/a': 'new\n' } });
    expect(left.done).toEqual(['put back /w/.old as /w/n']);
    const moved = new Leftovers([old(1)]);
    const inMovedFolder = [edit('a', 'old\n', 'new\n'), create('f/n', 'x\n'), folderMove()];
    const texts = { ...before, '/w/f/x': 'old\n' };
    await recover(inMovedFolder, moved, { act: 'undo', texts, now: { '/w/a': 'new\n', '/w/g/x': 'old\n' } });
    expect(moved.done).toContain('put back /w/.old as /w/g/n');
    const rolledBack = new Leftovers([old(1)]);
    rolledBack.keepsSome = true;
    await recover(inMovedFolder, rolledBack, { texts, now: { ...texts, '/w/f/n': 'x\n' } });
    expect(rolledBack.done).toContain('put back /w/.old as /w/f/n');
  });

  it('is removed after an undo when the other change was undone', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { act: 'undo', now: before });
    expect(left.done).toEqual([removeIt]);
  });

  it('is removed after an undo when it holds the created bytes and its path is taken', async () => {
    const left = new Leftovers([old(1)]);
    await recover(files, left, { act: 'undo', now: { ...before, '/w/a': 'new\n', '/w/n': 'mine\n' } });
    expect(left.done).toEqual([removeIt]);
  });
});

it('F20 removes nothing that an edit or a move set aside', async () => {
  const left = new Leftovers([old(0), { change: 1, kind: 'old', realPath: '/w/.moved' }]);
  left.keepsSome = true;
  const files = [edit('a', 'old\n', 'new\n'), move('b', 'c', 'old\n')];
  await recover(files, left, { now: { '/w/a': 'new\n', '/w/c': 'old\n' } });
  expect(left.done.filter((each) => each.startsWith('remove'))).toEqual([
    'remove /w/.old holding []',
    'remove /w/.moved holding []',
  ]);
});

it('removes a staged new file, whatever its bytes are', async () => {
  const left = new Leftovers([{ change: 0, kind: 'new', realPath: '/w/.new' }]);
  await recover([edit('a', 'old\n', 'new\n')], left, { now: before });
  expect(left.done).toEqual(['remove /w/.new']);
});

describe('F20 a half-done move', () => {
  const files = [move('a', 'c', 'old\n')];

  it.each([
    ['apply', 'second name of /w/a: /w/c'],
    ['redo', 'second name of /w/a: /w/c'],
    ['undo', 'second name of /w/c: /w/a'],
  ] as const)('keeps the path from before a killed %s, and loses the other', async (act, expected) => {
    const left = new Leftovers();
    await recover(files, left, { act, now: { '/w/a': 'old\n', '/w/c': 'old\n', '/w/b': 'old\n' } });
    expect(left.done).toEqual([expected]);
  });

  it('leaves no empty folder at the path of a folder that an undo brings back', async () => {
    const left = new Leftovers();
    const texts = { '/w/f/x': 'old\n', ...before };
    await recover([removeFolder('f', { x: 'old\n' }), remove('b', 'old\n')], left, { texts, act: 'undo', now: before });
    expect(left.done).toEqual(['empty folder /w/f']);
  });

  it('leaves a folder alone that was empty before its delete', async () => {
    const left = new Leftovers();
    await recover([removeFolder('f', {})], left, { now: before });
    expect(left.done).toEqual([]);
  });

  it('does not stop the recovery of the other files when it cannot be cleared away', async () => {
    const left = new Leftovers();
    left.refusesNames = true;
    const texts = { '/w/f/x': 'old\n', ...before };
    const t = await recover([removeFolder('f', { x: 'old\n' }), ...files], left, { texts, now: texts });
    expect(left.done).toHaveLength(2);
    expect(t.only()).toMatchObject({ state: 'withdrawn' });
  });
});

function folderMove(): FileChange {
  const { files } = removeFolder('f', { x: 'old\n' });
  return { ...move('f', 'g', ''), isFolder: true, files: files.map(({ bytes: _bytes, ...file }) => file) };
}

describe('the recovery in the run after a kill', () => {
  it('looks into every folder where an apply can leave files, before and after the moves', async () => {
    const left = new Leftovers();
    const texts = { '/w/f/x': 'old\n', '/w/d/a': 'old\n' };
    await recover([edit('f/x', 'old\n', 'new\n'), folderMove(), move('d/a', 'e/a', 'old\n')], left, {
      texts,
      now: texts,
    });
    expect(left.folders.toSorted()).toEqual(['/w', '/w/d', '/w/e', '/w/f', '/w/g']);
  });

  it('loads the unsaved text of the existing files, at both paths of a move', async () => {
    const left = new Leftovers();
    const files = [
      edit('a', 'old\n', 'new\n'),
      create('n', 'x\n'),
      move('a', 'c', 'old\n'),
      edit('b', 'old\n', 'new\n'),
    ];
    await recover(files, left, { now: { '/w/c': 'new\n', '/w/b': 'new\n', '/w/n': 'x\n' } });
    expect(left.loaded).toEqual(['c', 'n', 'b']);
    const folders = new Leftovers();
    await recover([folderMove()], folders, { texts: { '/w/f/x': 'old\n' }, now: { '/w/f/x': 'old\n' } });
    expect(folders.loaded).toEqual([]);
  });
});
