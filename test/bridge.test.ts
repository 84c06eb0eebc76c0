import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { writeWindowFile } from '#home/windowFiles.ts';
import { startRawWindow, type RawRequest } from './bridge/rawWindow.ts';
import { startSmallWindow } from './bridge/smallWindow.ts';
import { folderOf, windowRecord } from './bridge/windowRecord.ts';
import { temporaryFolder, until } from './mcp/fixture.ts';

const extension = await mkdtemp(join(tmpdir(), 'drawbridge-extension-'));
const script = join(extension, 'dist', 'bridge.cjs');

// The shipped bridge: each of the many starts from the sources would take four times as long.
beforeAll(async () => {
  await copyFile('package.json', join(extension, 'package.json'));
  await build({
    entryPoints: ['src/bridge/bridge.ts'],
    outfile: script,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
});
afterAll(() => rm(extension, { recursive: true, force: true }));

const Answer = z.object({ id: z.union([z.int(), z.null()]), error: z.object({ code: z.int() }).optional() });

interface RunOptions {
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  readonly home?: string;
  readonly folder?: string;
  readonly environment?: Record<string, string>;
}

interface Run {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null }>;
  readonly send: (message: object | string) => void;
  /** The next line of standard output, which must be JSON-RPC. */
  readonly answer: () => Promise<z.infer<typeof Answer>>;
  /** Resolves with all of standard error, once it contains `words`. */
  readonly said: (words: string) => Promise<string>;
}

async function start({ args = [], nodeArgs = [], home, folder, environment = {} }: RunOptions = {}): Promise<Run> {
  const own = await realpath(await temporaryFolder());
  const child = spawn(process.execPath, [...nodeArgs, script, ...args], {
    cwd: folder ?? own,
    env: { DRAWBRIDGE_HOME: home ?? join(own, 'home'), HOME: own, ...environment },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  return {
    child,
    ended,
    send: (message) => child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
    answer: async () => Answer.parse(JSON.parse((await lines.next()).value ?? '')),
    said: (words) =>
      new Promise((done) => {
        const check = (): void => void (errors.includes(words) && done(errors));
        child.stderr.on('data', check);
        check();
      }),
  };
}

async function output(options: RunOptions): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const { child, ended } = await start(options);
  const [stdout, stderr, { code }] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

/** A window whose answers a test writes by itself, and the folder that it has open. */
async function startWindow() {
  const folder = await realpath(await temporaryFolder());
  const home = join(folder, 'home');
  const window = await startRawWindow();
  const { endpoint, token } = window.record;
  await writeWindowFile(home, await windowRecord({ endpoint, token, folders: [folderOf(folder)] }));
  const calls: RawRequest[] = [];
  window.onRequest = (request) => {
    if (request.method === 'OPTIONS') request.json(405, undefined);
    else calls.push(request);
  };
  return { home, folder, window, calls };
}

const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'x' } };

describe('the command line', () => {
  it.each([['--help'], ['-h']])('prints the usage for %s', async (arg) => {
    const { code, stdout, stderr } = await output({ args: [arg] });
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Usage: drawbridge .*--folder .*doctor/s);
  });

  it('prints the version of the extension for --version', async () => {
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync('package.json', 'utf8')));
    expect(await output({ args: ['--version'] })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it.each([[['--port']], [['doctor', 'more']], [['start']], [['--folder']], [['--folder=']]])(
    'refuses %j and prints the usage on standard error',
    async (args) => {
      const { code, stdout, stderr } = await output({ args });
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^drawbridge: .*Usage:/s);
    },
  );
});

