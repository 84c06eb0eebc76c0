import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { onTestFinished } from 'vitest';

/** A program that listens on a port of 127.0.0.1 until the test ends, or is closed before. */
export async function occupy(port = 0): Promise<{ readonly port: number; readonly server: Server }> {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { port: portOf(server), server };
}

/**
 * Returns a port that nobody listened on a moment ago. It is below the ports that systems give to connections and to listeners
 * that name none (32768 and above on Linux, 49152 elsewhere), because another test could take one of those before it is used.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(randomInt(20_000, 30_000), '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') continue;
      throw error;
    }
    const port = portOf(server);
    server.close();
    await once(server, 'close');
    return port;
  }
}

function portOf(server: Server): number {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('It does not listen.');
  return address.port;
}
