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
import { ModernEra } from './modernEra.ts';
import { ListChangedNotifier } from './listChangedNotifier.ts';
import { SessionEra, type SessionEvent } from './sessionEra.ts';

export interface McpEndpointOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  /** A bug of ours; the client is told "Internal error" and no more. */
  readonly onError: (error: unknown) => void;
  readonly sessionLimits?: SessionLimits;
  /** Items of a page of the lists that are whole in memory. */
  readonly pageSize?: number;
  /** How long calls wait for a client to tell its roots. */
  readonly rootsMilliseconds?: number;
  /** Whether something that a principal asked for is with the human. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** A 2025-era session began or ended. */
  readonly onSession: (session: SessionEvent) => void;
}

/** Both protocol eras on one endpoint: 2026-07-28 per request, 2024-11-05 to 2025-11-25 in sessions. */
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
    const shared = { ...options, handlers, inbound, answers: this.#answers };
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

  /** Ends every call, stream and session of these principals. */
  async closeOf(which: (principal: Principal) => boolean): Promise<void> {
    // Answers that are ready, as those of cards that were withdrawn for it, leave first.
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

/** The era of a message. Nearly all name their revision and say nothing that could speak against it; the SDK judges the rest. */
function isOfSession(headers: Exchange['headers'], message: Message): boolean {
  const revision = headers['mcp-protocol-version'];
  if (message.method !== undefined && message.method !== 'initialize') {
    if (revision === modernRevision) return false;
    if (message.params?.['_meta'] === undefined && sessionRevisions.some((each) => each === revision)) return true;
  }
  return classifyInboundRequest({ httpMethod: 'POST', body: message, ...mirrorHeaders(headers) }).kind === 'legacy';
}
