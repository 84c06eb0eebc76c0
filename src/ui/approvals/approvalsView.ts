import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { Emitter, type Event } from '#base/event.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import { approvalsHtml } from './approvalsHtml.ts';
import { ApprovalsPage, type ApprovalsPageOptions, type PageConnection } from './approvalsPage.ts';
import { watchingTasks } from './runningTasks.ts';

/** Id of the view in `package.json`. */
export const approvalsViewId = 'drawbridge.approvals';

export interface ApprovalsViewOptions extends Omit<
  ApprovalsPageOptions,
  't' | 'runCommand' | 'leave' | 'watchingTasks'
> {
  readonly extensionUri: vscode.Uri;
  /** `status()` or `windowName()` may answer something else. */
  readonly onDidChangeStatus: Event<void>;
  readonly onDidChangeMode: Event<void>;
}

export interface ApprovalsView extends vscode.WebviewViewProvider, vscode.Disposable {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<void>;
  /** Returns true once the approval's card, or the header of its group, has been on the user's screen. */
  hasShown(approval: Approval): boolean;
  /** Brings up a card, the first waiting one without an id, and gives it the keyboard. Decides nothing. */
  focusApproval(id?: string): void;
}

/** The Approvals view. A webview is only its picture: it is rendered anew whenever it is shown, and keeps nothing. */
export function createApprovalsView(options: ApprovalsViewOptions): ApprovalsView {
  const { approvals, extensionUri } = options;
  const visibility = new Emitter<void>();
  const page = new ApprovalsPage({
    ...options,
    watchingTasks: (uris) =>
      watchingTasks(
        vscode.tasks.taskExecutions.map(({ task }) => task),
        uris.map((uri) => vscode.Uri.parse(uri).fsPath),
      ),
    t: (message, ...args) => vscode.l10n.t(message, ...args),
    runCommand: (command) => void vscode.commands.executeCommand(command),
    leave: () => void vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'),
  });
  let view: vscode.WebviewView | undefined;
  const changed = (): void => {
    if (view) view.description = waitingText(approvals);
    page.changed();
  };
  const drawAgain = (): void => page.surroundingsChanged();
  // The rules also tell of every use of a rule.
  let { all } = options.rules;
  const rulesChanged = (): void => {
    if (all === options.rules.all) return;
    ({ all } = options.rules);
    drawAgain();
  };
  const subscriptions = [
    approvals.onDidChange(changed),
    options.onDidChangeStatus(changed),
    options.onDidChangeMode(changed),
    options.rules.onDidChange(rulesChanged),
    vscode.tasks.onDidStartTask(drawAgain),
    vscode.tasks.onDidEndTask(drawAgain),
  ];
  return {
    get visible() {
      return view?.visible ?? false;
    },
    onDidChangeVisibility: visibility.event,
    hasShown: (approval) => page.hasShown(approval),
    resolveWebviewView(resolved) {
      view = resolved;
      const connection = render(resolved, extensionUri);
      page.connect(connection);
      resolved.webview.onDidReceiveMessage((message: unknown) => page.receive(message));
      resolved.onDidChangeVisibility(() => {
        if (!resolved.visible) page.hidden();
        changed();
        visibility.fire();
      });
      resolved.onDidDispose(() => {
        if (view === resolved) view = undefined;
        page.disconnect(connection);
        visibility.fire();
      });
      changed();
      visibility.fire();
    },
    focusApproval(id) {
      page.focus(id);
      void vscode.commands.executeCommand(`${approvalsViewId}.focus`);
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function render(view: vscode.WebviewView, extensionUri: vscode.Uri): PageConnection {
  const { webview } = view;
  const [dist, media] = [vscode.Uri.joinPath(extensionUri, 'dist'), vscode.Uri.joinPath(extensionUri, 'media')];
  const secret = randomBytes(32).toString('hex');
  webview.options = {
    enableScripts: true,
    enableForms: false,
    enableCommandUris: false,
    localResourceRoots: [dist, media],
  };
  webview.html = approvalsHtml({
    nonce: randomBytes(16).toString('hex'),
    secret,
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(dist, 'sidebar.js')).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(media, 'sidebar.css')).toString(),
    language: vscode.env.language,
    title: vscode.l10n.t('Approvals'),
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is VS Code's channel, not a window's
  return { secret, isVisible: () => view.visible, post: (message) => void webview.postMessage(message) };
}

function waitingText(approvals: Approvals): string {
  const count = approvals.all.filter(({ state }) => state === 'waiting').length + approvals.waitingReads.length;
  return count === 0 ? '' : vscode.l10n.t('{0} waiting', count);
}
