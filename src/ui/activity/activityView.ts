import * as vscode from 'vscode';
import type { CallSummary, RecentCalls } from '#audit/recentCalls.ts';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import type { Approvals } from '#changes/approval.ts';
import type { WaitingCount } from '../attention.ts';
import type { Session } from '../history/grouping.ts';
import type { LateTree, TreeSource } from '../lateTree.ts';
import { rowId } from '../rowId.ts';
import { type CallFilter, filterText, isEmpty, matches } from './callFilter.ts';
import { callDetails, callItem, type CallLink } from './callItem.ts';
import { chooseFilter } from './chooseFilter.ts';
import { explainCall } from './explainCall.ts';
import { openAlways, type OpenClosedFileOptions, openOnce, placeOf, refusedSecret } from './openClosedFile.ts';
import { earlierItem, sessionItem, sessionsItem, shownSessions, summarizeSessions } from './sessionItems.ts';

export interface ActivityViewOptions extends OpenClosedFileOptions {
  readonly treeView: Pick<vscode.TreeView<vscode.TreeItem>, 'badge' | 'reveal' | 'selection'> & { message?: string };
  readonly tree: LateTree;
  readonly recentCalls: RecentCalls;
  readonly approvals: Pick<Approvals, 'all' | 'get'>;
  readonly history: ChangeHistory;
  readonly clock: Clock;
  /** Shows the card of an approval. */
  readonly review: (approvalId: string) => void;
  /** Opens the change of an approval in the editor. */
  readonly openDiff: (approvalId: string) => Promise<void>;
}

/** The part of the History view that calls link to. */
interface ChangeHistory {
  has(approvalId: string): boolean;
  sessions(): readonly Session[];
  show(approvalId: string): Promise<void>;
}

/** Time from a call to the row of the view, in which further calls may join it. */
const redrawMilliseconds = 300;
/**
 * The view draws its rows at most this often. VS Code keeps a disposable store for every row that a tree view has ever drawn, until the view
 * is gone (`ExtHostTreeView._createTreeNode`), so rows that are drawn again cost memory for good.
 */
const redrawPauseMilliseconds = 2000;
/** The pause after so many changes of calls that nobody can read the rows as they come. */
const longPauseMilliseconds = 5000;
const manyChanges = 20;
/** The calls that are drawn each time, as many as there is room for. Older ones are drawn when the user opens their row. */
const shownCalls = 15;

/**
 * Recent calls in words, newest first, below a summary of the sessions that made them. It also carries the badge, which a webview cannot show before
 * it was opened.
 */
export class ActivityView implements vscode.Disposable {
  readonly #options: ActivityViewOptions;
  readonly #redraw = new Emitter<void>();
  readonly #subscriptions: Subscription[];
  #pending: Subscription | undefined;
  /** Monotonic milliseconds. */
  #redrawnAt = Number.NEGATIVE_INFINITY;
  #pauseMilliseconds = redrawPauseMilliseconds;
  /** Changes of calls since the rows were drawn. */
  #changes = 0;
  #filter: CallFilter = {};

  /** The commands of the manifest, without `drawbridge.`. Each takes a row of the view or the id of a call. */
  readonly commands = {
    openActivity: (call?: unknown) => this.#with(call, (found) => this.#open(found)),
    filterActivity: (filter?: unknown) => this.#chooseFilter(filter),
    clearActivityFilter: () => this.#setFilter({}),
    showCallCard: (call?: unknown) =>
      this.#with(call, ({ approvalId }) => approvalId !== undefined && this.#options.review(approvalId)),
    showCallDiff: (call?: unknown) =>
      this.#with(call, ({ approvalId }) => approvalId !== undefined && this.#options.openDiff(approvalId)),
    showCallRule: (call?: unknown) =>
      this.#with(call, ({ decision }) => vscode.commands.executeCommand('drawbridge.showRule', decision?.ruleId)),
    showCallInHistory: (call?: unknown) =>
      this.#with(call, ({ approvalId }) => approvalId !== undefined && this.#options.history.show(approvalId)),
    openClosedFileOnce: (call?: unknown) => this.#with(call, (found) => openOnce(found, this.#options)),
    openClosedFileAlways: (call?: unknown) => this.#with(call, (found) => openAlways(found, this.#options)),
    explainCall: (call?: unknown) => this.#with(call, explainCall),
    explainDecision: (call?: unknown) => this.#with(call, explainCall),
    copyCallDetails: (call?: unknown) =>
      this.#with(call, (found) => vscode.env.clipboard.writeText(callDetails(found))),
  };

