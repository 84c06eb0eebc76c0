import { createServer, request } from 'node:http';
import { pipeline } from 'node:stream';

export interface Proxy {
  readonly url: string;
  stop(): void;
}

/**
 * The suite knows no credentials, so this adds them on the way. Host and Origin stay as they are but for the port, which is
 * the server's.
 */
export async function startProxy(endpoint: string, token: string): Promise<Proxy> {
  const { port, pathname } = new URL(endpoint);
  const proxy = createServer((incoming, response) => {
    const ownPort = new RegExp(`:${incoming.socket.localPort}$`);
    const headers = incoming.rawHeaders.map((text) => text.replace(ownPort, `:${port}`));
    const outgoing = request(
      {
        host: '127.0.0.1',
        port,
        path: incoming.url,
        method: incoming.method,
        headers: [...headers, 'Authorization', `Bearer ${token}`],
        setHost: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        pipeline(answer, response, () => undefined);
      },
    );
    outgoing.once('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  });
  await new Promise<void>((resolve) => void proxy.listen(0, '127.0.0.1', resolve));
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}${pathname}`,
    stop() {
      proxy.close();
      proxy.closeAllConnections();
    },
  };
}
