import { createHash } from 'node:crypto';
import {
  WebStandardStreamableHTTPServerTransport,
  type RequestId,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Clock } from '../ports/clock.ts';
import type { ClientInfo, Principal } from '../ports/principal.ts';
import type { Message } from './body.ts';
import { modernRevision } from './capabilities.ts';
import { claimedClient, type Clients } from './clients.ts';
import { SessionRoots } from './clientRoots.ts';
import { Coalescer } from './coalescer.ts';
import type { Handlers } from './handlers.ts';
import type { Exchange } from './http.ts';
import { batchRevision, maximumBatch, refusals, webRequest, type InboundRequests } from './inbound.ts';
import { keepAliveMilliseconds } from './keepAlive.ts';
import type { OpenAnswers } from './openAnswers.ts';
import type { Peer } from './peer.ts';
import type { Product } from './product.ts';
import { ResourceWatches } from './resourceWatches.ts';
import { sendError } from './respond.ts';
import { featuresOf } from './revisions.ts';
import { makeSessionId, principalOfSession, Sessions, type Session, type SessionLimits } from './sessions.ts';

export interface SessionEvent {
  readonly state: 'open' | 'close';
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly protocolVersion: string | undefined;
  /** First 16 hex digits of the SHA-256 of its id. */
  readonly sessionId: string;
  /** Nobody can be this principal again. */
  readonly endsPrincipal: boolean;
}

interface SessionEraOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly handlers: Handlers;
  readonly inbound: InboundRequests;
  readonly answers: OpenAnswers;
  readonly sessionLimits?: SessionLimits;
  /** How long calls wait for a client to tell its roots. */
  readonly rootsMilliseconds?: number;
  /** Whether something that a principal asked for is with the human. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** A session began or ended. */
  readonly onSession: (session: SessionEvent) => void;
}

interface McpSession extends Session {
  readonly client: ClientInfo | undefined;
  readonly server: Server;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly running: Set<RequestId>;
  streams: number;
  /** Its one stream that answers no request is open (threat row H8). */
  isListening: boolean;
}

/** Serves 2024-11-05 to 2025-11-25: sessions, each with a Server of its own. */
export class SessionEra {
  readonly #options: SessionEraOptions;
  readonly #sessions: Sessions<McpSession>;
  #isClosed = false;

  constructor(options: SessionEraOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options.clock, options.sessionLimits);
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Those of the open sessions. */
  servers(): readonly Server[] {
    return this.#sessions.list().map(({ server }) => server);
  }

  async closeOf(which: (principal: Principal) => boolean): Promise<void> {
    await this.#sessions.closeOf(which);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#sessions.closeAll();
  }

