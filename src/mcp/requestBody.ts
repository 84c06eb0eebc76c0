import { isRecord } from '#call/isRecord.ts';

/** Upper limits of one request body (threat rows H5, H6). */
export interface BodyLimits {
  readonly bytes: number;
  /** Nesting depth of arrays and objects. */
  readonly depth: number;
  /** Number of members of arrays and objects, summed over all levels. */
  readonly elements: number;
}

export const defaultBodyLimits: BodyLimits = { bytes: 4 * 1024 * 1024, depth: 32, elements: 10_000 };

/** A JSON-RPC message whose envelope has been checked. Everything inside `params` is still unchecked. */
export interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: { readonly [key: string]: unknown };
}

export type ParsedBody =
  | { readonly kind: 'message'; readonly body: unknown; readonly messages: readonly [Message] }
  | { readonly kind: 'batch'; readonly body: unknown; readonly messages: readonly Message[] }
  | { readonly kind: 'refused'; readonly code: -32700 | -32600; readonly message: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Parses a body that is within its byte limit. Checks depth and size on the text, before `JSON.parse` builds objects. */
export function parseBody(bytes: Uint8Array, limits: BodyLimits): ParsedBody {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refused(-32700, 'Parse error: the body is not UTF-8.');
  }
  const excess = findExcess(text, limits);
  if (excess !== undefined) return refused(-32600, excess);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return refused(-32700, 'Parse error: the body is not JSON.');
  }
  if (!Array.isArray(body)) {
    return isMessage(body) ? { kind: 'message', body, messages: [body] } : malformed;
  }
  const messages: unknown[] = body;
  return messages.length > 0 && messages.every(isMessage) ? { kind: 'batch', body, messages } : malformed;
}

/**
 * Returns true when a key that reaches an object's prototype is anywhere inside the value (threat row H17). `JSON.parse`
 * stores such a key as an own property, but a later copy of the object may set the prototype.
 */
export function hasForbiddenKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(hasForbiddenKey);
  return Object.entries(value).some(([key, member]) => forbiddenKeys.has(key) || hasForbiddenKey(member));
}

const forbiddenKeys: ReadonlySet<string> = new Set(['__proto__', 'constructor']);
const envelopeKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params', 'result', 'error']);
const malformed = refused(-32600, 'Invalid Request: the body is not a valid JSON-RPC message.');

function refused(code: -32700 | -32600, message: string): ParsedBody {
  return { kind: 'refused', code, message };
}

/** Returns a message about the first exceeded limit, or undefined. Skips strings; leaves malformed JSON to the parser. */
function findExcess(text: string, limits: BodyLimits): string | undefined {
  let depth = 0;
  let elements = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      index = endOfString(text, index);
    } else if (code === openBracket || code === openBrace) {
      if (++depth > limits.depth) return `Invalid Request: the body nests deeper than ${limits.depth} levels.`;
      elements++;
    } else if (code === closeBracket || code === closeBrace) {
      depth--;
    } else if (code === comma) {
      elements++;
    }
    if (elements > limits.elements) return `Invalid Request: the body holds more than ${limits.elements} elements.`;
  }
  return undefined;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Returns the index of the quote that ends the string beginning at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((end - before) % 2 === 1) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function isMessage(value: unknown): value is Message {
  if (!isRecord(value) || value['jsonrpc'] !== '2.0') return false;
  if (!Object.keys(value).every((key) => envelopeKeys.has(key))) return false;
  const { id, method, params, result, error } = value;
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) return false;
  if (params !== undefined && !isRecord(params)) return false;
  if (typeof method !== 'string') return method === undefined && id !== undefined && hasOneOf(result, error);
  if (result !== undefined || error !== undefined) return false;
  return !hasForbiddenKey(method === 'tools/call' ? { ...params, arguments: undefined } : params);
}

function hasOneOf(result: unknown, error: unknown): boolean {
  return (result === undefined) !== (error === undefined);
}
