import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import {
  classifyInboundRequest,
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
  type CallToolResult,
  type ListToolsResult,
  type McpHttpHandler,
  type RequestId,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { Call, CallOutcome } from '../core/callTool.ts';
import type { ResourceOutcome } from '../core/readResource.ts';
import type { ContentBlock, ToolResult } from '../core/result.ts';
import type { ErrorCode, ToolCatalog } from '../core/tool.ts';
import type { Clock } from '../ports/clock.ts';
import type { ClientInfo, Principal } from '../ports/principal.ts';
import { hasForbiddenKey, type Message } from './body.ts';
import { capabilities, modernRevision } from './capabilities.ts';
import { claimedClient, type Clients } from './clients.ts';
import type { Exchange } from './http.ts';
import {
  batchRevision,
  clientOfMessage,
  headersAgree,
  maximumBatch,
  mirrorHeaders,
  refusals,
  webRequest,
} from './inbound.ts';
import { sendError, sendResponse } from './respond.ts';
import { makeSessionId, principalOfSession, Sessions, type Session, type SessionLimits } from './sessions.ts';
import { listTools } from './toolList.ts';

/** What the protocol layer serves; the composition root makes it out of core. */
export interface Product {
  readonly serverInfo: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly catalog: ToolCatalog;
  callTool(call: Call): Promise<CallOutcome>;
  readResource(uri: string, call: Omit<Call, 'tool' | 'arguments'>): Promise<ResourceOutcome>;
}

export interface McpOptions {
  readonly product: Product;
  readonly clock: Clock;
  readonly clients: Clients;
  /** A bug of ours; the client is told "Internal error" and no more. */
  readonly onError: (error: unknown) => void;
  readonly sessionLimits?: SessionLimits;
  /** Whether something that a principal asked for is with the human. */
  readonly isAwaited: (principal: Principal) => boolean;
  /** A 2025-era session began or ended. */
  readonly onSession: (session: SessionEvent) => void;
}

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

/** Silent streams say so this often, since some clients give up on headers or bytes that do not come. */
const keepAliveMilliseconds = 5000;
/** The first revision in which invalid arguments are a result that the model sees (SEP-1303). */
const argumentErrorsAreResultsSince = '2025-11-25';

/** One client's side of a Server: who it is and how it speaks. */
interface Peer {
  readonly era: '2025' | '2026';
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** Hashed. */
  readonly sessionId?: string;
  protocolVersion(): string | undefined;
  /** Called around each handler that may take long; the returned function when it has settled. */
  started(context: ServerContext): () => void;
}

/** What an SDK request stands for. */
interface Inbound {
  readonly messages: readonly Message[];
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly remotePort: number | undefined;
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

/** Both protocol eras on one endpoint: 2026-07-28 per request, 2024-11-05 to 2025-11-25 in sessions. */
export class Mcp {
  readonly #options: McpOptions;
  readonly #sessions: Sessions<McpSession>;
  readonly #modern: McpHttpHandler;
  /** The messages that an SDK request stands for, as they were parsed: the SDK's own copy of arguments drops keys. */
  readonly #inbound = new WeakMap<Request, Inbound>();
  /** Answers that are on their way, and whose they are. */
  readonly #answering = new Map<ServerResponse, Principal>();
  #toolList: { readonly version: number; readonly result: ListToolsResult } | undefined;

  #stopped = false;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#sessions = new Sessions(options.clock, options.sessionLimits);
    this.#modern = createMcpHandler(({ requestInfo }) => this.#modernServer(requestInfo), {
      legacy: 'reject',
      responseMode: 'sse',
      keepAliveMs: keepAliveMilliseconds,
    });
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** Answers one request that the HTTP layer has admitted. */
  async serve(exchange: Exchange): Promise<void> {
    const { body, headers } = exchange;
    if (this.#stopped) return void exchange.response.destroy();
    if (body === undefined) return this.#serveSessionRequest(exchange);
    if (body.kind === 'batch') return this.#serveInSession(exchange, body.messages, body.body);
    const [message] = body.messages;
    const route = classifyInboundRequest({
      httpMethod: 'POST',
      body: body.body,
      ...mirrorHeaders(headers),
    });
    if (route.kind !== 'legacy') return this.#serveModern(exchange, message, body.body);
    if (!headersAgree(headers, message))
      return sendError(exchange.response, refusals.headerMismatch, message.id ?? null);
    if (message.method === 'initialize' && headers['mcp-session-id'] === undefined) {
      return this.#openSession(exchange, message, body.body);
    }
    return this.#serveInSession(exchange, body.messages, body.body);
  }

  /** Ends every call, stream and session of these principals. */
  async closeOf(which: (principal: Principal) => boolean): Promise<void> {
    // Answers that are ready, as those of cards that were withdrawn for it, leave first.
    await setImmediate();
    await this.#sessions.closeOf(which);
    for (const [response, principal] of this.#answering) {
      if (which(principal)) response.destroy();
    }
    this.#options.clients.forget(which);
  }

  /** Ends every call, stream and session. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#sessions.closeAll(), this.#modern.close()]);
  }

  async #serveModern(exchange: Exchange, message: Message, parsedBody: unknown): Promise<void> {
    const { caller } = exchange;
    const principal: Principal = {
      credential: caller.credential,
      ...(caller.connection === undefined ? {} : { connectionId: caller.connection }),
    };
    const client = clientOfMessage(message);
    this.#options.clients.seen(principal, client, '2026');
    const request = webRequest(exchange);
    this.#inbound.set(request, {
      messages: [message],
      principal,
      client,
      remotePort: exchange.response.socket?.remotePort,
    });
    await this.#send(exchange, await this.#modern.fetch(request, { parsedBody }), principal);
  }

  #modernServer(request: Request | undefined): Server {
    const entry = request && this.#inbound.get(request);
    if (entry === undefined) throw new Error('A request reached the SDK without passing Mcp.serve.');
    return this.#makeServer({
      era: '2026',
      principal: entry.principal,
      client: entry.client,
      protocolVersion: () => modernRevision,
      started: () => () => undefined,
    });
  }

  async #openSession(exchange: Exchange, message: Message, parsedBody: unknown): Promise<void> {
    if (!this.#sessions.hasRoom(exchange.caller))
      return sendError(exchange.response, refusals.tooManySessions, message.id ?? null);
    const session = this.#makeSession(exchange, claimedClient(message.params?.['clientInfo']));
    await session.server.connect(session.transport);
    const answer = await session.transport.handleRequest(webRequest(exchange), { parsedBody });
    if (this.#stopped || session.transport.sessionId === undefined) await session.server.close();
    else this.#options.clients.seen(session.principal, session.client, '2025');
    await this.#sendInSession(exchange, answer, session);
  }

  #makeSession(exchange: Exchange, client: ClientInfo | undefined): McpSession {
    const id = makeSessionId();
    const { caller } = exchange;
    const principal = principalOfSession(caller, id);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => {
        this.#sessions.add(session);
        this.#tellSession('open', session);
      },
      keepAliveMs: keepAliveMilliseconds,
    });
    const server = this.#makeServer({
      era: '2025',
      principal,
      client,
      sessionId: hashedSession(id),
      protocolVersion: () => server.getNegotiatedProtocolVersion(),
      started: (context) => this.#startedInSession(session, context),
    });
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
      if (caller.connection === undefined) this.#options.clients.gone(principal);
      if (transport.sessionId !== undefined) this.#tellSession('close', session);
    };
    return session;
  }

  /** GET and DELETE exist in sessions only. */
  async #serveSessionRequest(exchange: Exchange): Promise<void> {
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

  async #serveInSession(exchange: Exchange, messages: readonly Message[], parsedBody: unknown): Promise<void> {
    const isBatch = Array.isArray(parsedBody);
    if (isBatch && exchange.headers['mcp-session-id'] === undefined)
      return sendError(exchange.response, refusals.noBatch);
    const session = this.#findSession(exchange);
    if (session === undefined) return;
    if (isBatch && !allowsBatch(session, messages)) return sendError(exchange.response, refusals.noBatch);
    if (reusesId(session, messages)) return sendError(exchange.response, refusals.idInUse, messages[0]?.id ?? null);
    const request = webRequest(exchange);
    const { principal, client } = session;
    this.#inbound.set(request, { messages, principal, client, remotePort: exchange.response.socket?.remotePort });
    await this.#sendInSession(exchange, await session.transport.handleRequest(request, { parsedBody }), session);
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
      await this.#send(exchange, answer, session.principal);
    } finally {
      session.streams--;
      this.#sessions.touch(session);
    }
  }

  async #send(exchange: Exchange, answer: Response, principal: Principal): Promise<void> {
    const stream = this.#options.clients.streamOpened(principal);
    this.#answering.set(exchange.response, principal);
    try {
      await sendResponse(answer, exchange.response);
    } finally {
      this.#answering.delete(exchange.response);
      stream.dispose();
    }
  }

  /** Keeps a session busy while a call runs, and settles the response stream of a cancelled one, which the SDK leaves open. */
  #startedInSession(session: McpSession, { mcpReq, http }: ServerContext): () => void {
    const { id, signal } = mcpReq;
    session.running.add(id);
    const isBatch = (http?.req && this.#inbound.get(http.req)?.messages.length) !== 1;
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

  #makeServer(peer: Peer): Server {
    const { product } = this.#options;
    const server = new Server(product.serverInfo, {
      capabilities,
      instructions: product.instructions,
    });
    server.setRequestHandler('tools/list', ({ params }) => onePage(params?.cursor, this.#listTools()));
    server.setRequestHandler('tools/call', ({ params }, context) => this.#callTool(peer, params.name, context));
    server.setRequestHandler('resources/list', ({ params }) => onePage(params?.cursor, { resources: [] }));
    server.setRequestHandler('resources/templates/list', ({ params }) => onePage(params?.cursor, templates));
    server.setRequestHandler('resources/read', ({ params }, context) => this.#readResource(peer, params.uri, context));
    return server;
  }

  #listTools(): ListToolsResult {
    const { tools, version } = this.#options.product.catalog;
    if (this.#toolList?.version !== version) this.#toolList = { version, result: listTools(tools) };
    return this.#toolList.result;
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

  async #callTool(peer: Peer, tool: string, context: ServerContext): Promise<CallToolResult> {
    const settled = peer.started(context);
    this.#options.clients.called(peer.principal);
    try {
      const call = {
        ...callContext(peer, context, this.#inboundOf(context)),
        tool,
        arguments: this.#argumentsOf(context),
      };
      const outcome = hasForbiddenKey(call.arguments)
        ? ({
            kind: 'invalid_arguments',
            message: 'arguments: __proto__ and constructor are not allowed as keys',
          } as const)
        : await this.#guard(() => this.#options.product.callTool(call));
      return toolAnswer(outcome, peer.protocolVersion());
    } finally {
      settled();
    }
  }

  async #readResource(peer: Peer, uri: string, context: ServerContext) {
    const settled = peer.started(context);
    try {
      const call = callContext(peer, context, this.#inboundOf(context));
      const outcome = await this.#guard(() => this.#options.product.readResource(uri, call));
      if (outcome.kind === 'contents') return { contents: outcome.contents.map((contents) => ({ ...contents })) };
      const { code, message, hint } = outcome;
      throw new ProtocolError(resourceErrorCode(code), message, { code, message, hint, uri });
    } finally {
      settled();
    }
  }

  #inboundOf({ http }: ServerContext): Inbound | undefined {
    return http?.req && this.#inbound.get(http.req);
  }

  #argumentsOf(context: ServerContext): unknown {
    const messages = this.#inboundOf(context)?.messages ?? [];
    return messages.find((message) => message.id === context.mcpReq.id)?.params?.['arguments'] ?? {};
  }

  /** Anything but a ProtocolError would reach the client with its own message, which may say too much. */
  async #guard<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#options.onError(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
    }
  }
}

