import fc from 'fast-check';
import { expect, expectTypeOf, it } from 'vitest';
import type { ChangesProposal, Proposal } from '#base/proposal.ts';
import { selectFile, typeText } from '#changes/choosing.ts';
import type { ApprovalEvent, Effect, QuestionEffect, ReadEffect, TimerEvent } from '#changes/events.ts';
import { reduce } from '#changes/lifecycle.ts';
import { newRequest } from '#changes/newRequests.ts';
import { proposalHash } from '#changes/proposalHash.ts';
import { shippedLimits } from '#changes/queue.ts';
import { newRead } from '#changes/reads.ts';
import { emptyQueue, type Proposed, type QueueState } from '#changes/requests.ts';
import { reviewedChanges, selectedProposal } from '#changes/selection.ts';
import type { Timed } from '#changes/steps.ts';
import { size } from '../size.ts';
import { edit, judged, remove } from './queueSetUp.ts';

/** The same sequences at every run. */
const seed = 20_261_123;
const numRuns = size({ quick: 400, full: 5000 });
const principal = { credential: 'window', connectionId: 'c1' };

const changeIds = ['change', 'other change', 'deletion', 'unasked change', 'change that may not start'] as const;
const actionIds = ['action', 'unasked action'] as const;
const readIds = ['read', 'other read'] as const;
const ids = [...changeIds, ...actionIds, 'question', ...readIds, 'unknown'] as const;

function changes(text: string, base = 'old\n'): ChangesProposal {
  return { kind: 'changes', files: [edit('a', base, text), edit('b', 'old\n', 'new\n')] };
}

const action: Proposal = {
  kind: 'action',
  files: [],
  title: 'Run',
  definition: 'run',
  arguments: [],
  places: [],
  remarks: [],
};
const question: Proposal = { kind: 'question', files: [], question: 'Why?', choices: ['this'], allowsText: false };

function queue(): QueueState {
  let state = emptyQueue(shippedLimits);
  const add = (id: string, proposal: Proposal, facts: Partial<Proposed['judgement']> = {}, isUnasked = false): void => {
    const beginning = {
      state: isUnasked ? ('applying' as const) : ('waiting' as const),
      id,
      newGroupId: `group of ${id}`,
      now: 0,
      reviewed: reviewedChanges(proposal, []),
      proposedHash: proposalHash('tool', proposal),
      repeatable: true,
      callReturned: false,
    };
    const judgement = judged(facts);
    const proposed = {
      tool: 'tool',
      arguments: {},
      principal,
      client: undefined,
      reason: undefined,
      proposal,
      judgement,
    };
    const request = newRequest(state, proposed, beginning);
    ({ state } = reduce(state, { type: 'requested', request, replaced: [], now: 0 }));
  };
  add('change', changes('one\n'));
  add('other change', changes('two\n'));
  add('deletion', { kind: 'changes', files: [remove('c', 'old\n')] }, { risk: 'delete', confirmCount: 1 });
  add('unasked change', { kind: 'changes', files: [edit('d', 'old\n', 'new\n')] }, { effect: 'allow' }, true);
  add('change that may not start', { kind: 'changes', files: [edit('e', 'old\n', 'new\n')] }, {}, true);
  add('action', action, { risk: 'execute' });
  add('unasked action', action, { effect: 'allow' }, true);
  add('question', question, { risk: 'ui' });
  for (const id of readIds) {
    const paths = { paths: [id], realPaths: [id], reason: '', explain: [] };
    const waiting = { waitMilliseconds: 1000, signal: new AbortController().signal, progress: () => undefined };
    const request = { principal, tool: 'read_file', client: undefined, ...paths, ...waiting };
    const permission = newRead(state, request, id, 0);
    ({ state } = reduce(state, { type: 'readRequested', permission, now: 0 }));
  }
  return state;
}

/** An act of the user, the assistant or the window, which becomes an event for the current state. */
type Act = Readonly<{ id: string; hash: 'current' | 'first' | 'wrong'; flag: boolean; milliseconds: number }> &
  Readonly<{ name: (typeof names)[number] }>;

/** Acts that continue a request are more frequent than acts that end it, so that sequences get long. */
const names = [
  ...(['look', 'look', 'look', 'look', 'wait', 'displayed', 'endReached', 'approve', 'approve', 'answer'] as const),
  ...(['decline', 'selectFile', 'typeText', 'expire', 'withdraw', 'callJoined', 'callReturned'] as const),
  ...(['callCancelled', 'start', 'doNotStart', 'applyEnded', 'applyFailed', 'applyStale', 'actionEnded'] as const),
  ...([
    'problemsCompared',
    'becameStale',
    'recomputed',
    'rebaseFound',
    'rebased',
    'reversalBegan',
    'reversalEnded',
  ] as const),
  ...([
    'foundUndone',
    'recovered',
    'reopened',
    'contentsKept',
    'textsKept',
    'writeDue',
    'groupOpened',
    'paused',
  ] as const),
  ...(['lifted', 'suspended', 'finishedForgotten', 'supersede', 'readDisplayed', 'readAnswered'] as const),
  ...(['readExpired', 'readCallJoined', 'readCallReturned', 'readCallCancelled', 'readsWithdrawn'] as const),
] as const;

