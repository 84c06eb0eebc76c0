import { describe, expect, test, vi } from 'vitest';
import type { Approval, DecisionResult } from '#changes/approval.ts';
import { Attention } from '#ui/attention.ts';
import { FakeApprovals } from '../fakes/approvals.ts';
import { FakeClock } from '../fakes/clock.ts';

const file = { path: 'src/secret-plan.ts', base: 'password', result: 'hunter2' };

class Toast {
  readonly message: string;
  readonly buttons: readonly string[];
  readonly #answer = Promise.withResolvers<string | undefined>();
  readonly answered = this.#answer.promise;

  constructor(message: string, buttons: readonly string[]) {
    this.message = message;
    this.buttons = buttons;
  }

  /** The button that the user presses; undefined closes the notification. */
  async press(button?: string): Promise<void> {
    this.#answer.resolve(button);
    // The answer passes through three promises before it arrives.
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  }
}

/** Like the real queue, it lets a card be declined that was never on screen. */
class Queue extends FakeApprovals {
  willAnswer: DecisionResult | undefined;

  override decline(id: string): DecisionResult {
    const state = this.get(id)?.state;
    const result = this.willAnswer ?? (state === 'waiting' ? 'accepted' : 'already_decided');
    this.decisions.push(`decline ${id} ${result}`);
    if (result === 'accepted') this.change(id, { state: 'declined' });
    return result;
  }
}

function scene() {
  const approvals = new Queue();
  const clock = new FakeClock();
  const seen = {
    visible: false,
    notifies: true,
    reveal: 'never' as 'never' | 'whenIdle' | 'always',
    lastTyped: -Infinity,
    shownGroups: new Set<string>(),
    toasts: [] as Toast[],
    counts: [] as number[],
    reviews: [] as (string | undefined)[],
    reveals: 0,
  };
  const attention = new Attention({
    approvals,
    clock,
    review: (id) => seen.reviews.push(id),
    window: {
      isViewVisible: () => seen.visible,
      hasShown: ({ displayedAt, groupId }) => displayedAt !== undefined || seen.shownGroups.has(groupId),
      notifies: () => seen.notifies,
      reveals: () => seen.reveal,
      idleMilliseconds: () => clock.now() - seen.lastTyped,
      revealWithoutFocus: () => (seen.reveals += 1),
      showWaiting: ({ all }) => seen.counts.push(all),
      toast(message, ...buttons) {
        const toast = new Toast(message, buttons);
        seen.toasts.push(toast);
        return toast.answered;
      },
    },
  });
  const add = (): Approval => approvals.add({ files: [file] });
  const addRead = (id: string) => approvals.addRead({ id, paths: ['.env'] });
  return { approvals, clock, seen, attention, add, addRead };
}

function lastToast(seen: { toasts: Toast[] }): Toast {
  const toast = seen.toasts.at(-1);
  if (toast === undefined) throw new Error('There is no toast');
  return toast;
}

describe('the count of waiting approvals', () => {
  test('is shown whenever it changes, and only then', () => {
    const { approvals, seen, add, attention } = scene();
    const { id } = add();
    approvals.change(id, { displayedAt: 1 });
    add();
    approvals.change(id, { state: 'applying' });
    attention.dispose();
    add();
    expect(seen.counts).toEqual([0, 1, 2, 1, 0]);
  });
});

test('stays when a waiting or a finished approval changes', () => {
  const { approvals, add } = scene();
  const [waiting, ended] = [add(), add()];
  approvals.change(ended.id, { state: 'applied' });
  const all = vi.spyOn(approvals, 'all', 'get');
  approvals.change(waiting.id, { displayedAt: 1, revision: 2 });
  approvals.change(ended.id, { canUndo: false });
  expect(all).not.toHaveBeenCalled();
  approvals.change(waiting.id, { state: 'declined' });
  expect(all).toHaveBeenCalled();
});

