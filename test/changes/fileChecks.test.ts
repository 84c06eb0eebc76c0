import { describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { QueueDependencies } from '#changes/queue.ts';
import { shippedLimits } from '#changes/queue.ts';
import type { Judgement } from '#policy/decision.ts';
import { create, edit, judged, setUp, settled } from './queueSetUp.ts';

type T = ReturnType<typeof setUp>;
type Repropose = QueueDependencies['repropose'];

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const atTop = base.replace('one', 'ONE');
const atEnd = base.replace('seven', 'SEVEN');
const texts = { '/w/a': base, '/w/b': 'old\n' };

/** Proposes again as apply_edit would: the argument is a word, which is put in capitals. */
function remaking(given: Partial<QueueDependencies> = {}, judgement: Judgement = judged()) {
  const calls: Parameters<Repropose>[0][] = [];
  const repropose: Repropose = async (call) => {
    calls.push(call);
    const now = t.edits.texts.get('/w/a') ?? '';
    const word = String(call.arguments);
    if (!now.includes(word)) return undefined;
    return { proposal: { kind: 'changes', files: [edit('a', now, now.replace(word, word.toUpperCase()))] }, judgement };
  };
  const t: T = setUp(texts, undefined, { repropose, ...given });
  return { ...t, calls };
}

const capitals = (t: T, word: string, judgement: Judgement = judged()) =>
  t.ask([edit('a', base, base.replace(word, word.toUpperCase()))], { arguments: word, judgement });

const idOf = (t: T, index: number): string => t.waiting()[index]?.id ?? '';

/** Approves and applies the change. */
async function land(t: T, id: string): Promise<void> {
  t.show(id);
  expect(t.approve(id)).toBe('accepted');
  await settled();
}

/** Changes the text as a user who types, and fires the watch. */
async function type(t: T, now: string): Promise<void> {
  t.edits.texts.set('/w/a', now);
  t.edits.fire();
  await settled();
}

/** Makes every check of the files wait for `done`, and counts the checks. */
function slowLooks(t: T) {
  const look = t.edits.findStale.bind(t.edits);
  const state = { looks: 0, done: Promise.withResolvers<void>() };
  t.edits.findStale = async (changes) => {
    state.looks += 1;
    await state.done.promise;
    return look(changes);
  };
  return state;
}

/** Opens the same window after a crash, without a suspend. */
async function crashed(t: T, given: Partial<QueueDependencies> = {}): Promise<T> {
  const next = setUp(Object.fromEntries(t.edits.texts), t.history, given);
  next.clock.advance(t.clock.now() - next.clock.now());
  await next.queue.restore();
  await settled();
  return next;
}

describe('F5: a check of the files of an approval', () => {
  it('runs one at a time, and once more when the files change during it', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    const looking = slowLooks(t);
    for (let time = 0; time < 5; time += 1) t.edits.fire();
    await settled();
    expect(looking.looks).toBe(1);
    looking.done.resolve();
    await settled();
    expect(looking.looks).toBe(2);
    await type(t, atEnd);
    expect(looking.looks).toBe(3);
    expect(t.only().state).toBe('stale');
  });

  it('runs once when nothing changes during it', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    const looking = slowLooks(t);
    t.edits.fire();
    looking.done.resolve();
    await settled();
    expect(looking.looks).toBe(1);
  });

  it('A15: changes nothing when the user declines meanwhile', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, atTop)]);
    const looking = slowLooks(t);
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    t.queue.decline(t.only().id);
    looking.done.resolve();
    await settled();
    expect(t.only()).toMatchObject({ state: 'declined', canRebase: false });
    expect((await outcome).status).toBe('declined');
  });

  it('offers the rebase when an approve finds the change stale', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.show();
    t.edits.texts.set('/w/a', atEnd);
    t.approve();
    await settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: true });
  });
});

