import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { approvalsHtml } from '#ui/approvals/approvalsHtml.ts';
import { ApprovalsPage } from '#ui/approvals/approvalsPage.ts';
import { PageMemory } from '#ui/approvals/pageMemory.ts';
import { FakeMemento } from '../../fakes/memento.ts';
import { CardFacts } from '#ui/approvals/cardFacts.ts';
import type { ModeStatus, PageApproval, RowsMessage, StateMessage, ToPage, ViewStatus } from '#ui/page/messages.ts';
import { cardOf } from '#ui/page/words/cardText.ts';
import { announcement, modeBannerText, noticeText, welcomeText } from '#ui/page/words/pageText.ts';
import { readCard } from '#ui/page/words/readCard.ts';
import { rulePreviewText } from '#ui/page/words/ruleText.ts';
import { english } from '#ui/page/words/translate.ts';
import type { Card } from '#ui/page/words/view.ts';
import { FakeApprovals } from '../../fakes/approvals.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { FakeRules } from '../../fakes/keptRules.ts';

const secret = 's'.repeat(64);
const file = { path: 'src/a.ts', base: 'one\n', result: 'eins\n' };
const files = [file];

let approvals: FakeApprovals;
let clock: FakeClock;
let page: ApprovalsPage;
let posted: ToPage[];
let asked: string[];
let isVisible: boolean;
let status: ViewStatus;
let mode: ModeStatus;
let rules: FakeRules;
let tasks: string[];
let memory: PageMemory;
let elsewhere: Set<string>;
const root = '/work/shop-api';
const folder = { name: 'shop-api', uri: `file://${root}`, fsPath: root, realPath: root };

beforeEach(() => {
  clock = new FakeClock();
  approvals = new FakeApprovals(clock);
  [posted, asked, isVisible, status] = [
    [],
    [],
    true,
    { running: true, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] },
  ];
  rules = new FakeRules();
  [mode, tasks] = [{ mode: 'manual' }, []];
  [memory, elsewhere] = [new PageMemory(new FakeMemento()), new Set()];
  page = new ApprovalsPage({
    approvals,
    clock,
    rules,
    pastCalls: () => [{ tool: 'apply_edit', class: 'edit', paths: ['src/a.ts'] }],
    folders: () => [folder],
    now: () => Date.UTC(2026, 10, 21),
    mode: () => mode,
    backToManual: () => asked.push('backToManual'),
    showRule: (id) => asked.push(`showRule ${id}`),
    watchingTasks: () => tasks,
    t: english,
    memory,
    isElsewhere: (id) => elsewhere.has(id),
    openReview: (id) => asked.push(`openReview ${id}`),
    facts: new CardFacts({ approvals, syntaxErrors: async () => undefined, usesOf: async () => undefined }),
    copy: (text) => asked.push(`copy ${text}`),
    openText: (id) => asked.push(`openText ${id}`),
    status: () => status,
    openDiff: (id, index) => asked.push(`openDiff ${id} ${index}`),
    runCommand: (command) => asked.push(command),
    leave: () => asked.push('leave'),
    colourCode: () => Promise.resolve(undefined),
    focused: () => asked.push('focused'),
  });
  approvals.onDidChange(() => page.changed());
  page.connect({ secret, isVisible: () => isVisible, post: (message) => posted.push(structuredClone(message)) });
});

const say = (message: Record<string, unknown>): void => page.receive({ secret, ...message });
/** Displays card "a" for half a second, so that it is armed. */
const look = (): void => {
  say({ type: 'displayed', id: 'a', display: 1 });
  clock.advance(500);
};
/** Waits until all pending work has ended. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};
// A page that still works would post into the messages of the next test.
afterEach(settled);
const states = (): StateMessage[] => posted.filter((message) => message.type === 'state');
const context = { t: english, place: 'sideBar' } as const;
/** Returns the cards that a page makes of a state. */
const cardsOf = (state: StateMessage | undefined): Card[] => [
  ...(state?.approvals ?? []).map((data) => cardOf(data, context)),
  ...(state?.reads ?? []).map((read) => readCard(read, context)),
];
/** Returns the approvals of all messages so far, oldest first. */
const sent = (): PageApproval[] => states().flatMap((state) => state.approvals);
const announced = (state: StateMessage | undefined) => {
  const ids = new Set(state?.announce);
  const fresh = sent().filter(({ approval }) => ids.delete(approval.id));
  return announcement(fresh, state?.reads.filter(({ id }) => ids.has(id)) ?? [], english);
};