describe('a notification', () => {
  test('A26: names the kind of a question or an action and none of its words, and offers to dismiss a question', async () => {
    const { seen, approvals } = scene();
    const words = 'hunter2';
    const { id } = approvals.add({ question: { text: words, choices: [words], allowsText: false } });
    expect(seen.toasts).toMatchObject([
      { message: 'An assistant asks you a question.', buttons: ['Review', 'Dismiss'] },
    ]);
    await lastToast(seen).press('Dismiss');
    expect(approvals.decisions).toEqual([`decline ${id} accepted`]);
    approvals.add({ action: { title: words, definition: words, arguments: words, paths: [words], remarks: [words] } });
    expect(lastToast(seen)).toMatchObject({
      message: 'An assistant wants to run a command or tool.',
      buttons: ['Review', 'Decline'],
    });
  });

  test('is shown at once while the view is hidden, and names no file and no content', () => {
    const { seen, approvals, add } = scene();
    add();
    expect(seen.toasts).toMatchObject([
      { message: 'An assistant wants to edit 1 file.', buttons: ['Review', 'Decline'] },
    ]);
    approvals.add({ files: [file, file] });
    expect(seen.toasts.map(({ message }) => message).join()).not.toMatch(/secret|password|hunter2/);
  });

  test('is not shown when the card came on screen, or when the user turned notifications off', () => {
    for (const quiet of [{ visible: true }, { notifies: false }]) {
      const { seen, clock, approvals, add } = scene();
      Object.assign(seen, quiet);
      const { id } = add();
      clock.advance(999);
      approvals.change(id, { displayedAt: clock.now() });
      clock.advance(600_000);
      expect(seen.toasts).toEqual([]);
    }
  });

  test('F7: is shown within a second when the view is open and one of the cards is out of sight', () => {
    const { seen, clock, approvals, add } = scene();
    seen.visible = true;
    seen.reveal = 'always';
    const { id } = add();
    approvals.change(id, { displayedAt: clock.now() });
    clock.advance(500);
    add();
    clock.advance(999);
    expect(seen.toasts).toHaveLength(0);
    clock.advance(1);
    expect(seen.toasts).toMatchObject([{ message: '2 changes by assistants wait for your approval.' }]);
    add();
    clock.advance(29_999);
    expect(seen.toasts).toHaveLength(1);
  });

  test('is not shown for a group whose header is on screen, though its cards are not', () => {
    const { seen, clock, approvals } = scene();
    seen.visible = true;
    for (const id of ['a', 'b']) approvals.add({ id, groupId: 'g', files: [file] });
    seen.shownGroups.add('g');
    clock.advance(600_000);
    expect(seen.toasts).toEqual([]);
  });

  test.each([
    ['An assistant wants to edit 2 files.', [file, file]],
    ['An assistant wants to create 1 file.', [{ ...file, change: 'create' }]],
    ['An assistant wants to replace 1 file.', [{ ...file, overwrites: true }]],
    ['An assistant wants to delete 1 file.', [{ ...file, change: 'delete' }]],
    ['An assistant wants to delete 12 files.', [{ path: 'plans', change: 'delete', folderFiles: 12 }]],
    ['An assistant wants to move 1 file.', [{ path: file.path, change: 'move', to: 'lib/plan.ts' }, file], true],
    ['An assistant wants to change 2 files.', [file, { ...file, change: 'create' }]],
    ['An assistant wants to change 2 files, with deletions.', [file, { ...file, change: 'delete' }]],
    ['An assistant wants to edit 1 file. It is protected.', [{ ...file, protectedBy: '**/.vscode/**' }]],
    [
      'An assistant wants to edit 2 files. They include protected files.',
      [file, { ...file, protectedBy: '**/.vscode/**' }],
    ],
  ] as const)('names the kind and the risk: %s', (message, files, indivisible: boolean = false) => {
    const { seen, approvals } = scene();
    approvals.add({ files, indivisible });
    expect(lastToast(seen).message).toBe(message);
  });

  test('names the highest risk among several approvals', () => {
    const { seen, clock, approvals, add } = scene();
    add();
    approvals.add({ files: [{ ...file, protectedBy: '**/.vscode/**' }] });
    clock.advance(30_000);
    const two = '2 changes by assistants wait for your approval.';
    expect(lastToast(seen).message).toBe(`${two} They include protected files.`);
    approvals.add({ files: [{ ...file, change: 'delete' }] });
    clock.advance(30_000);
    expect(lastToast(seen)).toMatchObject({
      message: '3 changes by assistants wait for your approval. They include deletions.',
      buttons: ['Review'],
    });
  });

  test.each(['superseded', 'stale'] as const)('does not count an approval that is %s', async (state) => {
    const { seen, clock, approvals, add } = scene();
    const { id } = add();
    add();
    approvals.change(id, { state });
    expect(seen.counts.at(-1)).toBe(1);
    clock.advance(30_000);
    expect(lastToast(seen)).toMatchObject({
      message: 'An assistant wants to edit 1 file.',
      buttons: ['Review', 'Decline'],
    });
    approvals.change('approval-2', { state });
    clock.advance(600_000);
    expect(seen.toasts).toHaveLength(2);
    expect(clock.pendingTimers).toBe(0);
  });

  test('is shown again after 30 seconds and after 2 minutes, then no more', () => {
    const { seen, clock, add } = scene();
    add();
    const counts = [29_999, 1, 89_999, 1, 3_600_000].map((time) => {
      clock.advance(time);
      return seen.toasts.length;
    });
    expect(counts).toEqual([1, 2, 2, 3, 3]);
    expect(clock.pendingTimers).toBe(0);
  });

  test('is not shown again once nothing waits or the user looks at the view', () => {
    const { seen, clock, approvals, add } = scene();
    const { id } = add();
    seen.visible = true;
    approvals.change(id, { displayedAt: clock.now() });
    clock.advance(30_000);
    seen.visible = false;
    approvals.change(id, { state: 'declined' });
    clock.advance(600_000);
    expect(seen.toasts).toHaveLength(1);
    expect(clock.pendingTimers).toBe(0);
  });

  test('counts all waiting approvals, one notification at a time', async () => {
    const { seen, clock, add } = scene();
    add();
    add();
    add();
    expect(seen.toasts).toHaveLength(1);
    clock.advance(30_000);
    expect(seen.toasts).toHaveLength(2);
    expect(lastToast(seen)).toMatchObject({
      message: '3 changes by assistants wait for your approval.',
      buttons: ['Review'],
    });
    await lastToast(seen).press();
    add();
    expect(seen.toasts).toHaveLength(3);
  });

  test('is shown for a new approval although the one before was never answered', () => {
    const { seen, clock, approvals, add } = scene();
    const first = add();
    clock.advance(3_600_000);
    const before = seen.toasts.length;
    add();
    expect(seen.toasts).toHaveLength(before + 1);
    approvals.change(first.id, { state: 'expired' });
    approvals.change('approval-2', { state: 'withdrawn' });
    add();
    expect(seen.toasts).toHaveLength(before + 2);
  });
});

