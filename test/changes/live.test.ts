import { describe, expect, it } from 'vitest';
import type { ChangesProposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { shippedLimits } from '#changes/queue.ts';
import { judged, create, edit, setUp, settled } from './queueSetUp.ts';

const base = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const atTop = base.replace('one', 'ONE');
const atEnd = base.replace('seven', 'SEVEN');
const texts = { '/w/a': base, '/w/b': 'old\n' };

/** A tool that replaces one word of the file as it is now, as apply_edit does. */
function reproposing(t: () => ReturnType<typeof setUp>, word: string, by: string) {
  return async () => {
    const now = t().edits.texts.get('/w/a') ?? '';
    if (!now.includes(word)) return undefined;
    const proposal: ChangesProposal = { kind: 'changes', files: [edit('a', now, now.replace(word, by))] };
    return { proposal, judgement: judged() };
  };
}

describe('F5 the files change under a card', () => {
  it('says so at once, cannot be approved, and offers a rebase', async () => {
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

  it('F18 does not mind a save, or a change that gives the same text', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', base);
    t.edits.fire();
    await settled();
    expect(t.only().state).toBe('waiting');
  });

  it('rebases by a clean three-way merge, as a new proposal that is asked for anew', async () => {
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

  it('rebases what the human had made of it', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.queue.setText(t.only().id, 0, base.replace('one', 'eins'));
    t.edits.texts.set('/w/a', atEnd);
    t.edits.fire();
    await settled();
    const { id = '' } = await t.queue.rebase(t.only().id);
    expect((await t.queue.texts(id, 0))?.proposed).toBe('eins\ntwo\nthree\nfour\nfive\nsix\nSEVEN\n');
  });

  it('offers no rebase where the same lines were changed', async () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    t.edits.texts.set('/w/a', base.replace('one', 'eins'));
    t.edits.fire();
    await settled();
    expect(t.only()).toMatchObject({ state: 'stale', canRebase: false });
    expect(await t.queue.rebase(t.only().id)).toMatchObject({ status: 'conflict' });
  });

  it('A4 judges a rebased change anew, for the text that it is made to now', async () => {
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

  it('P3 rebases nothing that the policy refuses by now', async () => {
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

  it('watches nothing any more once it is decided', async () => {
    const t = setUp(texts);
    const outcome = t.ask([edit('a', base, atTop)]);
    expect(t.edits.watched).toBe(1);
    t.show();
    t.approve();
    await outcome;
    expect(t.edits.watched).toBe(0);
  });
});

describe('several proposals of one file', () => {
  it('wait side by side; when one lands, the other is computed anew, marked and armed again', async () => {
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

  it('are approved one after the other: what is being written is not approved over, and nothing is lost', async () => {
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

  it('one that no longer fits is stale', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: async () => undefined });
    void t.ask([edit('a', base, atTop)]);
    const second = t.ask([edit('a', base, atEnd)]);
    const [one] = t.waiting();
    t.show(one?.id);
    t.approve(one?.id);
    expect((await second).status).toBe('stale');
  });

  it('one that the human changed is never computed anew behind their back', async () => {
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

  it('what the human types while one is computed anew is not lost', async () => {
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

  it('of another assistant live beside each other too', async () => {
    const t: ReturnType<typeof setUp> = setUp(texts, undefined, { repropose: reproposing(() => t, 'one', 'ONE') });
    const principal = { credential: 'window', connectionId: 'c2' };
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('one', 'uno'))], { principal });
    expect(t.waiting()).toHaveLength(2);
  });
});

describe('superseded', () => {
  it('a proposal of the same lines takes the place of the one before', async () => {
    const t = setUp(texts);
    const first = t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('one', 'uno'))]);
    const [now] = t.waiting();
    expect(await first).toMatchObject({ status: 'superseded', replacedBy: now?.id });
    expect(t.waiting()).toHaveLength(1);
  });

  it('of the line beside it does not', () => {
    const t = setUp(texts);
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('two', 'zwei'))]);
    expect(t.waiting()).toHaveLength(2);
  });

  it('replaces: names it', async () => {
    const t = setUp(texts);
    const first = t.ask([edit('a', base, atTop)]);
    void t.ask([edit('b', 'old\n', 'new\n')], { replaces: t.only().id });
    expect((await first).status).toBe('superseded');
  });

  it('never without a connection of its own, and never another’s', () => {
    const t = setUp(texts);
    const others = { credential: 'window', connectionId: 'c2' };
    void t.ask([edit('a', base, atTop)]);
    void t.ask([edit('a', base, base.replace('one', 'uno'))], { principal: others, replaces: t.only().id });
    void t.ask([edit('a', base, base.replace('one', 'eins'))], { principal: { credential: 'window' } });
    void t.ask([edit('a', base, base.replace('one', 'un'))], { principal: { credential: 'window' } });
    expect(t.waiting()).toHaveLength(4);
  });

  it('a file that is made twice is made by the later one', async () => {
    const t = setUp(texts);
    const first = t.ask([create('c', 'first\n')]);
    void t.ask([create('c', 'second\n')]);
    expect((await first).status).toBe('superseded');
  });
});

describe('groups', () => {
  const file = (name: string) => [create(name, 'x\n')];

  it('what one assistant sends together belongs together', () => {
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

  it('nothing joins a group that the human has opened', () => {
    const t = setUp(texts);
    void t.ask(file('c'));
    t.queue.groupOpened(t.only().groupId);
    void t.ask(file('d'));
    expect(new Set(t.waiting().map(({ groupId }) => groupId)).size).toBe(2);
  });
});

describe('A16 flooding', () => {
  it('a change that nobody could read is refused before it is compared', async () => {
    const t = setUp(texts);
    const huge = 'x'.repeat(11 * 1024 * 1024);
    await expect(t.ask([create('c', huge), create('d', huge)])).rejects.toMatchObject({ code: 'too_large' });
    void t.ask([create('c', huge)]);
    expect(t.waiting()).toHaveLength(1);
  });

  it('100 deletes make 20 cards and 80 errors', async () => {
    const t = setUp(texts);
    const asked = Array.from({ length: 100 }, (_, index) => t.ask([create(`f${index}`, 'x\n')]));
    const refused = await Promise.all(asked.slice(20).map((outcome) => outcome.catch((error: unknown) => error)));
    expect(t.waiting()).toHaveLength(20);
    expect(refused).toHaveLength(80);
    for (const error of refused) expect(error).toMatchObject({ code: 'too_many_pending', hint: expect.any(String) });
  });

  it('all assistants together make 50', async () => {
    const t = setUp(texts);
    const asked = Array.from({ length: 60 }, (_, index) =>
      t.ask([create(`f${index}`, 'x\n')], { principal: { credential: 'window', connectionId: `c${index % 6}` } }),
    );
    await Promise.allSettled(asked.slice(50));
    expect(t.waiting()).toHaveLength(50);
  });
});
