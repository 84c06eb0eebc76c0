import { hostname } from 'node:os';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { connectedIds, markConnected, unmarkConnected } from '#connect/connectedIds.ts';
import type { Configurations } from '#connect/seenAssistants.ts';
import { chooseGuardLevel } from '#connect/editor/dialogs/chooseGuardLevel.ts';
import {
  connectAssistant,
  copyFirstQuestion,
  type ConnectDependencies,
} from '#connect/editor/dialogs/connectAssistant.ts';
import { ConnectedAssistants } from '#connect/editor/dialogs/connectedAssistants.ts';
import { disconnectAssistant } from '#connect/editor/dialogs/disconnectAssistant.ts';
import { keepWalkthroughProgress } from '#connect/editor/dialogs/walkthroughProgress.ts';
import { collectFacts, type WindowFacts } from '#connect/editor/doctor/collectFacts.ts';
import { NamesakeWatch } from '#connect/editor/namesakeWatch.ts';
import { assistants } from '#connect/assistants/allAssistants.ts';
import { launcherCommand } from '#connect/launcherCommand.ts';
import { LastSeen } from '#connect/lastSeen.ts';
import { hasProgram, isFound, thisMachine } from '#connect/machine.ts';
import { readServerTexts } from '#connect/serverFiles.ts';
import { startSetting } from '#editor/startSetting.ts';
import { readLastSeen } from '#home/lastSeen.ts';
import { launcherPath } from '#home/launcher/installLauncher.ts';
import type { ServerSwitch } from '#mcp/serverSwitch.ts';
import { setUpIdOf } from '#ui/connections/setUpItem.ts';
import { Doctor } from '#ui/doctor/doctorPanel.ts';
import type { Commands } from './commands.ts';
import type { Services } from './services.ts';
import type { Shell } from './shell.ts';

/** The code that edits configurations: a chunk of its own, which most windows never need. */
const configuration = () => import('#connect/configuration.ts');

type ConnectServices = Pick<
  Services,
  | 'state'
  | 'prepareLauncher'
  | 'redactor'
  | 'recentCalls'
  | 'log'
  | 'approvals'
  | 'tokens'
  | 'workspace'
  | 'version'
  | 'fileAuditLog'
  | 'nativeEdits'
>;

/** Creates the commands that connect and disconnect assistants, and the Doctor. */
export function createConnectCommands(
  { context }: Pick<Shell, 'context'>,
  services: ConnectServices,
  server: ServerSwitch,
) {
  const { state, redactor, recentCalls, approvals } = services;
  const connected = new ConnectedAssistants(state.home);
  const configurations = configurationsOf(context, state.home, connected);
  const remoteMachine = vscode.env.remoteName === undefined ? undefined : hostname();
  // Editors that are based on older versions of VS Code may not have this API.
  const editorHasAgent = 'lm' in vscode && 'registerMcpServerDefinitionProvider' in vscode.lm;
  const doctor = new Doctor({
    extensionUri: context.extensionUri,
    facts: () =>
      collectFacts({
        configurations,
        home: state.home,
        remoteMachine,
        editorHasAgent,
        window: () => windowFacts(services, server),
        environment: process.env,
      }),
    redact: redactor.redact,
  });
  const dependencies: ConnectDependencies = {
    configurations,
    http: {
      hasToken: () => services.tokens.all.length > 0,
      createToken: async () => void (await vscode.commands.executeCommand('drawbridge.createToken')),
      copyUrl: () => vscode.commands.executeCommand('drawbridge.copyHttpUrl'),
    },
    editorHasAgent,
    remoteMachine,
    prepareLauncher: services.prepareLauncher,
    start: () => startUnlessKeptFrom(server),
  };
  const commands: Commands = {
    connectAssistant: (id) => connectAssistant(dependencies, id),
    disconnectAssistant: (target) => disconnectAssistant(configurations, setUpIdOf(target) ?? target),
    copyFirstQuestion: () => copyFirstQuestion(),
    chooseGuardLevel: () => chooseGuardLevel(configurations),
    doctor: () => doctor.run(),
  };
  const progress = keepWalkthroughProgress({
    hasCalled: () => recentCalls.all.length > 0,
    onDidChangeCalls: recentCalls.onDidChange,
    hasChanged: () => approvals.changes.list().length > 0,
    onDidChangeApprovals: approvals.changes.onDidChange,
  });
  const namesakes = new NamesakeWatch({
    configurations,
    workspace: services.workspace,
    memento: context.workspaceState,
  });
  const seen = new LastSeen({
    home: state.home,
    assistants,
    onError: (error) => services.log.error('The time of the last call could not be kept', error),
  });
  const noteClients = (): void => {
    for (const { client, lastSeen } of server.running?.clients() ?? []) seen.note(client?.name, lastSeen);
  };
  const noteCalls = (): void => {
    const [last] = recentCalls.all;
    if (last !== undefined) seen.note(last.client, last.time);
  };
  return {
    connected,
    configurations,
    commands,
    disposables: [
      connected,
      doctor,
      progress,
      namesakes,
      server.onDidChange(noteClients),
      recentCalls.onDidChange(noteCalls),
    ],
  };
}

