import type { ClientInfo, Principal } from '#base/principal.ts';
import type { Message } from './requestBody.ts';
import { claimedClient } from './clients.ts';
import type { Exchange } from './listener.ts';
import { tooManyWatches } from './resourceWatches.ts';

/** The parsed messages behind one SDK request, and their sender. */
export interface Inbound {
  readonly messages: readonly Message[];
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  readonly remotePort: number | undefined;
  readonly worksIn: string | undefined;
}

/** The part of an {@link Inbound} that its exchange does not tell. */
type Sender = Omit<Inbound, 'remotePort' | 'worksIn'>;

/** Keeps the parsed messages of each SDK request, because the SDK's own copy of arguments drops keys. */
export class InboundRequests {
  readonly #inbound = new WeakMap<Request, Inbound>();

  /** Makes the SDK request of an exchange, and remembers its messages. */
  admit(exchange: Exchange, inbound: Sender): Request {
    const request = webRequest(exchange);
    this.#inbound.set(request, inboundFrom(exchange, inbound));
    return request;
  }

  of(request: Request | undefined): Inbound | undefined {
    return request && this.#inbound.get(request);
  }
}

/** Adds the facts of the connection to the messages of an exchange. */
export function inboundFrom({ response, caller }: Exchange, inbound: Sender): Inbound {
  return { ...inbound, remotePort: response.socket?.remotePort, worksIn: caller.worksIn };
}

/** The only revision with batches. */
export const batchRevision = '2025-03-26';
export const maximumBatch = 16;

/** The refusals of requests that are well-formed HTTP and JSON-RPC. */
export const refusals = {
  missingSession: { status: 400, code: -32000, message: 'Bad Request: Mcp-Session-Id header is required.' },
  unknownSession: { status: 404, code: -32001, message: 'Session not found. Send initialize to open a new one.' },
  notAcceptable: {
    status: 406,
    code: -32000,
    message: 'Not Acceptable: Client must accept both application/json and text/event-stream',
  },
  notAcceptableStream: { status: 406, code: -32000, message: 'Not Acceptable: Client must accept text/event-stream' },
  malformed: { status: 400, code: -32700, message: 'Parse error: Invalid JSON-RPC message' },
  notInitialized: { status: 400, code: -32000, message: 'Bad Request: Server not initialized' },
  initialized: { status: 400, code: -32600, message: 'Invalid Request: Server already initialized' },
  tooManySessions: { status: 503, code: -32000, message: 'Too many sessions are open. Try again later.' },
  tooManyStreams: { status: 429, code: -32000, message: 'This session has its stream already. Close that one first.' },
  postOnly: { status: 405, code: -32000, message: 'Method not allowed.', allow: 'POST' },
  idInUse: { status: 400, code: -32600, message: 'Invalid Request: this id belongs to a request still running.' },
  noBatch: {
    status: 400,
    code: -32600,
    message: `Invalid Request: batches exist in ${batchRevision} sessions only, up to ${maximumBatch} messages.`,
  },
  tooManyWatches: { status: 200, code: -32602, message: tooManyWatches },
  headerMismatch: { status: 400, code: -32020, message: 'Mcp-Method or Mcp-Name disagrees with the body.' },
} as const;

/** Returns whether the headers that mirror the body agree with it, so that no reader of them is misled (threat row H18). */
export function headersAgree(headers: Exchange['headers'], { method, params }: Message): boolean {
  const methodHeader = headers['mcp-method'];
  const nameHeader = headers['mcp-name'];
  if (methodHeader !== undefined && methodHeader !== method) return false;
  return nameHeader === undefined || nameHeader === (params?.['name'] ?? params?.['uri']);
}

/** Returns the headers that decide the era of a request, under the SDK's names. */
export function mirrorHeaders(headers: Exchange['headers']): {
  protocolVersionHeader?: string;
  mcpMethodHeader?: string;
  mcpNameHeader?: string;
} {
  const version = headers['mcp-protocol-version'];
  const method = headers['mcp-method'];
  const name = headers['mcp-name'];
  return {
    ...(typeof version === 'string' ? { protocolVersionHeader: version } : {}),
    ...(typeof method === 'string' ? { mcpMethodHeader: method } : {}),
    ...(typeof name === 'string' ? { mcpNameHeader: name } : {}),
  };
}

/** Returns the client that a 2026-07-28 message claims to come from. */
export function clientOfMessage({ params }: Message): ClientInfo | undefined {
  const meta = params?.['_meta'];
  if (typeof meta !== 'object' || meta === null) return undefined;
  return claimedClient(new Map<string, unknown>(Object.entries(meta)).get('io.modelcontextprotocol/clientInfo'));
}

const sdkHeaders = ['accept', 'content-type', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** Makes the SDK's request, without a body: the SDK gets the parsed body separately. */
function webRequest(exchange: Exchange): Request {
  const headers = new Headers();
  for (const name of sdkHeaders) {
    const value = exchange.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://127.0.0.1/mcp', { method: exchange.method, headers });
}
