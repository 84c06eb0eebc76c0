import { access, constants, statfs } from 'node:fs/promises';
import * as vscode from 'vscode';
import { startSetting } from '#editor/startSetting.ts';
import { guardsOffUntil } from '#home/guardsOff.ts';
import { examineWindows } from '#home/windowHealth.ts';
import { type Configurations, seeAssistants } from '../../seenAssistants.ts';
import { proxyVariables, type DoctorFacts } from '../../doctor/facts.ts';
import { tryHook, tryLauncher } from '../../doctor/tryLauncher.ts';
import type { Assistant, LauncherCommand } from '../../assistant.ts';
import { programChangedAt } from '../../machine.ts';
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
  | 'nativeEdits'
>;

export interface FactSources {
  readonly configurations: Configurations;
  /** The state folder, absolute. */
  readonly home: string;
  readonly remoteMachine: string | undefined;
  readonly editorHasAgent: boolean;
  readonly window: () => WindowFacts;
  readonly environment: NodeJS.ProcessEnv;
}

/** Collects everything that Doctor judges by. Changes nothing; starts the launcher once to see that it works. */
export async function collectFacts(sources: FactSources): Promise<DoctorFacts> {
  const { configurations, home, remoteMachine, editorHasAgent, window, environment } = sources;
  const { machine } = configurations;
  const launcherCommand = (): LauncherCommand => configurations.launcherCommand();
  const [windows, launcher, hook, assistants, connected, lastSeen, problem] = await Promise.all([
    examineWindows(home),
    tryLauncher(machine.launcher, launcherCommand),
    tryHook(machine.launcher, launcherCommand),
    seeAssistants(configurations),
    configurations.connectedIds(),
    configurations.lastSeen(),
    writeProblem(home),
  ]);
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
  const guarded = assistants.filter(({ parts }) => parts?.guard === 'current').map(({ assistant }) => assistant);
  return {
    ...window(),
    start: startSetting(),
    hasFolder: folders.length > 0,
    isTrusted: vscode.workspace.isTrusted,
    remoteMachine,
    editorHasAgent,
    windows,
    launcherPath: machine.launcher,
    launcher,
    hook,
    hooksDisabledBy: await eachOf(guarded, (assistant) => configurations.hooksDisabledBy(assistant, folders)),
    hookTrust: await eachOf(guarded, (assistant) => configurations.readHookTrust(assistant)),
    programChanges: await eachOf(guarded, (assistant) => programChangedAt(assistant, machine)),
    guardsOffUntil: await guardsOffUntil(home),
    namesakes: await configurations.namesakes(folders),
    assistants,
    lastSeen,
    hasSomethingElse: connected.includes(somethingElseId),
    proxyVariables: proxyVariables(environment),
    state: { path: home, problem },
    home: machine.home,
  };
}

/** Returns what is found for each assistant, by its id. Assistants without a finding are left out. */
async function eachOf<T>(
  assistants: readonly Assistant[],
  find: (assistant: Assistant) => Promise<T | undefined>,
): Promise<ReadonlyMap<string, T>> {
  const found = await Promise.all(assistants.map(async (each) => [each.id, await find(each)] as const));
  return new Map(found.flatMap(([id, value]) => (value === undefined ? [] : [[id, value] as const])));
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