describe('the messages to the page', () => {
  test('send nothing before the page is ready, and everything when it is ready or redrawn', async () => {
    const { id } = approvals.add({ files });
    await settled();
    expect(posted).toEqual([]);
    say({ type: 'ready' });
    await settled();
    expect(states()).toHaveLength(1);
    expect(states()[0]).toMatchObject({ waiting: [id], finished: [], remembered: [] });
    expect(states()[0]?.approvals.map(({ approval }) => approval.id)).toEqual([id]);
    say({ type: 'ready' });
    await settled();
    expect(states()[1]?.approvals.map(({ approval }) => approval.id)).toEqual([id]);
  });

  test('send only cards that changed, many changes in one message, and announce each new approval once', async () => {
    say({ type: 'ready' });
    await settled();
    approvals.add({ id: 'a', files });
    approvals.add({ id: 'b', files: [{ ...file, protectedBy: '**/a.ts' }] });
    await settled();
    expect(states()).toHaveLength(2);
    expect(announced(states()[1])).toEqual({
      text: '2 approvals needed. Run “Review Next Approval” to get to them.',
      assertive: true,
    });
    approvals.change('a', { state: 'withdrawn', note: 'Cancelled by the assistant.' });
    await settled();
    expect(states()).toHaveLength(3);
    expect(states()[2]).toMatchObject({ waiting: ['b'], finished: ['a'] });
    expect(states()[2]?.approvals.map(({ approval }) => approval.id)).toEqual(['a']);
    expect(states()[2]?.announce).toEqual([]);
  });

  test('send nothing while the page is hidden, and all that was missed when it is shown', async () => {
    say({ type: 'ready' });
    await settled();
    isVisible = false;
    approvals.add({ id: 'a', files });
    await settled();
    expect(states()).toHaveLength(1);
    isVisible = true;
    page.changed();
    await settled();
    expect(states()[1]?.waiting).toEqual(['a']);
  });

  test('send nothing when the view is shown before a page exists, which then opens the card', async () => {
    approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
    isVisible = false;
    page.hidden();
    isVisible = true;
    page.focus('a');
    await settled();
    expect(posted).toHaveLength(1);
    say({ type: 'ready' });
    await settled();
    expect(posted.slice(1).map((message) => message.type)).toEqual(['state', 'focus']);
  });

  test('keep a change that comes while a message is being made', async () => {
    say({ type: 'ready' });
    await settled();
    approvals.add({ id: 'a', files });
    const texts = vi.spyOn(approvals, 'texts').mockImplementation(async (id) => {
      texts.mockRestore();
      approvals.change(id, { state: 'withdrawn' });
      await settled();
      return { base: 'one\n', proposed: 'eins\n', current: 'eins\n' };
    });
    await settled();
    await settled();
    expect(states().at(-1)).toMatchObject({ waiting: [], finished: ['a'] });
  });

  test('send a card whose texts cannot be read without Approve', async () => {
    vi.spyOn(approvals, 'texts').mockRejectedValue(new Error('gone'));
    approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
    const [card] = cardsOf(states()[0]);
    expect(card).toMatchObject({ files: [], decline: {} });
    expect(card?.approve).toBeUndefined();
  });

  test('open a card once the page has it', async () => {
    approvals.add({ id: 'a', files });
    page.focus('a');
    await settled();
    expect(posted).toEqual([]);
    say({ type: 'ready' });
    await settled();
    expect(posted.map((message) => message.type)).toEqual(['state', 'focus']);
    expect(posted[1]).toEqual({ type: 'focus', id: 'a' });
    page.changed();
    await settled();
    // Nothing that it shows is another.
    expect(posted.map((message) => message.type)).toEqual(['state', 'focus']);
  });

  test('send the rows that the page asks for', async () => {
    const result = Array.from({ length: 700 }, (_, line) => `new ${line}\n`).join('');
    approvals.add({ id: 'a', files: [{ ...file, result }] });
    say({ type: 'ready' });
    await settled();
    const drawing = sent()[0]?.drawing;
    const [first] = states()[0]?.rows ?? [];
    expect(drawing?.files[0]?.rows).toBe(702);
    expect(first).toMatchObject({ id: 'a', drawing: drawing?.number, file: 0, from: 0 });
    say({ type: 'moreRows', id: 'a', file: 0, from: first?.rows.length });
    await settled();
    const more = posted.at(-1);
    expect(more).toMatchObject({ type: 'rows', id: 'a', drawing: drawing?.number, file: 0, from: 300 });
    expect(more?.type === 'rows' && more.rows[0]).toMatchObject({ kind: 'added', after: 299 });
  });

  test('B27: copies what the user can tell an assistant that has not heard of a decision', async () => {
    const { id } = approvals.add({ files, state: 'applied', unheard: true });
    say({ type: 'ready' });
    await settled();
    say({ type: 'copyMessage', id });
    expect(asked).toEqual([
      `copy I have decided about your request ${id}. Call get_approval with approvalId "${id}" to learn the outcome.`,
    ]);
  });

  test('finds the rows that hold a text, also in the second part of a long line', async () => {
    const long = `${'x'.repeat(995)}Needle and more${'y'.repeat(900)}`;
    approvals.add({
      id: 'a',
      files: [
        { path: 'a.ts', base: 'one\nneedle\n', result: 'one\nNEEDLE\n' },
        { path: 'b.ts', change: 'create', result: `first\n${long}\n` },
      ],
    });
    say({ type: 'ready' });
    await settled();
    const drawing = sent()[0]?.drawing?.number ?? 0;
    const find = (text: string, of = drawing): ToPage | undefined => {
      posted.length = 0;
      say({ type: 'find', id: 'a', drawing: of, text });
      return posted.at(-1);
    };
    // The rows are the header, an unchanged line, the removed one and the added one; and the header, the first line, eight of the long one.
    const [removed, added, begins] = [
      { file: 0, row: 2 },
      { file: 0, row: 3 },
      { file: 1, row: 5 },
    ];
    expect(find('needle')).toMatchObject({ type: 'found', drawing, places: [removed, added, begins], total: 3 });
    expect(find('x')).toMatchObject({ places: [2, 3, 4, 5].map((row) => ({ file: 1, row })), total: 4 });
    expect(find('yyy')).toMatchObject({ places: [6, 7, 8, 9].map((row) => ({ file: 1, row })), total: 4 });
    expect(find('nowhere')).toMatchObject({ places: [], total: 0 });
    // The rows of an older drawing are not the ones that the page shows.
    expect(find('needle', drawing + 1)).toBeUndefined();
  });

  test.each([
    [
      { running: false, connected: true, hasFolder: false, trusted: true, held: false, otherWindows: [] },
      'No folder is open',
      ['vscode.openFolder'],
    ],
    [
      { running: false, connected: true, hasFolder: true, trusted: false, held: false, otherWindows: [] },
      'You have not trusted',
      ['workbench.trust.manage'],
    ],
    [
      { running: false, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] },
      'Drawbridge is stopped',
      ['drawbridge.start'],
    ],
    [
      { running: true, connected: true, hasFolder: true, trusted: true, held: false, otherWindows: [] },
      'Nothing is waiting for you',
      [],
    ],
    [
      { running: true, connected: true, hasFolder: true, trusted: false, held: true, otherWindows: [] },
      'Nothing is waiting for you',
      [],
    ],
    [
      { running: true, connected: false, hasFolder: true, trusted: true, held: false, otherWindows: [] },
      'Nothing is waiting for you',
      ['drawbridge.connectAssistant', 'drawbridge.showSample'],
    ],
    [
      {
        running: true,
        connected: true,
        firstSteps: ['Codex', 'Cursor'],
        hasFolder: true,
        trusted: true,
        held: false,
        otherWindows: [],
      },
      'Three steps to the first change',
      ['drawbridge.showSample'],
    ],
    [
      { running: false, connected: false, hasFolder: true, trusted: true, held: false, otherWindows: [] },
      'Drawbridge is stopped',
      ['drawbridge.start', 'drawbridge.connectAssistant'],
    ],
  ])('show the welcome text that fits the status %#: %o', async (given, words, commands) => {
    status = given;
    say({ type: 'ready' });
    await settled();
    const welcome = welcomeText(states()[0]?.status ?? status, english);
    expect(welcome.text).toContain(words);
    expect(welcome.buttons.map((button) => button.command)).toEqual(commands);
  });
});

test('shows three steps while an assistant is set up and none has called', () => {
  const { steps = [] } = welcomeText({ ...status, running: true, firstSteps: ['Codex', 'Cursor'] }, english);
  expect(steps.map(({ text }) => text)).toEqual([
    'Set up: Codex, Cursor ✓',
    'Copy a first question',
    'Start Codex in this folder and paste the question. Waiting for the first call…',
  ]);
  expect(steps.map(({ command }) => command)).toEqual([undefined, 'drawbridge.copyFirstQuestion', undefined]);
});

test('shows above waiting approvals that the guard is off, with a button that switches it on', async () => {
  status = { ...status, guardOff: 'The guard is off until 15:40.' };
  approvals.add({ files });
  say({ type: 'ready' });
  await settled();
  expect(noticeText(states()[0]?.status ?? status, english)).toEqual({
    text: 'The guard is off until 15:40.',
    buttons: [{ text: 'Switch Guard On', command: 'drawbridge.guardAgain' }],
  });
});

