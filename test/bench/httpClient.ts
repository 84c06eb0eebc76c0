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
  close(): void;
}

export function connectHttp(port: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    post: (path, headers, body) =>
      new Promise((resolve, reject) => {
        const length = { 'Content-Length': Buffer.byteLength(body), 'Content-Type': 'application/json' };
        const options = { host: '127.0.0.1', port, path, method: 'POST', agent, headers: { ...headers, ...length } };
        const outgoing = request(options, (incoming) => {
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
      }),
    close: () => agent.destroy(),
  };
}
