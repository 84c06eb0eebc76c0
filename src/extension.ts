import * as vscode from 'vscode';
import type { Main } from './main.ts';
import { LateTree } from './vscode/lateTree.ts';
import { startSetting, whenToStart } from './vscode/startSetting.ts';
import { showStatusMenu, StatusBar } from './vscode/statusBar.ts';

let loading: Promise<Main> | undefined;

/**
 * The whole of what every window pays for: commands, a status bar item and views that wait. `main.ts` is a chunk of its own,
 * loaded when the server starts or a view is shown.
 */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const statusBar = new StatusBar();
  const activity = new LateTree();
  const activityView = vscode.window.createTreeView('drawbridge.activity', { treeDataProvider: activity });
  context.subscriptions.push(statusBar, activity, activityView);

  const main = (): Promise<Main> => {
    loading ??= import('./main.ts').then(({ createMain }) =>
      createMain({ context, statusBar, activity, activityView }),
    );
    return loading;
  };
  const command = (id: string, run: (main: Main) => unknown): void => {
    context.subscriptions.push(vscode.commands.registerCommand(id, async () => run(await main())));
  };
  command('drawbridge.start', (started) => started.start());
  command('drawbridge.stop', (started) => started.stop());
  command('drawbridge.restart', (started) => started.restart());
  command('drawbridge.showLog', (started) => started.showLog());
  command('drawbridge.reviewNextApproval', (started) => started.reviewNextApproval());
  command('drawbridge.reviewThisApproval', (started) => started.reviewThisApproval());
  command('drawbridge.enableEdits', (started) => started.enableEdits());
  command('drawbridge.resumeAssistants', (started) => started.resumeAssistants());

  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('drawbridge.approvals', {
      resolveWebviewView: async (view, state, token) => {
        const started = await main();
        await started.approvalsView.resolveWebviewView(view, state, token);
        if (startSetting() === 'whenConnected') await started.startByItself();
      },
    }),
    vscode.commands.registerCommand('drawbridge.showMenu', () => showStatusMenu(statusBar.status)),
    activityView.onDidChangeVisibility(({ visible }) => void (visible && main())),
    whenToStart(() => void main().then((started) => started.startByItself())),
  );
  // A diff of ours that the editor restores asks for its texts as soon as we are active.
  if (activityView.visible || showsOwnDiff()) await main();
}

function showsOwnDiff(): boolean {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  return tabs.some(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'drawbridge');
}

/** The editor waits for it, a few seconds at most: an apply that has begun ends, and what it came to is kept. */
export async function deactivate(): Promise<void> {
  await (await loading)?.dispose();
}