test('shows above waiting approvals that edits are held until the user enables them', async () => {
  status = { running: true, connected: true, hasFolder: true, trusted: false, held: true, otherWindows: [] };
  approvals.add({ files });
  say({ type: 'ready' });
  await settled();
  expect(noticeText(states()[0]?.status ?? status, english)).toEqual({
    text: 'Assistants can only read this workspace until you enable edits.',
    buttons: [{ text: 'Enable Edits', command: 'drawbridge.enableEdits' }],
  });
  status = { ...status, trusted: true, held: false, otherWindows: [] };
  page.changed();
  await settled();
  expect(states()[1]?.status).toEqual(status);
  expect(noticeText(status, english)).toBeUndefined();
});

describe('the selection of the user', () => {
  const base = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join('');
  const three = { ...file, base, result: base.replace('line 2\n', 'zwei\n').replace('line 12\n', 'zwölf\n') };
  const cards = (): Card[] => sent().map((data) => cardOf(data, context));
  /** Returns which hunks of each file would be applied, as the page was told last. */
  const kept = () =>
    sent()
      .at(-1)
      ?.drawing?.files.map((each) => each.hunks.map(({ included }) => included));
  const drawing = (): number => sent().at(-1)?.drawing?.number ?? -1;
  const hunk = (index: number, included: boolean): void =>
    say({ type: 'selectHunk', id: 'a', drawing: drawing(), file: 0, hunk: index, included });

  beforeEach(async () => {
    approvals.add({ id: 'a', files: [three, { ...file, path: 'b.ts' }] });
    say({ type: 'ready' });
    await settled();
  });

  test('is answered with what a check box changed and nothing else, and the next hash counts', async () => {
    hunk(1, false);
    await settled();
    expect(states()).toHaveLength(2);
    expect(states()[1]?.rows).toEqual([]);
    expect(sent()[1]).toMatchObject({ ownSelection: true });
    expect(kept()).toEqual([[true, false], [true]]);
    expect(cards()[1]).toMatchObject({
      approve: { text: 'Approve 2 of 3' },
      files: [{ included: 'some' }, { included: 'all' }],
    });
    expect(cards()[1]?.proposalHash).toBe(approvals.get('a')?.proposalHash);
    expect(cards()[1]?.proposalHash).not.toBe(cards()[0]?.proposalHash);
  });

  test('A15: refuses an approval with the hash of an older selection, and explains why', async () => {
    look();
    hunk(1, false);
    await settled();
    say({ type: 'approve', id: 'a', proposalHash: cards()[0]?.proposalHash });
    expect(approvals.decisions.at(-1)).toBe('approve a changed');
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'changed' });
  });

  test('accepts several changes of one page in the same turn', async () => {
    hunk(0, false);
    hunk(1, false);
    say({ type: 'selectFile', id: 'a', file: 1, included: false });
    await settled();
    expect(sent().at(-1)).toMatchObject({ ownSelection: true });
    expect(cards().at(-1)).toMatchObject({ blockedHint: 'Nothing is selected: decline instead.' });
  });

  test('A17: does not treat a selection made elsewhere as made by this page', async () => {
    approvals.selectHunk('a', 0, 0, false);
    await settled();
    expect(sent().at(-1)).toMatchObject({ ownSelection: false });
    approvals.selectHunk('a', 0, 1, false);
    hunk(0, true);
    await settled();
    expect(sent().at(-1)).toMatchObject({ ownSelection: false });
  });

  test('sends nothing to a card when nothing of it changed, however often it is displayed', async () => {
    approvals.change('a', { displayedAt: 1 });
    await settled();
    expect(posted).toHaveLength(1);
  });

  test('A4: does not accept the end of outdated rows as the end of the change', async () => {
    const old = drawing();
    approvals.setText('a', 0, 'typed\n');
    say({ type: 'endReached', id: 'a', drawing: old });
    expect(approvals.decisions).not.toContain('endReached a');
    await settled();
    say({ type: 'endReached', id: 'a', drawing: old });
    expect(approvals.decisions).not.toContain('endReached a');
    say({ type: 'endReached', id: 'a', drawing: drawing() });
    expect(approvals.decisions).toContain('endReached a');
  });

  test('A3: draws the card anew when text was typed, so that a click in the old drawing selects nothing', async () => {
    const old = drawing();
    approvals.setText('a', 0, `${base}mine\n`);
    hunk(0, false);
    await settled();
    expect(drawing()).not.toBe(old);
    say({ type: 'selectHunk', id: 'a', drawing: old, file: 0, hunk: 0, included: false });
    await settled();
    expect(approvals.decisions.filter((entry) => entry.startsWith('selectHunk'))).toEqual([]);
    // The card is sent again, because its check box shows a choice that was refused.
    expect(cards().at(-1)).toMatchObject({ drawing: drawing(), approve: { text: 'Approve my version' } });
  });

  test('A4: never sends a hash with rows that do not belong to it, whenever the text changes', async () => {
    for (let turn = 0; turn < 20; turn += 1) {
      approvals.setText('a', 0, `${base}${turn}\n`);
      for (let wait = 0; wait < turn % 5; wait += 1) await Promise.resolve();
      if (turn % 3 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const texts = new Map<string, string>();
    const spy = vi.spyOn(approvals, 'review').mockImplementation(async (id, index) => {
      const review = await FakeApprovals.prototype.review.call(approvals, id, index);
      if (index === 0 && texts.size < 5) approvals.setText('a', 0, `${base}late ${texts.size}\n`);
      texts.set(String(texts.size), '');
      return review;
    });
    approvals.change('a', { revision: 1000 });
    await settled();
    await settled();
    spy.mockRestore();
    const card = cards().at(-1);
    const rows = states()
      .flatMap((state) => state.rows)
      .filter((chunk) => chunk.drawing === card?.drawing && chunk.file === 0);
    const added = rows.flatMap((chunk) =>
      chunk.rows.flatMap((row) => (row.kind === 'added' ? [row.parts[0]?.text] : [])),
    );
    expect(card?.proposalHash).toBe(approvals.get('a')?.proposalHash);
    expect(added?.filter((text) => text?.startsWith('late'))).toEqual(['late 4']);
  });

  test('includes all of a partly included file on the first click, and none of it on the next', async () => {
    hunk(0, false);
    say({ type: 'selectFile', id: 'a', file: 0, included: true });
    await settled();
    expect(kept()?.[0]).toEqual([true, true]);
    say({ type: 'selectFile', id: 'a', file: 0, included: false });
    await settled();
    expect(kept()?.[0]).toEqual([false, false]);
    say({ type: 'selectFile', id: 'a', file: 0, included: true });
    await settled();
    expect(kept()?.[0]).toEqual([true, true]);
  });

  test('F4: keeps what the user typed at every check box; only Reset discards it', async () => {
    const mine = three.result.replace('zwei', 'deux');
    approvals.setText('a', 0, mine);
    await settled();
    say({ type: 'selectFile', id: 'a', file: 0, included: false });
    await settled();
    say({ type: 'selectFile', id: 'a', file: 0, included: true });
    await settled();
    expect((await approvals.texts('a', 0))?.current).toBe(mine);
    say({ type: 'selectFile', id: 'a', file: 0, included: true });
    say({ type: 'selectFile', id: 'a', file: 0, included: true });
    await settled();
    expect((await approvals.texts('a', 0))?.current).toBe(mine);
    say({ type: 'resetFile', id: 'a', file: 0 });
    await settled();
    expect((await approvals.texts('a', 0))?.current).toBe(three.result);
    expect(cards().at(-1)).toMatchObject({ approve: { text: 'Approve' } });
  });

  test('sends a choice again when it has no effect', async () => {
    approvals.change('a', { indivisible: true });
    await settled();
    const before = cards().length;
    hunk(0, false);
    await settled();
    expect(cards()).toHaveLength(before + 1);
  });

  test('F5: shows the new card after a rebase, or explains on the old card why there is none', async () => {
    approvals.change('a', { state: 'stale', canRebase: true });
    approvals.add({ id: 'newer', files });
    await settled();
    const { proposalHash } = approvals.get('a') ?? {};
    say({ type: 'rebase', id: 'a', proposalHash: 'b'.repeat(64) });
    expect(approvals.decisions).not.toContain('rebase a');
    approvals.rebaseResult = { status: 'conflict', message: 'src/a.ts: the same lines were changed.' };
    look();
    say({ type: 'rebase', id: 'a', proposalHash });
    await settled();
    expect(cards().at(-1)?.notes).toContain('src/a.ts: the same lines were changed.');
    approvals.rebaseResult = { status: 'rebased', id: 'newer' };
    look();
    say({ type: 'rebase', id: 'a', proposalHash });
    await settled();
    expect(posted.at(-1)).toEqual({ type: 'focus', id: 'newer' });
    expect(cards().at(-1)?.notes).not.toContain('src/a.ts: the same lines were changed.');
  });
});

