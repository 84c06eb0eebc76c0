import * as vscode from 'vscode';
import * as z from 'zod';
import { plain, shortened } from '#base/visibleText.ts';
import { waitingHeadline } from '#ui/page/words/changeText.ts';
import type { PageAsk } from '#ui/page/messages.ts';
import { ApprovalsPage, type ApprovalsPageOptions } from './approvalsPage.ts';
import { drawPage } from './webviewPage.ts';

/** Characters of the title of a tab. */
const titleLength = 60;

/** What a page keeps with VS Code, so that its tab can be restored. */
const tabState = z.object({ id: z.string().min(1).max(100) });

export interface ReviewTabsOptions extends Omit<ApprovalsPageOptions, 'only' | 'isElsewhere' | 'openReview'> {
  readonly extensionUri: vscode.Uri;
  /** The type of the panels. VS Code restores those of a type that has a serializer. */
  readonly panelType: string;
  /** Another page decides about some approval than before. */
  readonly onDecidingChanged: () => void;
}

interface Tab {
  readonly panel: vscode.WebviewPanel;
  readonly page: ApprovalsPage;
}

/**
 * The tabs of the editor area that show one approval each, at full width. While a tab is visible, it alone decides its approval.
 * They are not closed when the extension ends: a window that reloads restores them.
 */
export class ReviewTabs {
  readonly #options: ReviewTabsOptions;
  readonly #tabs = new Map<string, Tab>();

  constructor(options: ReviewTabsOptions) {
    this.#options = options;
  }

  /** Opens the tab of an approval, or brings it up. The user asked for it, so it gets the keyboard. */
  open(id: string): void {
    const tab = this.#tabOf(id);
    if (tab) tab.panel.reveal();
    else {
      const { panelType } = this.#options;
      const place = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
      const options = { enableFindWidget: true, retainContextWhenHidden: false };
      this.#attach(id, vscode.window.createWebviewPanel(panelType, this.#titleOf(id), place, options));
    }
    this.#tabOf(id)?.page.focus(id);
  }

  /** Attaches a panel that VS Code restored. Its approval is armed anew, or the tab says that it is no longer pending. */
  restore(panel: vscode.WebviewPanel, state: unknown): void {
    const parsed = tabState.safeParse(state);
    if (!parsed.success || this.#tabOf(parsed.data.id)) return panel.dispose();
    this.#attach(parsed.data.id, panel);
  }

  /** Returns true while a visible tab shows the approval, so that no other page may decide it. */
  isReviewing(id: string): boolean {
    return this.#tabOf(id)?.panel.visible === true;
  }

  /** Lets the active tab do what a command asks for. Returns false when no tab is active, or its approval is over. */
  ask(ask: PageAsk): boolean {
    const active = [...this.#tabs.values()].find(({ panel, page }) => panel.active && page.isWaiting);
    active?.page.ask(ask);
    return active !== undefined;
  }

  /** Something that the pages show may have changed. */
  changed(): void {
    for (const { page } of this.#tabs.values()) page.changed();
  }

  factsFound(id: string): void {
    for (const { page } of this.#tabs.values()) page.factsFound(id);
  }

  coloursChanged(): void {
    for (const { page } of this.#tabs.values()) page.coloursChanged();
  }

  surroundingsChanged(): void {
    for (const { page } of this.#tabs.values()) page.surroundingsChanged();
  }

  #tabOf(id: string): Tab | undefined {
    return this.#tabs.get(id) ?? [...this.#tabs.values()].find(({ page }) => page.shows(id));
  }

  #attach(id: string, panel: vscode.WebviewPanel): void {
    const { extensionUri, onDecidingChanged } = this.#options;
    const page = new ApprovalsPage({
      ...this.#options,
      only: id,
      isElsewhere: () => false,
      openReview: (other) => this.open(other),
    });
    const title = this.#titleOf(id);
    const isVisible = (): boolean => panel.visible;
    const connection = drawPage(panel.webview, { extensionUri, view: 'tab', title, approvalId: id, isVisible });
    page.connect(connection);
    this.#tabs.set(id, { panel, page });
    panel.title = title;
    const iconOf = (theme: string): vscode.Uri => vscode.Uri.joinPath(extensionUri, 'media', `tab-${theme}.svg`);
    panel.iconPath = { light: iconOf('light'), dark: iconOf('dark') };
    panel.webview.onDidReceiveMessage((message: unknown) => page.receive(message));
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
      onDecidingChanged();
    });
    panel.onDidDispose(() => {
      page.disconnect(connection);
      this.#tabs.delete(id);
      onDecidingChanged();
    });
    onDecidingChanged();
  }

  #titleOf(id: string): string {
    const { approvals, t } = this.#options;
    const approval = approvals.get(id);
    if (approval === undefined) return t('Review');
    const headline = approval.action ? plain(approval.action.title) : waitingHeadline(approval, t);
    return t('Review: {0}', shortened(headline, titleLength));
  }
}