  /** `initialize`. */
  async open(exchange: Exchange, message: Message, parsedBody: unknown): Promise<void> {
    if (!this.#sessions.hasRoom(exchange.caller))
      return sendError(exchange.response, refusals.tooManySessions, message.id ?? null);
    const session = this.#makeSession(exchange, message);
    await session.server.connect(session.transport);
    const answer = await session.transport.handleRequest(webRequest(exchange), { parsedBody });
    if (this.#isClosed || session.transport.sessionId === undefined) await session.server.close();
    else this.#options.clients.seen(session.principal, session.client, '2025');
    await this.#sendInSession(exchange, answer, session);
  }

  /** GET and DELETE exist in sessions only. */
  async serveRequest(exchange: Exchange): Promise<void> {
    if (exchange.headers['mcp-protocol-version'] === modernRevision)
      return sendError(exchange.response, refusals.postOnly);
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    const isStream = exchange.method === 'GET';
    if (isStream && session.isListening) return sendError(exchange.response, refusals.tooManyStreams);
    if (isStream) session.isListening = true;
    try {
      await this.#sendInSession(exchange, await session.transport.handleRequest(webRequest(exchange)), session);
    } finally {
      if (isStream) session.isListening = false;
    }
  }

  /** The messages of one POST in a session. */
  async serve(exchange: Exchange, messages: readonly Message[], parsedBody: unknown): Promise<void> {
    const isBatch = Array.isArray(parsedBody);
    if (isBatch && exchange.headers['mcp-session-id'] === undefined)
      return sendError(exchange.response, refusals.noBatch);
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    if (isBatch && !allowsBatch(session, messages)) return sendError(exchange.response, refusals.noBatch);
    if (reusesId(session, messages)) return sendError(exchange.response, refusals.idInUse, messages[0]?.id ?? null);
    const { principal, client } = session;
    const request = this.#options.inbound.admit(exchange, { messages, principal, client });
    await this.#sendInSession(exchange, await session.transport.handleRequest(request, { parsedBody }), session);
  }

  #makeSession({ caller }: Exchange, { params }: Message): McpSession {
    const id = makeSessionId();
    const client = claimedClient(params?.['clientInfo']);
    const principal = principalOfSession(caller, id);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        this.#sessions.add(session);
        this.#tellSession('open', session);
      },
      keepAliveMs: keepAliveMilliseconds,
    });
    const watches = new ResourceWatches(this.#options.product, (uri) => updates.changed(uri));
    const updates = new Coalescer<string>(this.#options.clock, (uri) => {
      if (watches.has(uri)) server.sendResourceUpdated({ uri }).catch(() => undefined);
    });
    const peer: Peer = {
      era: '2025',
      principal,
      client,
      session: {
        hashedId: hashedSession(id),
        roots: new SessionRoots(this.#options.rootsMilliseconds),
        watches,
        logLevel: undefined,
      },
      protocolVersion: () => server.getNegotiatedProtocolVersion(),
      capabilities: () => server.getClientCapabilities() ?? {},
      started: (context) => this.#startedInSession(session, context),
    };
    const requested = params?.['protocolVersion'];
    const { icons } = featuresOf(typeof requested === 'string' ? requested : undefined);
    const server = this.#options.handlers.makeServer(peer, { icons });
    const session: McpSession = {
      id,
      caller,
      principal,
      client,
      server,
      transport,
      running: new Set(),
      streams: 0,
      isListening: false,
      isBusy: () => session.running.size > 0 || session.streams > 0,
      isAwaited: () => this.#options.isAwaited(principal),
      close: () => server.close(),
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's Server is no EventTarget
    server.onclose = () => {
      this.#sessions.remove(session);
      watches.dispose();
      updates.dispose();
      if (caller.connection === undefined) this.#options.clients.gone(principal);
      if (transport.sessionId !== undefined) this.#tellSession('close', session);
    };
    return session;
  }

  /** The caller's own session, or undefined after the refusal was sent: no id 400, not its own id 404. */
  #findSession(exchange: Exchange): McpSession | undefined {
    const id = exchange.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.use(id, exchange.caller) : undefined;
    if (session === undefined)
      sendError(exchange.response, id === undefined ? refusals.missingSession : refusals.unknownSession);
    else this.#options.clients.seen(session.principal, session.client, '2025');
    return session;
  }

  async #sendInSession(exchange: Exchange, answer: Response, session: McpSession): Promise<void> {
    session.streams++;
    try {
      await this.#options.answers.send(exchange, answer, session.principal);
    } finally {
      session.streams--;
      this.#sessions.touch(session);
    }
  }

  /** Keeps a session busy while a call runs, and settles the response stream of a cancelled one, which the SDK leaves open. */
  #startedInSession(session: McpSession, { mcpReq, http }: ServerContext): () => void {
    const { id, signal } = mcpReq;
    session.running.add(id);
    const isBatch = this.#options.inbound.of(http?.req)?.messages.length !== 1;
    const onAbort = (): void => {
      // A cancelled call gets no answer (basic/utilities/cancellation). In a batch the others still need the stream.
      if (!isBatch) session.transport.closeSSEStream(id);
      const cancelled = { jsonrpc: '2.0', id, error: { code: -32603, message: 'Cancelled' } } as const;
      session.transport.send(cancelled).catch(() => undefined);
    };
    signal.addEventListener('abort', onAbort, { once: true });
    return () => {
      signal.removeEventListener('abort', onAbort);
      session.running.delete(id);
      this.#sessions.touch(session);
    };
  }

  #tellSession(state: SessionEvent['state'], { id, caller, principal, client, server }: McpSession): void {
    this.#options.onSession({
      state,
      principal,
      client,
      protocolVersion: server.getNegotiatedProtocolVersion(),
      sessionId: hashedSession(id),
      endsPrincipal: state === 'close' && caller.connection === undefined,
    });
  }
}

function allowsBatch(session: McpSession, messages: readonly Message[]): boolean {
  return session.server.getNegotiatedProtocolVersion() === batchRevision && messages.length <= maximumBatch;
}

/** Two running requests of one id would both be answered on the second one's stream. */
function reusesId(session: McpSession, messages: readonly Message[]): boolean {
  const ids = messages.flatMap(({ id, method }) => (method === undefined || id === undefined ? [] : [id]));
  return new Set(ids).size < ids.length || ids.some((id) => session.running.has(id));
}

function hashedSession(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 16);
}