describe('the arming of a card', () => {
  const armed = (): number[] => posted.flatMap((message) => (message.type === 'armed' ? [message.display] : []));
  beforeEach(async () => {
    approvals.add({ id: 'a', files, groupId: 'g' });
    approvals.add({ id: 'b', files, groupId: 'g' });
    approvals.add({ id: 'done', state: 'applied', canUndo: true, files });
    approvals.addRead({ id: 'read-1', paths: ['config/.env'] });
    say({ type: 'ready' });
    await settled();
  });

  test.each([
    ['a waiting card', { type: 'displayed', id: 'a' }],
    ['a finished card', { type: 'displayed', id: 'done' }],
    ['a read', { type: 'displayed', id: 'read-1' }],
    ['the button of a group', { type: 'approveAllDisplayed', groupId: 'g' }],
  ])('A17: names the display of %s to the page 500 ms later', (_, message) => {
    say({ ...message, display: 7 });
    clock.advance(499);
    expect(armed()).toEqual([]);
    clock.advance(1);
    expect(armed()).toEqual([7]);
    clock.advance(10_000);
    expect(armed()).toEqual([7]);
  });

  test.each([
    ['a waiting card', { type: 'displayed', id: 'a' }],
    ['a finished card', { type: 'displayed', id: 'done' }],
    ['a read', { type: 'displayed', id: 'read-1' }],
    ['the button of a group', { type: 'approveAllDisplayed', groupId: 'g' }],
  ])('A17: starts the delay of %s again when it moved', (_, message) => {
    say({ ...message, display: 7 });
    clock.advance(499);
    say({ ...message, display: 8 });
    clock.advance(499);
    expect(armed()).toEqual([]);
    clock.advance(1);
    expect(armed()).toEqual([8]);
  });

  test('A17: arms no card of a new page by a display in the page that it replaces', async () => {
    say({ type: 'displayed', id: 'a', display: 1 });
    say({ type: 'displayed', id: 'done', display: 2 });
    clock.advance(499);
    say({ type: 'ready' });
    await settled();
    clock.advance(1);
    expect(armed()).toEqual([]);
  });

  test('A17: approves no group within 500 ms after the button appeared, though each card is armed', () => {
    const given = ['a', 'b'].map((id) => ({ id, proposalHash: approvals.get(id)?.proposalHash }));
    const approveAll = { type: 'approveAll', groupId: 'g', approvals: given };
    for (const { id } of given) say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    say(approveAll);
    say({ type: 'approveAllDisplayed', groupId: 'g', display: 3 });
    clock.advance(499);
    say(approveAll);
    expect(approvals.decisions).toEqual(['displayed a', 'displayed b']);
    const why = 'not_reviewed';
    expect(posted.slice(-2)).toEqual(given.map(({ id }) => ({ type: 'refused', id, why })));
    clock.advance(1);
    say(approveAll);
    expect(approvals.decisions.slice(2)).toEqual(['approve a accepted', 'approve b accepted']);
  });

  test('leaves no delay behind for a card or a group that is gone', async () => {
    say({ type: 'displayed', id: 'done', display: 1 });
    say({ type: 'approveAllDisplayed', groupId: 'g', display: 2 });
    expect(clock.pendingTimers).toBe(2);
    vi.spyOn(approvals, 'all', 'get').mockReturnValue([]);
    page.changed();
    await settled();
    expect(clock.pendingTimers).toBe(0);
  });
});

