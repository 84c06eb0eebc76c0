import { access, constants, statfs } from 'node:fs/promises';
import * as vscode from 'vscode';
import { startSetting } from '#editor/startSetting.ts';
import { examineWindows } from '#home/windowHealth.ts';
import { type Configurations, seeAssistants } from '../../seenAssistants.ts';
import { proxyVariables, type DoctorFacts } from '../../doctor/facts.ts';
import { tryLauncher } from '../../doctor/tryLauncher.ts';
import { somethingElseId } from '../dialogs/somethingElse.ts';

/** The facts that only this window knows, at one moment. */
export type WindowFacts = Pick<
  DoctorFacts,
  | 'windowId'
  | 'version'
  | 'server'
  | 'endpoint'
  | 'isHeld'
  | 'wrongTokens'
  | 'forwarded'
  | 'tokens'
  | 'httpListener'
  | 'recordProblem'
>;

export interface FactSources {
  readonly configurations: Configurations;
  /** The state folder, absolute. */
  readonly home: string;
  readonly remoteMachine: string | undefined;
  readonly window: () => WindowFacts;
  readonly environment: NodeJS.ProcessEnv;
}

/** Collects everything that Doctor judges by. Changes nothing; starts the launcher once to see that it works. */
export async function collectFacts(sources: FactSources): Promise<DoctorFacts> {
  const { configurations, home, remoteMachine, window, environment } = sources;
  const { machine } = configurations;
  const [windows, launcher, assistants, connected, problem] = await Promise.all([
    examineWindows(home),
    tryLauncher(machine.launcher, () => configurations.launcherCommand()),
    seeAssistants(configurations),
    configurations.connectedIds(),
    writeProblem(home),
  ]);
  return {
    ...window(),
    start: startSetting(),
    hasFolder: (vscode.workspace.workspaceFolders ?? []).length > 0,
    isTrusted: vscode.workspace.isTrusted,
    remoteMachine,
    windows,
    launcherPath: machine.launcher,
    launcher,
    assistants,
    hasSomethingElse: connected.includes(somethingElseId),
    proxyVariables: proxyVariables(environment),
    state: { path: home, problem },
    home: machine.home,
  };
}

const leastFreeBytes = 1024 * 1024;

async function writeProblem(home: string): Promise<string | undefined> {
  try {
    await access(home, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(home);
    return bavail * bsize < leastFreeBytes ? vscode.l10n.t('The disk is full.') : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
