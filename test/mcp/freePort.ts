import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** A program that listens on a port of 127.0.0.1 until the test ends, or is closed before. */
export async function occupy(port = 0): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
  return { port: address.port, server };
}

/** A port that nobody listened on a moment ago. */
export async function freePort(): Promise<number> {
  const { port, server } = await occupy();
  server.close();
  await once(server, 'close');
  return port;
}
