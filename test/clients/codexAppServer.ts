/** Codex as editors start it: its app server asks the editor when it would ask the user. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import * as z from 'zod';
import type { Run } from '../host/processes.ts';
import { codexEnvironment, modelSettings } from './codexRun.ts';
import type { Turn } from './modelServer.ts';
import { type ResponsesRequest, startScriptedResponsesModel } from './scriptedResponsesModel.ts';

export interface AppServerTask {
  /** The `codex` program, absolute. */
  readonly program: string;
  readonly home: string;
  readonly folder: string;
  readonly script: readonly Turn[];
}

export interface AppServerResult {
  readonly requests: readonly ResponsesRequest[];
  /** The questions that the app server asked; each was answered with yes. */
  readonly questions: readonly string[];
}

const message = z.looseObject({
  id: z.number().optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
});
const thread = z.object({ thread: z.object({ id: z.string() }) });

/** Runs one turn in a sandbox that allows no writing without a question. The hooks in `hooks.json` must be trusted. */
export async function runCodexAppServer(
  { program, home, folder, script }: AppServerTask,
  run: Run,
): Promise<AppServerResult> {
  const model = await startScriptedResponsesModel(script);
  const child = spawn(program, ['app-server', ...modelSettings(model.url)], {
    cwd: folder,
    env: codexEnvironment(home, run),
  });
  const questions: string[] = [];
  const waiting = new Map<number, (result: unknown) => void>();
  const ended = Promise.withResolvers<undefined>();
  child.once('error', (error) => ended.reject(error));
  child.once('close', () => ended.reject(new Error('The app server of Codex ended')));
  const write = (line: object): void => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...line })}\n`);
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, method, result } = message.parse(JSON.parse(line));
    if (method === 'turn/completed') ended.resolve(undefined);
    if (id !== undefined && method !== undefined) {
      questions.push(method);
      write({ id, result: { decision: 'accept' } });
    } else if (id !== undefined) waiting.get(id)?.(result);
  });
  const ask = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      write({ id, method, params });
    });
  const converse = async (): Promise<void> => {
    await ask('initialize', { clientInfo: { name: 'test', version: '1.0.0' } });
    write({ method: 'initialized' });
    const started = await ask('thread/start', { cwd: folder, approvalPolicy: 'on-request', sandbox: 'read-only' });
    const { id } = thread.parse(started).thread;
    await ask('turn/start', { threadId: id, input: [{ type: 'text', text: 'Do it.' }] });
    await ended.promise;
  };
  try {
    await Promise.race([converse(), ended.promise]);
    return { requests: model.requests, questions };
  } finally {
    ended.promise.catch(() => undefined);
    child.kill();
    await model.stop();
  }
}
