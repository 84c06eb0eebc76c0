import { describe, expect, it } from 'vitest';
import { create, edit, judged, move, pathOf, remove, setUp, settled } from './queueSetUp.ts';

const base = 'one\ntwo\nthree\nfour\nfive\n';
const result = base.replace('one', 'ONE').replace('five', 'FIVE');
const texts = { '/w/a': base, '/w/b': 'old\n', '/w/c': 'old\n' };

describe('the selection of the user', () => {
  it('raises the revision with each choice', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id } = t.only();
    t.queue.selectHunk(id, 0, 0, false);
    t.queue.setText(id, 0, 'typed\n');
    t.queue.selectFile(id, 0, false);
    expect(t.only().revision).toBe(3);
  });

  it('F20: is on disk half a second later, in case the window crashes', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result)]);
    t.clock.advance(25_000);
    const { approvalId } = await outcome;
    await settled();
    t.queue.setText(approvalId, 0, 'typed\n');
    t.clock.advance(300);
    t.queue.setText(approvalId, 0, 'typed more\n');
    t.clock.advance(300);
    await settled();
    expect(t.history.kept.get(approvalId)).toContain('"edited":false');
    t.clock.advance(200);
    await settled();
    const again = setUp(texts, t.history);
    again.clock.advance(t.clock.now() - again.clock.now());
    await again.queue.restore();
    expect(await again.queue.texts(approvalId, 0)).toMatchObject({ current: 'typed more\n' });
  });

  it('treats a hunk of a created or deleted file as the whole file', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result), create('n', 'x\n'), remove('b', 'old\n')]);
    const { id } = t.only();
    t.queue.selectHunk(id, 1, 0, false);
    t.queue.selectHunk(id, 2, 0, false);
    expect(t.only().files.map(({ included }) => included)).toEqual([true, false, false]);
    t.queue.selectHunk(id, 1, 0, true);
    t.show();
    t.queue.endReached(id);
    t.approve();
    await outcome;
    expect(Object.fromEntries(t.edits.texts)).toEqual({ ...texts, '/w/a': result, '/w/n': 'x\n' });
  });

  it('changes nothing for a hunk that does not exist', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id, proposalHash } = t.only();
    t.queue.selectHunk(id, 0, 7, false);
    expect(t.only()).toMatchObject({ proposalHash, files: [{ includedHunks: 2, edited: false }] });
  });

  it('changes nothing for a file or an approval that does not exist', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id, revision } = t.only();
    for (const [card, file] of [
      [id, 1],
      ['a-0', 0],
    ] as const) {
      t.queue.selectHunk(card, file, 0, false);
      t.queue.selectFile(card, file, false);
      expect(t.queue.setText(card, file, 'typed\n')).toBe(false);
    }
    expect(t.only().revision).toBe(revision);
  });

  it('keeps the typed text of a file that is left out and included again', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    const { id } = t.only();
    t.queue.setText(id, 0, 'typed\n');
    t.queue.selectFile(id, 0, false);
    expect(await t.queue.texts(id, 0)).toEqual({ base, proposed: result, current: base });
    t.queue.selectFile(id, 0, true);
    expect(await t.queue.texts(id, 0)).toEqual({ base, proposed: result, current: 'typed\n' });
  });
});

describe('the texts and hunks of a file', () => {
  it('are absent for a move, and an error for a file that does not exist', async () => {
    const t = setUp(texts);
    void t.ask([move('c', 'd', 'old\n')]);
    const { id } = t.only();
    expect(await t.queue.texts(id, 0)).toBeUndefined();
    expect(await t.queue.review(id, 0)).toBeUndefined();
    for (const [card, file] of [
      [id, 1],
      ['a-0', 0],
    ] as const) {
      await expect(t.queue.texts(card, file)).rejects.toThrow('There is no file');
      await expect(t.queue.review(card, file)).rejects.toThrow('There is no file');
    }
  });

  it('show the selection while the approval waits and after the apply', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, result)]);
    const { id } = t.only();
    t.queue.selectHunk(id, 0, 1, false);
    const included = async () => (await t.queue.review(id, 0))?.hunks.map((hunk) => hunk.included);
    expect(await included()).toEqual([true, false]);
    t.show();
    t.approve();
    await outcome;
    await t.queue.settled();
    expect(await included()).toEqual([true, false]);
  });
});