describe('the messages from the page', () => {
  beforeEach(async () => {
    approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
  });
  const hash = (): string => approvals.get('a')?.proposalHash ?? '';

  test('A17: are refused with a reason when they approve within 500 ms after the card appeared', () => {
    say({ type: 'approve', id: 'a', proposalHash: hash() });
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'too_fast' });
    say({ type: 'displayed', id: 'a', display: 1 });
    clock.advance(499);
    say({ type: 'approve', id: 'a', proposalHash: hash() });
    expect(approvals.decisions).toEqual(['displayed a']);
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'too_fast' });
    clock.advance(1);
    say({ type: 'approve', id: 'a', proposalHash: hash() });
    expect(approvals.decisions.at(-1)).toBe('approve a accepted');
  });

  test('let Drawbridge make a change in the editor only when the click that chooses it counts', () => {
    const inEditor = { type: 'approve', id: 'a', proposalHash: hash(), inEditor: true };
    say({ type: 'displayed', id: 'a', display: 1 });
    say(inEditor);
    clock.advance(500);
    say(inEditor);
    expect(approvals.decisions).toEqual(['displayed a', 'in editor a', 'approve a accepted']);
  });

  test('A17: undo nothing within 500 ms after the card of the change appeared, and explain why', async () => {
    approvals.change('a', { state: 'applied', canUndo: true });
    say({ type: 'undo', id: 'a', proposalHash: hash() });
    say({ type: 'displayed', id: 'a', display: 1 });
    clock.advance(499);
    say({ type: 'undo', id: 'a', proposalHash: hash() });
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'too_fast' });
    expect(approvals.decisions).toEqual([]);
    clock.advance(1);
    say({ type: 'undo', id: 'a', proposalHash: hash() });
    await settled();
    // Its Redo stands where its Undo was, so the delay starts anew.
    say({ type: 'redo', id: 'a', proposalHash: hash() });
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'too_fast' });
    expect(approvals.decisions).toEqual(['undo a']);
  });

  test.each([
    ['approve', 'finish'],
    ['decline', 'takeBack'],
  ])(
    'F21: settle a half-done change by %s, which is %s, after half a second and for the card that is shown',
    async (type, way) => {
      approvals.change('a', { state: 'partly_applied', canUndo: true });
      say({ type, id: 'a', proposalHash: hash() });
      expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'too_fast' });
      look();
      say({ type, id: 'a', proposalHash: 'b'.repeat(64) });
      expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'changed' });
      expect(approvals.decisions).toEqual([]);
      approvals.settleResult = { status: 'failed', message: 'The disk is full.' };
      say({ type, id: 'a', proposalHash: hash() });
      await settled();
      expect(cardsOf(states().at(-1))[0]).toMatchObject({ phase: 'waiting', notes: ['The disk is full.'] });
      expect(states().at(-1)).toMatchObject({ waiting: ['a'], finished: [], groups: [] });
      approvals.settleResult = { status: type === 'approve' ? 'redone' : 'undone' };
      look();
      say({ type, id: 'a', proposalHash: hash() });
      await settled();
      expect(approvals.decisions).toEqual([`${way} a`, `${way} a`]);
      expect(states().at(-1)).toMatchObject({ waiting: [], finished: ['a'] });
    },
  );

  test('pass a decision to the queue with the note of the user', () => {
    say({ type: 'displayed', id: 'a', display: 1 });
    clock.advance(500);
    say({ type: 'decline', id: 'a', proposalHash: hash(), message: 'wrong file' });
    expect(approvals.decisions.at(-1)).toBe('decline a accepted wrong file');
  });

  test('A3: are refused when they decide about another proposal than the one on the card', () => {
    say({ type: 'displayed', id: 'a', display: 1 });
    say({ type: 'decline', id: 'a', proposalHash: 'b'.repeat(64) });
    say({ type: 'undo', id: 'a', proposalHash: 'b'.repeat(64) });
    expect(approvals.decisions).toEqual(['displayed a']);
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'changed' });
  });

  test.each([
    ['without the secret of its render', { type: 'displayed', id: 'a', display: 1, secret: undefined }],
    ['with the secret of another render', { type: 'displayed', id: 'a', display: 1, secret: 'x'.repeat(64) }],
    ['of an unknown type', { type: 'approveAll', id: 'a' }],
    ['with a command that is not on the list', { type: 'command', command: 'workbench.action.terminal.new' }],
    ['with a number for a name', { type: 'displayed', id: 1, display: 1 }],
    ['about an approval that does not exist', { type: 'displayed', id: 'nobody', display: 1 }],
    ['with more words than fit', { type: 'decline', id: 'a', proposalHash: 'a'.repeat(64), message: 'x'.repeat(2001) }],
  ])('A2: ignore a message %s', (_, message) => {
    say(message);
    page.receive(null);
    page.receive('approve');
    expect(approvals.decisions).toEqual([]);
    expect(asked).toEqual([]);
  });

  test('A2: decide nothing while the page is hidden', () => {
    isVisible = false;
    say({ type: 'displayed', id: 'a', display: 1 });
    say({ type: 'decline', id: 'a', proposalHash: hash() });
    expect(approvals.decisions).toEqual([]);
  });

  test('A2: are ignored when they come from a page that was replaced', () => {
    page.connect({ secret: 'n'.repeat(64), isVisible: () => true, post: (message) => posted.push(message) });
    say({ type: 'displayed', id: 'a', display: 1 });
    expect(approvals.decisions).toEqual([]);
  });

  test('open diffs, run commands on the list, and return to the editor', () => {
    say({ type: 'openDiff', id: 'a', file: 0 });
    say({ type: 'command', command: 'drawbridge.start' });
    say({ type: 'leave' });
    expect(asked).toEqual(['openDiff a 0', 'drawbridge.start', 'leave']);
  });

  test('tell that the page got the keyboard, unless it is hidden', () => {
    say({ type: 'focused' });
    expect(asked).toEqual(['focused']);
    isVisible = false;
    say({ type: 'focused' });
    expect(asked).toEqual(['focused']);
  });

  test('show on the card that an undo failed until one succeeds', async () => {
    approvals.change('a', { state: 'applied', canUndo: true });
    approvals.undoResult = { status: 'changed_since', message: 'src/a.ts was changed since.' };
    look();
    say({ type: 'undo', id: 'a', proposalHash: hash() });
    await settled();
    expect(cardsOf(states().at(-1))[0]?.notes).toEqual(['src/a.ts was changed since.']);
    approvals.undoResult = { status: 'undone' };
    look();
    say({ type: 'undo', id: 'a', proposalHash: hash() });
    await settled();
    expect(cardsOf(states().at(-1))[0]).toMatchObject({ headline: 'Undone: edit of a.ts', notes: [] });
  });
});

test('A18: come from a document that loads only our script and styles and lets no text leave an attribute', () => {
  const html = approvalsHtml({
    nonce: 'abc',
    secret: 'def',
    cspSource: "https://*.vscode-cdn.net 'self'",
    scriptUri: 'https://x/sidebar.js?"><script>alert(1)</script>',
    styleUri: 'https://x/sidebar.css',
    language: 'en',
    title: '</title><script>alert(1)</script>',
    view: 'tab',
    approvalId: '"><script>alert(1)</script>',
  });
  const source = "https://*.vscode-cdn.net 'self'";
  expect(html).toContain(
    `content="default-src 'none'; script-src 'nonce-abc'; style-src ${source}; font-src ${source}; img-src ${source}"`,
  );
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).toContain('<script nonce="abc" src=');
  expect(html).not.toContain('style="');
});

