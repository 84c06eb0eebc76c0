import type { IncomingMessage } from 'node:http';
import type { Refusal } from './refusal.ts';

const duplicated: Refusal = { status: 400, code: -32600, message: 'Bad Request: duplicate or ambiguous headers.' };
const forbidden: Refusal = { status: 403, code: -32600, message: 'Forbidden: wrong Origin.' };
/** The refusal of requests that did not come directly over loopback, but through a tunnel or a proxy (threat row H15). */
export const portForwarded: Refusal = {
  status: 403,
  code: -32600,
  message:
    'Forbidden: this request came through a forwarded port or a proxy. The assistant must run where the folder is, for example in the integrated terminal of the editor, and reach 127.0.0.1 without a proxy (NO_PROXY=127.0.0.1,localhost).',
  data: { code: 'port_forwarded' },
};

/**
 * Returns the refusal of a request with bad headers, else undefined. Checks for duplicate and ambiguous headers (threat row
 * H11), then Host and Origin against the socket's local port (H2), then headers of forwarding programs (H15).
 */
export function checkHeaders(request: IncomingMessage): Refusal | undefined {
  const seen = new Set<string>();
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index]?.toLowerCase() ?? '';
    if (seen.has(name) && isSingular(name)) return duplicated;
    seen.add(name);
  }
  if (seen.has('content-length') && seen.has('transfer-encoding')) return duplicated;
  const { host, origin } = request.headers;
  if (host === undefined) return duplicated;
  const port = request.socket.localPort;
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return portForwarded;
  if (origin !== undefined && origin !== `http://${host}`) return forbidden;
  return [...seen].some(isForwarding) ? portForwarded : undefined;
}

/** Returns whether reverse proxies or tunnels add this header, by their documentation. Clients on this machine do not. */
function isForwarding(name: string): boolean {
  return /^(?:forwarded|via|x-forwarded(?:-.+)?|x-original-.+|(?:x-real|x-client|true-client|x-cluster-client)-ip|cf-.+)$/.test(
    name,
  );
}

const singular: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'drawbridge-connection',
  'drawbridge-folder',
]);

function isSingular(name: string): boolean {
  return singular.has(name) || name.startsWith('mcp-');
}