it('A4: requires the end of a card on screen again after a reload', async () => {
  const t = setUp(texts);
  const outcome = t.ask([edit('a', base, result)], { judgement: judged({ protectedBy: ['**/.vscode/**'] }) });
  t.clock.advance(25_000);
  await outcome;
  t.queue.endReached(t.only().id);
  const again = await t.reload();
  again.show();
  expect(again.approve()).toBe('end_not_reached');
});

it('does not ask for the problems of deleted files', async () => {
  const t = setUp(texts);
  await t.ask([remove('b', 'old\n'), edit('a', base, result), move('c', 'd', 'old\n'), create('n', 'x\n')], {
    judgement: judged({ effect: 'allow' }),
  });
  expect(t.problems.asked).toEqual([
    ['/w/a', '/w/c', '/w/n'],
    ['/w/a', '/w/d', '/w/n'],
  ]);
});

describe('the facts of each file', () => {
  const usual = {
    viaLink: false,
    unsaved: false,
    hardLinks: 1,
    unifiedLineEnds: 0,
    included: true,
    edited: false,
  };
  const place = (name: string) => ({ path: name, uri: `file:///w/${name}`, realPath: `/w/${name}` });

  it('name size and risks of an edit and a creation', () => {
    const t = setUp(texts);
    const plain = edit('a', base, result);
    const base2 = { ...plain.base, unsaved: true, unifiedLineEnds: 7 };
    const careful = {
      ...plain,
      path: { ...pathOf('b'), linked: true, linkCount: 3 },
      base: base2,
      overwrites: true as const,
    };
    void t.ask([plain, careful, create('n', 'x\ny\n')], {
      judgement: judged({ protectedBy: [undefined, '**/b', undefined] }),
    });
    const hunks = { hasText: true, addedLines: 2, removedLines: 2, proposedHunks: 2, includedHunks: 2 };
    expect(t.only().files).toStrictEqual([
      { change: 'edit', ...place('a'), ...usual, ...hunks },
      {
        change: 'edit',
        ...place('b'),
        ...usual,
        ...hunks,
        viaLink: true,
        hardLinks: 3,
        unsaved: true,
        unifiedLineEnds: 7,
        overwrites: true,
        protectedBy: '**/b',
      },
      { change: 'create', ...place('n'), ...usual, ...hunks, removedLines: 0, proposedHunks: 1, includedHunks: 1 },
    ]);
  });

  it('name target, size and recovery of a delete and a move', () => {
    const t = setUp(texts);
    const { base: _base, ...folder } = remove('f', 'old\n');
    const inside = ['x', 'y'].flatMap((relative) => folder.files.map((file) => ({ ...file, relative })));
    const linked = { ...pathOf('c'), linkCount: 3 };
    void t.ask([
      { ...folder, isFolder: true, files: inside, toTrash: true, recovery: 'committed' },
      { ...remove('b', 'old\n'), path: { ...linked, ...place('b') } },
      { ...move('c', 'd', 'old\n'), path: linked },
    ]);
    const noHunks = { hasText: false, addedLines: 0, removedLines: 0, proposedHunks: 0, includedHunks: 0 };
    const oneHunk = { hasText: true, addedLines: 0, removedLines: 1, proposedHunks: 1, includedHunks: 1 };
    expect(t.only().files).toStrictEqual([
      {
        change: 'delete',
        ...place('f'),
        ...usual,
        ...noHunks,
        folderFiles: 2,
        size: 8,
        toTrash: true,
        recovery: 'committed',
      },
      { change: 'delete', ...place('b'), ...usual, ...oneHunk, size: 4, toTrash: false, recovery: 'unknown' },
      { change: 'move', ...place('c'), ...usual, ...noHunks, to: place('d'), size: 4 },
    ]);
  });

  it('count the proposed hunks that are still included, whatever the user typed beside them', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, result)]);
    t.queue.setText(t.only().id, 0, result.replace('three', 'mine').replace('FIVE', 'five'));
    expect(t.only().files).toMatchObject([{ edited: true, proposedHunks: 2, includedHunks: 1, addedLines: 2 }]);
  });
});