describe('the rules of a card', () => {
  const shown = async () => {
    const { id, proposalHash } = approvals.add({ files });
    say({ type: 'ready' });
    await settled();
    say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    return { id, proposalHash, asked: { id, proposalHash, suggestion: 0, scope: 'session' } };
  };

  test('F2: show the rule of a suggestion that the page names, and can be saved only then', async () => {
    const { id, asked: named } = await shown();
    say({ type: 'approveWithRule', ...named });
    await settled();
    expect(rules.all).toEqual([]);
    say({ type: 'previewRule', ...named });
    expect(posted.at(-1)).toMatchObject({ type: 'rulePreview', id });
    const preview = posted.find((message) => message.type === 'rulePreview');
    const [data] = sent();
    expect(preview && data && rulePreviewText(preview, data, english).sentence).toBe('Allow edits of src/a.ts');
    say({ type: 'approveWithRule', ...named, rule: { effect: 'allow', class: 'delete' } });
    await settled();
    expect(rules.all.map(({ rule }) => rule.paths)).toEqual([['src/a.ts']]);
    expect(cardsOf(states().at(-1))[0]).toMatchObject({ phase: 'finished' });
  });

  test('F2: are named on the finished card, shown in the rules file, removed and put back', async () => {
    const { id, asked: named } = await shown();
    say({ type: 'previewRule', ...named });
    say({ type: 'approveWithRule', ...named });
    await settled();
    rules.onDidChange(() => page.surroundingsChanged());
    page.surroundingsChanged();
    await settled();
    expect(cardsOf(states().at(-1))[0]?.savedRule?.text).toBe('Rule saved: Allow edits of src/a.ts');
    say({ type: 'showRule', id, which: 'saved' });
    expect(asked).toEqual(['showRule r-0001']);
    say({ type: 'removeRule', id });
    await settled();
    expect(cardsOf(states().at(-1))[0]?.savedRule?.text).toBe('Rule removed: Allow edits of src/a.ts');
    say({ type: 'restoreRule', id });
    await settled();
    expect(rules.all).toHaveLength(1);
  });

  test('show the rule that decided in the file that contains it', async () => {
    const rule = { id: 'r-7', scope: 'user' } as const;
    const { id } = approvals.add({ files, judgement: { rule, reason: 'ask rule r-7 (user)' } });
    say({ type: 'ready' });
    await settled();
    expect(cardsOf(states()[0])[0]?.why?.rule?.text).toBe('Rule r-7 (always)');
    say({ type: 'showRule', id, which: 'decided' });
    expect(asked).toEqual(['showRule r-7']);
  });
});

describe('changes that are applied without asking', () => {
  test('A4: pass the typed count on with the approval', async () => {
    const { id, proposalHash } = approvals.add({ files, judgement: { confirmCount: 37 } });
    say({ type: 'ready' });
    await settled();
    expect(cardsOf(states()[0])[0]?.confirm).toMatchObject({ count: 37, label: 'Type 37 to delete 37 files' });
    say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    say({ type: 'approve', id, proposalHash });
    say({ type: 'approve', id, proposalHash, confirmedCount: 36 });
    expect(posted.at(-1)).toMatchObject({ type: 'refused', why: 'count_not_confirmed' });
    say({ type: 'approve', id, proposalHash, confirmedCount: 37 });
    expect(approvals.decisions.filter((entry) => entry.startsWith('approve'))).toEqual([
      `approve ${id} count_not_confirmed`,
      `approve ${id} count_not_confirmed`,
      `approve ${id} accepted`,
    ]);
  });

  test('show the mode above the cards when it is not the default mode', async () => {
    say({ type: 'ready' });
    await settled();
    expect(modeBannerText(states()[0]?.mode ?? mode, english)).toBeUndefined();
    mode = { mode: 'unattended', until: Date.UTC(2026, 10, 21, 18, 40) };
    page.changed();
    await settled();
    expect(modeBannerText(states().at(-1)?.mode ?? { mode: 'manual' }, english)).toEqual({
      text: [
        'Unattended: edits and deletes are applied without asking, until ',
        { time: Date.UTC(2026, 10, 21, 18, 40) },
        '; everything else that needs approval is refused.',
      ],
      tone: 'warning',
      back: { text: 'Back to Manual', label: 'Back to Manual: every change needs your approval' },
    });
    say({ type: 'manualMode' });
    expect(asked).toEqual(['backToManual']);
  });

  test('name the rule or the mode that allowed them, with the steps, and can be undone', async () => {
    const reason = 'allow rule r-7f3a (session)';
    const explain = [{ step: 'allow_rule', detail: reason }];
    const judgement = { effect: 'allow', reason, rule: { id: 'r-7f3a', scope: 'session' }, explain } as const;
    approvals.add({ id: 'by-rule', state: 'applied', canUndo: true, files, judgement });
    const byMode = { effect: 'allow', mode: 'acceptEdits', reason: 'default for edit in Accept edits mode' } as const;
    approvals.add({ id: 'by-mode', state: 'applied', canUndo: true, files, judgement: byMode });
    say({ type: 'ready' });
    await settled();
    const cards = new Map(cardsOf(states()[0]).map((card) => [card.id, card]));
    expect(cards.get('by-rule')).toMatchObject({
      notes: ['Applied without asking: allow rule r-7f3a (session)'],
      undo: { text: 'Undo' },
      why: { text: 'Why was I not asked?', steps: { items: ['allow rule: allow rule r-7f3a (session)'] } },
    });
    expect(cards.get('by-mode')?.notes).toEqual(['Applied without asking: mode Accept edits']);
  });

  test('A25: name a running task that watches the folder, as soon as it runs', async () => {
    approvals.add({ files });
    say({ type: 'ready' });
    await settled();
    expect(cardsOf(states()[0])[0]?.warnings).toEqual([]);
    tasks = ['watch'];
    page.surroundingsChanged();
    await settled();
    expect(cardsOf(states().at(-1))[0]?.warnings).toEqual(['A running task (watch) may react to this change at once.']);
  });

  test('A22: show exactly the bytes that are approved, secrets too', async () => {
    const secretText = 'AKIAIOSFODNN7EXAMPLE';
    approvals.add({ files: [{ ...file, result: `${secretText}\n` }] });
    say({ type: 'ready' });
    await settled();
    expect(JSON.stringify(states()[0]?.rows)).toContain(secretText);
  });
});

describe('a read that asks', () => {
  const given = { id: 'read-1', paths: ['config/.env'] };

  test('A8: has a card among those that wait, in the order of arrival, and is announced at once', async () => {
    const read = approvals.addRead(given);
    const { id } = approvals.add({ files, requestedAt: read.requestedAt + 1 });
    say({ type: 'ready' });
    await settled();
    const [state] = states();
    expect(state?.waiting).toEqual(['read-1', id]);
    expect(announced(state)).toEqual({
      text: '2 approvals needed. Run “Review Next Approval” to get to them.',
      assertive: true,
    });
    expect(cardsOf(state).find((card) => card.id === 'read-1')).toMatchObject({
      headline: 'Claude Code wants to read config/.env',
      tone: 'danger',
      risk: { text: 'Secret' },
      approve: { text: 'Allow once', label: 'Allow once: read of config/.env' },
      refuse: { text: 'Decline', label: 'Decline read of config/.env' },
      why: { text: 'Why was I asked? ask rule r-2 (user)' },
    });
  });

  test.each([
    ['approve', true],
    ['decline', false],
  ])('is decided by %s for exactly the paths on the card', async (type, allow) => {
    approvals.addRead(given);
    say({ type: 'ready' });
    await settled();
    say({ type: 'displayed', id: 'read-1', display: 1 });
    clock.advance(500);
    say({ type, id: 'read-1', proposalHash: 'f'.repeat(64) });
    expect(approvals.waitingReads).toHaveLength(1);
    say({ type, id: 'read-1', proposalHash: cardsOf(states()[0])[0]?.proposalHash });
    expect(approvals.decisions).toEqual(['readDisplayed read-1', `answerRead read-1 ${allow} accepted`]);
    await settled();
    expect(states().at(-1)?.waiting).toEqual([]);
  });

  test('A17: is refused with a reason when the click comes too early', async () => {
    approvals.addRead(given);
    say({ type: 'ready' });
    await settled();
    say({ type: 'displayed', id: 'read-1', display: 1 });
    say({ type: 'approve', id: 'read-1', proposalHash: cardsOf(states()[0])[0]?.proposalHash });
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'read-1', why: 'too_fast' });
    expect(approvals.waitingReads).toHaveLength(1);
    await settled();
  });

  test('shows a path with hidden characters escaped', async () => {
    approvals.addRead({ id: 'read-1', paths: ['src/a\u202E.ts'] });
    say({ type: 'ready' });
    await settled();
    const card = cardsOf(states()[0])[0];
    expect(card?.headline).toContain('<U+202E>');
    expect(card).toMatchObject({ tone: 'edit' });
  });
});