const anyAct = fc.record({
  name: fc.constantFrom(...names),
  id: fc.constantFrom(...ids),
  hash: fc.constantFrom('current' as const, 'current' as const, 'current' as const, 'first' as const, 'wrong' as const),
  flag: fc.boolean(),
  milliseconds: fc.constantFrom(0, 1, 499, 500, 2000),
});
/** A display of a card, long enough or not, followed by a decision on it. */
const lookAndDecide = fc
  .record({ name: fc.constantFrom('approve' as const, 'answer' as const, 'readAnswered' as const), given: anyAct })
  .map(({ name, given }): Act[] => [
    { ...given, name: 'look' },
    { ...given, name },
  ]);
const acts = fc
  .array(
    fc.oneof({ weight: 3, arbitrary: anyAct.map((each): Act[] => [each]) }, { weight: 1, arbitrary: lookAndDecide }),
    {
      maxLength: 50,
      size: 'max',
    },
  )
  .map((each) => each.flat());

interface Moment {
  readonly event: Timed<ApprovalEvent>;
  readonly before: QueueState;
  readonly after: QueueState;
  readonly effects: readonly Effect[];
}

function eventOf(
  { name, id, hash: which, flag }: Act,
  state: QueueState,
  first: QueueState,
): ApprovalEvent | undefined {
  const request = state.requests.get(id);
  const hashes = { current: request?.approval.proposalHash, first: first.requests.get(id)?.approval.proposalHash };
  const hash = which === 'wrong' ? 'wrong' : (hashes[which] ?? 'none');
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- the other names are those of events
  switch (name) {
    case 'wait':
    case 'look':
      return undefined;
    case 'approve':
      return { type: 'approve', id, hash, confirmedCount: flag ? 1 : undefined };
    case 'answer':
      return { type: 'answer', id, hash, answer: flag ? 'this' : 'that' };
    case 'decline':
      return { type: 'decline', id };
    case 'selectFile':
      return selectFile(request, 0, flag);
    case 'typeText':
      return typeText(request, 0, flag ? 'typed\n' : 'one\n');
    case 'withdraw':
      return { type: 'withdraw', id, note: '' };
    case 'doNotStart':
      return { type: 'doNotStart', id, note: '' };
    case 'applyEnded':
      return { type: 'applyEnded', id, result: { state: 'applied', outcomes: [], kept: [] } };
    case 'applyFailed':
      return { type: 'applyEnded', id, result: { state: 'failed', note: '' } };
    case 'applyStale':
      return { type: 'applyEnded', id, result: { state: 'stale', note: '' } };
    case 'actionEnded':
      return { type: 'actionEnded', id, result: { state: flag ? 'applied' : 'failed' } };
    case 'problemsCompared':
      return { type: 'problemsCompared', id, problems: undefined };
    case 'becameStale':
      if (request?.proposal?.kind !== 'changes') return undefined;
      return { type: 'becameStale', id, proposal: flag ? request.proposal : changes('other\n'), note: '' };
    case 'recomputed': {
      if (request?.proposal?.kind !== 'changes') return undefined;
      const proposal = changes('computed\n', 'now\n');
      const reviewed = reviewedChanges(proposal, []);
      const before = flag ? request.proposal : changes('other\n');
      const proposedHash = proposalHash('tool', proposal);
      return { type: 'recomputed', id, before, proposal, proposedHash, reviewed, judgement: judged() };
    }
    case 'rebased':
      return { type: 'rebased', id, replacedBy: 'unknown' };
    case 'reversalBegan':
      return { type: 'reversalBegan', id, reversal: { direction: flag ? 'undo' : 'redo', files: [0] } };
    case 'reversalEnded': {
      const isUndo = request?.kind === 'changes' && request.pending?.direction === 'undo';
      const status = flag ? 'failed' : isUndo ? 'undone' : 'redone';
      return { type: 'reversalEnded', id, result: { status }, kept: [], isPart: false };
    }
    case 'recovered': {
      // Only a restored request can be recovered in the middle of an undo.
      if (request?.kind === 'changes' && request.pending !== undefined) return undefined;
      return { type: 'recovered', id, state: flag ? 'withdrawn' : 'failed', facts: {} };
    }
    case 'reopened': {
      const proposal = flag ? changes('one\n') : question;
      const facts = { proposedHash: 'none', reviewed: [], choices: [] };
      return { type: 'reopened', id, proposal, ...facts };
    }
    case 'contentsKept':
      return { type: 'contentsKept', id, kept: [] };
    case 'groupOpened':
      return { type: 'groupOpened', groupId: `group of ${id}` };
    case 'paused':
      return flag ? { type: 'paused', principal, client: undefined } : undefined;
    case 'lifted':
      return { type: 'lifted', restrictionId: 'r-1' };
    case 'suspended':
    case 'finishedForgotten':
      return flag ? { type: name } : undefined;
    case 'supersede': {
      const unfilled = first.requests.get('change');
      if (unfilled === undefined) return undefined;
      const approval = { ...unfilled.approval, id: `new ${id}` };
      return state.requests.has(approval.id)
        ? undefined
        : { type: 'requested', request: { ...unfilled, approval }, replaced: [id] };
    }
    case 'callJoined':
      return { type: name, id, until: 1 };
    case 'readAnswered':
      return { type: 'readAnswered', id, allow: flag };
    case 'readsWithdrawn':
      return { type: 'readsWithdrawn', ids: flag ? [id] : [], keptKeys: [] };
    default:
      return { type: name, id };
  }
}

