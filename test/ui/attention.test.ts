import { describe, expect, test, vi } from 'vitest';
import type { Approval } from '#changes/approval.ts';
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

function scene() {
  const approvals = new FakeApprovals();
  const clock = new FakeClock();
  const seen = {
    visible: false,
    notifies: 'brief' as 'full' | 'brief' | 'off',
    reveal: 'never' as 'never' | 'whenIdle' | 'always',
    lastTyped: -Infinity,
    toasts: [] as Toast[],
    counts: [] as number[],
    reviews: [] as (string | undefined)[],
    reveals: 0,
    hides: 0,
  };
  const attention = new Attention({
    approvals,
    clock,
    review: (id) => seen.reviews.push(id),
    window: {
      isViewVisible: () => seen.visible,
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
      hideToasts: () => (seen.hides += 1),
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

test('F21: counts a half-done change that waits, and shows no notification of it, since another one tells', () => {
  const { approvals, clock, seen } = scene();
  const { id } = approvals.add({ files: [file], state: 'partly_applied' });
  clock.advance(200_000);
  expect(seen.toasts).toEqual([]);
  approvals.change(id, { state: 'applied' });
  expect(seen.counts).toEqual([0, 1, 0]);
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
  test('A26: names who asks and the file, no content and no words of the assistant, and offers only to review', async () => {
    const { seen, approvals, add, addRead } = scene();
    seen.notifies = 'full';
    const words = 'hunter2';
    const action = { title: words, definition: words, arguments: words, paths: [words], remarks: [words] };
    const requests = [
      () => void add(),
      () => void approvals.add({ question: { text: words, choices: [words], allowsText: false } }),
      () => void approvals.add({ action }),
      () => void addRead('read-1'),
    ];
    for (const request of requests) {
      request();
      await lastToast(seen).press();
      for (const { id } of approvals.all) approvals.change(id, { state: 'declined' });
    }
    expect(seen.toasts.map(({ message }) => message)).toEqual([
      'Claude Code wants to edit secret-plan.ts.',
      'Claude Code asks you a question.',
      'Claude Code wants to run a command or tool.',
      'Claude Code wants to read .env, which needs your permission.',
    ]);
    for (const { buttons } of seen.toasts) expect(buttons).toEqual(['Review']);
  });

  test.each([
    ['Claude Code wants to edit secret-plan.ts and 1 other file.', [file, { ...file, path: 'b.ts' }]],
    ['Claude Code wants to edit a and 2 other files.', [{ ...file, path: 'a' }, file, file]],
    ['Claude Code wants to delete plans (12 files).', [{ path: 'old/plans', change: 'delete', folderFiles: 12 }]],
    ['Claude Code wants to edit [x] (command:y).', [{ ...file, path: 'src/[x](command:y)' }]],
  ] as const)('names the files, without a link in a name: %s', (message, files) => {
    const { seen, approvals } = scene();
    seen.notifies = 'full';
    approvals.add({ files });
    expect(lastToast(seen).message).toBe(message);
  });

  test('names the assistants and no file when several wait', () => {
    const { seen, clock, approvals, add } = scene();
    seen.notifies = 'full';
    add();
    approvals.add({ client: { name: 'evil[x](command:y)', version: '1' }, files: [file] });
    clock.advance(30_000);
    expect(lastToast(seen).message).toBe('2 changes by Claude Code, evil[x] (command:y) wait for your approval.');
  });

  test('names neither assistant nor file when the user wants it brief', () => {
    const { seen, clock, approvals, add, addRead } = scene();
    add();
    expect(lastToast(seen).message).toBe('An assistant wants to edit 1 file.');
    approvals.add({ files: [file, file] });
    addRead('read-1');
    clock.advance(30_000);
    expect(seen.toasts.map(({ message }) => message).join()).not.toMatch(/Claude|secret|env|password|hunter2/);
  });

  test('goes when the view is shown, once, and only while it is up', async () => {
    const { seen, attention, add } = scene();
    attention.viewShown();
    expect(seen.hides).toBe(0);
    add();
    attention.viewShown();
    attention.viewShown();
    expect(seen.hides).toBe(1);
    add();
    await lastToast(seen).press('Review');
    attention.viewShown();
    expect(seen.hides).toBe(1);
  });

  test('is not shown while the view is visible, or when the user turned notifications off', () => {
    for (const quiet of [{ visible: true }, { notifies: 'off' as const }]) {
      const { seen, clock, approvals, add } = scene();
      Object.assign(seen, quiet);
      const { id } = add();
      clock.advance(999);
      approvals.change(id, { displayedAt: clock.now() });
      clock.advance(600_000);
      expect(seen.toasts).toEqual([]);
    }
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
      buttons: ['Review'],
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

  test('A15: report with Review that the approval was already decided, and show no other one', async () => {
    const { seen, approvals, add } = scene();
    const { id } = add();
    const toast = lastToast(seen);
    approvals.change(id, { state: 'applied' });
    add();
    await toast.press('Review');
    expect(approvals.decisions).toEqual([]);
    expect(seen.reviews).toEqual([]);
    expect(lastToast(seen).message).toBe('This approval was already decided.');
    expect(approvals.get('approval-2')?.state).toBe('waiting');
  });

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
  test('counts in the badge, and has a notification', () => {
    const { seen, addRead } = scene();
    addRead('read-1');
    expect(seen.counts.at(-1)).toBe(1);
    expect(lastToast(seen)).toMatchObject({
      message: 'An assistant wants to read 1 file that needs your permission.',
      buttons: ['Review'],
    });
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
