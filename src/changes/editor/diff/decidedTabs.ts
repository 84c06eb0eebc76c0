import * as vscode from 'vscode';
import type { Approval, Approvals } from '../../approval.ts';
import { parseDiffUri } from './diffUris.ts';

/** After these the title of a diff, such as "proposed change", is no longer true, and the editor cannot change it. */
const decided: ReadonlySet<Approval['state']> = new Set(['applied', 'undone', 'declined']);

/**
 * Closes the diffs of a change that the user has decided, and the tabs of their right sides: the editor opens such a tab by itself
 * when text that was typed in a diff of several files is not saved within 0.8 s. A tab with text that is not saved yet is closed
 * once it is saved, and a diff that opens only after the decision is closed at once. The diffs of a change that ended without the
 * user stay: the user may be reading them.
 */
export class DecidedTabs implements vscode.Disposable {
  readonly #approvals: Pick<Approvals, 'get' | 'onDidChange'>;
  /** The ids of approvals by the titles of their diffs of several files, whose addresses no extension is told. */
  readonly #titles = new Map<string, string>();
  readonly #subscriptions: vscode.Disposable;

  constructor(approvals: Pick<Approvals, 'get' | 'onDidChange'>) {
    this.#approvals = approvals;
    this.#subscriptions = vscode.Disposable.from(
      approvals.onDidChange(({ approvals: ids }) => {
        if ([...ids].some((id) => this.#isDecided(id))) this.#close();
      }),
      vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
        if ([...opened, ...changed].some((tab) => this.#isDue(tab))) this.#close();
      }),
    );
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  /** The diff of several files of an approval is opened. @param title without the number of files, which the editor adds */
  opened(title: string, approvalId: string): void {
    this.#titles.set(title, approvalId);
  }

  #close(): void {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => this.#isDue(tab));
    if (tabs.length > 0) void vscode.window.tabGroups.close(tabs, true);
  }

  #isDue(tab: vscode.Tab): boolean {
    const id = tab.isDirty ? undefined : this.#approvalOf(tab);
    return id !== undefined && this.#isDecided(id);
  }

  #isDecided(id: string): boolean {
    const approval = this.#approvals.get(id);
    return approval !== undefined && decided.has(approval.state);
  }

  #approvalOf({ input, label }: vscode.Tab): string | undefined {
    if (input instanceof vscode.TabInputText) {
      const address = parseDiffUri(input.uri);
      return address?.side === 'proposal' ? address.approvalId : undefined;
    }
    if (input instanceof vscode.TabInputTextDiff) {
      const address = parseDiffUri(input.modified);
      return address?.side === 'proposal' && label.endsWith(proposedMark()) ? address.approvalId : undefined;
    }
    const title = [...this.#titles.keys()].find((each) => label.startsWith(`${each} (`));
    return title === undefined ? undefined : this.#titles.get(title);
  }
}

/** The end of the title of the diff of one file while its change waits. */
export function proposedMark(): string {
  return ` (${vscode.l10n.t('proposed change')})`;
}
