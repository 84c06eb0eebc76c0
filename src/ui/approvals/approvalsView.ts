import * as vscode from 'vscode';
import { Emitter, type Event } from '#base/event.ts';
import type { Approval, Approvals } from '#changes/approval.ts';
import { awaitsUser } from '#changes/halfDone.ts';
import type { SampleApprovals } from '#changes/sampleApprovals.ts';
import type { PageAsk } from '#ui/page/messages.ts';
import { ApprovalsPage, type ApprovalsPageOptions } from './approvalsPage.ts';
import { CardFacts, type CardFactsOptions, type SyntaxCheck } from './cardFacts.ts';
import { type OpenInTab, opensInTab } from './opensInTab.ts';
import { type MemoryStore, PageMemory } from './pageMemory.ts';
import { ReviewTabs } from './reviewTabs.ts';
import { watchingTasks } from './runningTasks.ts';
import { drawPage } from './webviewPage.ts';

/** Id of the view in `package.json`. */
export const approvalsViewId = 'drawbridge.approvals';

export interface ApprovalsViewOptions extends Omit<
  ApprovalsPageOptions,
  | 't'
  | 'runCommand'
  | 'leave'
  | 'focused'
  | 'watchingTasks'
  | 'memory'
  | 'openReview'
  | 'isElsewhere'
  | 'only'
  | 'facts'
  | 'copy'
> {
  readonly extensionUri: vscode.Uri;
  readonly samples: SampleApprovals;
  /** Keeps drafts through a reload of the window. */
  readonly memento: MemoryStore;
  readonly onDidChangeStatus: Event<void>;
  readonly onDidChangeMode: Event<void>;
  /** `drawbridge.review.openInTab` */
  readonly openInTab: () => OpenInTab;
  readonly syntaxErrors: SyntaxCheck;
  readonly usesOf: CardFactsOptions['usesOf'];
  /** Fires when other colours of code may come out than before. */
  readonly onDidChangeColours: Event<void>;
}

export interface ApprovalsView extends vscode.WebviewViewProvider, vscode.Disposable {
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<void>;
  /** Brings up a request in the side bar or in its tab, the first waiting one without an id, and gives it the keyboard. Decides nothing. */
  focusApproval(id?: string): void;
  /** Opens the tab that shows one approval at full width. */
  openReview(id: string): void;
  /** Opens the tab of a sample, with which a user learns the page. */
  openSample(): void;
  /** Attaches a review tab that VS Code restored. */
  restoreTab(panel: vscode.WebviewPanel, state: unknown): void;
  /** Lets the page that had the keyboard last do what a command asks for, or the only one that is visible. Decides nothing. */
  ask(ask: PageAsk): void;
}

/** The Approvals view. A webview is only its picture: it is rendered anew whenever it is shown, and keeps nothing. */
export function createApprovalsView(options: ApprovalsViewOptions): ApprovalsView {
  const { approvals, extensionUri } = options;
  const visibility = new Emitter<void>();
  const facts = new CardFacts(options);
  const shared = {
    ...options,
    facts,
    memory: new PageMemory(options.memento),
    watchingTasks: (uris) =>
      watchingTasks(
        vscode.tasks.taskExecutions.map(({ task }) => task),
        uris.map((uri) => vscode.Uri.parse(uri).fsPath),
      ),
    t: (message, ...args) => vscode.l10n.t(message, ...args),
    runCommand: (command) => void vscode.commands.executeCommand(command),
    copy: (text) => void vscode.env.clipboard.writeText(text),
    leave: () => void vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup'),
  } satisfies Omit<ApprovalsPageOptions, 'openReview' | 'isElsewhere' | 'focused'>;
  let lastUsed: 'sideBar' | 'tab' | undefined;
  const tabs: ReviewTabs = new ReviewTabs({
    ...shared,
    panelType: 'drawbridge.review',
    focused: () => (lastUsed = 'tab'),
    onDecidingChanged: () => page.surroundingsChanged(),
  });
  const samples = new ReviewTabs({
    ...shared,
    approvals: options.samples.queue,
    facts: new CardFacts({ ...options, approvals: options.samples.queue }),
    // A rule needs a folder, and none can be made of a sample.
    folders: () => [],
    // A tab of this type is not restored: a sample does not outlive a reload.
    panelType: 'drawbridge.sample',
    focused: () => (lastUsed = 'tab'),
    onDecidingChanged: () => undefined,
  });
  const page = new ApprovalsPage({
    ...shared,
    focused: () => (lastUsed = 'sideBar'),
    openReview: (id) => tabs.open(id),
    isElsewhere: (id) => tabs.isReviewing(id),
  });
  let view: vscode.WebviewView | undefined;
  const changed = (): void => {
    if (view) view.description = waitingText(approvals);
    page.changed();
    tabs.changed();
  };
  const drawAgain = (): void => {
    page.surroundingsChanged();
    tabs.surroundingsChanged();
  };
  // The rules also tell of every use of a rule.
  let { all } = options.rules;
  const rulesChanged = (): void => {
    if (all === options.rules.all) return;
    ({ all } = options.rules);
    drawAgain();
  };
  const subscriptions = [
    approvals.onDidChange(changed),
    options.samples.queue.onDidChange(() => samples.changed()),
    facts.onFound((id) => {
      page.factsFound(id);
      tabs.factsFound(id);
    }),
    options.onDidChangeColours(() => {
      page.coloursChanged();
      tabs.coloursChanged();
      samples.coloursChanged();
    }),
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
    resolveWebviewView(resolved) {
      view = resolved;
      const connection = drawPage(resolved.webview, {
        extensionUri,
        view: 'sideBar',
        title: vscode.l10n.t('Approvals'),
        isVisible: () => resolved.visible,
      });
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
      const chosen = id === undefined ? nextApproval(approvals) : approvals.get(id);
      if (chosen && opensInTab(chosen, options.openInTab())) return tabs.open(chosen.id);
      page.focus(id);
      void vscode.commands.executeCommand(`${approvalsViewId}.focus`);
    },
    openReview: (id) => tabs.open(id),
    openSample: () =>
      samples.open(
        options.samples.open({
          assistant: vscode.l10n.t('Sample assistant'),
          reason: vscode.l10n.t(
            'This is a sample of a request: its file is made up, nothing on your disk changes, and nothing is recorded. Two of the three parts are good, and the last one is a forgotten debugging line. Take its check mark off, approve the others, and then undo them.',
          ),
        }),
      ),
    restoreTab: (panel, state) => tabs.restore(panel, state),
    ask(ask) {
      const isInSideBar = lastUsed === 'sideBar' && view?.visible === true && page.isWaiting;
      if (!isInSideBar && (tabs.ask(ask) || samples.ask(ask))) return;
      page.ask(ask);
      void vscode.commands.executeCommand(`${approvalsViewId}.focus`);
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** Returns the approval that has waited longest; undefined when a read has waited longer. */
function nextApproval({ all, waitingReads }: Approvals): Approval | undefined {
  const next = all.find(awaitsUser);
  return next && waitingReads.some(({ requestedAt }) => requestedAt < next.requestedAt) ? undefined : next;
}

function waitingText(approvals: Approvals): string {
  const count = approvals.all.filter(awaitsUser).length + approvals.waitingReads.length;
  return count === 0 ? '' : vscode.l10n.t('{0} waiting', count);
}
