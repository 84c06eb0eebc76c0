import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { principalKey, type ClientInfo, type Principal } from '#base/principal.ts';

/** A connected client for the status bar and the Connections view. Its name and version are unverified claims. */
export interface ConnectedClient {
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly era: '2025' | '2026';
  /** Milliseconds since the epoch: the start of its present uninterrupted connection, and its last request. */
  readonly since: number;
  readonly lastSeen: number;
  readonly openStreams: number;
  /** Number of tool calls since `since`. */
  readonly calls: number;
}

/** A caller may send a new connection secret with each request, so the oldest clients are dropped above this number. */
const mostClients = 1000;
/** A client without an open stream counts as connected for this long after its last request: the 2026 era has no sessions. */
const recentMilliseconds = 5 * 60_000;

interface Entry {
  client: ConnectedClient;
  seenAt: number;
}

/** The connected clients: those with a request in the last five minutes or an open stream. */
export class Clients {
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #changed = new Emitter<void>();
  #timer: Subscription | undefined;

  /** Fires when a client connects, disconnects or changes its name. */
  readonly onDidChange: Event<void> = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  list(): readonly ConnectedClient[] {
    return [...this.#entries.values()].filter((entry) => this.#isPresent(entry)).map((entry) => entry.client);
  }

  /** Records a request of a client. */
  seen(principal: Principal, client: ClientInfo | undefined, era: '2025' | '2026'): void {
    const key = principalKey(principal);
    const known = this.#entries.get(key);
    if (known === undefined) this.#makeRoom();
    const now = this.#clock.now();
    const before = known?.client ?? { since: now, openStreams: 0, calls: 0, client: undefined };
    const after = { ...before, principal, era, lastSeen: now, client: client ?? before.client };
    const seenAt = this.#clock.monotonic();
    this.#entries.delete(key);
    this.#entries.set(
      key,
      known === undefined ? { client: after, seenAt } : Object.assign(known, { client: after, seenAt }),
    );
    this.#timer ??= this.#scheduleForget();
    const isNews = known === undefined || (client !== undefined && before.client?.name !== client.name);
    if (isNews) this.#changed.fire();
  }

  /** Counts one tool call of the principal's client. */
  called(principal: Principal): void {
    const entry = this.#entries.get(principalKey(principal));
    if (entry !== undefined) entry.client = { ...entry.client, calls: entry.client.calls + 1 };
  }

  /** Counts a stream as open until the returned subscription is disposed. */
  streamOpened(principal: Principal): Subscription {
    // A client that was dropped and comes back has a new record, which must not count the end of this stream.
    const entry = this.#entries.get(principalKey(principal));
    const count = (by: number): void => {
      if (entry === undefined) return;
      entry.client = { ...entry.client, openStreams: entry.client.openStreams + by };
      entry.seenAt = this.#clock.monotonic();
    };
    count(1);
    let open = true;
    return {
      dispose() {
        if (open) count(-1);
        open = false;
      },
    };
  }

  /** Removes the client of a principal that disconnected. */
  gone(principal: Principal): void {
    if (this.#entries.delete(principalKey(principal))) this.#changed.fire();
    this.#stopTimerWhenEmpty();
  }

  /** Removes the clients of all principals that the predicate selects. */
  forget(which: (principal: Principal) => boolean): void {
    const before = this.#entries.size;
    for (const [key, { client }] of this.#entries) if (which(client.principal)) this.#entries.delete(key);
    if (this.#entries.size !== before) this.#changed.fire();
    this.#stopTimerWhenEmpty();
  }

  clear(): void {
    this.#entries.clear();
    this.#stopTimerWhenEmpty();
  }

  #makeRoom(): void {
    if (this.#entries.size < mostClients) return;
    const [oldest] = [...this.#entries].find(([, { client }]) => client.openStreams === 0) ?? [];
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  #isPresent(entry: Entry): boolean {
    return entry.client.openStreams > 0 || this.#clock.monotonic() - entry.seenAt < recentMilliseconds;
  }

  #scheduleForget(): Subscription {
    return this.#clock.after(recentMilliseconds / 10, () => {
      const before = this.#entries.size;
      for (const [key, entry] of this.#entries) if (!this.#isPresent(entry)) this.#entries.delete(key);
      this.#timer = this.#entries.size > 0 ? this.#scheduleForget() : undefined;
      if (this.#entries.size !== before) this.#changed.fire();
    });
  }

  #stopTimerWhenEmpty(): void {
    if (this.#entries.size > 0) return;
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}

const clientInfo = z.object({ name: z.string(), version: z.string() });
/** Longest name or version kept, in UTF-16 code units, so that a claim cannot fill the log. */
const maximumClaim = 200;

/** Returns the name and version that a client claims, shortened, or undefined when the value is malformed. */
export function claimedClient(value: unknown): ClientInfo | undefined {
  const claim = clientInfo.safeParse(value);
  if (!claim.success) return undefined;
  return { name: claim.data.name.slice(0, maximumClaim), version: claim.data.version.slice(0, maximumClaim) };
}
