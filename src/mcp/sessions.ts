import { randomBytes } from 'node:crypto';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import type { Caller } from './auth.ts';

/** A 2025-era session as this registry sees it. The protocol layer implements it. */
export interface Session {
  readonly id: string;
  /** The caller that opened the session; no other caller may use it (threat row H9). */
  readonly caller: Caller;
  readonly client: ClientInfo | undefined;
  readonly principal: Principal;
  /** Returns whether a call runs or a stream is open. A busy session never makes room for another. */
  isBusy(): boolean;
  /** Returns whether an approval of the session waits for the user. The session must outlive that decision. */
  isAwaited(): boolean;
  /** Ends the session's calls and streams. */
  close(): Promise<void>;
}

export interface SessionLimits {
  readonly sessions: number;
  /** Maximum number of sessions of one connection, and of the clients of one name that have no connection secret. */
  readonly perPrincipal: number;
  readonly idleMilliseconds: number;
}

const defaultSessionLimits: SessionLimits = { sessions: 128, perPrincipal: 32, idleMilliseconds: 30 * 60_000 };

/** Makes a session id of 128 bits from the system's random source, in hex. */
export function makeSessionId(): string {
  return randomBytes(16).toString('hex');
}

/** Returns a new session's principal: the caller's connection, or one for this session when the caller named none. */
export function principalOfSession(caller: Caller, sessionId: string): Principal {
  return { credential: caller.credential, connectionId: caller.connection ?? `session:${sessionId}` };
}

/** Returns for whom a session counts: for its connection, or for the claimed name of a client without one. */
function ownerOf({ caller: { credential, connection }, client }: Pick<Session, 'caller' | 'client'>): string {
  return JSON.stringify(connection === undefined ? [credential, null, client?.name] : [credential, connection]);
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

  /** Returns false when a limit is reached, in total or for this caller, and the caller has no idle session to close. */
  hasRoom(opener: Pick<Session, 'caller' | 'client'>): boolean {
    return !this.#isFull(opener) || this.#givingWay(opener) !== undefined;
  }

  /** Adds a session. When a limit is reached, closes the caller's own least recently used idle session, never another caller's. */
  add(session: S): void {
    const idle = this.#isFull(session) ? this.#givingWay(session) : undefined;
    if (idle !== undefined) void this.#close(idle);
    this.#entries.set(session.id, { session, lastUsed: this.#clock.monotonic() });
    this.#sweep ??= this.#scheduleSweep();
  }

  get(id: string): S | undefined {
    return this.#entries.get(id)?.session;
  }

  /** Returns the session of that id if the caller opened it, since an id alone proves nothing. Restarts its idle time. */
  use(id: string, caller: Caller): S | undefined {
    const entry = this.#entries.get(id);
    if (entry === undefined) return undefined;
    const owner = entry.session.caller;
    if (owner.credential !== caller.credential || owner.connection !== caller.connection) return undefined;
    this.touch(entry.session);
    return entry.session;
  }

  /** Restarts the idle time of a session. */
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

  /** Closes the sessions of the principals that the predicate selects. */
  async closeOf(which: (principal: Principal) => boolean): Promise<void> {
    await this.#closeWhere(({ principal }) => which(principal));
  }

  async #closeWhere(which: (session: S) => boolean): Promise<void> {
    await Promise.all(
      this.list()
        .filter(which)
        .map((session) => this.#close(session)),
    );
  }

  #isFull(opener: Pick<Session, 'caller' | 'client'>): boolean {
    return this.#entries.size >= this.#limits.sessions || this.#of(opener).length >= this.#limits.perPrincipal;
  }

  /** Returns the caller's own least recently used session that may be closed: otherwise invented connections end those of others. */
  #givingWay(opener: Pick<Session, 'caller' | 'client'>): S | undefined {
    // The approvals of a connection are delivered to its other sessions; without one they end with their session.
    const losesApprovals = opener.caller.connection === undefined;
    return this.#of(opener).find((session) => !session.isBusy() && !(losesApprovals && session.isAwaited()));
  }

  #of(opener: Pick<Session, 'caller' | 'client'>): readonly S[] {
    const owner = ownerOf(opener);
    return this.list().filter((session) => ownerOf(session) === owner);
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