describe('the buttons of a notification', () => {
  test('show with Review the card that the notification named', async () => {
    const { seen, add } = scene();
    const { id } = add();
    await lastToast(seen).press('Review');
    expect(seen.reviews).toEqual([id]);
  });

  test('decline with Decline the approval that the notification named, not a later one', async () => {
    const { seen, approvals, add } = scene();
    const { id } = add();
    const toast = lastToast(seen);
    add();
    await toast.press('Decline');
    expect(approvals.decisions).toEqual([`decline ${id} accepted`]);
    expect(approvals.get('approval-2')?.state).toBe('waiting');
  });

  test.each(['Review', 'Decline'])(
    'A15: report with %s that the approval was already decided, and do nothing',
    async (button) => {
      const { seen, approvals, add } = scene();
      const { id } = add();
      const toast = lastToast(seen);
      approvals.change(id, { state: 'applied' });
      add();
      await toast.press(button);
      expect(approvals.decisions).toEqual([]);
      expect(seen.reviews).toEqual([]);
      expect(lastToast(seen).message).toBe('This approval was already decided.');
      expect(approvals.get('approval-2')?.state).toBe('waiting');
    },
  );

  test.each([
    ['superseded', 'a newer proposal took its place'],
    ['stale', 'the files changed after the proposal'],
    ['expired', 'not decided in time'],
    ['withdrawn', 'cancelled'],
  ] as const)('F9: explain with Review why an approval that is %s cannot be reviewed', async (state, why) => {
    const { seen, approvals, add } = scene();
    const { id } = add();
    const toast = lastToast(seen);
    approvals.change(id, { state });
    await toast.press('Review');
    expect(lastToast(seen).message).toBe(`This approval is no longer pending: ${why}.`);
    expect(seen.reviews).toEqual([]);
  });

  test('A17: show the card instead of declining it when it has just come on screen', async () => {
    const { seen, approvals, add } = scene();
    const { id } = add();
    approvals.willAnswer = 'too_fast';
    await lastToast(seen).press('Decline');
    expect(seen.reviews).toEqual([id]);
    expect(approvals.get(id)?.state).toBe('waiting');
  });

  test('show the next card with Review when several wait', async () => {
    const { seen, clock, approvals, add } = scene();
    const { id } = add();
    add();
    clock.advance(30_000);
    approvals.change(id, { state: 'declined' });
    await lastToast(seen).press('Review');
    expect(seen.reviews).toEqual([undefined]);
  });

  test('report no error when the editor withdraws the notification', async () => {
    const { seen, add } = scene();
    add();
    await lastToast(seen).press();
    expect(seen.reviews).toEqual([]);
  });
});