describe('A39: parts that a warning is about', () => {
  const wide = { path: 'wide.js', change: 'create', result: `var ok=1;${' '.repeat(20_000)}evil()\n` } as const;

  /** Shows an approval, and returns the numbers of its parts. */
  const show = async (id: string): Promise<number[]> => {
    say({ type: 'ready' });
    await settled();
    say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    const rows = states().flatMap((state) => state.rows.filter((each) => each.id === id));
    return rows.flatMap((each) => each.rows.flatMap((row) => ('part' in row ? (row.part ?? []) : [])));
  };

  test('are approved when the page has told of each of them, and the card says which are missing', async () => {
    const { id, proposalHash } = approvals.add({ files: [wide] });
    const [part = 0, ...others] = await show(id);
    expect(others).toEqual([]);
    expect(cardsOf(states()[0])[0]?.blockedHint).toContain('wide.js:1');
    say({ type: 'approve', id, proposalHash });
    expect(posted.findLast(({ type }) => type === 'refused')).toEqual({ type: 'refused', id, why: 'place_not_seen' });
    say({ type: 'partSeen', id, part: part + 1 });
    expect(approvals.unseenPlaces(id)).toEqual(['wide.js:1']);
    say({ type: 'partSeen', id, part });
    await settled();
    expect(cardsOf(states().at(-1))[0]?.blockedHint).toBeUndefined();
    say({ type: 'approve', id, proposalHash });
    expect(approvals.decisions.at(-1)).toBe(`approve ${id} accepted`);
  });

  test('must all be on screen where a line has several', async () => {
    const { id } = approvals.add({ files: [{ ...wide, result: `${'x'.repeat(1100)}\n` }] });
    const parts = await show(id);
    expect(parts).toHaveLength(5);
    for (const part of parts.slice(1)) say({ type: 'partSeen', id, part });
    expect(approvals.unseenPlaces(id)).toEqual(['wide.js:1']);
    say({ type: 'partSeen', id, part: parts[0] ?? 0 });
    expect(approvals.unseenPlaces(id)).toEqual([]);
  });

  test('do not count in rows that were replaced', async () => {
    const { id } = approvals.add({ files: [wide] });
    const [part = 0] = await show(id);
    approvals.setText(id, 0, `var ok=2;${' '.repeat(20_000)}other()\n`);
    say({ type: 'partSeen', id, part });
    await settled();
    say({ type: 'partSeen', id, part });
    expect(approvals.unseenPlaces(id)).toEqual(['wide.js:1']);
  });

  test('A16: are never approved with others of their group', async () => {
    const plainEdit = { base: 'a\n', result: 'b\n' };
    for (const path of ['a.ts', 'b.ts']) approvals.add({ id: path, groupId: 'g', files: [{ path, ...plainEdit }] });
    const { id } = approvals.add({ id: 'wide', groupId: 'g', files: [wide] });
    const parts = await show(id);
    expect(states()[0]?.groups).toMatchObject([{ batch: ['a.ts', 'b.ts'] }]);
    for (const part of parts) say({ type: 'partSeen', id, part });
    say({ type: 'approveAllDisplayed', groupId: 'g', display: 7 });
    clock.advance(500);
    const proposalHash = approvals.get(id)?.proposalHash ?? '';
    say({ type: 'approveAll', groupId: 'g', approvals: [{ id, proposalHash }] });
    expect(approvals.get(id)?.state).toBe('waiting');
    expect(posted.findLast(({ type }) => type === 'refused')).toMatchObject({ id, why: 'needs_own_decision' });
    await settled();
  });

  test('a very large change is approved by the words of the user, which reach the queue', async () => {
    const { id, proposalHash } = approvals.add({ files: [{ ...wide, result: 'x\n'.repeat(501) }] });
    await show(id);
    expect(cardsOf(states()[0])[0]?.approveUnread?.text).toBe('Approve without reading everything');
    say({ type: 'approve', id, proposalHash });
    expect(approvals.decisions.at(-1)).toBe(`approve ${id} end_not_reached`);
    say({ type: 'approve', id, proposalHash, withoutReading: true });
    expect(approvals.decisions.at(-1)).toBe(`approve ${id} accepted without reading`);
  });
});

