import { createServer, request, type IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream';
import * as z from 'zod';

export interface RecordingProxy {
  readonly url: string;
  /** The requests in order: the HTTP method, then the JSON-RPC method and the names of its parameters. */
  readonly requests: readonly string[];
  stop(): void;
}

const message = z.looseObject({
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
});

/** Passes everything on to the endpoint of a window as it is, and keeps what a client asks. */
export async function startRecordingProxy(endpoint: string): Promise<RecordingProxy> {
  const { host, port, pathname } = new URL(endpoint);
  const requests: string[] = [];
  const proxy = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      requests.push(describe(incoming, body.toString()));
      const headers = { ...incoming.headers, host };
      const outgoing = request(
        { host: '127.0.0.1', port, path: pathname, method: incoming.method, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
          pipeline(answer, response, () => undefined);
        },
      );
      outgoing.once('error', () => response.destroy());
      response.once('close', () => outgoing.destroy());
      outgoing.end(body);
    });
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const address = z.object({ port: z.number() }).parse(proxy.address());
  return {
    url: `http://127.0.0.1:${address.port}${pathname}`,
    requests,
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}

function describe({ method = '', headers }: IncomingMessage, body: string): string {
  const revision = headers['mcp-protocol-version'];
  const parts = [method, ...(revision === undefined ? [] : [`(${String(revision)})`])];
  if (body === '') return parts.join(' ');
  const asked = message.parse(JSON.parse(body));
  parts.push(asked.method ?? 'an answer');
  if (asked.method === 'initialize' || asked.method === 'server/discover') parts.push(JSON.stringify(asked.params));
  else if (asked.params !== undefined) parts.push(namesOf(asked.params).join(', '));
  return parts.join(' ').trimEnd();
}

/** The names of parameters show how a client speaks; their values depend on the test. */
function namesOf(params: Readonly<Record<string, unknown>>): readonly string[] {
  const meta = z.looseObject({}).safeParse(params['_meta']).data ?? {};
  const names = Object.keys(params).filter((name) => name !== '_meta');
  return [...names, ...Object.keys(meta).map((name) => `_meta.${name}`)];
}
