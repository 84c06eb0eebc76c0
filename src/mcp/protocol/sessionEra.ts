import { createHash } from 'node:crypto';
import type { JSONRPCMessage, RequestId, Server, ServerContext } from '@modelcontextprotocol/server';
import type { Clock } from '#base/clock.ts';
import type { ClientInfo, Principal } from '#base/principal.ts';
import { featuresOf, modernRevision } from '#mcp/wire/revisions.ts';
import type { Message } from '../requestBody.ts';
import { claimedClient, type Clients } from '../clients.ts';
import type { Exchange } from '../listener.ts';
import { batchRevision, inboundFrom, maximumBatch, refusals, type Inbound } from '../inbound.ts';
import type { OpenAnswers } from '../openAnswers.ts';
import type { Product } from '../product.ts';
import { SessionWatches } from '../resourceWatches.ts';
import { sendError } from '../respond.ts';
import { makeSessionId, principalOfSession, Sessions, type Session, type SessionLimits } from '../sessions.ts';
import { logChange } from './clientLog.ts';
import { SessionRoots } from './clientRoots.ts';
import type { Handlers } from './handlers.ts';
import type { KeptAnswers } from './keptAnswers.ts';
import type { Peer, SessionState } from './peer.ts';
import { acceptsAnswers, acceptsEvents, isInitialize, protocolMessage, SessionTransport } from './sessionTransport.ts';

export interface SessionEvent {
  readonly state: 'open' | 'close';
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly protocolVersion: string | undefined;
  /** First 16 hex digits of the SHA-256 of the session id. */
  readonly sessionId: string;
  /** True when the principal ends with the session, because it existed for this session only. */
  readonly endsPrincipal: boolean;
}

interface SessionEraOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly handlers: Handlers;
  readonly answers: OpenAnswers;
  readonly kept: KeptAnswers;
  readonly sessionLimits?: SessionLimits;
  /** Time that calls wait for a client's answer to `roots/list`. */
  readonly rootsMilliseconds?: number;
  /** Returns whether an approval of the principal waits for the user. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** Called when a session opened or closed. */
  readonly onSession: (session: SessionEvent) => void;
}

interface McpSession extends Session {
  readonly server: Server;
  readonly transport: SessionTransport;
  readonly running: Set<RequestId>;
  streams: number;
}

