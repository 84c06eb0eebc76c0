import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from '../host/processes.ts';
import type { RealClient } from './realClients.ts';
import { type ProgramEnd, runToEnd } from './runToEnd.ts';
import { type ModelRequest, startScriptedModel } from './scriptedModel.ts';

/** GitHub Copilot CLI as `installClients` wants it. */
export const copilotPackage: Pick<RealClient, 'package' | 'version' | 'program'> = {
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
};

export interface CopilotTask {
  /** The `copilot` program, absolute. */
  readonly program: string;
  /** The user's home folder; the hooks are written into `.copilot` below it. */
  readonly home: string;
  /** The working folder of the program. */
  readonly folder: string;
  readonly script: Parameters<typeof startScriptedModel>[0];
  /** The file of hooks; absent: it stays as it is. */
  readonly hookFile?: object;
  /** Decides which edit tools it offers: `apply_patch` to a few models, `edit` and `create` to the others. */
  readonly model?: string;
  /** Without it, the program asks about each edit, which it then does not make, because nobody can answer. */
  readonly allowsAll: boolean;
  /** Seconds until the program is stopped; 60 by default. */
  readonly seconds?: number;
}

export interface CopilotResult extends ProgramEnd {
  /** The requests of the program that took a turn of the script, in order. */
  readonly requests: readonly ModelRequest[];
}

/** Runs `copilot -p` with a scripted model and a home folder of its own: no account and no configuration of the user. */
export async function runCopilot(task: CopilotTask, run: Run): Promise<CopilotResult> {
  const { program, home, folder, script, hookFile, model: name = 'claude-sonnet-4.5', allowsAll, seconds } = task;
  if (hookFile !== undefined) {
    mkdirSync(join(home, '.copilot/hooks'), { recursive: true });
    writeFileSync(join(home, '.copilot/hooks/drawbridge.json'), JSON.stringify(hookFile));
  }
  const model = await startScriptedModel(script);
  const { TMPDIR = '', DRAWBRIDGE_HOST_RUN = '' } = run.environment();
  // Built from nothing, so that no variable of the user's own assistant reaches the program.
  const environment = {
    TMPDIR,
    DRAWBRIDGE_HOST_RUN,
    HOME: home,
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    SHELL: '/bin/bash',
    TERM: 'dumb',
    NO_COLOR: '1',
    // The program unpacks itself; one copy serves all runs.
    COPILOT_CACHE_HOME: join(run.directory, 'copilot'),
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_TYPE: 'anthropic',
    COPILOT_PROVIDER_BASE_URL: model.url,
    COPILOT_PROVIDER_API_KEY: 'scripted-model',
    COPILOT_MODEL: name,
  };
  const args = ['-p', 'Do it.', ...(allowsAll ? ['--allow-all-tools'] : [])];
  try {
    const ended = await runToEnd({ program, args, folder, environment, seconds });
    return { ...ended, requests: model.requests };
  } finally {
    await model.stop();
  }
}
