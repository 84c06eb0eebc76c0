import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import type { Run } from '../host/processes.ts';
import type { RealClient } from './realClients.ts';
import type { Turn } from './modelServer.ts';
import { type ModelRequest, startScriptedModel } from './scriptedModel.ts';

/** opencode as `installClients` wants it. */
export const opencodePackage: Pick<RealClient, 'package' | 'version' | 'program'> = {
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
};

export interface OpencodeTask {
  /** The `opencode` program, absolute. */
  readonly program: string;
  /** The user's home folder; the configuration is written into `.config/opencode` below it. */
  readonly home: string;
  /** The working folder of the program. */
  readonly folder: string;
  readonly script: readonly Turn[];
  /** Turns of subagents, as for `startScriptedModel`. */
  readonly subagents?: Readonly<Record<string, readonly Turn[]>>;
  /** The name of the model. opencode offers `apply_patch` to models such as `gpt-5`, and `edit` and `write` to others. */
  readonly model?: string;
  /** The text of the plugin `drawbridge.js`; absent: the file stays as it is. */
  readonly plugin?: string;
  /** More of the user's `opencode.json`. What stands in that file stays. */
  readonly configuration?: object;
  /** Seconds until the program is stopped; 120 by default, because opencode installs a package of its own at its first start. */
  readonly seconds?: number;
}

export interface OpencodeResult {
  /** Exit code; null when the program was stopped. */
  readonly exit: number | null;
  /** Standard output and standard error. */
  readonly output: string;
  /** The requests of the program that took a turn of the script, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Runs `opencode run` with a scripted model and a home folder of its own: no account and no configuration of the user. */
export async function runOpencode(task: OpencodeTask, run: Run): Promise<OpencodeResult> {
  const { model: name = 'scripted' } = task;
  const folder = join(task.home, '.config/opencode');
  mkdirSync(join(folder, 'plugins'), { recursive: true });
  if (task.plugin !== undefined) writeFileSync(join(folder, 'plugins/drawbridge.js'), task.plugin);
  const model = await startScriptedModel(task.script, task.subagents);
  const options = { baseURL: `${model.url}/v1`, apiKey: 'scripted-model' };
  const provider = { scripted: { npm: '@ai-sdk/anthropic', options, models: { [name]: {} } } };
  const file = join(folder, 'opencode.json');
  const present = existsSync(file) ? z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8'))) : {};
  writeFileSync(
    file,
    JSON.stringify({
      ...present,
      $schema: 'https://opencode.ai/config.json',
      model: `scripted/${name}`,
      provider,
      ...task.configuration,
    }),
  );
  try {
    return { ...(await untilEnd(task, run)), requests: model.requests };
  } finally {
    await model.stop();
  }
}

async function untilEnd(task: OpencodeTask, run: Run): Promise<Pick<OpencodeResult, 'exit' | 'output'>> {
  const { TMPDIR = '', DRAWBRIDGE_HOST_RUN = '' } = run.environment();
  const child = spawn(task.program, ['run', 'Do it.'], {
    cwd: task.folder,
    // Built from nothing, so that no variable of the user's own assistant reaches the program.
    env: {
      TMPDIR,
      DRAWBRIDGE_HOST_RUN,
      HOME: task.home,
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
      SHELL: '/bin/bash',
      TERM: 'dumb',
      NO_COLOR: '1',
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const stop = (): void => {
    if (child.pid !== undefined) killGroup(child.pid);
  };
  const timer = setTimeout(stop, (task.seconds ?? 120) * 1000);
  try {
    const exit = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    return { exit, output };
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** Ends the program and all that it started in its process group, hooks included. */
function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // no process of the group is left
  }
}
