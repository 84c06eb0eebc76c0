import { randomBytes } from 'node:crypto';
import type { AuditLog } from '#audit/auditLog.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { Applying, type ApplyingDependencies } from './applying.ts';
import type { ApprovalsChanged } from './approval.ts';
import type { ChangeOutcome } from './approver.ts';
import { CallWaits } from './callWaits.ts';
import type { ApprovalEvent, Effect, TimerEvent } from './events.ts';
import { FileChecks, type FileChecksDependencies } from './fileChecks.ts';
import type { InterruptedApplies } from './edits.ts';
import { reduce } from './lifecycle.ts';
import { newRequest, type Beginning } from './newRequests.ts';
import { outcomeOf } from './outcome.ts';
import { proposalHash } from './proposalHash.ts';
import { ApprovalRecords } from './records.ts';
import {
  emptyQueue,
  type ApprovalLimits,
  type Proposed,
  type QueueState,
  type ReadEnd,
  type UserRequest,
  waitingRequest,
} from './requests.ts';
import { reviewedChanges } from './selection.ts';

export interface RunnerDependencies extends FileChecksDependencies, Omit<ApplyingDependencies, 'files'> {
  readonly auditLog: Pick<AuditLog, 'event'>;
  readonly interrupted: InterruptedApplies;
}

/** The state machine as those see it who carry out its effects: they report what they did as events. */
export interface ApprovalMachine {
  readonly state: QueueState;
  readonly onDidChange: Event<ApprovalsChanged>;
  /** Moves the state machine, runs the effects, and tells the views. */
  send(event: ApprovalEvent): void;
  /** Adds an approval that no call waits for. Returns its id. */
  addUnrequested(proposed: Proposed): string;
}

/** The state of approvals and reads, and the effects of its changes: timers, records, applies, answers, audit. */
export class ApprovalRunner implements ApprovalMachine {
  readonly #dependencies: RunnerDependencies;
  readonly #changed = new Emitter<ApprovalsChanged>();
  readonly #timers = new Map<string, Map<TimerEvent, Subscription>>();
  readonly #watches = new Map<string, Subscription>();
  /** Called when the card of this id is armed. */
  readonly #armed = new Map<string, () => void>();
  readonly #applies = new Map<string, Promise<void>>();
  #state: QueueState;
  readonly onDidChange = this.#changed.event;
  readonly records: ApprovalRecords;
  readonly applying: Applying;
  readonly fileChecks: FileChecks;
  readonly calls: CallWaits<ChangeOutcome>;
  readonly readCalls: CallWaits<ReadEnd | 'waiting' | 'cancelled'>;

  constructor(dependencies: RunnerDependencies, limits: ApprovalLimits) {
    const { clock, history, auditLog } = dependencies;
    this.#dependencies = dependencies;
    this.#state = emptyQueue(limits);
    this.records = new ApprovalRecords(this, history, auditLog);
    this.applying = new Applying(this, this.records, dependencies);
    this.fileChecks = new FileChecks(this, dependencies);
    this.calls = new CallWaits(clock);
    this.readCalls = new CallWaits(clock);
  }

  get state(): QueueState {
    return this.#state;
  }