/** Plays acts one after the other, with the clock that the timers of the effects ask for. */
function play(sequence: readonly Act[]): readonly Moment[] {
  const first = queue();
  const moments: Moment[] = [];
  const timers = new Map<string, { readonly at: number; readonly event: TimerEvent; readonly id: string }>();
  let [state, now] = [first, 0];
  const send = (event: ApprovalEvent): void => {
    const timed = { ...event, now };
    const { state: after, effects } = reduce(state, timed);
    moments.push({ event: timed, before: state, after, effects });
    state = after;
    for (const effect of effects) {
      if (effect.type === 'startTimer') {
        const { id, event: timer, milliseconds } = effect;
        timers.set(`${id} ${timer}`, { at: now + milliseconds, event: timer, id });
      }
      if (effect.type === 'stopTimer') timers.delete(`${effect.id} ${effect.event}`);
      if (effect.type === 'release') {
        for (const [key, { id }] of timers) if (id === effect.id) timers.delete(key);
      }
    }
  };
  const advance = (milliseconds: number): void => {
    const end = now + milliseconds;
    for (;;) {
      const [due] = [...timers].filter(([, { at }]) => at <= end).toSorted(([, one], [, other]) => one.at - other.at);
      if (due === undefined) break;
      const [key, { at, event, id }] = due;
      timers.delete(key);
      now = Math.max(now, at);
      send({ type: event, id });
    }
    now = end;
  };
  for (const act of sequence) {
    if (act.name === 'look') {
      send({ type: readIds.some((id) => id === act.id) ? 'readDisplayed' : 'displayed', id: act.id });
      if (act.flag) send({ type: 'endReached', id: act.id });
    }
    const event = eventOf(act, state, first);
    if (event !== undefined) send(event);
    advance(act.milliseconds);
  }
  return moments;
}

/** Checks each sequence, and that `seen` was found in at least one of them, so that the check has looked at something. */
function always(check: (moments: readonly Moment[]) => number): void {
  let seen = 0;
  fc.assert(
    fc.property(acts, (sequence) => {
      seen += check(play(sequence));
    }),
    { seed, numRuns },
  );
  expect(seen).toBeGreaterThan(10);
}

function isCarriedOut(effect: Effect): effect is Extract<Effect, { type: 'apply' | 'carryOut' }> {
  return effect.type === 'apply' || effect.type === 'carryOut';
}

/** The recorded states by approval or read, each with the event that caused it. */
function auditedStates(moments: readonly Moment[]): ReadonlyMap<string, readonly string[]> {
  const states = new Map<string, string[]>();
  for (const effect of moments.flatMap(({ effects }) => effects)) {
    if (effect.type !== 'audit' || effect.event.event !== 'approval.state') continue;
    const id = String(effect.event['approvalId']);
    states.set(id, [...(states.get(id) ?? []), String(effect.event['state'])]);
  }
  return states;
}

it('never applies a change or runs an action for a read or a question', () => {
  expectTypeOf<Extract<ReadEffect | QuestionEffect, { type: 'apply' | 'carryOut' }>>().toEqualTypeOf<never>();
  always((moments) => {
    const effects = moments.flatMap((moment) => moment.effects);
    const others = new Set<string>(['question', ...readIds, 'unknown']);
    for (const effect of effects.filter(isCarriedOut)) expect(others).not.toContain(effect.id);
    return effects.filter((effect) => effect.type === 'endRead' && effect.end === 'allowed').length;
  });
});

