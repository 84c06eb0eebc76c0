import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { Principal } from '#base/principal.ts';
import type { Caller } from './auth.ts';

/** A 2025-era session as this registry sees it; what runs inside is the protocol layer's. */
export interface Session {
  readonly id: string;
  /** Who opened it; nobody else may use it (threat row H9). */
  readonly caller: Caller;
  readonly principal: Principal;
  /** A call runs or a stream is open, so it is neither idle nor in the way. */
  isBusy(): boolean;
  /** Something that it asked for is with the human, so it is to be there when that is decided. */
  isAwaited(): boolean;
  /** Ends its calls and streams. */
  close(): Promise<void>;
}

export interface SessionLimits {
  readonly sessions: number;
  /** Of them those of one principal. */
  readonly perPrincipal: number;
  readonly idleMilliseconds: number;
}

const defaultSessionLimits: SessionLimits = { sessions: 128, perPrincipal: 32, idleMilliseconds: 30 * 60_000 };

/** 128 bits from the system's random source. */
export function makeSessionId(): string {
  return randomBytes(16).toString('hex');
}

/** A new session's principal: the caller's connection, or one of its own when the caller named none. */
export function principalOfSession(caller: Caller, sessionId: string): Principal {
  return { credential: caller.credential, connectionId: caller.connection ?? `session:${sessionId}` };
}

interface Entry<S> {
  readonly session: S;
  lastUsed: number;
}

/** The open sessions of one server, least recently used first. */
export class Sessions<S extends Session> {
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  readonly #entries = new Map<string, Entry<S>>();
  #sweep: Subscription | undefined;

  constructor(clock: Clock, limits: SessionLimits = defaultSessionLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  get size(): number {
    return this.#entries.size;
  }

  list(): readonly S[] {
    return [...this.#entries.values()].map(({ session }) => session);
  }

  /** False when as many sessions as there may be, in all or of this caller, are all busy. */
  hasRoom(caller: Caller): boolean {
    return !this.#isFull(caller) || this.#givingWay(caller) !== undefined;
  }

  /** Adds a session; the least recently used idle one gives way to it when there are too many. */
  add(session: S): void {
    const idle = this.#isFull(session.caller) ? this.#givingWay(session.caller) : undefined;
    if (idle !== undefined) void this.#close(idle);
    this.#entries.set(session.id, { session, lastUsed: this.#clock.monotonic() });
    this.#sweep ??= this.#scheduleSweep();
  }

  get(id: string): S | undefined {
    return this.#entries.get(id)?.session;
  }

  /** The session of that id if it is the caller's own; an id alone proves nothing. Using it keeps it alive. */
  use(id: string, caller: Caller): S | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const owner = entry.session.caller;
    if (owner.credential !== caller.credential || owner.connection !== caller.connection) return undefined;
    this.touch(entry.session);
    return entry.session;
  }

  /** The session was used just now. */
  touch(session: S): void {
    if (!this.#entries.delete(session.id)) return;
    this.#entries.set(session.id, { session, lastUsed: this.#clock.monotonic() });
  }

  remove(session: S): void {
    this.#entries.delete(session.id);
    if (this.#entries.size > 0) return;
    this.#sweep?.dispose();
    this.#sweep = undefined;
  }

  async closeAll(): Promise<void> {
    await this.#closeWhere(() => true);
  }

  /** Closes the sessions of these principals. */
  async closeOf(which: (principal: Principal) => boolean): Promise<void> {
    await this.#closeWhere(({ principal }) => which(principal));
  }

  async #closeWhere(which: (session: S) => boolean): Promise<void> {
    const sessions = [...this.#entries.values()].map(({ session }) => session);
    await Promise.all(sessions.filter(which).map((session) => this.#close(session)));
  }

  #isFull(caller: Caller): boolean {
    return this.#entries.size >= this.#limits.sessions || this.#of(caller).length >= this.#limits.perPrincipal;
  }

  /** The least recently used idle one: of this caller's own when those are too many, of all otherwise. */
  #givingWay(caller: Caller): S | undefined {
    const own = this.#of(caller);
    // What the caller waits for comes to its other sessions.
    if (own.length >= this.#limits.perPrincipal) return own.find((session) => !session.isBusy());
    const all = [...this.#entries.values()].map(({ session }) => session);
    return all.find((session) => !session.isBusy() && !session.isAwaited());
  }

  /** Sessions of the caller's connection; one that names none is another principal in each session. */
  #of({ credential, connection }: Caller): readonly S[] {
    if (connection === undefined) return [];
    const all = [...this.#entries.values()].map(({ session }) => session);
    return all.filter(({ caller }) => caller.credential === credential && caller.connection === connection);
  }

  async #close(session: S): Promise<void> {
    this.remove(session);
    await session.close();
  }

  #scheduleSweep(): Subscription {
    return this.#clock.after(Math.min(60_000, this.#limits.idleMilliseconds), () => {
      this.#sweep = undefined;
      this.#closeIdle();
      if (this.#entries.size > 0) this.#sweep ??= this.#scheduleSweep();
    });
  }

  #closeIdle(): void {
    const now = this.#clock.monotonic();
    for (const entry of this.#entries.values()) {
      if (entry.session.isBusy() || entry.session.isAwaited()) entry.lastUsed = now;
      else if (now - entry.lastUsed >= this.#limits.idleMilliseconds) void this.#close(entry.session);
    }
  }
}
