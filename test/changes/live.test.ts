import { describe, expect, it } from 'vitest';
import type { ChangesProposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { shippedLimits } from '#changes/queue.ts';
import { judged, create, edit, setUp, settled } from './queueSetUp.ts';

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const atTop = base.replace('one', 'ONE');
const atEnd = base.replace('seven', 'SEVEN');
const texts = { '/w/a': base, '/w/b': 'old\n' };

/** Proposes, as apply_edit does, to replace one word of the file as it is now. */
function reproposing(t: () => ReturnType<typeof setUp>, word: string, by: string) {
  return async () => {
    const now = t().edits.texts.get('/w/a') ?? '';
    if (!now.includes(word)) return undefined;
    const proposal: ChangesProposal = { kind: 'changes', files: [edit('a', now, now.replace(word, by))] };
    return { proposal, judgement: judged() };
  };
}

describe('F5 an approval whose files change', () => {
  it('becomes stale at once, cannot be approved, and offers a rebase', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, atTop)]);
    t.show();
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    expect((await outcome).status).toBe('stale');
    await settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: true, note: expect.stringContaining('a:') });
    expect(t.approve()).toBe('already_decided');
    expect(t.edits.writes).toEqual([]);
  });

  it('F18: ignores a save, and a change that gives the same text', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', base);
    t.edits.fire();
    await settled();
    expect(t.only().state).toBe('waiting');
  });

  it('rebases by a clean three-way merge, as a new proposal with an approval of its own', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    await settled();
    const old = t.only();
    const rebased = await t.queue.rebase(old.id);
    expect(rebased).toMatchObject({ status: 'rebased' });
    expect(t.queue.get(old.id)).toMatchObject({ state: 'stale', replacedBy: rebased.id, canRebase: false });
    const id = rebased.id ?? '';
    expect(t.queue.get(id)).toMatchObject({ state: 'waiting', callReturned: true });
    expect(t.approve(id)).toBe('not_displayed');
    t.show(id);
    expect(t.approve(id)).toBe('accepted');
    await settled();
    expect(t.edits.texts.get('/w/a')).toBe(atTop.replace('seven', 'SEVEN'));
    expect(await t.queue.rebase(old.id)).toEqual({ status: 'not_possible' });
  });

  it('rebases the selection of the user', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.queue.setText(t.only().id, 0, base.replace('one', 'eins'));
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    await settled();
    const { id = '' } = await t.queue.rebase(t.only().id);
    expect((await t.queue.texts(id, 0))?.proposed).toBe('eins\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
  });

  it('offers no rebase when the same lines were changed', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', base.replace('one', 'eins'));
    t.edits.fire();
    await settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: false });
    expect(await t.queue.rebase(t.only().id)).toMatchObject({ status: 'conflict' });
  });

  it('A4: judges a rebased change again, for the text to which it applies now', async () => {
    const t = setUp(texts, undefined, { judge: () => judged({ protectedBy: ['**/package.json'], risk: 'delete' }) });
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    await settled();
    const { id = '' } = await t.queue.rebase(t.only().id);
    const { risk, mustReachEnd, files } = t.queue.get(id) ?? t.only();
    expect({ risk, mustReachEnd, files }).toMatchObject({
      risk: 'delete',
      mustReachEnd: true,
      files: [{ protectedBy: '**/package.json' }],
    });
  });

  it('P3: rebases nothing that the policy refuses now', async () => {
    const judge = (): never => {
      throw new ToolError('denied', '"a" matches .env and is never read or changed for an assistant.', 'Go on.');
    };
    const t = setUp(texts, undefined, { judge });
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    await settled();
    expect(t.only().canRebase).toBe(false);
    const refused = await t.queue.rebase(t.only().id);
    expect(refused).toMatchObject({ status: 'conflict', message: expect.stringContaining('.env') });
    expect(t.waiting()).toEqual([]);
  });

  it('stops watching after the decision', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, atTop)]);
    expect(t.edits.watched).toBe(1);
    t.show();
    t.approve();
    await outcome;
    expect(t.edits.watched).toBe(0);
  });
});

