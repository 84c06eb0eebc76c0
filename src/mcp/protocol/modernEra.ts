import { createMcpHandler, type McpHttpHandler, type Server, type ServerNotifier } from '@modelcontextprotocol/server';
import type { Clock } from '#base/clock.ts';
import type { Principal } from '#base/principal.ts';
import type { CallOrigin } from '#call/callTool.ts';
import { modernRevision } from '#mcp/wire/revisions.ts';
import type { Message } from '../requestBody.ts';
import type { Clients } from '../clients.ts';
import type { Exchange } from '../listener.ts';
import { clientOfMessage, refusals, type Inbound, type InboundRequests } from '../inbound.ts';
import type { OpenAnswers } from '../openAnswers.ts';
import type { Product } from '../product.ts';
import { keepAliveMilliseconds, resultIn, sendError, sendResult } from '../respond.ts';
import type { Handlers } from './handlers.ts';
import type { KeptAnswers } from './keptAnswers.ts';
import { ListenStreams } from './listenStreams.ts';
import { declaredCapabilities, type Peer } from './peer.ts';

interface ModernEraOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly handlers: Handlers;
  readonly inbound: InboundRequests;
  readonly answers: OpenAnswers;
  readonly kept: KeptAnswers;
}

/** Serves revision 2026-07-28, which has no sessions: every request gets its own SDK Server. */
export class ModernEra {
  readonly #options: ModernEraOptions;
  readonly #sdk: McpHttpHandler;
  readonly #listenStreams: ListenStreams;

  constructor(options: ModernEraOptions) {
    this.#options = options;
    this.#sdk = createMcpHandler(({ requestInfo }) => this.#makeServer(requestInfo), {
      legacy: 'reject',
      responseMode: 'sse',
      keepAliveMs: keepAliveMilliseconds,
    });
    this.#listenStreams = new ListenStreams(options.product, options.clock, this.#sdk.notify);
  }

  /** Sends notifications to the streams of `subscriptions/listen`. */
  get notify(): ServerNotifier {
    return this.#sdk.notify;
  }

  async serve(exchange: Exchange, message: Message, parsedBody: unknown): Promise<void> {
    const { caller } = exchange;
    const principal: Principal = {
      credential: caller.credential,
      ...(caller.connection === undefined ? {} : { connectionId: caller.connection }),
    };
    const client = clientOfMessage(message);
    this.#options.clients.seen(principal, client, '2026');
    const { kept } = this.#options;
    const key =
      message.id === undefined
        ? undefined
        : kept.keyOf(message, exchange.headers, { client, revision: modernRevision });
    const result = key === undefined ? undefined : kept.get(key);
    if (message.id !== undefined && result !== undefined) return sendResult(exchange.response, result, message.id);
    const request = this.#options.inbound.admit(exchange, { messages: [message], principal, client });
    if (key !== undefined)
      return this.#serveAndKeep(exchange, principal, key, this.#sdk.fetch(request, { parsedBody }));
    if (message.method === 'subscriptions/listen') return this.#serveListening(exchange, message, request);
    await this.#options.answers.send(exchange, await this.#sdk.fetch(request, { parsedBody }), principal);
  }

  /** Ends every call and stream. */
  async close(): Promise<void> {
    this.#listenStreams.dispose();
    await this.#sdk.close();
  }

  /** Answers a request whose result is kept for equal ones. */
  async #serveAndKeep(
    exchange: Exchange,
    principal: Principal,
    key: string,
    fetched: Promise<Response>,
  ): Promise<void> {
    const answer = await fetched;
    const text = await answer.text();
    const result = answer.status === 200 ? resultIn(text) : undefined;
    if (result !== undefined) this.#options.kept.keep(key, result);
    await this.#options.answers.send(exchange, new Response(text, answer), principal);
  }

  /** Serves `subscriptions/listen`. Decides which resources the stream may watch before the SDK acknowledges them. */
  async #serveListening(exchange: Exchange, message: Message, request: Request): Promise<void> {
    const { response } = exchange;
    const inbound = this.#inboundOf(request);
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const rootsNow = (): CallOrigin['roots'] => this.#options.handlers.rememberedRoots(inbound.principal);
    const roots = rootsNow();
    const origin: CallOrigin = {
      principal: inbound.principal,
      client: inbound.client,
      ...(inbound.worksIn !== undefined && { worksIn: inbound.worksIn }),
      era: '2026',
      protocolVersion: modernRevision,
      requestId: String(message.id),
      ...(inbound.remotePort !== undefined && { remotePort: inbound.remotePort }),
      ...(roots !== undefined && { roots }),
      signal: gone.signal,
    };
    const stream = await this.#listenStreams.open(message, origin, rootsNow);
    if (stream === 'too_many') return sendError(response, refusals.tooManyWatches, message.id ?? null);
    try {
      await this.#options.answers.send(
        exchange,
        await this.#sdk.fetch(request, { parsedBody: stream.body }),
        inbound.principal,
      );
    } finally {
      stream.dispose();
    }
  }

  #makeServer(request: Request | undefined): Server {
    const { principal, client, worksIn, messages } = this.#inboundOf(request);
    const peer: Peer = {
      era: '2026',
      principal,
      client,
      worksIn,
      protocolVersion: () => modernRevision,
      capabilities: declaredCapabilities,
      started: () => () => undefined,
    };
    // Every result of this era carries the server information; only `server/discover` needs its icons.
    return this.#options.handlers.makeServer(peer, { icons: messages[0]?.method === 'server/discover' });
  }

  #inboundOf(request: Request | undefined): Inbound {
    const inbound = this.#options.inbound.of(request);
    if (inbound === undefined) throw new Error('A request reached the SDK without passing McpEndpoint.serve.');
    return inbound;
  }
}
