import { access, constants, readFile, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { startSetting } from '#editor/startSetting.ts';
import { guardsOffUntil } from '#home/guardsOff.ts';
import { examineWindows } from '#home/windowHealth.ts';
import { type Configurations, seeAssistants } from '../../seenAssistants.ts';
import { proxyVariables, type DoctorFacts } from '../../doctor/facts.ts';
import { tryHook, tryLauncher } from '../../doctor/tryLauncher.ts';
import type { LauncherCommand } from '../../assistant.ts';
import { claudeCode } from '../../assistants/claudeCode.ts';
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
  const [windows, launcher, hook, settingsFiles, assistants, connected, problem] = await Promise.all([
    examineWindows(home),
    tryLauncher(machine.launcher, launcherCommand),
    tryHook(machine.launcher, launcherCommand),
    readSettingsFiles(configurations),
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
    editorHasAgent,
    windows,
    launcherPath: machine.launcher,
    launcher,
    hook,
    hooksDisabledBy: await configurations.hooksDisabledBy(settingsFiles),
    guardsOffUntil: await guardsOffUntil(home),
    namesakes: await configurations.namesakes(folderPaths()),
    assistants,
    hasSomethingElse: connected.includes(somethingElseId),
    proxyVariables: proxyVariables(environment),
    state: { path: home, problem },
    home: machine.home,
  };
}

/** Reads the settings of Claude Code that count in this window: the user's, and those of each folder. Missing files are left out. */
async function readSettingsFiles({
  machine,
}: Configurations): Promise<readonly { readonly file: string; readonly text: string }[]> {
  const folders = folderPaths();
  const names = ['settings.json', 'settings.local.json'];
  const own = claudeCode.settings?.file(machine);
  const files = [
    ...(own === undefined ? [] : [own]),
    ...folders.flatMap((folder) => names.map((name) => join(folder, '.claude', name))),
  ];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => undefined)));
  return files.flatMap((file, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ file, text }];
  });
}

function folderPaths(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
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
