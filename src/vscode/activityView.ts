import * as vscode from 'vscode';
import type { Approvals } from '../approvals/approval.ts';
import type { Clock } from '../ports/clock.ts';
import { Emitter, type Subscription } from '../ports/event.ts';
import type { WorkspaceFolder } from '../ports/workspace.ts';
import { callItem } from './callItem.ts';
import type { LateTree, TreeSource } from './lateTree.ts';
import type { RecentCalls } from './record/recentCalls.ts';

export interface ActivityViewOptions {
  readonly treeView: Pick<vscode.TreeView<vscode.TreeItem>, 'badge' | 'reveal'>;
  readonly tree: LateTree;
  readonly recentCalls: RecentCalls;
  readonly approvals: Pick<Approvals, 'all' | 'get'>;
  readonly clock: Clock;
  readonly folders: () => readonly WorkspaceFolder[];
  /** Shows the card of an approval. */
  readonly review: (approvalId: string) => void;
  /** Opens the change of an approval in the editor. */
  readonly openDiff: (approvalId: string) => Promise<void>;
}

/** Calls may come by the thousand a second; the view is drawn at most this often. */
const redrawMilliseconds = 300;

/** Recent calls, newest first. It also carries the badge, which a webview cannot show before it was opened. */
export class ActivityView implements vscode.Disposable {
  readonly #options: ActivityViewOptions;
  readonly #redraw = new Emitter<void>();
  readonly #subscriptions: Subscription[];
  #pending: Subscription | undefined;

  constructor(options: ActivityViewOptions) {
    this.#options = options;
    const source: TreeSource = {
      items: () => options.recentCalls.all.map(callItem),
      onDidChange: this.#redraw.event,
    };
    this.#subscriptions = [
      options.recentCalls.onDidChange(() => this.#redrawSoon()),
      options.tree.attach(source),
      vscode.commands.registerCommand('drawbridge.openActivity', (id: unknown) => this.#open(id)),
    ];
  }

  /** @param waiting number of approvals that wait for the human */
  showWaiting(waiting: number): void {
    const tooltip = waiting === 1 ? vscode.l10n.t('1 approval waits') : vscode.l10n.t('{0} approvals wait', waiting);
    this.#options.treeView.badge = waiting === 0 ? undefined : { value: waiting, tooltip };
  }

  /** Opens our side bar, the approvals with it, while the keyboard stays where it is (editor-facts.md). */
  async revealWithoutFocus(): Promise<void> {
    const [newest] = this.#options.recentCalls.all;
    if (newest === undefined) return;
    await this.#options.treeView.reveal(callItem(newest), { focus: false, select: false });
  }

  dispose(): void {
    this.#pending?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#options.treeView.badge = undefined;
  }

  #redrawSoon(): void {
    this.#pending ??= this.#options.clock.after(redrawMilliseconds, () => {
      this.#pending = undefined;
      this.#redraw.fire();
    });
  }

  /** The card of the call's approval, its diff when the card has left the view, or else the first file of the call. */
  async #open(id: unknown): Promise<void> {
    const { recentCalls, approvals, review, openDiff } = this.#options;
    const call = typeof id === 'string' ? recentCalls.get(id) : undefined;
    if (call === undefined) return;
    const approvalId = call.approvalId;
    if (approvalId !== undefined && approvals.all.some((approval) => approval.id === approvalId)) review(approvalId);
    else if (approvalId !== undefined && approvals.get(approvalId) !== undefined) await openDiff(approvalId);
    else await this.#openFile(call.resources.find(({ path }) => path !== undefined)?.path);
  }

  async #openFile(path: string | undefined): Promise<void> {
    const uri = path === undefined ? undefined : uriOf(path, this.#options.folders());
    const stat = uri && (await vscode.workspace.fs.stat(uri).then(undefined, () => undefined));
    if (uri === undefined || stat === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This call has no file that can be opened.'));
    } else if ((stat.type & vscode.FileType.Directory) !== 0) {
      await vscode.commands.executeCommand('revealInExplorer', uri);
    } else {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: true });
    }
  }
}

/** A workspace-relative path begins with its folder's name where there are several folders (product.md, "Coordinates"). */
export function uriOf(path: string, folders: readonly WorkspaceFolder[]): vscode.Uri | undefined {
  const [only] = folders;
  if (folders.length === 1 && only !== undefined) return vscode.Uri.joinPath(vscode.Uri.parse(only.uri), path);
  const [name, ...rest] = path.split('/');
  const folder = folders.find((candidate) => candidate.name === name);
  return folder && vscode.Uri.joinPath(vscode.Uri.parse(folder.uri), ...rest);
}