describe('several proposals for one file', () => {
  it('wait side by side, and the other is computed, marked and armed again when one is applied', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: reproposing(() => t, 'seven', 'SEVEN') });
    const first = t.ask([edit('a', base, atTop)]);
    const second = t.ask([edit('a', base, atEnd)]);
    const [one, two] = t.waiting();
    t.show(one?.id);
    t.show(two?.id);
    t.approve(one?.id);
    expect((await first).status).toBe('applied');
    await settled();
    expect(t.only()).toMatchObject({ id: two?.id, state: 'waiting', moved: true });
    expect(t.approve(two?.id)).toBe('too_fast');
    t.show(two?.id);
    expect(t.approve(two?.id)).toBe('accepted');
    expect((await second).status).toBe('applied');
    expect(t.edits.texts.get('/w/a')).toBe(atTop.replace('seven', 'SEVEN'));
  });

  it('are approved one after the other, so that no write is overwritten', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: reproposing(() => t, 'seven', 'SEVEN') });
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, atEnd)]);
    const [one, two] = t.waiting();
    t.show(one?.id);
    t.show(two?.id);
    expect([t.approve(one?.id), t.approve(two?.id)]).toEqual(['accepted', 'changed']);
    await settled();
    expect(t.queue.get(two?.id ?? '')).toMatchObject({ state: 'waiting', moved: true });
    t.show(two?.id);
    t.approve(two?.id);
    await settled();
    expect(t.edits.texts.get('/w/a')).toBe(atTop.replace('seven', 'SEVEN'));
  });

  it('become stale when they no longer fit', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: async () => undefined });
    void t.ask([edit('a', base, atTop)]);
    const second = t.ask([edit('a', base, atEnd)]);
    const [one] = t.waiting();
    t.show(one?.id);
    t.approve(one?.id);
    expect((await second).status).toBe('stale');
  });

  it('are not computed again when the user edited them', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: reproposing(() => t, 'seven', 'SEVEN') });
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, atEnd)]);
    const [one, two] = t.waiting();
    t.queue.setText(two?.id ?? '', 0, base.replace('seven', 'sieben'));
    t.show(one?.id);
    t.approve(one?.id);
    await settled();
    expect(t.queue.get(two?.id ?? '')).toMatchObject({ state: 'stale', canRebase: true });
  });

  it('keep what the user types while one is computed again', async () => {
    const again = Promise.withResolvers<void>();
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, {
      repropose: async () => again.promise.then(reproposing(() => t, 'seven', 'SEVEN')),
    });
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, atEnd)]);
    const [one, two] = t.waiting();
    t.show(one?.id);
    t.approve(one?.id);
    await settled();
    const id = two?.id ?? '';
    expect(t.queue.setText(id, 0, base.replace('seven', 'typed'))).toBe(true);
    again.resolve();
    await settled();
    expect(t.queue.get(id)).toMatchObject({ state: 'stale', canRebase: true });
    const rebased = await t.queue.rebase(id);
    expect((await t.queue.texts(rebased.id ?? '', 0))?.proposed).toBe(atTop.replace('seven', 'typed'));
  });

  it('wait side by side for two assistants too', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: reproposing(() => t, 'one', 'ONE') });
    const principal = { credential: 'window', connectionId: 'c2' };
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('one', 'uno'))], { principal });
    expect(t.waiting()).toHaveLength(2);
  });
});

describe('a later proposal', () => {
  it('replaces an earlier proposal for the same lines', async () => {
    const t = setUp(texts);
    const first = t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('one', 'uno'))]);
    const [now] = t.waiting();
    expect(await first).toMatchObject({ status: 'superseded', replacedBy: now?.id });
    expect(t.waiting()).toHaveLength(1);
  });

  it('does not replace a proposal for the next line', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('two', 'zwei'))]);
    expect(t.waiting()).toHaveLength(2);
  });

  it('replaces the proposal that is named in replaces', async () => {
    const t = setUp(texts);
    const first = t.ask([edit('a', base, atTop)]);
    void t.ask([edit('b', 'old\n', 'new\n')], { replaces: t.only().id });
    expect((await first).status).toBe('superseded');
  });

  it('never replaces the proposal of another caller, or of a caller without a connection', () => {
    const t = setUp(texts);
    const others = { credential: 'window', connectionId: 'c2' };
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('one', 'uno'))], { principal: others, replaces: t.only().id });
    void t.ask([edit('a', base, base.replace('one', 'eins'))], { principal: { credential: 'window' } });
    void t.ask([edit('a', base, base.replace('one', 'un'))], { principal: { credential: 'window' } });
    expect(t.waiting()).toHaveLength(4);
  });

  it('replaces an earlier creation of the same file', async () => {
    const t = setUp(texts);
    const first = t.ask([create('c', 'first\n')]);
    void t.ask([create('c', 'second\n')]);
    expect((await first).status).toBe('superseded');
  });
});

describe('a group of proposals', () => {
  const file = (name: string) => [create(name, 'x\n')];

  it('collects the proposals that one assistant sends together', () => {
    const t = setUp(texts);
    void t.ask(file('c'));
    t.clock.advance(shippedLimits.groupMilliseconds);
    void t.ask(file('d'));
    void t.ask(file('e'), { principal: { credential: 'window', connectionId: 'c2' } });
    t.clock.advance(shippedLimits.groupMilliseconds + 1);
    void t.ask(file('f'));
    const groups = t.waiting().map(({ groupId }) => groupId);
    expect(groups[0]).toBe(groups[1]);
    expect(new Set(groups).size).toBe(3);
  });

  it('is closed once the user has opened it', () => {
    const t = setUp(texts);
    void t.ask(file('c'));
    t.queue.groupOpened(t.only().groupId);
    void t.ask(file('d'));
    expect(new Set(t.waiting().map(({ groupId }) => groupId)).size).toBe(2);
  });
});

describe('A16 a flood of proposals', () => {
  it('refuses a change that is too large to read, before it is compared', async () => {
    const t = setUp(texts);
    const huge = 'x'.repeat(11 * 1024 * 1024);
    await expect(t.ask([create('c', huge), create('d', huge)])).rejects.toMatchObject({ code: 'too_large' });
    void t.ask([create('c', huge)]);
    expect(t.waiting()).toHaveLength(1);
  });

  it('turns 100 deletes into 20 approvals and 80 errors', async () => {
    const t = setUp(texts);
    const asked = Array.from({ length: 100 }, (_, index) => t.ask([create(`f${index}`, 'x\n')]));
    const refused = await Promise.all(asked.slice(20).map((outcome) => outcome.catch((error: unknown) => error)));
    expect(t.waiting()).toHaveLength(20);
    expect(refused).toHaveLength(80);
    for (const error of refused) expect(error).toMatchObject({ code: 'too_many_pending', hint: expect.any(String) });
  });

  it('lets 50 approvals of all assistants wait', async () => {
    const t = setUp(texts);
    const asked = Array.from({ length: 60 }, (_, index) =>
      t.ask([create(`f${index}`, 'x\n')], { principal: { credential: 'window', connectionId: `c${index % 6}` } }),
    );
    await Promise.allSettled(asked.slice(50));
    expect(t.waiting()).toHaveLength(50);
  });
});