describe('the Approvals view', () => {
  test('opens by itself only when the user wants it', () => {
    for (const [reveal, reveals] of [
      ['never', 0],
      ['whenIdle', 1],
      ['always', 1],
    ] as const) {
      const { seen, add } = scene();
      seen.reveal = reveal;
      add();
      expect(seen.reveals).toBe(reveals);
    }
  });

  test('needs no notification when it opens by itself, unless it is closed again unseen', () => {
    const { seen, clock, approvals, add } = scene();
    seen.reveal = 'always';
    const { id } = add();
    seen.visible = true;
    approvals.change(id, { displayedAt: clock.now() });
    clock.advance(1000);
    expect(seen.toasts).toEqual([]);
    seen.visible = false;
    clock.advance(29_000);
    expect(seen.toasts).toHaveLength(1);
  });

  test('F7: is replaced by a notification within a second when it should have opened by itself and did not', () => {
    const { seen, clock, add } = scene();
    seen.reveal = 'always';
    add();
    clock.advance(1000);
    expect(seen).toMatchObject({ reveals: 1, visible: false });
    expect(seen.toasts).toHaveLength(1);
  });

  test('waits until the user has stopped typing', () => {
    const { seen, clock, add } = scene();
    seen.reveal = 'whenIdle';
    seen.lastTyped = clock.now() - 1000;
    add();
    clock.advance(1500);
    seen.lastTyped = clock.now();
    clock.advance(2999);
    expect(seen.reveals).toBe(0);
    clock.advance(1);
    expect(seen.reveals).toBe(1);
  });

  test('stays closed when everything was decided meanwhile, or when the user opened and closed it', () => {
    const { seen, clock, approvals, add } = scene();
    seen.reveal = 'whenIdle';
    seen.lastTyped = clock.now();
    const { id } = add();
    approvals.change(id, { state: 'withdrawn' });
    clock.advance(10_000);
    expect(seen.reveals).toBe(0);
  });
});

describe('a read that asks', () => {
  test('counts in the badge, has a notification without its path, and can be declined there unseen', async () => {
    const { seen, approvals, addRead } = scene();
    addRead('read-1');
    expect(seen.counts.at(-1)).toBe(1);
    expect(lastToast(seen)).toMatchObject({
      message: 'An assistant wants to read 1 file that needs your permission.',
      buttons: ['Review', 'Decline'],
    });
    await lastToast(seen).press('Decline');
    expect(approvals.decisions).toEqual(['answerRead read-1 false accepted']);
    expect(seen.counts.at(-1)).toBe(0);
  });

  test('is shown by its notification', async () => {
    const { seen, addRead } = scene();
    addRead('read-1');
    await lastToast(seen).press('Review');
    expect(seen.reviews).toEqual(['read-1']);
  });

  test('waits beside changes with one notification for both', () => {
    const { seen, clock, add, addRead } = scene();
    add();
    addRead('read-1');
    clock.advance(30_000);
    expect(lastToast(seen).message).toBe('2 requests of assistants wait for your approval.');
  });

  test('needs no notification once its card was on screen', () => {
    const { seen, clock, approvals, addRead } = scene();
    seen.visible = true;
    addRead('read-1');
    approvals.readDisplayed('read-1');
    clock.advance(130_000);
    expect(seen.toasts).toEqual([]);
  });
});
