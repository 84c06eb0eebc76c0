import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import type { ApprovalQueue } from '#changes/queue.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { judged } from '../queueSetUp.ts';
import { EditsFixture, snapshot } from './editsFixture.ts';
import { openQueue } from './realQueue.ts';

let w: EditsFixture;

beforeEach(() => (w = new EditsFixture()));
afterEach(() => w.remove());

interface Window {
  readonly queue: ApprovalQueue;
  readonly clock: FakeClock;
}

/** Two windows that have the same folder open. */
function windows(): readonly [Window, Window] {
  const open = (name: string): Window => {
    const clock = new FakeClock();
    return { clock, queue: openQueue(w.inside, join(w.root, `state ${name}`), { clock }) };
  };
  return [open('one'), open('two')];
}

/** Asks for a change and shows it, and returns its id and its outcome. */
async function ask({ queue, clock }: Window, changes: readonly FileChange[]) {
  const waiting = Promise.withResolvers<void>();
  const outcome = queue.request({
    proposal: { kind: 'changes', files: changes },
    tool: 'apply_edit',
    arguments: {},
    principal: { credential: 'window', connectionId: 'c1' },
    client: undefined,
    reason: undefined,
    judgement: judged(),
    replaces: undefined,
    waitMilliseconds: 25_000,
    signal: new AbortController().signal,
    onWaiting: () => waiting.resolve(),
    progress: () => undefined,
  });
  await waiting.promise;
  const [approval] = queue.all;
  if (approval === undefined) throw new Error('The request is missing');
  const { id, proposalHash } = approval;
  queue.displayed(id);
  clock.advance(10_000);
  return { queue, id, proposalHash, outcome: outcome.then(({ status }) => status) };
}

type Asked = Awaited<ReturnType<typeof ask>>;

/** Approves in both windows at once, and returns how each change ended. */
async function approveBoth(asked: readonly Asked[]): Promise<readonly string[]> {
  for (const { queue, id, proposalHash } of asked) expect(queue.approve(id, proposalHash)).toBe('accepted');
  const outcomes = await Promise.all(asked.map(({ outcome }) => outcome));
  await Promise.all(asked.map(({ queue }) => queue.settled()));
  return outcomes;
}

describe('two windows of one folder', () => {
  it('F6: write the same file at the same time, and one of them is told that its text is stale', async () => {
    for (let round = 0; round < 20; round += 1) {
      w.put('a', 'first\nmiddle\nlast\n');
      const [one, two] = windows();
      const results = ['A\nmiddle\nlast\n', 'first\nmiddle\nB\n'];
      const asked = [
        await ask(one, [await w.edit('a', results[0] ?? '')]),
        await ask(two, [await w.edit('a', results[1] ?? '')]),
      ];
      const outcomes = await approveBoth(round % 2 === 0 ? asked : asked.toReversed());
      expect(outcomes.toSorted()).toEqual(['applied', 'stale']);
      expect(results).toContain(w.text('a'));
      expect(Object.keys(snapshot(w.inside))).toEqual(['a']);
    }
  });

  it('F6: create the same file at the same time, and one of them does not replace the other', async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `new-${round}`;
      const asked = await Promise.all(
        windows().map(async (window, at) => ask(window, [await w.create(name, `${at}\n`)])),
      );
      const outcomes = await approveBoth(asked);
      expect(outcomes.filter((status) => status === 'applied')).toHaveLength(1);
      const applied = outcomes.indexOf('applied');
      expect(w.text(name)).toBe(`${applied}\n`);
    }
    expect(Object.keys(snapshot(w.inside)).filter((name) => !name.startsWith('new-'))).toEqual([]);
  });

  it('delete and edit the same file at the same time, and one of them has an effect', async () => {
    for (let round = 0; round < 20; round += 1) {
      w.put('a', 'first\n');
      const [one, two] = windows();
      const asked = [await ask(one, [await w.delete('a')]), await ask(two, [await w.edit('a', 'A\n')])];
      const outcomes = await approveBoth(round % 2 === 0 ? asked : asked.toReversed());
      const applied = round % 2 === 0 ? outcomes : outcomes.toReversed();
      expect(applied.filter((status) => status === 'applied')).toHaveLength(1);
      expect(snapshot(w.inside)).toEqual(applied[0] === 'applied' ? {} : { a: '644 A\n' });
    }
  });
});

it('two pages that decide the same request have one effect, and the second is told', async () => {
  w.put('a', 'first\n');
  const [window] = windows();
  const { queue, id, proposalHash, outcome } = await ask(window, [await w.edit('a', 'A\n')]);
  const decisions = [queue.approve(id, proposalHash), queue.approve(id, proposalHash), queue.decline(id)];
  expect(decisions[0]).toBe('accepted');
  expect(decisions.slice(1)).not.toContain('accepted');
  expect(await outcome).toBe('applied');
  expect(w.text('a')).toBe('A\n');
});
