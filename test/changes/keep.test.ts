import { describe, expect, it } from 'vitest';
import type { ChangesProposal, FileChange } from '#base/proposal.ts';
import { keepChange, loadChange, loadChoice, type Resolve } from '#changes/keep.ts';
import { loadReview, loadTexts } from '#changes/keep.ts';
import { asProposed, type Choice } from '#changes/selection.ts';
import { FakeHistory } from '../fakes/history.ts';
import { create, edit, move, pathOf, remove, setUp } from './queueSetUp.ts';

const text = 'one\ntwo\nthree\n';
const exists = new Set(['a', 'f']);
const resolve: Resolve = async (uri) => {
  const name = uri.replace('file:///w/', '');
  return pathOf(name, exists.has(name));
};

const { base: _base, ...noText } = remove('a', 'binary');
const inFolder = [...remove('', 'one').files, ...remove('', 'two').files].map((file, index) => ({
  ...file,
  relative: `deep/${index}`,
}));
const overwrite: FileChange = { ...edit('a', 'old\n', 'new\n'), overwrites: true };
const ofMixedLineEnds: FileChange = {
  ...edit('a', 'old\r\n', 'new\n'),
  base: { text: 'old\r\n', encoding: 'utf16le', source: 'buffer', unsaved: true, unifiedLineEnds: 3 },
};

const changes: readonly (readonly [string, FileChange])[] = [
  ['an edit', edit('a', 'old\n', 'new\n')],
  ['an edit of unsaved text in another encoding', ofMixedLineEnds],
  ['an edit that replaces the whole file', overwrite],
  ['a creation', create('n', 'x\n')],
  ['a delete of a text', remove('a', 'old\n')],
  ['a delete of what is no text', noText],
  [
    'a delete of a folder, to the trash',
    { ...noText, path: pathOf('f'), isFolder: true, files: inFolder, toTrash: true },
  ],
  ['a move', move('a', 'b', 'old\n')],
  ['a move of a folder', { ...move('f', 'g', 'old\n'), isFolder: true }],
];

/** Returns the value in the form of the record on disk. */
async function keep(change: FileChange, choice: Choice = asProposed, history = new FakeHistory()) {
  return JSON.parse(JSON.stringify(await keepChange(change, choice, history)));
}

describe('a change that is kept over a reload', () => {
  it.each(changes)('reads back %s unchanged', async (_name, change) => {
    const history = new FakeHistory();
    const kept = await keep(change, asProposed, history);
    expect(await loadChange(kept, history, resolve)).toStrictEqual(change);
    expect(await loadChoice(kept, history)).toEqual({ included: true });
  });

  it.each(changes)('reads back %s as left out when the user left it out', async (_name, change) => {
    const history = new FakeHistory();
    const kept = await keep(change, { included: false }, history);
    expect(await loadChoice(kept, history)).toEqual({ included: false });
  });

  it.each([
    ['an edit', edit('a', 'old\n', 'new\n')],
    ['a creation', create('n', 'x\n')],
  ])('reads back what the user typed over %s', async (_name, change) => {
    const history = new FakeHistory();
    const choice = { included: true, text: 'mine\n' };
    const kept = await keep(change, choice, history);
    expect(await loadChoice(kept, history)).toEqual(choice);
    expect(await loadChange(kept, history, resolve)).toStrictEqual(change);
  });

  it('holds no bytes in the record itself', async () => {
    const kept = await keep(remove('a', 'old\n'));
    expect(Object.keys(kept.files[0])).toEqual(['relative', 'sha256', 'size', 'mode', 'isLink']);
  });

  it.each([true, false])('keeps whether the card is indivisible: %s', async (indivisible) => {
    const t = setUp({ '/w/a': text, '/w/b': 'old\n' });
    const files = [edit('a', text, text.replace('one', 'ONE')), edit('b', 'old\n', 'new\n')];
    const proposal: ChangesProposal = { kind: 'changes', files, ...(indivisible && { indivisible: true as const }) };
    void t.queue.request(t.request({ proposal, waitMilliseconds: 0 }));
    t.clock.advance(1);
    await t.queue.settled();
    const again = await t.reload();
    expect(again.only()).toMatchObject({ state: 'waiting', indivisible });
    again.queue.selectFile(again.only().id, 0, false);
    expect(again.only().files.map(({ included }) => included)).toEqual([indivisible, true]);
    const rebasing = setUp({ '/w/a': `${text}mine\n`, '/w/b': 'old\n' }, t.history);
    await rebasing.queue.restore();
    expect(await rebasing.queue.rebase(again.only().id)).toMatchObject({ status: 'rebased' });
    expect(rebasing.waiting()).toMatchObject([{ indivisible }]);
  });
});

describe('the texts of a finished change', () => {
  const choices: readonly (readonly [string, FileChange, Choice, object | undefined])[] = [
    ['an edit', edit('a', 'old\n', 'new\n'), asProposed, { base: 'old\n', proposed: 'new\n', current: 'new\n' }],
    [
      'an edit that was left out',
      edit('a', 'old\n', 'new\n'),
      { included: false },
      { base: 'old\n', proposed: 'new\n', current: 'old\n' },
    ],
    [
      'an edit that was typed over',
      edit('a', 'old\n', 'new\n'),
      { included: true, text: 'mine\n' },
      { base: 'old\n', proposed: 'new\n', current: 'mine\n' },
    ],
    ['a creation', create('n', 'x\n'), asProposed, { base: '', proposed: 'x\n', current: 'x\n' }],
    [
      'a creation that was left out',
      create('n', 'x\n'),
      { included: false },
      { base: '', proposed: 'x\n', current: '' },
    ],
    ['a delete', remove('a', 'old\n'), asProposed, { base: 'old\n', proposed: '', current: '' }],
    [
      'a delete that was left out',
      remove('a', 'old\n'),
      { included: false },
      { base: 'old\n', proposed: '', current: 'old\n' },
    ],
    ['a delete of what is no text', noText, asProposed, undefined],
    ['a move', move('a', 'b', 'old\n'), asProposed, undefined],
  ];

  it.each(choices)('are loaded for %s', async (_name, change, choice, expected) => {
    const history = new FakeHistory();
    expect(await loadTexts(await keep(change, choice, history), history)).toEqual(expected);
  });

  it('loads the hunks as the user chose them, and none without texts', () => {
    const base = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';
    const proposed = base.replace('1', 'one').replace('9', 'nine');
    const review = loadReview({ base, proposed, current: base.replace('1', 'one') });
    expect(review?.hunks.map(({ included }) => included)).toEqual([true, false]);
    expect(loadReview(undefined)).toBeUndefined();
  });
});
