import { randomBytes } from 'node:crypto';
import type { AuditLog } from '#audit/auditLog.ts';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { principalKey, type Principal } from '#base/principal.ts';
import { ToolError } from '#base/toolError.ts';
import type { WaitingRead } from './approval.ts';
import type { ReadRequest } from './approver.ts';
import { ArmingDelay, armMilliseconds } from './armingDelay.ts';

export interface ReadLimits {
  /** A request that nobody answers ends after this. */
  readonly expiryMilliseconds: number;
  /** An answer counts only this long after its request appeared or moved (threat row A17). */
  readonly armMilliseconds: number;
  /** An answer that came after its call had returned counts for the next such call, this long. */
  readonly keptMilliseconds: number;
  /** Requests that may wait at a time, of one principal and in all (threat row A16). */
  readonly pendingOfPrincipal: number;
  readonly pending: number;
}

export const shippedReadLimits: ReadLimits = {
  expiryMilliseconds: 30 * 60_000,
  armMilliseconds,
  keptMilliseconds: 10 * 60_000,
  pendingOfPrincipal: 20,
  pending: 50,
};

export interface WaitingReadsDependencies {
  readonly clock: Clock;
  readonly auditLog: Pick<AuditLog, 'event'>;
  /** `all` answers something else. */
  readonly changed: () => void;
  readonly limits?: ReadLimits;
}

export type ReadAnswer = 'accepted' | 'too_fast' | 'not_displayed' | 'already_decided';

/** How a request ended. */
type End = 'allowed' | 'declined' | 'expired' | 'withdrawn';

interface Entry {
  read: WaitingRead;
  /** Of principal and paths; undefined when the caller shares its credential, so that nobody can tell who comes back. */
  readonly key: string | undefined;
  readonly callers: Set<(end: End) => void>;
  /** A call was told that the human had not answered; a later answer still counts. */
  callReturned: boolean;
  /** Absent before the request was on screen. */
  arming?: ArmingDelay;
  readonly expiry: Subscription;
}

interface KeptAnswer {
  readonly principal: Principal;
  readonly end: 'allowed' | 'declined';
  readonly until: number;
}

const progressMilliseconds = 10_000;

/**
 * Reads of what is closed unless the human opens it for this once. The first to act wins, whoever it is: an answer, a cancel,
 * an expiry. In memory: a reload ends them, and their callers ask again.
 */
export class WaitingReads {
  readonly #dependencies: WaitingReadsDependencies;
  readonly #limits: ReadLimits;
  readonly #entries = new Map<string, Entry>();
  readonly #kept = new Map<string, KeptAnswer>();

  constructor(dependencies: WaitingReadsDependencies) {
    this.#dependencies = dependencies;
    this.#limits = dependencies.limits ?? shippedReadLimits;
  }

