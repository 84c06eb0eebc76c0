import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** One kept-alive connection to a server of this machine, without anything around it that would cost time. */
export interface HttpClient {
  /** Resolves when the last byte of the answer has arrived. */
  post(path: string, headers: Readonly<Record<string, string>>, body: string): Promise<HttpAnswer>;
  delete(path: string, headers: Readonly<Record<string, string>>): Promise<HttpAnswer>;
  close(): void;
}

export function connectHttp(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const send = (
    method: 'POST' | 'DELETE',
    path: string,
    headers: Readonly<Record<string, string | number>>,
    body?: string,
  ): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const outgoing = request({ host: '127.0.0.1', port, path, method, agent, headers }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.once('error', reject);
        incoming.once('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes.toString() });
        });
      });
      outgoing.once('error', reject);
      outgoing.end(body);
    });
  return {
    post: (path, headers, body) => {
      const length = { 'Content-Length': Buffer.byteLength(body), 'Content-Type': 'application/json' };
      return send('POST', path, { ...headers, ...length }, body);
    },
    delete: (path, headers) => send('DELETE', path, headers),
    close: () => agent.destroy(),
  };
}
