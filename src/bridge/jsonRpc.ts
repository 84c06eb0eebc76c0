/** The id of a JSON-RPC request; the files of the bridge share these types for the messages that they relay. */
export type RequestId = string | number;
export type Members = { readonly [name: string]: unknown };

export interface Request {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Members;
  readonly text: string;
}

export interface Notification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Members;
  readonly text: string;
}

export interface Response {
  readonly kind: 'response';
  /** Undefined in the answer to a message that was not understood. */
  readonly id: RequestId | undefined;
  /** Undefined for an error. */
  readonly result: unknown;
  readonly error: unknown;
  readonly text: string;
}

export interface Batch {
  readonly kind: 'batch';
  readonly messages: readonly (Request | Notification | Response)[];
  readonly text: string;
}

export type Message = Request | Notification | Response | Batch;

/**
 * Parses one message or batch; its `text` is the source on one line. Returns a JSON-RPC error code for a text that is
 * none.
 */
export function parseMessage(source: string): Message | { readonly kind: 'malformed'; readonly code: -32700 | -32600 } {
  // Line ends stand only between tokens of JSON; on stdio each would end the message.
  const text = /[\r\n]/.test(source) ? source.replaceAll(/[\r\n]+/g, ' ') : source;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'malformed', code: -32700 };
  }
  if (!Array.isArray(value)) return readMessage(value, text) ?? { kind: 'malformed', code: -32600 };
  const items: readonly unknown[] = value;
  const messages = items.map((item) => readMessage(item)).filter((message) => message !== undefined);
  if (messages.length === 0 || messages.length < items.length) return { kind: 'malformed', code: -32600 };
  return { kind: 'batch', messages, text };
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function errorText(id: RequestId | null, code: number, message: string, data?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}

export function resultText(id: RequestId, result: Members): string {
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}

export function notificationText(method: string, params?: Members): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) });
}

/** @param whole the text that the value was read from; a value inside a batch has none and is serialized again */
function readMessage(value: unknown, whole?: string): Request | Notification | Response | undefined {
  if (!isMembers(value)) return undefined;
  const { id, method, params = {}, result, error } = value;
  const text = whole ?? JSON.stringify(value);
  if (typeof method !== 'string') {
    if (result === undefined && error === undefined) return undefined;
    return { kind: 'response', id: isId(id) ? id : undefined, result, error, text };
  }
  const members = isMembers(params) ? params : {};
  if (id === undefined) return { kind: 'notification', method, params: members, text };
  return isId(id) ? { kind: 'request', id, method, params: members, text } : undefined;
}

function isId(value: unknown): value is RequestId {
  return typeof value === 'string' || typeof value === 'number';
}
