import type { ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import { principalKey, type Principal } from '#base/principal.ts';

/** Calls wait this long for a client to tell its roots. */
const answerMilliseconds = 3000;
/** More would be no overlap with a workspace but a mistake; what is left out is not seen. */
const mostRoots = 1000;
/** Whoever may come in may come with another connection at each request; then the oldest are forgotten. */
const mostPrincipals = 1000;
/** A client that declares roots but does not understand the question is to have its calls answered all the same. */
const mostQuestions = 3;

/** Wider than the SDK's, which refuses a whole answer for one root that is no file. */
const listedRoots = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/**
 * The roots of one 2025-era session. It is asked on the stream of its first call that needs them, since a client need
 * not have any other stream open, and again after it said that they changed.
 */
export class SessionRoots {
  readonly #answerMilliseconds: number;
  #known: readonly string[] | undefined;
  /** Undefined when the next call is to ask. */
  #asking: Promise<Asked> | undefined;

  constructor(milliseconds = answerMilliseconds) {
    this.#answerMilliseconds = milliseconds;
  }

  /** What it said last. */
  get known(): readonly string[] | undefined {
    return this.#known;
  }

  /** `file:` URIs; undefined for a client that does not answer. Call it for clients that declare roots. */
  async of(context: ServerContext): Promise<readonly string[] | undefined> {
    for (;;) {
      const asking = (this.#asking ??= this.#ask(context));
      const { callEnded, roots } = await asking;
      const isNews = this.#asking === asking;
      if (isNews && !callEnded) {
        // What it narrowed itself to stays, when it does not say what came instead.
        this.#known = roots ?? this.#known;
        return this.#known;
      }
      // A call that ended while it asked proves nothing about the client, nor does an answer from before a change.
      if (isNews) this.#asking = undefined;
      if (context.mcpReq.signal.aborted) return this.#known;
    }
  }

  /** `notifications/roots/list_changed` came. */
  changed(): void {
    this.#asking = undefined;
  }

  async #ask({ mcpReq }: ServerContext): Promise<Asked> {
    const timeout = this.#answerMilliseconds;
    const options = { timeout, maxTotalTimeout: timeout, signal: mcpReq.signal };
    const answer = await mcpReq.send({ method: 'roots/list' }, listedRoots, options).catch(() => undefined);
    return { callEnded: mcpReq.signal.aborted, roots: answer && fileRoots(answer) };
  }
}

/** What came of the question for roots. */
interface Asked {
  /** Of the call on whose stream it was asked. */
  readonly callEnded: boolean;
  /** Undefined when the client did not say. */
  readonly roots: readonly string[] | undefined;
}

interface Answered {
  readonly roots: readonly string[] | undefined;
}

interface Unanswered {
  readonly questions: number;
  /** Milliseconds on the monotonic clock: when the last one was counted. */
  readonly askedAt: number;
}

/**
 * The roots of clients of the 2026 era, which has no sessions: asked by the first call of a connection, then remembered for
 * it. Roots are deprecated there (SEP-2577) but still in the revision, and nothing tells when they change.
 */
export class RememberedRoots {
  readonly #clock: Clock;
  /** The least recently asked first. */
  readonly #principals = new Map<string, Unanswered | Answered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `file:` URIs; undefined for a principal that was not asked, or has none. */
  known(principal: Principal): readonly string[] | undefined {
    const known = this.#principals.get(principalKey(principal));
    return known !== undefined && 'roots' in known ? known.roots : undefined;
  }

  /** Whether the principal is to be asked now. Calls that come together are all asked, and count as one question. */
  mustAsk(principal: Principal): boolean {
    const asked = this.#principals.get(principalKey(principal)) ?? { questions: 0, askedAt: -Infinity };
    if ('roots' in asked) return false;
    const now = this.#clock.monotonic();
    if (now - asked.askedAt < answerMilliseconds) return true;
    if (asked.questions >= mostQuestions) return false;
    this.#remember(principal, { questions: asked.questions + 1, askedAt: now });
    return true;
  }

  /** @param answer of the client to `roots/list`; not checked. One that is none means that it has no roots. */
  answered(principal: Principal, answer: unknown): void {
    const listed = listedRoots.safeParse(answer);
    this.#remember(principal, { roots: listed.success ? fileRoots(listed.data) : undefined });
  }

  #remember(principal: Principal, what: Unanswered | Answered): void {
    const key = principalKey(principal);
    this.#principals.delete(key);
    this.#principals.set(key, what);
    const [oldest] = this.#principals.keys();
    if (this.#principals.size > mostPrincipals && oldest !== undefined) this.#principals.delete(oldest);
  }
}

function fileRoots({ roots }: z.infer<typeof listedRoots>): readonly string[] {
  return roots
    .map(({ uri }) => uri)
    .filter((uri) => uri.startsWith('file:'))
    .slice(0, mostRoots);
}