function configurationsOf(
  context: vscode.ExtensionContext,
  home: string,
  connected: ConnectedAssistants,
): Configurations {
  const machine = thisMachine({
    launcher: launcherPath(home),
    // `<user folder>/globalStorage/<this extension>`
    editorUserFolder: dirname(dirname(context.globalStorageUri.fsPath)),
  });
  return {
    assistants,
    machine,
    launcherCommand: () => launcherCommand(machine),
    isFound: (assistant) => isFound(assistant, machine),
    hasProgram: (assistant) => hasProgram(assistant, machine),
    lastSeen: () => readLastSeen(home),
    readState: async (assistant) => (await configuration()).readState(assistant, machine),
    readParts: async (assistant) => (await configuration()).readParts(assistant, machine),
    planParts: async (assistant, wanted) => (await configuration()).planParts(assistant, machine, wanted),
    hooksDisabledBy: async (assistant, folders) => (await configuration()).hooksDisabledBy(assistant, machine, folders),
    readHookTrust: async (assistant) => (await configuration()).readHookTrust(assistant, machine),
    trustHooks: async (assistant) => (await configuration()).trustHooks(assistant, machine),
    async namesakes(folders) {
      const texts = await readServerTexts(folders, machine);
      return texts.length === 0 ? [] : (await configuration()).namesakesIn(texts, machine);
    },
    apply: async (change) => (await configuration()).applyChange(change, home),
    connectedIds: () => connectedIds(home),
    async markConnected(id) {
      await markConnected(home, id);
      await connected.look();
    },
    async unmarkConnected(id) {
      await unmarkConnected(home, id);
      await connected.look();
    },
  };
}

function windowFacts(
  {
    workspace,
    version,
    tokens,
    fileAuditLog,
    nativeEdits,
  }: Pick<Services, 'workspace' | 'version' | 'tokens' | 'fileAuditLog' | 'nativeEdits'>,
  { state, running }: ServerSwitch,
): WindowFacts {
  const { credentials, forwarded } = running?.refused() ?? { credentials: 0, forwarded: 0 };
  return {
    windowId: workspace.windowId,
    version,
    server: state,
    endpoint: running?.endpoint,
    isHeld: workspace.isHeld(),
    wrongTokens: credentials,
    forwarded,
    tokens: { count: tokens.all.length, path: tokens.path, problem: tokens.problem },
    httpListener: running?.httpListener() ?? { kind: 'closed' },
    recordProblem: fileAuditLog.problem,
    nativeEdits: nativeEdits.lastSeen,
  };
}

/** Starts the server, unless the user starts this window's server by hand. @returns whether it runs */
async function startUnlessKeptFrom(server: ServerSwitch): Promise<boolean> {
  if (startSetting() !== 'manual' && vscode.workspace.isTrusted) await server.start();
  return server.running !== undefined;
}