const templates = {
  resourceTemplates: [
    {
      uriTemplate: 'file:///{+path}',
      name: 'workspace_file',
      title: 'File of the workspace',
      description: 'A file as the editor holds it, unsaved changes included. Every link in a tool result can be read.',
    },
  ],
};

function allowsBatch(session: McpSession, messages: readonly Message[]): boolean {
  return session.server.getNegotiatedProtocolVersion() === batchRevision && messages.length <= maximumBatch;
}

/** Two running requests of one id would both be answered on the second one's stream. */
function reusesId(session: McpSession, messages: readonly Message[]): boolean {
  const ids = messages.flatMap(({ id, method }) => (method === undefined || id === undefined ? [] : [id]));
  return new Set(ids).size < ids.length || ids.some((id) => session.running.has(id));
}

function onePage<T>(cursor: string | undefined, page: T): T {
  if (cursor !== undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid cursor');
  return page;
}

function hashedSession(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 16);
}

function callContext(
  peer: Peer,
  { mcpReq }: ServerContext,
  inbound: Inbound | undefined,
): Omit<Call, 'tool' | 'arguments'> {
  const { _meta: meta } = mcpReq;
  const progressToken = meta?.progressToken;
  let progress = 0;
  const send = (message: string): void => {
    if (progressToken === undefined || mcpReq.signal.aborted) return;
    const params = { progressToken, progress: ++progress, message };
    // The stream may be gone; the call itself is told so by its signal, where the revision wants that.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  return {
    principal: peer.principal,
    client: peer.client,
    era: peer.era,
    protocolVersion: peer.protocolVersion(),
    requestId: String(mcpReq.id),
    ...(peer.sessionId !== undefined && { sessionId: peer.sessionId }),
    ...(inbound?.remotePort !== undefined && { remotePort: inbound.remotePort }),
    signal: mcpReq.signal,
    ...(progressToken === undefined ? {} : { progress: send }),
  };
}

/** Revisions before 2025-11-25 list invalid arguments among protocol errors; later ones want the model to see them. */
function toolAnswer(outcome: CallOutcome, protocolVersion: string | undefined): CallToolResult {
  if (outcome.kind === 'result') return mutableResult(outcome.result);
  const isResult = (protocolVersion ?? modernRevision) >= argumentErrorsAreResultsSince;
  if (outcome.kind === 'invalid_arguments' && isResult) {
    return { content: [{ type: 'text', text: outcome.message }], isError: true };
  }
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, outcome.message);
}

/** The SDK's types know no read-only arrays. */
function mutableResult({ content, ...rest }: ToolResult): CallToolResult {
  return { ...rest, content: content.map(mutableBlock) };
}

function mutableBlock(block: ContentBlock): CallToolResult['content'][number] {
  if (block.type === 'text') return block;
  const { audience, ...others } = block.annotations;
  return { ...block, annotations: { ...others, ...(audience === undefined ? {} : { audience: [...audience] }) } };
}

/** The SDK answers a missing resource with -32602 and its uri in `data` in both eras (SEP-2164 retired -32002). */
function resourceErrorCode(code: ErrorCode): number {
  return code === 'internal' ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
}
