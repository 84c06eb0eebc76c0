import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { InterruptedApplies, TemporaryEntry } from '#changes/edits.ts';
import { FakeHistory } from '../fakes/history.ts';
import { applied, killDuring, killDuringApply, removeFolder, setUpEditor } from './editorSetUp.ts';
import { create, edit, move, remove } from './queueSetUp.ts';

type Act = 'apply' | 'undo' | 'redo';

/** What an apply left beside the files, and what was done about it. */
class Left implements InterruptedApplies {
  readonly done: string[] = [];
  readonly loaded: string[] = [];
  readonly #temporaries: readonly TemporaryEntry[];
  folders: readonly string[] = [];
  /** Something is left of what should be removed. */
  keepsSome = false;
  /** A name is taken, or the disk refuses. */
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

/** The SHA-256 of a text, as {@link Left} tells it. */
function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** The window is killed during an act, which left these files and what lies beside them; then another run begins. */
async function recover(
  files: readonly FileChange[],
  left: Left,
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

describe('F20 what a delete set aside when the window was killed', () => {
  const files = [edit('a', 'old\n', 'new\n'), remove('b', 'old\n')];
  const removeIt = `remove /w/.old holding [=${hash('old\n')}]`;
  const putItBack = 'put back /w/.old as /w/b';

  it('is removed, as far as the history holds it, when everything else was done', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('gets its name again when it is not what the history holds', async () => {
    const left = new Left([old(1)]);
    left.keepsSome = true;
    await recover(files, left, { now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([removeIt, putItBack]);
  });

  it('gets its name again when something else was not done', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { now: { '/w/a': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });

  it('gets its name again when one of the others was not done', async () => {
    const left = new Left([old(2)]);
    const texts = { ...before, '/w/c': 'old\n' };
    const three = [edit('a', 'old\n', 'new\n'), edit('c', 'old\n', 'new\n'), remove('b', 'old\n')];
    await recover(three, left, { texts, now: { '/w/a': 'new\n', '/w/c': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });

  it('gets its name again when there was nothing else to do', async () => {
    const left = new Left([old(0)]);
    await recover([remove('b', 'old\n')], left, { now: { '/w/a': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });

  it('is removed, as far as the history holds it, when its name is taken', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { now: before });
    expect(left.done).toEqual([removeIt]);
    const refusing = new Left([old(1)]);
    refusing.refusesNames = true;
    await recover(files, refusing, { now: { '/w/a': 'old\n' } });
    expect(refusing.done).toEqual([putItBack, removeIt]);
  });

  it('is looked for under the number that the change had among those that were applied', async () => {
    const t = setUpEditor(before);
    void t.ask(files);
    t.show();
    t.queue.endReached(t.only().id);
    t.queue.selectFile(t.only().id, 0, false);
    t.clock.advance(1000);
    await killDuring(t, async () => t.approve());
    const left = new Left([old(0)]);
    const next = setUpEditor({ '/w/a': 'old\n' }, t.history, { interrupted: left });
    await next.queue.restore();
    expect(left.done).toEqual([putItBack]);
  });

  it('is left alone when no change of the record has its number', async () => {
    const left = new Left([old(7)]);
    await recover(files, left, { now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([]);
  });

  it('is removed when the delete was being undone, since its file came from the history', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { act: 'undo', now: { '/w/a': 'new\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('gets its name again when the delete was being made again and nothing else was', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { act: 'redo', now: { '/w/a': 'old\n' } });
    expect(left.done).toEqual([putItBack]);
  });
});

describe('F20 what was set aside of a creation', () => {
  const files = [edit('a', 'old\n', 'new\n'), create('n', 'x\n')];
  const removeIt = `remove /w/.old holding [=${hash('x\n')}]`;

  it('was to be taken back, and is removed if it holds our text', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { now: { ...before, '/w/n': 'x\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('is not taken for ours by its text alone in an encoding whose bytes nobody knows', async () => {
    const left = new Left([old(1)]);
    left.keepsSome = true;
    const encoded: FileChange = { ...create('n', 'x\n'), result: { text: 'x\n', encoding: 'utf16le' } };
    await recover([edit('a', 'old\n', 'new\n'), encoded], left, { now: { ...before, '/w/n': 'x\n' } });
    expect(left.done).toEqual(['remove /w/.old holding []', 'put back /w/.old as /w/n']);
  });

  it('is ours by its bytes, in every encoding, once it was written', async () => {
    const left = new Left([old(1)]);
    const encoded: FileChange = { ...create('n', 'x\n'), result: { text: 'x\n', encoding: 'utf16le' } };
    await recover([edit('a', 'old\n', 'new\n'), encoded], left, { act: 'redo', now: { ...before, '/w/n': 'x\n' } });
    expect(left.done).toEqual([removeIt]);
  });

  it('by an undo gets its name again when something else was not done, where the file is now', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { act: 'undo', now: { ...before, '/w/a': 'new\n' } });
    expect(left.done).toEqual(['put back /w/.old as /w/n']);
    const moved = new Left([old(1)]);
    const inMovedFolder = [edit('a', 'old\n', 'new\n'), create('f/n', 'x\n'), folderMove()];
    const texts = { ...before, '/w/f/x': 'old\n' };
    await recover(inMovedFolder, moved, { act: 'undo', texts, now: { '/w/a': 'new\n', '/w/g/x': 'old\n' } });
    expect(moved.done).toContain('put back /w/.old as /w/g/n');
    const rolledBack = new Left([old(1)]);
    rolledBack.keepsSome = true;
    await recover(inMovedFolder, rolledBack, { texts, now: { ...texts, '/w/f/n': 'x\n' } });
    expect(rolledBack.done).toContain('put back /w/.old as /w/f/n');
  });

  it('by an undo is removed when everything else was done', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { act: 'undo', now: before });
    expect(left.done).toEqual([removeIt]);
  });

  it('by an undo is removed if it is ours when its name is taken', async () => {
    const left = new Left([old(1)]);
    await recover(files, left, { act: 'undo', now: { ...before, '/w/a': 'new\n', '/w/n': 'mine\n' } });
    expect(left.done).toEqual([removeIt]);
  });
});

it('F20 of an edit or a move nothing is known that could be removed', async () => {
  const left = new Left([old(0), { change: 1, kind: 'old', realPath: '/w/.moved' }]);
  left.keepsSome = true;
  const files = [edit('a', 'old\n', 'new\n'), move('b', 'c', 'old\n')];
  await recover(files, left, { now: { '/w/a': 'new\n', '/w/c': 'old\n' } });
  expect(left.done.filter((each) => each.startsWith('remove'))).toEqual([
    'remove /w/.old holding []',
    'remove /w/.moved holding []',
  ]);
});

it('bytes that were to take a name are removed, whatever they are', async () => {
  const left = new Left([{ change: 0, kind: 'new', realPath: '/w/.new' }]);
  await recover([edit('a', 'old\n', 'new\n')], left, { now: before });
  expect(left.done).toEqual(['remove /w/.new']);
});

describe('F20 a half move', () => {
  const files = [move('a', 'c', 'old\n')];

  it.each([
    ['apply', 'second name of /w/a: /w/c'],
    ['redo', 'second name of /w/a: /w/c'],
    ['undo', 'second name of /w/c: /w/a'],
  ] as const)('in %s keeps the name that it had', async (act, expected) => {
    const left = new Left();
    await recover(files, left, { act, now: { '/w/a': 'old\n', '/w/c': 'old\n', '/w/b': 'old\n' } });
    expect(left.done).toEqual([expected]);
  });

  it('of a folder that comes back gave its name to an empty one', async () => {
    const left = new Left();
    const texts = { '/w/f/x': 'old\n', ...before };
    await recover([removeFolder('f', { x: 'old\n' }), remove('b', 'old\n')], left, { texts, act: 'undo', now: before });
    expect(left.done).toEqual(['empty folder /w/f']);
  });

  it('of a folder that was empty is no trace of an act', async () => {
    const left = new Left();
    await recover([removeFolder('f', {})], left, { now: before });
    expect(left.done).toEqual([]);
  });

  it('that cannot be cleared away does not keep the rest from being looked at', async () => {
    const left = new Left();
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

describe('what a run looks at that follows on a kill', () => {
  it('every folder in which something could have been left, before and after the moves', async () => {
    const left = new Left();
    const texts = { '/w/f/x': 'old\n', '/w/d/a': 'old\n' };
    await recover([edit('f/x', 'old\n', 'new\n'), folderMove(), move('d/a', 'e/a', 'old\n')], left, {
      texts,
      now: texts,
    });
    expect(left.folders.toSorted()).toEqual(['/w', '/w/d', '/w/e', '/w/f', '/w/g']);
  });

  it('the unsaved text of files that are there, at both places of a move', async () => {
    const left = new Left();
    const files = [
      edit('a', 'old\n', 'new\n'),
      create('n', 'x\n'),
      move('a', 'c', 'old\n'),
      edit('b', 'old\n', 'new\n'),
    ];
    await recover(files, left, { now: { '/w/c': 'new\n', '/w/b': 'new\n', '/w/n': 'x\n' } });
    expect(left.loaded).toEqual(['c', 'n', 'b']);
    const folders = new Left();
    await recover([folderMove()], folders, { texts: { '/w/f/x': 'old\n' }, now: { '/w/f/x': 'old\n' } });
    expect(folders.loaded).toEqual([]);
  });
});