it('A15: ends each request at most once, whatever events follow', () => {
  const open = new Set(['waiting', 'applying', 'displayed', 'approved', 'moved']);
  always((moments) => {
    let count = 0;
    for (const [id, states] of auditedStates(moments)) {
      // An undo, and an apply that follows it, are not the end of the request: it had been applied before.
      const ends = states.filter((state, index) => {
        const isAgain = state === 'undone' || (state === 'applied' && states.slice(0, index).includes('undone'));
        return !open.has(state) && !isAgain;
      });
      expect([id, ends.length, ends]).toEqual([id, Math.min(ends.length, 1), ends]);
      count += ends.length;
    }
    return count;
  });
});

it('A15: keeps the state and the answer of a request that has ended, except by undo, redo and rebase', () => {
  const later = new Set([
    'reversalBegan',
    'reversalEnded',
    'foundUndone',
    'problemsCompared',
    'rebaseFound',
    'rebased',
    'textsKept',
  ]);
  always((moments) => {
    let count = 0;
    for (const { event, before, after } of moments) {
      if (later.has(event.type)) continue;
      for (const [id, { approval }] of before.requests) {
        if (approval.state === 'waiting' || approval.state === 'applying' || !after.requests.has(id)) continue;
        count += 1;
        expect(after.requests.get(id)?.approval).toBe(approval);
      }
    }
    return count;
  });
});

it('A3: carries out only what the user approved with its present hash, or what is allowed without asking, and once', () => {
  always((moments) => {
    const carriedOut: string[] = [];
    for (const { event, before, effects } of moments) {
      for (const effect of effects.filter(isCarriedOut)) {
        const { approval } = before.requests.get(effect.id) ?? {};
        const { proposal } = effect;
        const exact = effect.type === 'apply' ? selectedProposal(effect.proposal, effect.choices) : proposal;
        expect(effect.hash).toBe(approval?.proposalHash);
        expect(proposalHash('tool', exact)).toBe(effect.hash);
        if (event.type === 'approve') expect([event.hash, approval?.state]).toEqual([effect.hash, 'waiting']);
        else expect([event.type, approval?.judgement.effect]).toEqual(['start', 'allow']);
        carriedOut.push(effect.id);
      }
    }
    expect(new Set(carriedOut).size).toBe(carriedOut.length);
    return carriedOut.length;
  });
});

it('A4: approves a deletion or an action only after its end was on screen, and a counted one only with its number', () => {
  always((moments) => {
    const reached = new Set<string>();
    let count = 0;
    for (const { event, before, effects } of moments) {
      if (event.type === 'endReached') reached.add(event.id);
      for (const { id } of event.type === 'approve' ? effects.filter(isCarriedOut) : []) {
        const { approval } = before.requests.get(id) ?? {};
        if (approval?.mustReachEnd !== true) continue;
        expect(reached).toContain(id);
        if (approval.judgement.confirmCount !== undefined) expect(event).toMatchObject({ confirmedCount: 1 });
        count += 1;
      }
    }
    return count;
  });
});

it('A17: takes no decision within half a second of the display of its card, and no approval before it', () => {
  always((moments) => {
    const displayedAt = new Map<string, number>();
    let count = 0;
    for (const { event, before, after, effects } of moments) {
      const isCard = event.type === 'displayed' && before.requests.has(event.id);
      const isRead = event.type === 'readDisplayed' && before.reads.has(event.id);
      if (isCard || isRead) displayedAt.set(event.id, event.now);
      // The card shows another change now, which must be displayed anew.
      if (event.type === 'recomputed' && effects.length > 0) displayedAt.delete(event.id);
      if (!isDecision(event) || !isDecided(event.id, before, after)) continue;
      const at = displayedAt.get(event.id);
      if (at === undefined) expect(isDecline(event)).toBe(true);
      else expect(event.now - at).toBeGreaterThanOrEqual(shippedLimits.armMilliseconds);
      count += 1;
    }
    return count;
  });
});

type Decision = Extract<Timed<ApprovalEvent>, { type: 'approve' | 'answer' | 'decline' | 'readAnswered' }>;

function isDecision(event: Timed<ApprovalEvent>): event is Decision {
  return ['approve', 'answer', 'decline', 'readAnswered'].includes(event.type);
}

function isDecline(event: Decision): boolean {
  return event.type === 'decline' || (event.type === 'readAnswered' && !event.allow);
}

function isDecided(id: string, before: QueueState, after: QueueState): boolean {
  const [one, other] = [before, after].map(({ requests, reads }) => requests.get(id)?.approval.state ?? reads.has(id));
  return one !== other;
}
