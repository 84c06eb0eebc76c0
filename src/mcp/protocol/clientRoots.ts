import type { ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import type { Clock } from '#base/clock.ts';
import { principalKey, type Principal } from '#base/principal.ts';

/** Time that calls wait for a client's answer to `roots/list`. */
const answerMilliseconds = 3000;
/** Roots above this number are ignored, so the client sees nothing in them: a longer list is surely a mistake. */
const mostRoots = 1000;
/** A caller may send a new connection secret with each request, so the oldest principals are dropped above this number. */
const mostPrincipals = 1000;
/** A client that declares roots but never answers is asked this often; then its calls run without roots. */
const mostQuestions = 3;

/** Accepts any URI: the SDK's schema refuses a whole answer because of one root that is not a file. */
const listedRoots = z.object({ roots: z.array(z.object({ uri: z.string() })) });

/**
 * The roots of one 2025-era session. Asks the client on the stream of the first call that needs them, since no other
 * stream may be open, and again after the client said that they changed.
 */
export class SessionRoots {
  readonly #answerMilliseconds: number;
  #known: readonly string[] | undefined;
  /** The running or finished question; undefined when the next call must ask. */
  #asking: Promise<Asked> | undefined;

  constructor(milliseconds = answerMilliseconds) {
    this.#answerMilliseconds = milliseconds;
  }

  /** The client's last answer. */
  get known(): readonly string[] | undefined {
    return this.#known;
  }

  /** Returns `file:` URIs, or undefined when the client does not answer. Call this for clients that declare roots only. */
  async of(context: ServerContext): Promise<readonly string[] | undefined> {
    for (;;) {
      const asking = (this.#asking ??= this.#ask(context));
      const { callEnded, roots } = await asking;
      const isNews = this.#asking === asking;
      if (isNews && !callEnded) {
        // Without a new answer the earlier roots stay in force.
        this.#known = roots ?? this.#known;
        return this.#known;
      }
      // Asks again when the asking call ended too early, or the roots changed during the question.
      if (isNews) this.#asking = undefined;
      if (context.mcpReq.signal.aborted) return this.#known;
    }
  }

  /** Call this at `notifications/roots/list_changed`: the next call asks again. */
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

/** The outcome of one question for roots. */
interface Asked {
  /** True when the call ended on whose stream the question was sent. */
  readonly callEnded: boolean;
  /** Undefined when the client did not say. */
  readonly roots: readonly string[] | undefined;
}

interface Answered {
  readonly roots: readonly string[] | undefined;
}

interface Unanswered {
  readonly questions: number;
  /** Milliseconds on the monotonic clock when the last question was counted. */
  readonly askedAt: number;
}

/**
 * The roots of clients of the 2026 era, which has no sessions. The first call of a connection asks for them; later calls
 * use the remembered answer. Roots are deprecated in that revision (SEP-2577), and no notification tells of their change.
 */
export class RememberedRoots {
  readonly #clock: Clock;
  /** Ordered by the last question or answer, oldest first. */
  readonly #principals = new Map<string, Unanswered | Answered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns `file:` URIs, or undefined for a principal that has not answered or has no roots. */
  known(principal: Principal): readonly string[] | undefined {
    const known = this.#principals.get(principalKey(principal));
    return known !== undefined && 'roots' in known ? known.roots : undefined;
  }

  /** Returns whether to ask the principal now. Simultaneous calls are all asked, and count as one question. */
  mustAsk(principal: Principal): boolean {
    const asked = this.#principals.get(principalKey(principal)) ?? { questions: 0, askedAt: -Infinity };
    if ('roots' in asked) return false;
    const now = this.#clock.monotonic();
    if (now - asked.askedAt < answerMilliseconds) return true;
    if (asked.questions >= mostQuestions) return false;
    this.#remember(principal, { questions: asked.questions + 1, askedAt: now });
    return true;
  }

  /** @param answer the client's unchecked answer to `roots/list`; a malformed one means that the client has no roots */
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
