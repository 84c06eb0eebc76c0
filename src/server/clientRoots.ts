import type { ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { principalKey, type Principal } from '../ports/principal.ts';

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
  #asking: Promise<void> | undefined;

  constructor(milliseconds = answerMilliseconds) {
    this.#answerMilliseconds = milliseconds;
  }

  /** `file:` URIs; undefined for a client that does not answer. Call it for clients that declare roots. */
  async of(context: ServerContext): Promise<readonly string[] | undefined> {
    await (this.#asking ??= this.#ask(context));
    return this.#known;
  }

  /** `notifications/roots/list_changed` came. */
  changed(): void {
    this.#asking = undefined;
  }

  async #ask({ mcpReq }: ServerContext): Promise<void> {
    const options = { timeout: this.#answerMilliseconds, maxTotalTimeout: this.#answerMilliseconds };
    const answer = await mcpReq.send({ method: 'roots/list' }, listedRoots, options).catch(() => undefined);
    // A call that ended while it asked proves nothing about the client: the next one asks.
    if (mcpReq.signal.aborted) this.#asking = undefined;
    // What it narrowed itself to stays, when it does not say what came instead.
    if (answer !== undefined) this.#known = fileRoots(answer);
  }
}

interface Answered {
  readonly roots: readonly string[] | undefined;
}

/**
 * The roots of clients of the 2026 era, which has no sessions: asked by the first call of a connection, then remembered for
 * it. Roots are deprecated there (SEP-2577) but still in the revision, and nothing tells when they change.
 */
export class RememberedRoots {
  /** How often each principal was asked, or what it answered; the least recently asked first. */
  readonly #principals = new Map<string, number | Answered>();

  /** `file:` URIs; undefined for a principal that was not asked, or has none. */
  known(principal: Principal): readonly string[] | undefined {
    const known = this.#principals.get(principalKey(principal));
    return typeof known === 'object' ? known.roots : undefined;
  }

  /** Whether the principal is to be asked now; that it is counts. */
  mustAsk(principal: Principal): boolean {
    const asked = this.#principals.get(principalKey(principal)) ?? 0;
    if (typeof asked === 'object' || asked >= mostQuestions) return false;
    this.#remember(principal, asked + 1);
    return true;
  }

  /** @param answer of the client to `roots/list`; not checked. One that is none means that it has no roots. */
  answered(principal: Principal, answer: unknown): void {
    const listed = listedRoots.safeParse(answer);
    this.#remember(principal, { roots: listed.success ? fileRoots(listed.data) : undefined });
  }

  #remember(principal: Principal, what: number | Answered): void {
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
