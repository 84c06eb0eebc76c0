import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { temporaryFolder } from '../mcp/fixture.ts';

const program = `
  const [, module, clock, home, catalogFile] = process.argv;
  const [{ runRelay }, { systemClock }] = await Promise.all([import(module), import(clock)]);
  const wishes = { folder: undefined, roots: [], windowId: undefined, workingDirectory: '/' };
  const surroundings = { platform: process.platform, home, client: undefined, environment: {} };
  runRelay({ home, clock: systemClock, wishes, surroundings, version: '0.0.0', catalogFile });`;

it('keeps its tools when an update removes the version of a running bridge', async () => {
  const home = await temporaryFolder();
  const catalogFile = join(home, 'catalog.json');
  await writeFile(catalogFile, '{"tools":[{"name":"read_file","inputSchema":{"type":"object"}}]}');
  const paths = [resolve('src/bridge/runRelay.ts'), resolve('src/base/clock.ts'), home, catalogFile];
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, ...paths]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: object = {}): Promise<unknown> => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return JSON.parse((await lines.next()).value ?? '');
  };
  const clientInfo = { name: 'test', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
  child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  await ask(2, 'ping');
  await rm(catalogFile);
  const answer = z.object({ result: z.object({ tools: z.array(z.unknown()) }) }).parse(await ask(3, 'tools/list'));
  expect(answer.result.tools).toHaveLength(1);
  child.stdin.end();
  await once(child, 'exit');
});
