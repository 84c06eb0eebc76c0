import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from '../host/processes.ts';
import type { Turn } from './modelServer.ts';
import type { RealClient } from './realClients.ts';
import { type ProgramEnd, runToEnd } from './runToEnd.ts';
import { type ResponsesRequest, startScriptedResponsesModel } from './scriptedResponsesModel.ts';

/** Codex as `installClients` wants it: `installClients([codexPackage])` installs only this package. */
export const codexPackage: Pick<RealClient, 'package' | 'version' | 'program'> = {
  package: '@openai/codex',
  version: '0.169.0',
  program: 'codex',
};

export type Sandbox = 'read-only' | 'workspace-write' | 'danger-full-access';

export interface CodexTask {
  /** The `codex` program, absolute. */
  readonly program: string;
  /** The user's home folder; the settings are written into `.codex` below it. */
  readonly home: string;
  /** The working folder of the program. */
  readonly folder: string;
  readonly script: readonly Turn[];
  /** Turns of subagents, as for `startScriptedResponsesModel`. */
  readonly subagents?: Readonly<Record<string, readonly Turn[]>>;
  readonly sandbox: Sandbox;
  /** The user's `hooks.json`, trusted for this run. Absent: the file stays as it is, and the user must have trusted it. */
  readonly hooks?: object;
  readonly args?: readonly string[];
  /** Seconds until the program is stopped; 60 by default. */
  readonly seconds?: number;
}

export interface CodexResult extends ProgramEnd {
  /** The requests of the program that took a turn of the script, in order. */
  readonly requests: readonly ResponsesRequest[];
}

/** A model whose description Codex ships: it is offered `apply_patch`, which the fallback for other names is not. */
const modelName = 'gpt-5.5';

/**
 * Runs `codex exec` with a scripted model and a home folder of its own: no account and no configuration of the user.
 * The program and what it starts carry the mark of `run`, so that `run.stop()` leaves none of them.
 */
export async function runCodex(task: CodexTask, run: Run): Promise<CodexResult> {
  const { program, home, folder, hooks, seconds, sandbox, args = [] } = task;
  mkdirSync(join(home, '.codex'), { recursive: true });
  if (hooks !== undefined) writeFileSync(join(home, '.codex/hooks.json'), JSON.stringify({ hooks }));
  const model = await startScriptedResponsesModel(task.script, task.subagents);
  try {
    const all = [
      'exec',
      ...modelSettings(model.url),
      ...(hooks === undefined ? [] : ['--dangerously-bypass-hook-trust']),
      '--skip-git-repo-check',
      '--sandbox',
      sandbox,
      ...args,
      'Do it.',
    ];
    const ended = await runToEnd({ program, args: all, folder, seconds, environment: codexEnvironment(home, run) });
    return { ...ended, requests: model.requests };
  } finally {
    await model.stop();
  }
}

/** Returns the arguments by which Codex asks a scripted model, whatever its configuration says. */
export function modelSettings(url: string): readonly string[] {
  const provider = `{ name = "scripted", base_url = "${url}/v1", wire_api = "responses" }`;
  const settings = [`model="${modelName}"`, 'model_provider="scripted"', `model_providers.scripted=${provider}`];
  return settings.flatMap((setting) => ['-c', setting]);
}

/** Built from nothing, so that no variable of the user's own assistant reaches the program. */
export function codexEnvironment(home: string, run: Run): Record<string, string> {
  const { TMPDIR = '', DRAWBRIDGE_HOST_RUN = '' } = run.environment();
  return {
    TMPDIR,
    DRAWBRIDGE_HOST_RUN,
    HOME: home,
    CODEX_HOME: join(home, '.codex'),
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    NO_COLOR: '1',
  };
}
