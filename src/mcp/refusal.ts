import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorBody } from './respond.ts';

/** Time for a refused sender to read the answer, before its connection is cut with the rest of its body unread. */
const lingerMilliseconds = 250;

/** An error answer that ends the connection. */
export interface Refusal {
  readonly status: number;
  /** Without a code the answer has no body at all. */
  readonly code?: number;
  readonly message?: string;
  /** The `data` of the JSON-RPC error. */
  readonly data?: { readonly code: string };
  readonly allow?: string;
  readonly delayMilliseconds?: number;
}

/** Sends a refusal and closes the connection. Leaves an unread body unread, but gives its sender time to read the answer. */
export function refuse(request: IncomingMessage, response: ServerResponse, refusal: Refusal): void {
  if (refusal.delayMilliseconds !== undefined) {
    const { delayMilliseconds, ...now } = refusal;
    setTimeout(() => refuse(request, response, now), delayMilliseconds);
    return;
  }
  if (response.destroyed) return;
  const { status, code, message = '', data } = refusal;
  const body = code === undefined ? '' : errorBody(code, message, null, data);
  response.writeHead(status, {
    Connection: 'close',
    'Content-Length': Buffer.byteLength(body),
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
    ...(refusal.allow === undefined ? {} : { Allow: refusal.allow }),
  });
  if (request.complete || !hasBody(request)) {
    response.end(body);
    return;
  }
  // Ending the response here would make Node read and discard the rest of the body.
  response.flushHeaders();
  if (request.method !== 'HEAD' && body !== '') response.write(body);
  const linger = setTimeout(() => request.socket.destroy(), lingerMilliseconds);
  request.socket.once('close', () => clearTimeout(linger));
}

/** Returns whether the headers of a request announce a body. */
export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;
}
