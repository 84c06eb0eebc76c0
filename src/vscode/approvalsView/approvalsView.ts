import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { Approval, Approvals } from '../../approvals/approval.ts';
import { Emitter, type Event } from '../../ports/event.ts';
import { approvalsHtml } from './approvalsHtml.ts';
import { ApprovalsPage, type PageConnection } from './approvalsPage.ts';
import type { ViewStatus } from './approvalsViewText.ts';

/** Id of the view in `package.json`. */
export const approvalsViewId = 'drawbridge.approvals';

export interface ApprovalsViewOptions {
  readonly extensionUri: vscode.Uri;
  readonly approvals: Approvals;
  readonly status: () => ViewStatus;
  /** `status()` or `windowName()` may answer something else. */
  readonly onDidChangeStatus: Event<void>;
  /** What the window's title calls the workspace. */
  readonly windowName: () => string | undefined;
  /** Opens the editor's diff; of all files without an index. */
  readonly openDiff: (id: string, fileIndex?: number) => void;
}

export interface ApprovalsView extends vscode.WebviewViewProvider, vscode.Disposable {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<void>;
  /** Whether the human has had it on screen: its card, or the header of the group that holds the card. */
  hasShown(approval: Approval): boolean;
  /** Brings up a card, the first waiting one without an id, and gives it the keyboard. Decides nothing. */
  focusApproval(id?: string): void;
}

/** The Approvals view. A webview is only its picture: it is rendered anew whenever it is shown, and keeps nothing. */
export function createApprovalsView(options: ApprovalsViewOptions): ApprovalsView {
  const { approvals, extensionUri } = options;
  const visibility = new Emitter<void>();
  const page = new ApprovalsPage({
    approvals,
    t: (message, ...args) => vscode.l10n.t(message, ...args),
    status: options.status,
    windowName: options.windowName,
    openDiff: options.openDiff,
    runCommand: (command) => void vscode.commands.executeCommand(command),
    leave: () => void vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'),
  });
  let view: vscode.WebviewView | undefined;
  const changed = (): void => {
    if (view) view.description = waitingText(approvals);
    page.changed();
  };
  const subscriptions = [approvals.onDidChange(changed), options.onDidChangeStatus(changed)];
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
  const count = approvals.all.filter(({ state }) => state === 'waiting' || state === 'applying').length;
  return count === 0 ? '' : vscode.l10n.t('{0} waiting', count);
}