  /** Oldest first. */
  get all(): readonly WaitingRead[] {
    return [...this.#entries.values()].map(({ read }) => read);
  }

  /**
   * Resolves when the human lets these paths be read this once.
   * @throws ToolError `denied`, `unavailable` (not answered in time), `cancelled`, `too_many_pending`
   */
  async permit(request: ReadRequest): Promise<void> {
    const key = keyOf(request);
    const kept = this.#takeKept(key);
    if (kept !== undefined) return finishCall(kept, request);
    const joined = [...this.#entries.values()].find((entry) => key !== undefined && entry.key === key);
    const entry = joined ?? this.#add(request, key);
    finishCall(await this.#wait(entry, request), request);
  }

  /** The request is on screen, or moved there: an answer counts 500 ms from now, when `armed` is called. */
  displayed(id: string, armed: () => void = () => undefined): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    const { clock } = this.#dependencies;
    entry.arming?.dispose();
    entry.arming = new ArmingDelay(clock, this.#limits.armMilliseconds, armed);
    if (entry.read.displayedAt !== undefined) return;
    entry.read = { ...entry.read, displayedAt: clock.now() };
    this.#audit(entry, 'displayed');
    this.#dependencies.changed();
  }

  answer(id: string, allow: boolean): ReadAnswer {
    const entry = this.#entries.get(id);
    if (entry === undefined) return 'already_decided';
    // A notification may decline what is not on screen.
    if (allow && entry.arming === undefined) return 'not_displayed';
    if (entry.arming?.isOver === false) return 'too_fast';
    const end = allow ? 'allowed' : 'declined';
    if (entry.callers.size === 0) this.#keep(entry, end);
    this.#finish(entry, end);
    return 'accepted';
  }

  /** Ends what waits, and forgets answers that were not used yet, of the principals that `which` picks. */
  withdraw(which: (principal: Principal) => boolean): void {
    for (const entry of this.#entries.values()) if (which(entry.read.principal)) this.#finish(entry, 'withdrawn');
    for (const [key, { principal }] of this.#kept) if (which(principal)) this.#kept.delete(key);
  }

  #add(request: ReadRequest, key: string | undefined): Entry {
    const { principal, tool, client, paths, reason, explain } = request;
    this.#requireRoom(principal);
    const { clock } = this.#dependencies;
    const now = clock.now();
    const { expiryMilliseconds } = this.#limits;
    const read: WaitingRead = {
      id: `read-${randomBytes(12).toString('hex')}`,
      tool,
      principal,
      client,
      paths,
      reason,
      explain,
      requestedAt: now,
      expiresAt: now + expiryMilliseconds,
    };
    const entry: Entry = {
      read,
      key,
      callers: new Set(),
      callReturned: false,
      expiry: clock.after(expiryMilliseconds, () => this.#finish(entry, 'expired')),
    };
    this.#entries.set(read.id, entry);
    this.#audit(entry, 'waiting');
    this.#dependencies.changed();
    return entry;
  }

  #requireRoom(principal: Principal): void {
    const own = principalKey(principal);
    const waiting = [...this.#entries.values()].filter((entry) => principalKey(entry.read.principal) === own).length;
    const { pending, pendingOfPrincipal } = this.#limits;
    if (waiting < pendingOfPrincipal && this.#entries.size < pending) return;
    throw new ToolError(
      'too_many_pending',
      `${waiting} of your reads wait for the user already; they were not asked for this one.`,
      'Wait until the user has answered some of them.',
    );
  }

  /** Waits for the answer, for the caller's cancel, or until the call has to be answered. */
  async #wait(
    entry: Entry,
    { signal, waitMilliseconds, progress }: ReadRequest,
  ): Promise<End | 'waiting' | 'cancelled'> {
    const { clock } = this.#dependencies;
    const ended = Promise.withResolvers<End | 'waiting' | 'cancelled'>();
    entry.callers.add(ended.resolve);
    const leave = (how: 'waiting' | 'cancelled'): void => {
      entry.callers.delete(ended.resolve);
      // Nobody would ever use the answer of a caller that cannot be told from others.
      if (how === 'waiting' && entry.key !== undefined) entry.callReturned = true;
      if (entry.callers.size === 0 && !entry.callReturned) this.#finish(entry, 'withdrawn');
      ended.resolve(how);
    };
    const cancel = (): void => leave('cancelled');
    const deadline = clock.after(waitMilliseconds, () => leave('waiting'));
    let heartbeat: Subscription;
    const beat = (): Subscription =>
      clock.after(progressMilliseconds, () => {
        progress("Waiting for the user's permission to read");
        heartbeat = beat();
      });
    heartbeat = beat();
    signal.addEventListener('abort', cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await ended.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
      deadline.dispose();
      heartbeat.dispose();
    }
  }

  #finish(entry: Entry, end: End): void {
    if (!this.#entries.delete(entry.read.id)) return;
    entry.arming?.dispose();
    entry.expiry.dispose();
    this.#audit(entry, end);
    for (const told of entry.callers) told(end);
    entry.callers.clear();
    this.#dependencies.changed();
  }

  #keep({ key, read: { principal } }: Entry, end: KeptAnswer['end']): void {
    if (key === undefined) return;
    const now = this.#dependencies.clock.now();
    for (const [old, { until }] of this.#kept) if (until <= now) this.#kept.delete(old);
    this.#kept.set(key, { principal, end, until: now + this.#limits.keptMilliseconds });
  }

  #takeKept(key: string | undefined): KeptAnswer['end'] | undefined {
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (key === undefined || kept === undefined) return undefined;
    this.#kept.delete(key);
    return this.#dependencies.clock.now() < kept.until ? kept.end : undefined;
  }

  #audit({ read }: Entry, state: End | 'waiting' | 'displayed'): void {
    const { id, tool, displayedAt } = read;
    const choice = state === 'allowed' ? 'approve' : state === 'declined' ? 'decline' : undefined;
    this.#dependencies.auditLog.event({
      event: 'approval.state',
      approvalId: id,
      tool,
      state,
      ...(choice !== undefined && { choice }),
      ...(choice !== undefined && displayedAt !== undefined && { displayedAt }),
    });
  }
}

/** @throws ToolError unless the human allowed it */
function finishCall(end: End | 'waiting' | 'cancelled', { paths }: ReadRequest): void {
  if (end === 'allowed') return;
  const what = paths.join(', ');
  const again = `Go on without it; a yes within ten minutes counts for your next call with exactly these paths.`;
  const errors: Record<Exclude<typeof end, 'allowed'>, ToolError> = {
    declined: new ToolError('denied', `The user does not let you read ${what}.`, 'Go on without it; do not ask again.'),
    waiting: new ToolError('unavailable', `The user has not yet answered whether you may read ${what}.`, again),
    expired: new ToolError('unavailable', `The user did not answer whether you may read ${what}.`, 'Go on without it.'),
    withdrawn: new ToolError('denied', `The request to read ${what} was withdrawn in the window.`, 'Go on without it.'),
    cancelled: new ToolError('cancelled', `The call that wanted to read ${what} was cancelled.`, 'Nothing was read.'),
  };
  throw errors[end];
}

/** A permission is for these real paths and nobody else; a caller without a connection is not one assistant. */
function keyOf({ principal, realPaths }: ReadRequest): string | undefined {
  if (principal.connectionId === undefined) return undefined;
  return JSON.stringify([principal, [...new Set(realPaths)].toSorted()]);
}
