import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { isMoment, type NativeMoment } from '#base/nativeCommand.ts';
import type { UnknownTool } from '#base/nativeEdit.ts';
import {
  authenticate,
  connectionOf,
  folderOf,
  isConnectionSecret,
  isStillValid,
  type Caller,
  type Credential,
  type FailureGuard,
} from './auth.ts';
import { defaultBodyLimits, parseBody, type BodyLimits, type ParsedBody } from './requestBody.ts';
import { acknowledge, hookBytes, hookPath, parseHookBody, serveHook, type AnswerHook } from './hook.ts';
import { hasBody, refuse, type Refusal } from './refusal.ts';
import { checkHeaders, portForwarded } from './requestHeaders.ts';

const endpointPath = '/mcp';

/** An HTTP request that has passed every check of the listener, and its response. */
export interface Exchange {
  readonly method: 'POST' | 'GET' | 'DELETE';
  readonly headers: IncomingMessage['headers'];
  readonly caller: Caller;
  /** Present for POST only. */
  readonly body: Exclude<ParsedBody, { kind: 'refused' }> | undefined;
  readonly response: ServerResponse;
}

export interface ListenerOptions {
  /** Port from 1 to 65535; the system chooses a free one when absent. */
  readonly port?: number;
  /** Read at each request, so that a revoked credential is refused at once. */
  readonly credentials: () => readonly Credential[];
  readonly guard: FailureGuard;
  readonly sockets: SocketLimit;
  /** Answers the exchange through its `response`. */
  readonly serve: (exchange: Exchange) => Promise<void>;
  /** Answers the hook programs of assistants, which prove the secret of the window; absent on a listener without them. */
  readonly answerHook?: AnswerHook;
  /** Called when a hook program reports a tool of an assistant that it does not know. */
  readonly onUnknownTool?: ((tool: UnknownTool) => void) | undefined;
  /** Called when a hook program reports the beginning or end of a session or turn of an assistant. */
  readonly onMoment?: ((moment: NativeMoment) => void) | undefined;
  readonly onAuthenticationFailure: () => void;
  /** Called when a request came through a forwarded port or a proxy. */
  readonly onForwarded: () => void;
  /** Called when a request proved this credential. */
  readonly onAuthenticated: (credential: Credential) => void;
  /** Called with an unexpected error, which the client is not told. */
  readonly onError: (error: unknown) => void;
  readonly bodyLimits?: BodyLimits;
  /** Time in which the headers of a request must arrive. */
  readonly headersMilliseconds?: number;
}

export interface Listener {
  /** `http://127.0.0.1:<port>/mcp`. */
  readonly endpoint: string;
  readonly port: number;
  /** Refuses new connections and cuts the open ones. */
  stop(): Promise<void>;
}

const maximumSockets = 512;

/** Counts the connections of all listeners of one window together (threat row H8). */
export class SocketLimit {
  readonly #maximum: number;
  #open = 0;

  constructor(maximum = maximumSockets) {
    this.#maximum = maximum;
  }

  /** Counts a connection until it closes. Returns false, without counting, when the maximum is open. */
  admit(socket: Socket): boolean {
    if (this.#open >= this.#maximum) return false;
    this.#open += 1;
    socket.once('close', () => (this.#open -= 1));
    return true;
  }
}

/** Node's default closes idle connections after 5 s, while an assistant thinks, and its next request would race with that. */
const keepAliveMilliseconds = 5 * 60_000;
const headersMilliseconds = 10_000;
const requestMilliseconds = 60_000;
/** Delay of answers to wrong credentials after too many failures. */
const lockedDelayMilliseconds = 250;

/**
 * Listens for HTTP requests on 127.0.0.1 only; no option widens that (threat row H4).
 * @throws when the requested port is in use (`EADDRINUSE`) or forbidden (`EACCES`)
 */
export async function startListener(options: ListenerOptions): Promise<Listener> {
  const headersTimeout = options.headersMilliseconds ?? headersMilliseconds;
  const server = createServer({
    keepAliveTimeout: keepAliveMilliseconds,
    headersTimeout,
    requestTimeout: requestMilliseconds,
    connectionsCheckingInterval: Math.min(1000, headersTimeout),
    requireHostHeader: true,
    insecureHTTPParser: false,
  });
  server.on('connection', (socket: Socket) => {
    if (!isLoopback(socket.remoteAddress) || !options.sockets.admit(socket)) socket.destroy();
  });
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    handle(request, response, options).catch((error: unknown) => {
      options.onError(error);
      if (response.headersSent) response.destroy();
      else refuse(request, response, { status: 500, code: -32603, message: 'Internal error' });
    });
  };
  server.on('request', onRequest);
  // Without this listener, Node itself would ask for the body before the token is checked.
  server.on('checkContinue', onRequest);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port: options.port ?? 0, exclusive: true }, resolve);
  });
  server.removeAllListeners('error').on('error', options.onError);
  const address = server.address();
  if (!isLoopbackAddress(address)) {
    server.close();
    throw new Error('The server was bound to something other than 127.0.0.1.');
  }
  return {
    endpoint: `http://127.0.0.1:${address.port}${endpointPath}`,
    port: address.port,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Returns whether the remote address of a socket is a loopback address. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
}

function isLoopbackAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address?.address === '127.0.0.1';
}

