import * as vscode from 'vscode';
import { McpProvider } from '#connect/editor/mcpProvider.ts';
import { type DrawbridgeApi, RegisteredTools } from '#editor/extensionApi.ts';
import { startSetting, whenToStart } from '#editor/startSetting.ts';
import { LateTree, lateViews, type LateView } from '#ui/lateTree.ts';
import { StatusBar } from '#ui/statusBar.ts';
import { showStatusMenu } from '#ui/statusMenu.ts';
import { welcomeNewUser } from '#ui/welcomeNewUser.ts';
import type { Main } from './main.ts';

let loading: Promise<Main> | undefined;

/**
 * Registers commands, a status bar item and empty views: every window pays for this. `main.ts` is a chunk of its own, loaded
 * when the server starts or a view is shown.
 */
export async function activate(context: vscode.ExtensionContext): Promise<DrawbridgeApi> {
  const statusBar = new StatusBar();
  const views = new Map<string, LateView>(lateViews.map((id) => [id, lateView(id)]));
  context.subscriptions.push(statusBar, ...[...views.values()].flatMap(({ tree, view }) => [tree, view]));

  const registeredTools = new RegisteredTools();
  const mcpProvider = new McpProvider({
    version: versionOf(context),
    connect: async () => (await main()).connectEditor(),
  });
  const main = (): Promise<Main> => {
    loading ??= import('./main.ts').then(({ createMain }) =>
      createMain({ context, statusBar, mcpProvider, registeredTools, views }),
    );
    return loading;
  };
  context.subscriptions.push(
    registeredTools,
    ...contributedCommands(context).map((id) =>
      vscode.commands.registerCommand(id, async (...parameters: unknown[]) => (await main()).run(id, parameters)),
    ),
    vscode.window.registerWebviewViewProvider('drawbridge.approvals', {
      resolveWebviewView: async (view, state, token) => {
        const started = await main();
        await started.approvalsView.resolveWebviewView(view, state, token);
        if (startSetting() === 'whenConnected') await started.startByItself();
      },
    }),
    vscode.window.registerWebviewPanelSerializer('drawbridge.review', {
      deserializeWebviewPanel: async (panel, state: unknown) => (await main()).approvalsView.restoreTab(panel, state),
    }),
    mcpProvider.register(),
    vscode.commands.registerCommand('drawbridge.showMenu', () => showStatusMenu(statusBar.status)),
    ...[...views.values()].map(({ view }) => view.onDidChangeVisibility(({ visible }) => void (visible && main()))),
    whenToStart(() => void main().then((started) => started.startByItself())),
  );
  void welcomeNewUser(context);
  // A restored Drawbridge diff asks for its texts as soon as the extension is active.
  if ([...views.values()].some(({ view }) => view.visible) || showsOwnDiff()) await main();
  return registeredTools.api;
}

function lateView(id: string): LateView {
  const tree = new LateTree();
  return {
    tree,
    view: vscode.window.createTreeView(id, { treeDataProvider: tree, manageCheckboxStateManually: true }),
  };
}

/** Returns the commands of the manifest, except the menu, which works before `main.ts` is loaded. */
function contributedCommands({ extension }: vscode.ExtensionContext): string[] {
  const { contributes }: { contributes: { commands: { command: string }[] } } = extension.packageJSON;
  return contributes.commands.map(({ command }) => command).filter((id) => id !== 'drawbridge.showMenu');
}

function versionOf({ extension }: vscode.ExtensionContext): string {
  const { version }: { version: string } = extension.packageJSON;
  return version;
}

function showsOwnDiff(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'drawbridge');
}

/** Lets an apply that has begun end, and keeps its outcome. The editor waits a few seconds at most. */
export async function deactivate(): Promise<void> {
  await (await loading)?.dispose();
}
