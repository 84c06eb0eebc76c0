import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import * as z from 'zod';
import { until } from './until.ts';

const probeRecord = z.object({ pid: z.int(), port: z.int(), secret: z.string() });
const answerShape = z.union([
  z.object({ message: z.string(), stack: z.string() }),
  z.object({ result: z.unknown().optional() }),
]);

/** The probe extension in one extension host. */
export interface Probe {
  /** Process id of the extension host. */
  readonly pid: number;
  isAlive(): boolean;
  /** Runs a function body there, with `vscode`, `context`, `require`, `state` (kept per host) and `args` in scope. */
  evaluate(body: string, args: readonly unknown[]): Promise<unknown>;
}

/** The extension host has stopped listening; what was sent did not run. */
export class ProbeGone extends Error {}

/** Finds the probe of the extension host behind a page: the probe shows its process id there until it is claimed. */
export async function findProbe(page: Page, folder: string): Promise<Probe> {
  const mark = page.locator('[id="drawbridge.host-probe.mark"]');
  const probe = await until(async () => {
    const text = (await mark.count()) === 1 ? await mark.textContent() : null;
    const pid = Number(/probe-(\d+)/.exec(text ?? '')?.[1]);
    if (!isRunning(pid)) return undefined;
    return connect(join(folder, `${pid}.json`));
  }, 'the probe extension to start');
  await probe.claim();
  return probe;
}

function connect(file: string): Probe & { claim(): Promise<unknown> } {
  const { pid, port, secret } = probeRecord.parse(JSON.parse(readFileSync(file, 'utf8')));
  const post = async (path: string, content: unknown): Promise<unknown> => {
    const request = fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      // No connection is kept: a reload must not leave a dead one behind.
      headers: { authorization: `Bearer ${secret}`, connection: 'close' },
      body: JSON.stringify(content),
    });
    const response = await request.catch((error: unknown) => {
      const cause = error instanceof Error ? error.cause : undefined;
      if (cause instanceof Error && 'code' in cause && cause.code === 'ECONNREFUSED') throw new ProbeGone();
      throw new Error(`The extension host ${pid} ended while it was evaluating`, { cause: error });
    });
    const answer = answerShape.parse(await response.json());
    if ('message' in answer) {
      throw new Error(`In the extension host: ${answer.message}`, { cause: answer.stack });
    }
    return answer.result;
  };
  return {
    pid,
    isAlive: () => isRunning(pid),
    claim: () => post('/claim', {}),
    evaluate: (body, args) => post('/eval', { body, args }),
  };
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0);
  } catch {
    return false;
  }
}