/** Checks a request step by step. The order is a defence: no part is read before the check that admits it (threat row H5). */
async function handle(request: IncomingMessage, response: ServerResponse, options: ListenerOptions): Promise<void> {
  const badHeaders = checkHeaders(request);
  if (badHeaders === portForwarded) options.onForwarded();
  if (badHeaders !== undefined) return refuse(request, response, badHeaders);
  const credential = authenticate(request.headers.authorization, options.credentials());
  if (credential === undefined) return refuse(request, response, failAuthentication(options));
  options.onAuthenticated(credential);
  const secret = singleHeader(request, 'drawbridge-connection');
  if (secret !== undefined && !isConnectionSecret(secret)) return refuse(request, response, badConnection);
  const { answerHook } = options;
  if (request.url === hookPath && answerHook !== undefined && credential.name === 'window') {
    return handleHook(request, response, credential, { ...options, answerHook });
  }
  if (request.url !== endpointPath) return refuse(request, response, notFound);
  const connection = secret === undefined ? undefined : connectionOf(secret);
  const folder = singleHeader(request, 'drawbridge-folder');
  const worksIn = folder === undefined ? undefined : folderOf(folder);
  // A caller whose folder cannot be read must not count as one that means this window.
  if (folder !== undefined && worksIn === undefined) return refuse(request, response, badFolder);
  const caller = { credential: credential.name, connection, worksIn };
  const { method, headers } = request;
  if (method === 'POST') return handlePost(request, response, { caller, credential }, options);
  if (method !== 'GET' && method !== 'DELETE') return refuse(request, response, badMethod);
  if (hasBody(request)) return refuse(request, response, unexpectedBody);
  return options.serve({ method, headers, caller, body: undefined, response });
}

async function handlePost(
  request: IncomingMessage,
  response: ServerResponse,
  { caller, credential }: { readonly caller: Caller; readonly credential: Credential },
  options: ListenerOptions,
): Promise<void> {
  const limits = options.bodyLimits ?? defaultBodyLimits;
  const bytes = await readPost(request, response, { credential, maximum: limits.bytes }, options);
  if (bytes === undefined) return;
  if (!Buffer.isBuffer(bytes)) return refuse(request, response, bytes);
  const body = parseBody(bytes, limits);
  if (body.kind === 'refused') return refuse(request, response, { status: 400, ...body });
  return options.serve({ method: 'POST', headers: request.headers, caller, body, response });
}

async function handleHook(
  request: IncomingMessage,
  response: ServerResponse,
  credential: Credential,
  options: ListenerOptions & { readonly answerHook: AnswerHook },
): Promise<void> {
  if (request.method !== 'POST') return refuse(request, response, { ...badMethod, allow: 'POST' });
  const bytes = await readPost(request, response, { credential, maximum: hookBytes }, options);
  if (bytes === undefined) return;
  if (!Buffer.isBuffer(bytes)) return refuse(request, response, bytes);
  const call = parseHookBody(bytes);
  if (call === undefined) return refuse(request, response, badCall);
  if (call.event === 'unknown') {
    options.onUnknownTool?.(call);
    return acknowledge(response);
  }
  if (isMoment(call)) {
    options.onMoment?.(call);
    return acknowledge(response);
  }
  return serveHook(call, response, options.answerHook);
}

/** Returns the body of a POST request, or why it is refused; undefined when its sender left. */
async function readPost(
  request: IncomingMessage,
  response: ServerResponse,
  { credential, maximum }: { readonly credential: Credential; readonly maximum: number },
  options: ListenerOptions,
): Promise<Buffer | Refusal | undefined> {
  const badBody = checkBodyHeaders(request, maximum);
  if (badBody !== undefined) return badBody;
  if (request.headers.expect !== undefined) response.writeContinue();
  const bytes = await readBody(request, maximum);
  if (bytes === 'disconnected') return undefined;
  if (bytes === 'too_large') return tooLarge(maximum);
  // A body may take a minute to arrive, and its sender's token may be revoked meanwhile.
  return isStillValid(credential, options.credentials()) ? bytes : failAuthentication(options);
}

const badConnection: Refusal = { status: 400, code: -32600, message: 'Bad Request: malformed Drawbridge-Connection.' };
const badFolder: Refusal = { status: 400, code: -32600, message: 'Bad Request: malformed Drawbridge-Folder.' };
const notFound: Refusal = { status: 404, code: -32600, message: `Not Found: the endpoint is ${endpointPath}.` };
const badCall: Refusal = { status: 400, code: -32600, message: 'Bad Request: the body is not a call of a hook.' };
const badMethod: Refusal = { status: 405, code: -32600, message: 'Method not allowed.', allow: 'GET, POST, DELETE' };
const unexpectedBody: Refusal = { status: 400, code: -32600, message: 'Bad Request: this method has no body.' };
const badType: Refusal = { status: 415, code: -32600, message: 'Content-Type must be application/json in UTF-8.' };

function tooLarge(maximum: number): Refusal {
  return { status: 413, code: -32600, message: `The body is larger than ${maximum} bytes.` };
}

function failAuthentication(options: ListenerOptions): Refusal {
  options.onAuthenticationFailure();
  return options.guard.fail() ? { status: 429, delayMilliseconds: lockedDelayMilliseconds } : { status: 401 };
}

function checkBodyHeaders(request: IncomingMessage, maximum: number): Refusal | undefined {
  const type = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;
  if (!type.test(request.headers['content-type'] ?? '')) return badType;
  if (request.headers['content-encoding'] !== undefined) return badType;
  return Number(request.headers['content-length'] ?? 0) > maximum ? tooLarge(maximum) : undefined;
}

function singleHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

/** Reads a body of up to `maximum` bytes. Stops at the first chunk that exceeds it. */
function readBody(request: IncomingMessage, maximum: number): Promise<Buffer | 'too_large' | 'disconnected'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > maximum) {
        request.pause();
        resolve('too_large');
      } else chunks.push(chunk);
    });
    request.once('end', () => resolve(Buffer.concat(chunks, length)));
    request.once('close', () => resolve('disconnected'));
    request.once('error', () => resolve('disconnected'));
  });
}