/** Serves revisions 2024-11-05 to 2025-11-25 in sessions, each with its own SDK Server. */
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

  /** Returns the parsed messages that a running request came with. */
  inboundOf({ sessionId, mcpReq }: ServerContext): Inbound | undefined {
    return sessionId === undefined ? undefined : this.#sessions.get(sessionId)?.transport.inboundOf(mcpReq.id);
  }

  /** Returns the SDK Servers of the open sessions. */
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

  /** Opens a session for an `initialize` request, and answers it. */
  async open(exchange: Exchange, message: Message): Promise<void> {
    const { response, caller } = exchange;
    const client = claimedClient(message.params?.['clientInfo']);
    if (!this.#sessions.hasRoom({ caller, client }))
      return sendError(response, refusals.tooManySessions, message.id ?? null);
    if (!acceptsAnswers(exchange)) return sendError(response, refusals.notAcceptable);
    const request = protocolMessage(message);
    if (request === undefined) return sendError(response, refusals.malformed);
    if (!isInitialize(request) || !('id' in request)) return sendError(response, refusals.notInitialized);
    const session = this.#makeSession(exchange, message, client);
    await session.server.connect(session.transport);
    if (this.#isClosed) return void response.destroy();
    this.#sessions.add(session);
    this.#tellSession('open', session);
    this.#options.clients.seen(session.principal, session.client, '2025');
    await this.#answer(exchange, session, [message], [request]);
  }

  /** Serves GET and DELETE, which exist in sessions only. */
  async serveRequest(exchange: Exchange): Promise<void> {
    if (exchange.headers['mcp-protocol-version'] === modernRevision)
      return sendError(exchange.response, refusals.postOnly);
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    const isStream = exchange.method === 'GET';
    if (isStream && session.transport.isListening) return sendError(exchange.response, refusals.tooManyStreams);
    const refused =
      isStream && !acceptsEvents(exchange) ? refusals.notAcceptableStream : session.transport.wrongVersion(exchange);
    if (refused !== undefined) return sendError(exchange.response, refused);
    return isStream ? this.#listen(exchange, session) : this.#end(exchange, session);
  }

  /** Serves the messages of one POST in a session. */
  async serve(exchange: Exchange, messages: readonly Message[], isBatch: boolean): Promise<void> {
    if (isBatch && exchange.headers['mcp-session-id'] === undefined)
      return sendError(exchange.response, refusals.noBatch);
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    if (isBatch && !allowsBatch(session, messages)) return sendError(exchange.response, refusals.noBatch);
    if (reusesId(session, messages)) return sendError(exchange.response, refusals.idInUse, messages[0]?.id ?? null);
    if (!acceptsAnswers(exchange)) return sendError(exchange.response, refusals.notAcceptable);
    const checked = messages.flatMap((message) => protocolMessage(message) ?? []);
    if (checked.length < messages.length) return sendError(exchange.response, refusals.malformed);
    const refused = checked.some(isInitialize) ? refusals.initialized : session.transport.wrongVersion(exchange);
    if (refused !== undefined) return sendError(exchange.response, refused);
    if (checked.some((message) => 'method' in message && 'id' in message))
      return this.#answer(exchange, session, messages, checked);
    session.transport.receive(checked);
    exchange.response.statusCode = 202;
    exchange.response.end();
    this.#sessions.touch(session);
  }

  async #answer(
    exchange: Exchange,
    session: McpSession,
    messages: readonly Message[],
    checked: readonly JSONRPCMessage[],
  ): Promise<void> {
    const { principal, client, transport, server } = session;
    const { headers, response } = exchange;
    const [message] = messages;
    const revision = server.getNegotiatedProtocolVersion();
    const key =
      message?.id === undefined || messages.length > 1
        ? undefined
        : this.#options.kept.keyOf(message, headers, { client, revision });
    const result = key === undefined ? undefined : this.#options.kept.get(key);
    if (message?.id !== undefined && result !== undefined) return transport.answerAgain(result, message.id, response);
    const keep = key === undefined ? undefined : (made: string) => this.#options.kept.keep(key, made);
    const inbound = inboundFrom(exchange, { messages, principal, client });
    await this.#keepInSession(exchange, session, transport.answer(checked, inbound, response, keep));
  }

  async #listen(exchange: Exchange, session: McpSession): Promise<void> {
    await this.#keepInSession(exchange, session, session.transport.listen(exchange.response));
  }

  async #end({ response }: Exchange, { server }: McpSession): Promise<void> {
    await server.close();
    response.end();
  }

  #makeSession({ caller }: Exchange, { params }: Message, client: ClientInfo | undefined): McpSession {
    const id = makeSessionId();
    const principal = principalOfSession(caller, id);
    const transport = new SessionTransport(id);
    const roots = new SessionRoots(this.#options.rootsMilliseconds);
    const rootsNow = (): readonly string[] | undefined => roots.known;
    const watches = new SessionWatches(this.#options, rootsNow, (uri) => server.sendResourceUpdated({ uri }));
    const followed = new SessionWatches(this.#options, rootsNow, (uri) => logChange(server, uri, state.logLevel));
    const state: SessionState = {
      hashedId: hashedSession(id),
      roots,
      watches,
      followed,
      logLevel: undefined,
    };
    const peer: Peer = {
      era: '2025',
      principal,
      client,
      worksIn: caller.worksIn,
      session: state,
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
      isBusy: () => session.running.size > 0 || session.streams > 0,
      isAwaited: () => this.#options.isAwaited(principal),
      close: () => server.close(),
    };
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's Server is no EventTarget
    server.onclose = () => {
      this.#sessions.remove(session);
      watches.dispose();
      followed.dispose();
      if (caller.connection === undefined) this.#options.clients.gone(principal);
      this.#tellSession('close', session);
    };
    return session;
  }

  /** Returns the caller's own session, or sends a refusal (400 without an id, 404 for a foreign id) and returns undefined. */
  #findSession(exchange: Exchange): McpSession | undefined {
    const id = exchange.headers['mcp-session-id'];
    const session = typeof id === 'string' ? this.#sessions.use(id, exchange.caller) : undefined;
    if (session === undefined)
      sendError(exchange.response, id === undefined ? refusals.missingSession : refusals.unknownSession);
    else this.#options.clients.seen(session.principal, session.client, '2025');
    return session;
  }

  async #keepInSession(exchange: Exchange, session: McpSession, sent: Promise<void>): Promise<void> {
    session.streams++;
    try {
      await this.#options.answers.keep(exchange, session.principal, sent);
    } finally {
      session.streams--;
      this.#sessions.touch(session);
    }
  }

  /** Keeps a session busy while a request runs, and settles a cancelled request, which the SDK leaves open. */
  #startedInSession(session: McpSession, { mcpReq }: ServerContext): () => void {
    const { id, signal } = mcpReq;
    session.running.add(id);
    const onAbort = (): void => session.transport.cancel(id);
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

/** Returns whether an id is already running: both requests would be answered on the stream of the second. */
function reusesId(session: McpSession, messages: readonly Message[]): boolean {
  const ids = messages.flatMap(({ id, method }) => (method === undefined || id === undefined ? [] : [id]));
  return new Set(ids).size < ids.length || ids.some((id) => session.running.has(id));
}

function hashedSession(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 16);
}