describe('a change that is computed again after another one was applied to its file', () => {
  it('calls the same tool with the same arguments and caller', async () => {
    const t = remaking();
    void capitals(t, 'one');
    void capitals(t, 'seven');
    await land(t, idOf(t, 0));
    const { tool, principal, client } = t.only();
    expect(t.calls).toEqual([{ tool, arguments: 'seven', principal, client }]);
    expect(t.only()).toMatchObject({ moved: true, revision: 1, files: [{ included: true, edited: false }] });
    expect(t.events.filter((event) => event === 'approval.state moved')).toHaveLength(1);
  });

  it('keeps to the roots of its client, after a reload too', async () => {
    const t = remaking();
    const roots = ['file:///w'];
    void t.ask([edit('a', base, base.replace('seven', 'SEVEN'))], { arguments: 'seven', roots });
    void capitals(t, 'one');
    t.clock.advance(25_000);
    await t.queue.settled();
    const seen: Parameters<Repropose>[0][] = [];
    const again = await crashed(t, { repropose: async (call) => void seen.push(call) });
    await land(again, again.waiting().find((each) => each.arguments === 'one')?.id ?? '');
    expect(seen).toMatchObject([{ arguments: 'seven', roots }]);
  });

  it('is computed again each time another change is applied', async () => {
    const t = remaking();
    for (const word of ['one', 'four', 'seven']) void capitals(t, word);
    await land(t, idOf(t, 0));
    await land(t, idOf(t, 0));
    await land(t, idOf(t, 0));
    expect(t.edits.texts.get('/w/a')).toBe(atTop.replace('four', 'FOUR').replace('seven', 'SEVEN'));
  });

  it('A4: requires the end on screen again', async () => {
    const judgement = judged({ protectedBy: ['**/.vscode/**'] });
    const t = remaking({}, judgement);
    void capitals(t, 'one');
    void capitals(t, 'seven', judgement);
    const id = idOf(t, 1);
    t.queue.endReached(id);
    await land(t, idOf(t, 0));
    t.show(id);
    expect(t.approve(id)).toBe('end_not_reached');
  });

  it('is restored after a reload as it was shown last', async () => {
    const t = remaking();
    void capitals(t, 'one');
    void capitals(t, 'seven');
    const [first, second] = [idOf(t, 0), idOf(t, 1)];
    t.clock.advance(25_000);
    await land(t, first);
    await t.queue.settled();
    const again = await crashed(t);
    expect(again.queue.get(second)).toMatchObject({ state: 'waiting', moved: true });
    await land(again, second);
    expect(again.edits.texts.get('/w/a')).toBe(atTop.replace('seven', 'SEVEN'));
  });

  it('is watched for the files of its recomputed proposal', async () => {
    const t = remaking();
    const watched: (readonly FileChange[])[] = [];
    const watch = t.edits.watch.bind(t.edits);
    t.edits.watch = (changes, listener) => {
      for (const change of changes) if (change.kind !== 'restore') watched.push([change]);
      return watch(changes, listener);
    };
    void capitals(t, 'one');
    void capitals(t, 'seven');
    await land(t, idOf(t, 0));
    expect(watched.at(-1)).toMatchObject([{ base: { text: atTop } }]);
    expect(t.edits.watched).toBe(1);
    t.queue.decline(t.waiting()[0]?.id ?? '');
    expect(t.edits.watched).toBe(0);
  });

  it('becomes stale when the user types in its file afterwards', async () => {
    const t = remaking();
    void capitals(t, 'one');
    void capitals(t, 'seven');
    const id = idOf(t, 1);
    await land(t, idOf(t, 0));
    await type(t, `mine\n${atTop}`);
    expect(t.calls).toHaveLength(1);
    expect(t.queue.get(id)).toMatchObject({ state: 'stale', canRebase: true });
  });

  it('A15: ends with the decision of the user while it is computed', async () => {
    for (const makes of [true, false]) {
      const again = Promise.withResolvers<void>();
      const repropose: Repropose = async () => {
        await again.promise;
        const files = [edit('a', atTop, atTop.replace('seven', 'SEVEN'))];
        return makes ? { proposal: { kind: 'changes', files }, judgement: judged() } : undefined;
      };
      const t = remaking({ repropose });
      void capitals(t, 'one');
      void capitals(t, 'seven');
      const id = idOf(t, 1);
      await land(t, idOf(t, 0));
      expect(t.queue.decline(id)).toBe('accepted');
      again.resolve();
      await settled();
      expect(t.queue.get(id)).toMatchObject({ state: 'declined', moved: false, canRebase: false });
    }
  });
});

describe('a change that is not computed again', () => {
  it('becomes stale when the user changes its file', async () => {
    const t = remaking();
    void capitals(t, 'one');
    await type(t, atEnd);
    expect(t.calls).toEqual([]);
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: true });
  });

  it('stays open when another file was changed', async () => {
    const t = remaking();
    void t.ask([edit('b', 'old\n', 'new\n')]);
    void capitals(t, 'one');
    const id = idOf(t, 1);
    await land(t, idOf(t, 0));
    await type(t, atEnd);
    expect(t.calls).toEqual([]);
    expect(t.queue.get(id)).toMatchObject({ state: 'stale', canRebase: true });
  });

  it('stays open when its file is unchanged', async () => {
    const t = remaking();
    void capitals(t, 'one');
    void capitals(t, 'seven');
    t.edits.findStale = async () => undefined;
    await land(t, idOf(t, 0));
    expect(t.calls).toEqual([]);
    expect(t.only()).toMatchObject({ state: 'waiting', moved: false });
  });

  it('becomes stale when it is a rebase, which no tool call can repeat', async () => {
    const t = remaking();
    void capitals(t, 'one');
    await type(t, `${base}mine\n`);
    const { id = '' } = await t.queue.rebase(t.only().id);
    void t.ask([edit('a', `${base}mine\n`, `${atEnd}mine\n`)]);
    await land(t, idOf(t, 1));
    expect(t.calls).toEqual([]);
    expect(t.queue.get(id)).toMatchObject({ state: 'stale', canRebase: true });
  });
});

