import { request, type IncomingHttpHeaders } from 'node:http';
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Sends one HTTP request with exactly these headers and a correct Host. */
export function send(
  port: number,
  method: string,
  headers: Record<string, string | string[]>,
  body?: string | Buffer,
  path = '/mcp',
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, method, path, agent: false, setHost: false }, (incoming) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    for (const [name, value] of Object.entries({ Host: `127.0.0.1:${port}`, ...headers }))
      outgoing.setHeader(name, value);
    outgoing.end(body);
  });
}

/**
 * Sends bytes unchanged. Resolves with everything received before the server closed the connection.
 * @param onReceived called with everything received so far; it may write more
 */
export function sendRaw(
  port: number,
  bytes: string,
  onReceived: (received: string, socket: Socket) => void = () => undefined,
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString();
      onReceived(received, socket);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(received));
    socket.write(bytes);
  });
}

export function jsonHeaders(token: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...more,
  };
}

export function initialize(protocolVersion: string, name = 'test'): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name, version: '1.0.0' } },
  });
}

/** Returns the JSON-RPC messages of an answer, streamed or not. */
export function messagesOf({ text }: RawAnswer): unknown[] {
  if (text.trimStart().startsWith('{')) return [JSON.parse(text)];
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

/** Makes a 2026-07-28 request with its envelope, and the headers that must mirror it. */
export function modern(
  token: string,
  id: number,
  method: string,
  params: Record<string, unknown>,
): { headers: Record<string, string>; body: string } {
  const name = params['name'] ?? params['uri'];
  return {
    headers: jsonHeaders(token, {
      'MCP-Protocol-Version': '2026-07-28',
      'Mcp-Method': method,
      ...(typeof name === 'string' ? { 'Mcp-Name': name } : {}),
    }),
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'modern-test', version: '2.0.0' },
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }),
  };
}
