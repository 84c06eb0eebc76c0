import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';

/** A reader that leaves this many bytes unread while more is to be sent counts as stalled. */
const maximumUnreadBytes = 1024 * 1024;
/** Time in which the end of an answer must be sent. */
const stalledMilliseconds = 60_000;
/** Delay after which the headers of a still silent stream are sent; a faster answer is sent in one piece. */
export const quietMilliseconds = 10;
/** Interval of the keep-alive comments in silent streams: some clients give up when no headers or bytes arrive. */
export const keepAliveMilliseconds = 5000;

/** The headers of a stream of events. */
export const eventHeaders = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache, no-transform' } as const;

/** These headers hold only constants and our own ids: no value from a client becomes a header (threat row H10). */
const passedHeaders = ['content-type', 'cache-control', 'mcp-session-id', 'allow'] as const;

/**
 * Sends a web-standard response. Cuts a stream whose reader stalls, so that nothing piles up in memory. Cancels the
 * stream's source when the connection breaks. Never throws.
 */
export async function sendResponse(answer: Response, response: ServerResponse): Promise<void> {
  for (const name of passedHeaders) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  response.statusCode = answer.status;
  if (answer.body === null) {
    response.end();
    return;
  }
  const reader = answer.body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  response.once('close', stop);
  if (response.destroyed) stop();
  const quiet = setTimeout(() => response.flushHeaders(), quietMilliseconds);
  try {
    await pump(reader, response);
  } catch {
    response.destroy();
  } finally {
    clearTimeout(quiet);
    response.off('close', stop);
  }
}

async function pump(reader: ReadableStreamDefaultReader<Uint8Array>, response: ServerResponse): Promise<void> {
  for (;;) {
    const { done, value } = await reader.read();
    if (done || response.destroyed) break;
    const refused = response.headersSent ? undefined : missingCapabilityError(value);
    if (refused !== undefined) {
      await reader.cancel();
      response.writeHead(400, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(refused) });
      response.end(refused);
      return;
    }
    if (isUnread(response)) {
      response.destroy();
      await reader.cancel();
      return;
    }
    response.write(value);
  }
  if (!response.destroyed) endAnswer(response);
}

/** MissingRequiredClientCapability (2026-07-28). */
const missingCapability = -32021;
const eventFrame = /^event: message\ndata: (.*)\n\n$/s;
const missingCapabilityMessage = z.object({ error: z.object({ code: z.literal(missingCapability) }) });

/**
 * Returns the JSON-RPC message of a stream whose first event says that the client lacks a required capability, else
 * undefined. Such an answer needs status 400 (SEP-2575). The SDK does not set it when it streams every answer, as it must
 * here to keep silent calls alive.
 * @param chunk the first chunk of the stream
 */
export function missingCapabilityError(chunk: Uint8Array): string | undefined {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  // Checks the bytes first: nearly all answers are something else, and decoding a large one costs time.
  if (!bytes.includes(`"code":${missingCapability}`)) return undefined;
  const [, data] = eventFrame.exec(bytes.toString()) ?? [];
  return data !== undefined && missingCapabilityMessage.safeParse(JSON.parse(data)).success ? data : undefined;
}

/** UTF-16 units of the longest event that Node.js gets as text, which it sends in one piece with the headers. */
const longestText = 16_384;

/**
 * Returns a message as an event. A long one is bytes, because Node.js would count the bytes of a text before it encodes it.
 * @param message as JSON
 */
export function eventOf(message: string): string | Uint8Array {
  const event = `event: message\ndata: ${message}\n\n`;
  return event.length > longestText ? Buffer.from(event) : event;
}

/** Returns a JSON-RPC response as JSON. @param result as JSON */
export function responseWith(result: string, id: string | number): string {
  return `{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}`;
}

/** Sends a response of which the result is known, as the only event of its stream. @param result as JSON */
export function sendResult(response: ServerResponse, result: string, id: string | number): void {
  for (const [name, value] of Object.entries(eventHeaders)) response.setHeader(name, value);
  endAnswer(response, eventOf(responseWith(result, id)));
}

const anyResult = z.object({ result: z.looseObject({}) });

/** Returns the result in the text of a stream with one event, as JSON; undefined when it has another form. */
export function resultIn(text: string): string | undefined {
  const [, data] = eventFrame.exec(text) ?? [];
  if (data === undefined || data.includes('\n')) return undefined;
  const { success, data: message } = anyResult.safeParse(JSON.parse(data));
  return success ? JSON.stringify(message.result) : undefined;
}

/** Returns whether the reader of an answer has stalled. */
export function isUnread(response: ServerResponse): boolean {
  return response.writableLength > maximumUnreadBytes;
}

/**
 * Ends an answer, and cuts its connection when the rest is not sent in time.
 * @param rest is sent before the end
 */
export function endAnswer(response: ServerResponse, rest?: string | Uint8Array): void {
  response.end(rest);
  // The system has taken most answers at once.
  if (response.writableLength === 0) return;
  const stalled = setTimeout(() => response.destroy(), stalledMilliseconds).unref();
  response.once('close', () => clearTimeout(stalled));
}

/** Answers with a JSON-RPC error, and keeps the connection open. */
export function sendError(
  response: ServerResponse,
  error: { readonly status: number; readonly code: number; readonly message: string; readonly allow?: string },
  id: string | number | null = null,
): void {
  const body = errorBody(error.code, error.message, id);
  response.writeHead(error.status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    ...(error.allow === undefined ? {} : { Allow: error.allow }),
  });
  response.end(body);
}

/** Returns the text of a JSON-RPC error message. */
export function errorBody(
  code: number,
  message: string,
  id: string | number | null = null,
  data?: { readonly code: string },
): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } });
}