  send(event: ApprovalEvent): void {
    const before = this.#state;
    const { state, effects } = reduce(before, { ...event, now: this.#dependencies.clock.now() });
    this.#state = state;
    for (const effect of effects) this.#run(effect);
    this.#tell(before, state);
  }

  /** Adds a request, with fresh ids and the present time. `replaced` are the ids of those whose place it takes. */
  add(
    proposed: Proposed,
    beginning: Omit<Beginning, 'id' | 'newGroupId' | 'now'>,
    replaced: readonly string[] = [],
  ): UserRequest {
    const request = newRequest(this.#state, proposed, {
      ...beginning,
      id: `a-${randomBytes(12).toString('hex')}`,
      newGroupId: `g-${randomBytes(8).toString('hex')}`,
      now: this.#dependencies.clock.now(),
    });
    this.send({ type: 'requested', request, replaced });
    return request;
  }

  addUnrequested(proposed: Proposed): string {
    const { tool, proposal, judgement } = proposed;
    const { approval } = this.add(proposed, {
      state: 'waiting',
      reviewed: reviewedChanges(proposal, judgement.protectedBy, this.#dependencies.namesIn),
      proposedHash: proposalHash(tool, proposal),
      repeatable: false,
      callReturned: true,
    });
    return approval.id;
  }

  /** Calls `armed` when the delay of a card that has just appeared or moved is over, unless it moves again before. */
  whenArmed(id: string, armed: () => void): void {
    if (waitingRequest(this.#state, id) !== undefined || this.#state.reads.has(id)) this.#armed.set(id, armed);
  }

  /** Resolves when the files of a change that is being applied are written; at once when none is. */
  async applied(id: string): Promise<void> {
    await this.#applies.get(id);
  }

  #run(effect: Effect): void {
    const { records, applying, fileChecks } = this;
    switch (effect.type) {
      case 'startTimer':
        return this.#startTimer(effect);
      case 'stopTimer':
        return this.#stopTimer(effect.id, effect.event);
      case 'release':
        return this.#release(effect.id);
      case 'audit':
        return this.#dependencies.auditLog.event(effect.event);
      case 'reportArmed':
        return this.#armed.get(effect.id)?.();
      case 'writeRecord':
        return records.write(effect.id, effect.contents);
      case 'awaitRecord':
        void records.awaitWritten(effect.id).then(() => applying.forgetProblems(effect.id));
        return;
      case 'answerCalls':
        return this.#answerCalls(effect.id);
      case 'endRead':
        return this.readCalls.answer(effect.id, effect.end);
      case 'apply':
        return this.#apply(effect);
      case 'carryOut':
        void records.track(applying.carryOut(effect.id, effect.proposal));
        return;
      case 'abortAction':
        return applying.abort(effect.id);
      case 'noteProblems':
        return applying.noteProblems(effect.id, effect.proposal);
      case 'compareProblems':
        void records.track(applying.compareProblems(effect.id, effect.proposal));
        return;
      case 'watchFiles':
        return this.#watch(effect);
      case 'checkFiles':
        void records.track(fileChecks.check(effect.id));
        return;
      case 'findRebase':
        void fileChecks.findRebase(effect.id, effect.proposal, effect.choices);
        return;
      default:
        effect satisfies never;
    }
  }

  #apply(effect: Extract<Effect, { type: 'apply' }>): void {
    const applied = this.records.track(this.applying.apply(effect));
    this.#applies.set(effect.id, applied);
    void applied.then(() => this.#applies.delete(effect.id));
  }

  #answerCalls(id: string): void {
    const request = this.#state.requests.get(id);
    if (request !== undefined) this.calls.answer(id, outcomeOf(request.approval));
  }

  #startTimer({ id, event, milliseconds }: Extract<Effect, { type: 'startTimer' }>): void {
    this.#stopTimer(id, event);
    const timers = this.#timers.get(id) ?? new Map<TimerEvent, Subscription>();
    const timer = this.#dependencies.clock.after(milliseconds, () => {
      timers.delete(event);
      if (timers.size === 0) this.#timers.delete(id);
      this.send({ type: event, id });
    });
    this.#timers.set(id, timers.set(event, timer));
  }

  #stopTimer(id: string, event: TimerEvent): void {
    this.#timers.get(id)?.get(event)?.dispose();
    this.#timers.get(id)?.delete(event);
  }

  #release(id: string): void {
    for (const timer of this.#timers.get(id)?.values() ?? []) timer.dispose();
    this.#timers.delete(id);
    this.#watches.get(id)?.dispose();
    this.#watches.delete(id);
    this.#armed.delete(id);
  }

  #watch({ id, proposal }: Extract<Effect, { type: 'watchFiles' }>): void {
    this.#watches.get(id)?.dispose();
    const watch = this.#dependencies.edits.watch(proposal.files, () => void this.fileChecks.check(id));
    this.#watches.set(id, watch);
  }

  /** Tells the views which approvals and reads changed. A view that fails must not stop a decision. */
  #tell(before: QueueState, after: QueueState): void {
    const changed: ApprovalsChanged = {
      approvals: changedIds(before.requests, after.requests, (one, other) => one?.approval === other?.approval),
      reads: changedIds(before.reads, after.reads, (one, other) => one?.read === other?.read),
      restrictions: before.restrictions.active !== after.restrictions.active,
    };
    if (changed.approvals.size === 0 && changed.reads.size === 0 && !changed.restrictions) return;
    try {
      this.#changed.fire(changed);
    } catch (error) {
      this.#dependencies.auditLog.event({ event: 'approval.state', state: 'not_shown', error: String(error) });
    }
  }
}

function changedIds<T>(
  before: ReadonlyMap<string, T>,
  after: ReadonlyMap<string, T>,
  isSame: (one: T | undefined, other: T | undefined) => boolean,
): ReadonlySet<string> {
  const changed = new Set<string>();
  if (before === after) return changed;
  for (const [id, each] of after) if (!isSame(before.get(id), each)) changed.add(id);
  for (const id of before.keys()) if (!after.has(id)) changed.add(id);
  return changed;
}