  constructor(options: ActivityViewOptions) {
    this.#options = options;
    const source: TreeSource = { items: (parent) => this.#items(parent), onDidChange: this.#redraw.event };
    this.#subscriptions = [options.recentCalls.onDidChange(() => this.#redrawSoon()), options.tree.attach(source)];
  }

  /** @param waiting number of approvals that wait for the user */
  showWaiting(waiting: WaitingCount): void {
    this.#options.treeView.badge =
      waiting.all === 0 ? undefined : { value: waiting.all, tooltip: badgeTooltip(waiting) };
  }

  /** Opens the Drawbridge side bar with the approvals, without moving the keyboard focus. */
  async revealWithoutFocus(): Promise<void> {
    const [first] = this.#items();
    if (first === undefined) return;
    await this.#options.treeView.reveal(first, { focus: false, select: false });
  }

  dispose(): void {
    this.#pending?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#options.treeView.badge = undefined;
  }

  #redrawSoon(): void {
    this.#changes += 1;
    if (this.#pending !== undefined) return;
    const { clock } = this.#options;
    const pause = this.#redrawnAt + this.#pauseMilliseconds - clock.monotonic();
    this.#pending = clock.after(Math.max(redrawMilliseconds, pause), () => {
      this.#pending = undefined;
      this.#redrawnAt = clock.monotonic();
      this.#pauseMilliseconds = this.#changes > manyChanges ? longPauseMilliseconds : redrawPauseMilliseconds;
      this.#changes = 0;
      this.#showFilter();
      this.#redraw.fire();
    });
  }

  #items(parent?: vscode.TreeItem): readonly vscode.TreeItem[] {
    const { history } = this.#options;
    if (parent?.id === 'sessions' || parent?.id === 'earlierSessions') {
      const rows = summarizeSessions(this.#calls(), history.sessions()).map(sessionItem);
      const earlier = rows.slice(shownSessions);
      if (parent.id === 'earlierSessions') return earlier;
      return [
        ...rows.slice(0, shownSessions),
        ...(earlier.length === 0
          ? []
          : [earlierItem('earlierSessions', vscode.l10n.t('Earlier Sessions'), earlier.length)]),
      ];
    }
    if (parent?.id === 'earlierCalls') return this.#calls().slice(shownCalls).map(this.#rows());
    // The first row stays whatever the filter is, because the view is revealed by it.
    if (parent !== undefined || this.#options.recentCalls.all.length === 0) return [];
    const calls = this.#calls();
    const earlier = calls.length - shownCalls;
    return [
      sessionsItem(calls),
      ...calls.slice(0, shownCalls).map(this.#rows()),
      ...(earlier > 0 ? [earlierItem('earlierCalls', vscode.l10n.t('Earlier Calls'), earlier)] : []),
    ];
  }

  /** Returns what renders a call with what it links to now. */
  #rows(): (call: CallSummary) => vscode.TreeItem {
    const { approvals } = this.#options;
    const links = this.#links();
    return (call) => {
      const approval = call.approvalId === undefined ? undefined : approvals.get(call.approvalId);
      return callItem(call, links(call), approval);
    };
  }

  /** The calls that match the filter, newest first. */
  #calls(): readonly CallSummary[] {
    return this.#options.recentCalls.all.filter((call) => matches(call, this.#filter));
  }

  #links(): (call: CallSummary) => readonly CallLink[] {
    const { approvals, history } = this.#options;
    const cards = new Set(approvals.all.map(({ id }) => id));
    return (call) => {
      const { approvalId, decision } = call;
      const links: CallLink[] = [];
      if (approvalId !== undefined) {
        if (cards.has(approvalId)) links.push('card');
        if (approvals.get(approvalId)?.files.some(({ hasText }) => hasText) === true) links.push('diff');
        if (history.has(approvalId)) links.push('history');
      }
      if (decision?.ruleId !== undefined) links.push('rule');
      if (decision !== undefined) links.push(decision.effect === 'ask' ? 'asked' : 'decided');
      if (refusedSecret(call) !== undefined) links.push('closed');
      return links;
    };
  }

  /** Finds the call by the id of the row, because rows are replaced often. Without a row, the selected row counts. */
  #with(argument: unknown, act: (call: CallSummary) => unknown): unknown {
    const id = rowId(argument) ?? this.#options.treeView.selection[0]?.id;
    const call = id === undefined ? undefined : this.#options.recentCalls.get(id);
    return call && act(call);
  }

  async #chooseFilter(given: unknown): Promise<void> {
    const filter = isFilter(given)
      ? { ...this.#filter, clients: given.clients }
      : await chooseFilter(this.#options.recentCalls.all, this.#filter);
    if (filter !== undefined) this.#setFilter(filter);
  }

  #setFilter(filter: CallFilter): void {
    this.#filter = filter;
    void vscode.commands.executeCommand('setContext', 'drawbridge.activityFiltered', !isEmpty(filter));
    this.#showFilter();
    this.#redraw.fire();
  }

  #showFilter(): void {
    const { treeView, recentCalls } = this.#options;
    treeView.message = isEmpty(this.#filter)
      ? ''
      : filterText(this.#filter, this.#calls().length, recentCalls.all.length);
  }

  /** Opens the card of the call's approval, its diff when the card has left the view, or else the first file of the call. */
  async #open({ approvalId, resources }: CallSummary): Promise<void> {
    const { approvals, review, openDiff } = this.#options;
    if (approvalId !== undefined && approvals.all.some((approval) => approval.id === approvalId)) review(approvalId);
    else if (approvalId !== undefined && (approvals.get(approvalId)?.files.length ?? 0) > 0) await openDiff(approvalId);
    else await this.#openFile(resources.find(({ path }) => path !== undefined)?.path);
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

/** A workspace-relative path begins with its folder's name where there are several folders. */
export function uriOf(path: string, folders: readonly WorkspaceFolder[]): vscode.Uri | undefined {
  const place = placeOf(path, folders);
  return place && vscode.Uri.joinPath(vscode.Uri.parse(place.folder.uri), place.relative);
}

/** The argument that the row of an assistant passes to its command. */
function isFilter(value: unknown): value is Required<Pick<CallFilter, 'clients'>> {
  return typeof value === 'object' && value !== null && 'clients' in value && Array.isArray(value.clients);
}

function badgeTooltip({ all, questions }: WaitingCount): string {
  const { t } = vscode.l10n;
  if (questions > 0 && questions < all) return t('{0} requests wait', all);
  if (questions > 0) return all === 1 ? t('1 question waits') : t('{0} questions wait', all);
  return all === 1 ? t('1 approval waits') : t('{0} approvals wait', all);
}
