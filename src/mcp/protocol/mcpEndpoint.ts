import { setImmediate } from 'node:timers/promises';
import { classifyInboundRequest } from '@modelcontextprotocol/server';
import type { Clock } from '#base/clock.ts';
import type { Principal } from '#base/principal.ts';
import { modernRevision, sessionRevisions } from '#mcp/wire/revisions.ts';
import type { Message } from '../requestBody.ts';
import type { Clients } from '../clients.ts';
import type { Exchange } from '../listener.ts';
import { headersAgree, InboundRequests, mirrorHeaders, refusals } from '../inbound.ts';
import { OpenAnswers } from '../openAnswers.ts';
import type { Product } from '../product.ts';
import { sendError } from '../respond.ts';
import type { SessionLimits } from '../sessions.ts';
import { Handlers } from './handlers.ts';
import { KeptAnswers } from './keptAnswers.ts';
import { ModernEra } from './modernEra.ts';
import { ListChangedNotifier } from './listChangedNotifier.ts';
import { SessionEra, type SessionEvent } from './sessionEra.ts';

export interface McpEndpointOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  /** Called with an unexpected error. The client is told only "Internal error". */
  readonly onError: (error: unknown) => void;
  readonly sessionLimits?: SessionLimits;
  /** Items per page of the lists held in memory. */
  readonly pageSize?: number;
  /** Time that calls wait for a client's answer to `roots/list`. */
  readonly rootsMilliseconds?: number;
  /** Returns whether an approval of the principal waits for the user. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** Called when a 2025-era session opened or closed. */
  readonly onSession: (session: SessionEvent) => void;
}

/** Serves both protocol eras on one endpoint: 2026-07-28 per request, 2024-11-05 to 2025-11-25 in sessions. */
export class McpEndpoint {
  readonly #clients: Clients;
  readonly #answers: OpenAnswers;
  readonly #sessions: SessionEra;
  readonly #modern: ModernEra;
  readonly #listChanged: ListChangedNotifier;
  #stopped = false;

  constructor(options: McpEndpointOptions) {
    this.#clients = options.clients;
    this.#answers = new OpenAnswers(options.clients);
    const inbound = new InboundRequests();
    const handlers = new Handlers({
      ...options,
      inboundOf: (context) => inbound.of(context.http?.req) ?? this.#sessions.inboundOf(context),
    });
    const shared = { ...options, handlers, inbound, answers: this.#answers, kept: new KeptAnswers(options.product) };
    this.#sessions = new SessionEra(shared);
    this.#modern = new ModernEra(shared);
    this.#listChanged = new ListChangedNotifier(options, () => this.#sessions.servers(), this.#modern.notify);
  }

  get sessionCount(): number {
    return this.#sessions.sessionCount;
  }

  /** Answers one request that the HTTP layer has admitted. */
  async serve(exchange: Exchange): Promise<void> {
    const { body, headers } = exchange;
    if (this.#stopped) return void exchange.response.destroy();
    if (body === undefined) return this.#sessions.serveRequest(exchange);
    if (body.kind === 'batch') return this.#sessions.serve(exchange, body.messages, true);
    const [message] = body.messages;
    if (!isOfSession(headers, message)) return this.#modern.serve(exchange, message, body.body);
    if (!headersAgree(headers, message))
      return sendError(exchange.response, refusals.headerMismatch, message.id ?? null);
    if (message.method === 'initialize' && headers['mcp-session-id'] === undefined)
      return this.#sessions.open(exchange, message);
    return this.#sessions.serve(exchange, body.messages, false);
  }

  /** Ends every call, stream and session of the principals that the predicate selects. */
  async closeOf(which: (principal: Principal) => boolean): Promise<void> {
    // Lets ready answers leave first, such as those of approvals that were just withdrawn.
    await setImmediate();
    await this.#sessions.closeOf(which);
    this.#answers.closeOf(which);
    this.#clients.forget(which);
  }

  /** Ends every call, stream and session. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#listChanged.dispose();
    await Promise.all([this.#sessions.close(), this.#modern.close()]);
  }
}

/** Returns whether a message belongs to the session era. Decides the usual cases by the header; the SDK decides the rest. */
function isOfSession(headers: Exchange['headers'], message: Message): boolean {
  const revision = headers['mcp-protocol-version'];
  if (message.method !== undefined && message.method !== 'initialize') {
    if (revision === modernRevision) return false;
    if (message.params?.['_meta'] === undefined && sessionRevisions.some((each) => each === revision)) return true;
  }
  return classifyInboundRequest({ httpMethod: 'POST', body: message, ...mirrorHeaders(headers) }).kind === 'legacy';
}
