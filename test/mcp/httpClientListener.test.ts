import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { WindowRecord } from '#home/windowFiles.ts';
import { credentialOf, makeSecret, type Credential } from '#mcp/auth.ts';
import { findPortHolder } from '#mcp/portHolder.ts';
import type { ServerOptions } from '#mcp/server.ts';
import { callEcho, initialize, jsonHeaders, openSession, send, startTestServer, until } from './fixture.ts';
import { freePort, occupy } from './freePort.ts';

/** A window whose access tokens a test makes and revokes. */
async function startWindow(port: number | undefined, more: Partial<ServerOptions> = {}) {
  const secret = makeSecret();
  let tokens: readonly Credential[] = [];
  const test = await startTestServer({ namedTokens: () => tokens, httpPort: async () => port, ...more });
  const { server } = test;
  return {
    ...test,
    secret,
    async createToken(): Promise<void> {
      tokens = [credentialOf('codex', secret)];
      await server.updateHttpListener();
    },
    async revokeToken(): Promise<void> {
      tokens = [];
      await server.updateHttpListener();
      await server.closeCredential('codex');
    },
    record: async () => WindowRecord.parse(JSON.parse(await readFile(server.windowFile, 'utf8'))),
  };
}

const status = async (port: number, token: string): Promise<number> =>
  (await send(port, 'POST', jsonHeaders(token), initialize('2025-11-25'))).status;

describe('the listener for HTTP clients', () => {
  it('is open on its own port while an access token exists, and the window file names it', async () => {
    const port = await freePort();
    const test = await startWindow(port);
    expect(test.server.httpListener()).toEqual({ kind: 'closed' });
    await expect(send(port, 'GET', {})).rejects.toThrow(/ECONNREFUSED/);
    await test.createToken();
    const endpoint = `http://127.0.0.1:${port}/mcp`;
    expect(test.server.httpListener()).toEqual({ kind: 'open', endpoint });
    await until(async () => (await test.record()).httpEndpoint === endpoint);
    await test.revokeToken();
    expect(test.server.httpListener()).toEqual({ kind: 'closed' });
    await expect(send(port, 'GET', {})).rejects.toThrow(/ECONNREFUSED/);
    await until(async () => (await test.record()).httpEndpoint === undefined);
    await test.createToken();
    expect(test.server.httpListener()).toEqual({ kind: 'open', endpoint });
    await test.server.stop();
    await expect(send(port, 'GET', {})).rejects.toThrow(/ECONNREFUSED/);
  });

  it('opens when the window starts with an access token', async () => {
    const port = await freePort();
    const test = await startTestServer({
      namedTokens: () => [credentialOf('codex', makeSecret())],
      httpPort: async () => port,
    });
    await until(() => test.server.httpListener().kind !== 'closed');
    expect(test.server.httpListener()).toEqual({ kind: 'open', endpoint: `http://127.0.0.1:${port}/mcp` });
  });

  it('accepts access tokens only, which the first listener accepts too', async () => {
    const port = await freePort();
    const test = await startWindow(port);
    await test.createToken();
    expect(await status(port, test.server.token)).toBe(401);
    expect(await status(port, makeSecret())).toBe(401);
    expect(await status(port, test.secret)).toBe(200);
    expect(await status(test.port, test.secret)).toBe(200);
    expect(await status(test.port, test.server.token)).toBe(200);
  });

  it('serves the same sessions as the first listener, and expects its own port in Host', async () => {
    const port = await freePort();
    const test = await startWindow(port);
    await test.createToken();
    const session = await openSession({ ...test, port, server: { ...test.server, token: test.secret } });
    expect((await send(port, 'POST', session, callEcho(1, 'x'))).status).toBe(200);
    expect((await send(test.port, 'POST', session, callEcho(2, 'x'))).status).toBe(200);
    const headers = { ...jsonHeaders(test.secret), Host: `127.0.0.1:${test.port}` };
    expect((await send(port, 'POST', headers, initialize('2025-11-25'))).status).toBe(403);
  });

  it('stays closed when the window has no folder', async () => {
    const test = await startWindow(undefined);
    await test.createToken();
    expect(test.server.httpListener()).toEqual({ kind: 'noFolder' });
  });

  it('reports why its port cannot be opened', async () => {
    const test = await startWindow(undefined, {
      httpPort: async () => {
        throw new Error('The storage is read-only.');
      },
    });
    await test.createToken();
    expect(test.server.httpListener()).toEqual({ kind: 'failed', message: 'The storage is read-only.' });
    expect(await status(test.port, test.server.token)).toBe(200);
  });
});

