import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/server';
import type { Exchange } from '../listener.ts';

/** Returns whether the caller accepts both forms of an answer to a POST (2025-11-25, "Sending Messages to the Server"). */
export function acceptsAnswers(exchange: Exchange): boolean {
  return acceptsEvents(exchange) && exchange.headers.accept?.includes('application/json') === true;
}

/** Returns whether the caller accepts server-sent events. */
export function acceptsEvents({ headers }: Exchange): boolean {
  return headers.accept?.includes('text/event-stream') === true;
}

/** Returns the same message with the SDK's type, or undefined when it is no valid message. */
export function protocolMessage(message: unknown): JSONRPCMessage | undefined {
  if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) return message;
  return isJSONRPCResponse(message) ? message : undefined;
}

/** Returns whether a message is a valid `initialize` request or notification. */
export function isInitialize(message: JSONRPCMessage): boolean {
  return 'method' in message && message.method === 'initialize' && isInitializeRequest(message);
}

/** Returns the refusal of a request whose header names an unsupported revision, else undefined. */
export function wrongVersion({ headers }: Exchange, supported: readonly string[]) {
  const version = headers['mcp-protocol-version'];
  if (typeof version !== 'string' || supported.includes(version)) return undefined;
  const message = `Bad Request: Unsupported protocol version: ${version} (supported versions: ${supported.join(', ')})`;
  return { status: 400, code: -32000, message };
}