describe('actions and questions', () => {
  const action = {
    title: 'Run command: Fold All',
    definition: 'editor.foldAll',
    arguments: Array.from({ length: 400 }, (_, line) => line),
    paths: [],
    remarks: [],
  };
  const question = { text: 'Which port?', choices: ['3000', '8080'], allowsText: false };

  test('F12: send the arguments of an action as far as the page asks for them, to the end', async () => {
    const { id } = approvals.add({ action });
    say({ type: 'ready' });
    await settled();
    const card = cardsOf(states()[0])[0];
    expect(card?.action?.arguments.rows).toBe(402);
    expect(states()[0]?.rows[0]?.rows).toHaveLength(300);
    say({ type: 'moreRows', id, from: 300 });
    const rows = posted.find((message): message is RowsMessage => message.type === 'rows');
    expect(rows).toMatchObject({ id, drawing: card?.drawing, from: 300 });
    expect(rows?.file).toBeUndefined();
    expect(rows?.rows).toHaveLength(102);
  });

  test('A4: refuse an action with a reason until the end of its arguments was on screen', async () => {
    const { id, proposalHash } = approvals.add({ action });
    say({ type: 'ready' });
    await settled();
    say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    say({ type: 'approve', id, proposalHash });
    expect(posted.at(-1)).toEqual({ type: 'refused', id, why: 'end_not_reached' });
    await settled();
    say({ type: 'endReached', id, drawing: cardsOf(states()[0])[0]?.drawing });
    say({ type: 'approve', id, proposalHash });
    expect(approvals.decisions.at(-1)).toBe(`approve ${id} accepted`);
  });

  test('pass an answer to the queue as the words of its choice, and a dismissal as a decline', async () => {
    const { id, proposalHash } = approvals.add({ question });
    say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    say({ type: 'answer', id, proposalHash, answer: { choice: 1 } });
    const other = approvals.add({ question });
    say({ type: 'displayed', id: other.id, display: 2 });
    clock.advance(500);
    say({ type: 'decline', id: other.id, proposalHash: other.proposalHash });
    expect(approvals.decisions.filter((entry) => /^(answer|decline)/.test(entry))).toEqual([
      `answer ${id} accepted 8080`,
      `decline ${other.id} accepted`,
    ]);
  });

  test.each([
    ['a choice that there is not', { choice: 2 }],
    ['words where none are wanted', { text: 'something else' }],
    ['a choice with words', { choice: 1, text: 'x' }],
    ['nothing', {}],
    ['too many words', { text: 'x'.repeat(2001) }],
  ])('A2: ignore an answer made of %s', (_, answer) => {
    const { id, proposalHash } = approvals.add({ question });
    say({ type: 'displayed', id, display: 1 });
    clock.advance(500);
    say({ type: 'answer', id, proposalHash, answer });
    expect(approvals.decisions.filter((entry) => entry.startsWith('answer'))).toEqual([]);
  });

  test('A17: refuse an answer right after the question appeared, and explain why', () => {
    const { id, proposalHash } = approvals.add({ question });
    say({ type: 'displayed', id, display: 1 });
    say({ type: 'answer', id, proposalHash, answer: { choice: 0 } });
    expect(approvals.decisions.filter((entry) => entry.startsWith('answer'))).toEqual([]);
    expect(posted.at(-1)).toEqual({ type: 'refused', id, why: 'too_fast' });
  });

  test('A26: refuse to approve a question, and to answer an action or a change', () => {
    const open = approvals.add({ question });
    const edit = approvals.add({ files });
    for (const { id, proposalHash } of [open, edit]) {
      say({ type: 'displayed', id, display: 1 });
      clock.advance(500);
      say({ type: id === open.id ? 'approve' : 'answer', id, proposalHash, answer: { choice: 0 } });
      say({ type: 'approveAllDisplayed', groupId: 'g', display: 2 });
      clock.advance(500);
      say({ type: 'approveAll', groupId: 'g', approvals: [{ id: open.id, proposalHash: open.proposalHash }] });
    }
    expect(approvals.all.map(({ state }) => state)).toEqual(['waiting', 'waiting']);
  });

  test('A16: refuse to approve an action together with others, whatever the page sends', () => {
    const { id, proposalHash } = approvals.add({ action, risk: 'edit', mustReachEnd: false });
    say({ type: 'displayed', id, display: 1 });
    say({ type: 'approveAllDisplayed', groupId: 'g', display: 2 });
    clock.advance(500);
    say({ type: 'approveAll', groupId: 'g', approvals: [{ id, proposalHash }] });
    expect(posted.at(-1)).toEqual({ type: 'refused', id, why: 'needs_own_decision' });
    expect(approvals.all[0]?.state).toBe('waiting');
  });
});

describe('a page that must not decide', () => {
  test('A38: takes no decision and no selection about an approval that another page decides, and says so', async () => {
    const { proposalHash } = approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
    look();
    elsewhere.add('a');
    page.surroundingsChanged();
    await settled();
    expect(sent().at(-1)).toMatchObject({ isElsewhere: true });
    expect(cardsOf(states().at(-1))[0]).toMatchObject({ elsewhere: { text: 'In review in a tab. The tab decides.' } });
    expect(cardsOf(states().at(-1))[0]).not.toHaveProperty('approve');
    const before = approvals.decisions.length;
    for (const type of ['approve', 'decline', 'displayed', 'endReached', 'selectFile', 'previewRule'] as const) {
      const given = { id: 'a', proposalHash, display: 2, drawing: 1, file: 0, included: false, suggestion: 0 };
      say({ type, ...given, scope: 'session' });
    }
    expect(approvals.decisions).toHaveLength(before);
    say({ type: 'approveAllDisplayed', groupId: 'g', display: 3 });
    clock.advance(500);
    say({ type: 'approveAll', groupId: 'g', approvals: [{ id: 'a', proposalHash }] });
    say({ type: 'declineAll', groupId: 'g', approvals: [{ id: 'a', proposalHash }] });
    expect(approvals.get('a')?.state).toBe('waiting');
    say({ type: 'openReview', id: 'a' });
    expect(asked).toEqual(['openReview a']);
  });

  test('A38: counts no time that the approval was on another page', async () => {
    const { proposalHash } = approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
    // Another page displays it.
    approvals.displayed('a');
    clock.advance(500);
    say({ type: 'approve', id: 'a', proposalHash });
    expect(approvals.get('a')?.state).toBe('waiting');
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'a', why: 'too_fast' });
  });
});

describe('declining a group', () => {
  test('declines each approval of the group by the hash on its card, half a second after the button appeared', async () => {
    const given = ['a', 'b'].map((id) => approvals.add({ id, files, groupId: 'g' }));
    say({ type: 'ready' });
    await settled();
    const declineAll = {
      type: 'declineAll',
      groupId: 'g',
      approvals: [
        { id: 'a', proposalHash: given[0]?.proposalHash },
        { id: 'b', proposalHash: 'f'.repeat(64) },
      ],
    };
    say({ type: 'approveAllDisplayed', groupId: 'g', display: 1 });
    clock.advance(499);
    say(declineAll);
    expect(approvals.decisions).toEqual([]);
    clock.advance(1);
    say(declineAll);
    expect(approvals.decisions).toEqual(['decline a accepted']);
    expect(posted.at(-1)).toEqual({ type: 'refused', id: 'b', why: 'changed' });
  });
});

describe('the memory of the host', () => {
  const kept = { id: 'a', draft: { message: 'no', isOpen: true }, viewed: [0], comments: [] };

  test('F8: gives a page that is ready what an earlier page kept, until the approval is forgotten', async () => {
    approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
    say({ type: 'remember', ...kept });
    say({ type: 'ready' });
    await settled();
    expect(states().at(-1)?.remembered).toEqual([kept]);
  });

  test('keeps nothing that does not fit the schema', async () => {
    approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    say({ type: 'remember', ...kept, viewed: ['x'] });
    say({ type: 'ready' });
    await settled();
    expect(states().at(-1)?.remembered).toEqual([]);
  });

  test('moves what was kept to the approval that takes the place of another', async () => {
    approvals.add({ id: 'a', files });
    say({ type: 'ready' });
    await settled();
    say({ type: 'remember', ...kept });
    approvals.add({ id: 'b', files });
    approvals.change('a', { state: 'stale', replacedBy: 'b' });
    await settled();
    say({ type: 'ready' });
    await settled();
    expect(states().at(-1)?.remembered).toEqual([{ ...kept, id: 'b' }]);
  });

  test('takes finished approvals off the page, one or all', async () => {
    for (const id of ['a', 'b', 'c']) approvals.add({ id, files, state: 'applied' });
    say({ type: 'ready' });
    await settled();
    say({ type: 'clearFinished', id: 'b' });
    await settled();
    expect(states().at(-1)?.finished).toEqual(['c', 'a']);
    say({ type: 'clearFinished' });
    await settled();
    expect(states().at(-1)?.finished).toEqual([]);
  });
});