describe('the end of the bridge', () => {
  it('comes with the end of standard input', async () => {
    const { child, ended } = await start();
    child.stdin.end();
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('comes after the answers to the requests before the end of standard input', async () => {
    const { child, ended, send, answer } = await start();
    send(initialize);
    child.stdin.end();
    expect((await answer()).id).toBe(1);
    expect((await ended).code).toBe(0);
  });

  it('waits a moment for requests that still run at the end of standard input', async () => {
    const { calls, ...place } = await startWindow();
    const { child, ended, send, answer } = await start(place);
    send(initialize);
    send(call);
    // On a slow machine the way to the window takes longer than that moment.
    await until(() => calls.length === 1);
    child.stdin.end();
    calls[0]?.json(200, { jsonrpc: '2.0', id: 2, result: {} });
    expect([await answer(), await answer()]).toEqual([{ id: 1 }, { id: 2 }]);
    expect((await ended).code).toBe(0);
  });

  it.runIf(process.platform !== 'win32')(
    'waits no longer than that moment, and not at all after a signal',
    async () => {
      const { calls, ...place } = await startWindow();
      const [one, other] = [await start(place), await start(place)];
      for (const { send } of [one, other]) {
        send(initialize);
        send(call);
      }
      await until(() => calls.length === 2);
      one.child.stdin.end();
      other.child.kill('SIGTERM');
      expect([(await one.ended).code, (await other.ended).code]).toEqual([0, 0]);
    },
  );

  it.runIf(process.platform !== 'win32').each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'comes with %s while standard input is open',
    async (signal) => {
      const { child, ended, send, answer } = await start();
      send(initialize);
      await answer();
      child.kill(signal);
      expect(await ended).toEqual({ code: 0, signal: null });
    },
  );

  it('comes when standard output is closed (EPIPE)', async () => {
    const { child, ended, send, answer } = await start();
    send(initialize);
    await answer();
    child.stdout.destroy();
    send({ ...initialize, id: 2, method: 'ping' });
    send({ ...initialize, id: 3, method: 'ping' });
    expect((await ended).code).toBe(0);
  });

  it('comes with a signal even while the client reads nothing', async () => {
    const { child, ended, send } = await start();
    child.stdout.pause();
    for (let id = 1; id <= 5000; id++) send({ ...initialize, id });
    await once(child.stdin, 'drain');
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it('writes an internal error to standard error and exits with code 1', async () => {
    const bug = 'data:text/javascript,process.on("SIGUSR2",()=>{throw new Error("boom")})';
    const { child, ended, send, answer, said } = await start({ nodeArgs: ['--import', bug] });
    send(initialize);
    await answer();
    const heard = said('ended by an internal error: Error: boom');
    child.kill('SIGUSR2');
    await heard;
    expect((await ended).code).toBe(1);
  });
});

describe('the standard streams of the bridge', () => {
  it('answers garbage with a parse error and continues', async () => {
    const { child, send, answer } = await start();
    send('{"jsonrpc": "2.0", "id": ');
    expect(await answer()).toEqual({ id: null, error: { code: -32700 } });
    child.stdin.write(Buffer.from([0x22, 0xff, 0x22, 0x0a, 0x0a, 0x20, 0x0d, 0x0a]));
    expect(await answer()).toEqual({ id: null, error: { code: -32700 } });
    send(initialize);
    expect(await answer()).toEqual({ id: 1 });
  });

  it('answers a line of more than 8 MiB with an error and continues after its end', async () => {
    const { send, answer } = await start();
    send('x'.repeat(8 * 1024 * 1024 + 1));
    expect(await answer()).toEqual({ id: null, error: { code: -32700 } });
    send(initialize);
    expect(await answer()).toEqual({ id: 1 });
  });

  it('answers initialize at once, even while the window does not answer', async () => {
    const { window, ...place } = await startWindow();
    const questions: RawRequest[] = [];
    window.onRequest = (request) => void questions.push(request);
    const { send, answer } = await start(place);
    await until(() => questions.length > 0);
    send(initialize);
    expect(await answer()).toEqual({ id: 1 });
    // If the bridge had waited for the window, it would have disconnected by now.
    expect(questions.map(({ response }) => response.destroyed)).toEqual([false]);
  });

  it('writes nothing but protocol messages to standard output', async () => {
    const noise = 'data:text/javascript,process.on("SIGUSR2",()=>console.log("noise"))';
    const { child, send, answer, said } = await start({ nodeArgs: ['--import', noise] });
    send(initialize);
    expect(await answer()).toEqual({ id: 1 });
    child.kill('SIGUSR2');
    await said('noise');
    send({ jsonrpc: '2.0', id: 2, method: 'ping' });
    expect(await answer()).toEqual({ id: 2 });
  });
});

describe('the window of the bridge', () => {
  async function windowAndHome() {
    const folder = await realpath(await temporaryFolder());
    const [home, shop] = [join(folder, 'home'), join(folder, 'shop')];
    await mkdir(shop);
    const window = await startSmallWindow(home, 'one', [shop]);
    return { home, shop, window };
  }

  it('is named on standard error, with the reason, at each change', async () => {
    const { home, shop, window } = await windowAndHome();
    const { said } = await start({ home, folder: shop });
    await said('using the window');
    await window.close();
    expect(await said('waiting for one')).toBe(
      `drawbridge: using the window "${shop}" of Editor: it has the folder ${shop} open, which holds the working directory
drawbridge: no answering window has the folder ${shop} open; waiting for one
`,
    );
  });

  it('is the one of --folder', async () => {
    const { home, shop } = await windowAndHome();
    const one = await start({ home, args: ['--folder', shop] });
    expect(await one.said('\n')).toContain('open, which holds the folder of --folder');
    const none = await start({ home, args: ['--folder=/none'] });
    expect(await none.said('\n')).toContain('no answering window has the folder /none open');
  });

  it('is the one of DRAWBRIDGE_WINDOW', async () => {
    const { home } = await windowAndHome();
    await startSmallWindow(home, 'two', ['/other']);
    const { said } = await start({ home, environment: { DRAWBRIDGE_WINDOW: 'two' } });
    expect(await said('\n')).toContain('using the window "/other" of Editor: it is the window of this terminal');
  });

  it('is reached directly, whatever proxy the environment names', async () => {
    const { home, shop } = await windowAndHome();
    const proxy = 'http://127.0.0.1:1';
    const environment = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: proxy, http_proxy: proxy, ALL_PROXY: proxy };
    const { said } = await start({ home, folder: shop, environment });
    expect(await said('\n')).toContain('using the window');
  });

  it.runIf(process.platform !== 'win32')('is found even when the working directory was deleted', async () => {
    const { home, shop } = await windowAndHome();
    const commands = 'mkdir gone && cd gone && rmdir "$PWD" && exec "$0" "$@"';
    const child = spawn('sh', ['-c', commands, process.execPath, script], {
      cwd: shop,
      env: { DRAWBRIDGE_HOME: home },
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    // The window of the folder around it still fits.
    const [said] = await once(child.stderr.setEncoding('utf8'), 'data');
    expect(said).toContain(`using the window "${shop}"`);
  });

  it('decides the exit code of doctor: 0 when a window would be used, 1 when none would', async () => {
    const { home, shop } = await windowAndHome();
    const well = await output({ home, folder: shop, args: ['doctor'] });
    expect([well.code, well.stderr]).toEqual([0, '']);
    expect(well.stdout).toContain(`reaches Editor "${shop}" (process ${process.pid})`);
    const ill = await output({ home, args: ['doctor', '--folder', '/none'] });
    expect(ill.code).toBe(1);
    expect(ill.stdout).toContain('! No window has the folder /none open.');
  });
});