describe('a rebase', () => {
  async function outdated(given: Partial<QueueDependencies> = {}) {
    const t = setUp(texts, undefined, given);
    void t.ask([edit('a', base, atTop)]);
    await type(t, atEnd);
    return { ...t, id: t.only().id };
  }

  it('is possible for a stale change alone', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    expect(await t.queue.rebase(t.only().id)).toEqual({ status: 'not_possible' });
    expect(await t.queue.rebase('a-0')).toEqual({ status: 'not_possible' });
    expect(t.waiting()).toHaveLength(1);
  });

  it('is created once, however often the user clicks', async () => {
    const t = await outdated();
    const results = await Promise.all([t.queue.rebase(t.id), t.queue.rebase(t.id)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['not_possible', 'rebased']);
    expect(t.waiting()).toHaveLength(1);
  });

  it('adds an approval that is recorded, reported to the views, watched, and expires', async () => {
    const t = await outdated();
    let fired = 0;
    t.queue.onDidChange(() => void (fired += 1));
    const before = t.events.length;
    const { id = '' } = await t.queue.rebase(t.id);
    expect(t.events.slice(before)).toEqual(['approval.state waiting']);
    expect(fired).toBeGreaterThan(0);
    expect(t.edits.watched).toBe(1);
    t.clock.advance(shippedLimits.expiryMilliseconds);
    expect(t.queue.get(id)?.state).toBe('expired');
  });

  it('is restored after a crash, whether it was offered or created', async () => {
    const t = await outdated();
    await t.queue.settled();
    const offered = await crashed(t);
    expect(offered.queue.get(t.id)).toMatchObject({ state: 'stale', canRebase: true });
    const { id } = await offered.queue.rebase(t.id);
    await offered.queue.settled();
    const made = await crashed(offered);
    expect(made.queue.get(t.id)).toMatchObject({ canRebase: false, replacedBy: id });
    expect(await made.queue.rebase(t.id)).toEqual({ status: 'not_possible' });
  });

  it('is restored after a crash when a slow check offered it', async () => {
    const slow = Promise.withResolvers<void>();
    const t = setUp(texts, undefined, {
      resolve: async (uri) => {
        await slow.promise;
        return edit(uri.replace('file:///w/', ''), '', '').path;
      },
    });
    void t.ask([edit('a', base, atTop)]);
    await type(t, atEnd);
    await t.queue.settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: false });
    slow.resolve();
    await settled();
    expect((await crashed(t)).only()).toMatchObject({ state: 'stale', canRebase: true });
  });

  it('is not offered any more when the same lines were changed', async () => {
    const t = await outdated();
    t.edits.texts.set('/w/a', base.replace('one', 'uno'));
    expect(await t.queue.rebase(t.id)).toMatchObject({ status: 'conflict' });
    expect(t.queue.get(t.id)).toMatchObject({ state: 'stale', canRebase: false });
    expect(t.waiting()).toEqual([]);
  });

  it('is not offered again after it was created', async () => {
    const slow = Promise.withResolvers<void>();
    let judging = 0;
    const t = setUp(texts, undefined, {
      resolve: async (uri) => {
        judging += 1;
        if (judging === 1) await slow.promise;
        return edit(uri.replace('file:///w/', ''), '', '').path;
      },
    });
    void t.ask([edit('a', base, atTop)]);
    await type(t, atEnd);
    const { id } = t.only();
    expect(await t.queue.rebase(id)).toMatchObject({ status: 'rebased' });
    slow.resolve();
    await settled();
    expect(t.queue.get(id)).toMatchObject({ state: 'stale', canRebase: false });
  });
});

it('does not compute a change again when its files are unchanged', async () => {
  const t = remaking();
  await t.ask([create('n', 'x\n')], { judgement: judged({ effect: 'allow' }) });
  expect(t.calls).toEqual([]);
});

describe('finding 19: a change that has become stale', () => {
  it('names the change of another assistant that did it', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    await settled();
    const id = idOf(t, 0);
    const principal = { credential: 'window', connectionId: 'another' };
    const client = { name: 'codex', version: '1' };
    void t.ask([edit('a', base, base.replace('one', 'uno'))], { client, principal });
    await settled();
    const other = t.waiting().find((card) => card.id !== id);
    await land(t, other?.id ?? '');
    t.edits.fire();
    await settled();
    expect(t.queue.get(id)?.note).toMatch(/^a: it was changed by apply_edit of codex, approved \d\d:\d\d$/);
  });

  it('keeps the reason of the file when no change of an assistant did it', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    await settled();
    await type(t, 'mine\n');
    expect(t.only()).toMatchObject({ state: 'stale' });
    expect(t.only().note).not.toContain('it was changed by');
  });
});
