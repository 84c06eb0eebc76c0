import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from '../host/processes.ts';
import type { RealClient } from './realClients.ts';
import type { Turn } from './modelServer.ts';
import { type ProgramEnd, runToEnd } from './runToEnd.ts';
import { type ModelRequest, startScriptedModel } from './scriptedModel.ts';

/** Claude Code as `installClients` wants it: `installClients([claudeCode])` installs only this package. */
export const claudeCodePackage: Pick<RealClient, 'package' | 'version' | 'program'> = {
  package: '@anthropic-ai/claude-code',
  version: '2.1.329',
  program: 'claude',
};

export type PermissionMode = 'default' | 'acceptEdits' | 'auto' | 'bypassPermissions' | 'plan' | 'dontAsk';

export interface ClaudeTask {
  /** The `claude` program, absolute. */
  readonly program: string;
  /** The user's home folder; the settings are written into `.claude` below it. */
  readonly home: string;
  /** The working folder of the program. */
  readonly folder: string;
  readonly script: readonly Turn[];
  /** Turns of subagents, as for `startScriptedModel`. */
  readonly subagents?: Readonly<Record<string, readonly Turn[]>>;
  readonly permissionMode: PermissionMode;
  /** The user's `settings.json`: hooks, permissions. Absent: the file stays as it is. */
  readonly settings?: object;
  /** The prompt of the user. The scripted model does not depend on it. */
  readonly prompt?: string;
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Seconds until the program is stopped; 60 by default. */
  readonly seconds?: number;
}

export interface ClaudeResult extends ProgramEnd {
  /** The requests of the program that took a turn of the script, in order. */
  readonly requests: readonly ModelRequest[];
}

/**
 * Runs `claude -p` with a scripted model and a home folder of its own: no account and no configuration of the user.
 * The program and what it starts carry the mark of `run`, so that `run.stop()` leaves none of them.
 */
export async function runClaude(task: ClaudeTask, run: Run): Promise<ClaudeResult> {
  const configuration = join(task.home, '.claude');
  mkdirSync(configuration, { recursive: true });
  if (task.settings !== undefined) {
    writeFileSync(join(configuration, 'settings.json'), JSON.stringify(task.settings));
  }
  const model = await startScriptedModel(task.script, task.subagents);
  try {
    const { program, folder, seconds } = task;
    const args = ['-p', task.prompt ?? 'Do it.', '--permission-mode', task.permissionMode, ...(task.args ?? [])];
    const ended = await runToEnd({ program, args, folder, seconds, environment: environmentOf(task, run, model.url) });
    return { ...ended, requests: model.requests };
  } finally {
    await model.stop();
  }
}

/** Built from nothing, so that no variable of the user's own assistant reaches the program. */
function environmentOf(task: ClaudeTask, run: Run, url: string): Record<string, string> {
  const { TMPDIR = '', DRAWBRIDGE_HOST_RUN = '' } = run.environment();
  return {
    TMPDIR,
    CLAUDE_CODE_TMPDIR: TMPDIR,
    DRAWBRIDGE_HOST_RUN,
    HOME: task.home,
    CLAUDE_CONFIG_DIR: join(task.home, '.claude'),
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    NO_COLOR: '1',
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'scripted-model',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // The program refuses bypassPermissions to root, who runs the tests in a container, without this.
    IS_SANDBOX: '1',
    ...task.environment,
  };
}
