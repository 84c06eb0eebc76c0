import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { Exchange } from '../listener.ts';

/** Whether the caller takes either form of an answer to a POST (2025-11-25, "Sending Messages to the Server"). */
export function acceptsAnswers(exchange: Exchange): boolean {
  return acceptsEvents(exchange) && exchange.headers.accept?.includes('application/json') === true;
}

export function acceptsEvents({ headers }: Exchange): boolean {
  return headers.accept?.includes('text/event-stream') === true;
}

/** The same message as the SDK knows it; undefined when it is none. */
export function protocolMessage(message: unknown): JSONRPCMessage | undefined {
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return message;
  return isJSONRPCResponse(message) ? message : undefined;
}

export function isInitialize(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'initialize' && isInitializeRequest(message);
}

/** The refusal of a request that names a revision which is not among these; undefined for any other. */
export function wrongVersion({ headers }: Exchange, supported: readonly string[]) {
  const version = headers['mcp-protocol-version'];
  if (typeof version !== 'string' || supported.includes(version)) return undefined;
  const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported.join(', ')})`;
  return { status: 400, code: -32000, message };
}
