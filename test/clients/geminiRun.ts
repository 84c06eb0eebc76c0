import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Run } from '../host/processes.ts';
import type { Turn } from './modelServer.ts';
import type { RealClient } from './realClients.ts';
import { type ProgramEnd, runToEnd } from './runToEnd.ts';
import { type GeminiRequest, startScriptedGemini } from './scriptedGemini.ts';

/** Gemini CLI as `installClients` wants it. */
export const geminiPackage: Pick<RealClient, 'package' | 'version' | 'program'> = {
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
};

export interface GeminiTask {
  /** The `gemini` program, absolute. */
  readonly program: string;
  /** The user's home folder; the settings are written into `.gemini` below it. */
  readonly home: string;
  /** The working folder of the program. */
  readonly folder: string;
  readonly script: readonly Turn[];
  /** The hooks of the user's `settings.json`; absent: the file stays as it is. */
  readonly hooks?: object;
  /** Without a terminal, the mode `default` offers no tools that write. */
  readonly approvalMode: 'auto_edit' | 'yolo';
  /** Seconds until the program is stopped; 60 by default. */
  readonly seconds?: number;
}

export interface GeminiResult extends ProgramEnd {
  /** The requests of the program that took a turn of the script, in order. */
  readonly requests: readonly GeminiRequest[];
}

/** Writes the `settings.json` of a user who has an API key. */
export function writeGeminiSettings(home: string, more: object): void {
  mkdirSync(join(home, '.gemini'), { recursive: true });
  const settings = {
    ...more,
    security: { auth: { selectedType: 'gemini-api-key' } },
    general: { enableAutoUpdate: false },
    privacy: { usageStatisticsEnabled: false },
  };
  writeFileSync(join(home, '.gemini/settings.json'), JSON.stringify(settings));
}

/** Runs `gemini -p` with a scripted model and a home folder of its own: no account and no configuration of the user. */
export async function runGemini(task: GeminiTask, run: Run): Promise<GeminiResult> {
  const { program, home, folder, script, hooks, approvalMode, seconds } = task;
  if (hooks !== undefined) writeGeminiSettings(home, { hooks });
  const model = await startScriptedGemini(script);
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
    GEMINI_API_KEY: 'scripted-model',
    GOOGLE_GEMINI_BASE_URL: model.url,
    // It runs no hook in a folder that its user does not trust.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  };
  const args = ['-p', 'Do it.', '--approval-mode', approvalMode];
  try {
    const ended = await runToEnd({ program, args, folder, environment, seconds });
    return { ...ended, requests: model.requests };
  } finally {
    await model.stop();
  }
}