describe('H14 the listener when another program holds its port', () => {
  it('stays closed, takes no other port, reports it once, and the first listener works', async () => {
    const squatter = await occupy();
    const asked: (number | undefined)[] = [];
    const test = await startWindow(squatter.port, {
      httpPort: async () => {
        asked.push(squatter.port);
        return squatter.port;
      },
    });
    let changes = 0;
    test.server.onDidChange(() => (changes += 1));
    await test.createToken();
    expect(test.server.httpListener()).toMatchObject({ kind: 'busy', port: squatter.port });
    expect(changes).toBe(1);
    expect(await status(test.port, test.server.token)).toBe(200);
    expect(await status(test.port, test.secret)).toBe(200);
    expect((await test.record()).httpEndpoint).toBeUndefined();
    // Requests with the token must not cause another attempt to open the port.
    await test.server.updateHttpListener();
    expect(asked).toHaveLength(1);
    expect(test.errors).toEqual([]);
  });

  it('opens only when the user retries and the port is free by then', async () => {
    const squatter = await occupy();
    const test = await startWindow(squatter.port);
    await test.createToken();
    await test.server.retryHttpListener();
    expect(test.server.httpListener().kind).toBe('busy');
    await new Promise((resolve) => squatter.server.close(resolve));
    expect(test.server.httpListener().kind).toBe('busy');
    await test.server.retryHttpListener();
    expect(test.server.httpListener()).toEqual({ kind: 'open', endpoint: `http://127.0.0.1:${squatter.port}/mcp` });
    expect(await status(squatter.port, test.secret)).toBe(200);
    await test.server.retryHttpListener();
    expect(await status(squatter.port, test.secret)).toBe(200);
  });

  it('drops the busy state when the last token is revoked', async () => {
    const squatter = await occupy();
    const test = await startWindow(squatter.port);
    await test.createToken();
    await test.revokeToken();
    expect(test.server.httpListener()).toEqual({ kind: 'closed' });
  });

  it.runIf(process.platform === 'linux')('names the program that holds the port', async () => {
    const squatter = await occupy();
    const test = await startWindow(squatter.port);
    await test.createToken();
    const name = (await readFile('/proc/self/comm', 'utf8')).trim();
    expect(test.server.httpListener()).toEqual({
      kind: 'busy',
      port: squatter.port,
      holder: { kind: 'program', name, pid: process.pid },
    });
  });

  it('names another window of this user that holds the port', async () => {
    const port = await freePort();
    const first = await startWindow(port);
    await first.createToken();
    await until(async () => (await first.record()).httpEndpoint !== undefined);
    const home = first.server.windowFile.replace(/[\\/]windows[\\/][^\\/]*$/, '');
    expect(await findPortHolder(port, home, 'window-2')).toEqual({ kind: 'window', name: 'one' });
  });

  it('names another window whose first listener holds the port', async () => {
    const { server, port } = await startWindow(undefined);
    const home = server.windowFile.replace(/[\\/]windows[\\/][^\\/]*$/, '');
    expect(await findPortHolder(port, home, 'window-2')).toEqual({ kind: 'window', name: 'one' });
  });

  it('returns unknown when nobody holds the port', async () => {
    expect(await findPortHolder(await freePort(), '/nowhere', 'window-2')).toEqual({ kind: 'unknown' });
  });
});
