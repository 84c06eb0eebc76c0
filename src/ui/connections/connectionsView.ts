import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import type { HttpListenerState } from '#base/httpListener.ts';
import type { SetUpAssistant } from '#connect/seenAssistants.ts';
import type { AccessTokens } from '#home/editor/accessTokens.ts';
import type { Mode } from '#policy/rules.ts';
import type { LateView, TreeSource } from '../lateTree.ts';
import { modeDetail, modeIcon, modeName } from '../rules/modeText.ts';
import type { Status } from '../statusBar.ts';
import { assistantItem, connectItem, type ConnectedAssistant } from './assistantItem.ts';
import { type OtherWindow, otherWindowItem } from './otherWindowItem.ts';
import { sectionItem } from './connectionRow.ts';
import { notConnected, setUpItem } from './setUpItem.ts';
import { tokenItem, tokenProblemItem } from './tokenItem.ts';
import type { WatchedRows } from './watchedRows.ts';
import { httpItem, modeItem, windowItem } from './windowItems.ts';

/** The state of this window's server. */
export interface ServerFacts {
  readonly state: Status['server'];
  /** `http://127.0.0.1:<port>/mcp` while it runs. */
  readonly endpoint: string | undefined;
  readonly http: HttpListenerState;
  readonly mode: Mode;
  readonly assistants: readonly ConnectedAssistant[];
}

type Watched<Row> = Pick<WatchedRows<Row>, 'all' | 'watch' | 'unwatch' | 'onDidChange'>;

export interface ConnectionsViewOptions {
  readonly view: {
    readonly tree: LateView['tree'];
    readonly view: Pick<vscode.TreeView<vscode.TreeItem>, 'visible' | 'onDidChangeVisibility'>;
  };
  readonly server: () => ServerFacts;
  /** Fires when the server starts or stops, an assistant connects, disconnects or is paused, or the mode changes. */
  readonly onDidChangeServer: Event<void>;
  /** Fires for calls and approvals: often, and less urgent. */
  readonly onDidChangeWork: Event<void>;
  readonly tokens: Pick<AccessTokens, 'all' | 'path' | 'problem' | 'onDidChange'>;
  readonly otherWindows: Watched<OtherWindow>;
  /** The assistants that are set up on this machine. */
  readonly setUp: Watched<SetUpAssistant> & Pick<WatchedRows<SetUpAssistant>, 'refresh'>;
  readonly clock: Clock;
}

/** The interval of redrawing texts such as "3 minutes ago" and of reading the other windows. */
const agingMilliseconds = 60_000;
/** Many calls in this time cause one redraw. */
const redrawMilliseconds = 1000;

/** The Connections view: the endpoint of this window, its assistants and those that are set up, the access tokens, and the other windows. */
export class ConnectionsView {
  readonly #options: ConnectionsViewOptions;
  readonly #redraw = new Emitter<void>();
  readonly #subscriptions: Subscription[];
  #aging: Subscription | undefined;
  #pending: Subscription | undefined;

  constructor(options: ConnectionsViewOptions) {
    this.#options = options;
    const { view, tokens, otherWindows, setUp, onDidChangeServer, onDidChangeWork } = options;
    const source: TreeSource = { items: (parent) => this.#items(parent), onDidChange: this.#redraw.event };
    this.#subscriptions = [
      tokens.onDidChange(() => this.#redraw.fire()),
      onDidChangeServer(() => {
        // An assistant that disconnects was seen just now.
        setUp.refresh();
        this.#redraw.fire();
      }),
      otherWindows.onDidChange(() => this.#redraw.fire()),
      setUp.onDidChange(() => this.#redraw.fire()),
      onDidChangeWork(() => this.#redrawSoon()),
      view.view.onDidChangeVisibility(() => this.#age()),
      view.tree.attach(source),
    ];
    this.#age();
  }

  dispose(): void {
    this.#aging?.dispose();
    this.#pending?.dispose();
    this.#unwatch();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #items(parent: vscode.TreeItem | undefined): readonly vscode.TreeItem[] {
    const { tokens, otherWindows, clock } = this.#options;
    const now = clock.now();
    if (parent === undefined) return this.#sections();
    if (parent.id === 'window') return this.#windowRows();
    if (parent.id === 'assistants') return this.#assistantRows(now);
    if (parent.id === 'tokens') return tokens.all.map((token) => tokenItem(token, now));
    if (parent.id === 'otherWindows') return otherWindows.all.map(otherWindowItem);
    return [];
  }

  /** Returns no rows without a server and tokens; the view then shows its welcome text. */
  #sections(): readonly vscode.TreeItem[] {
    const { server, tokens, otherWindows } = this.#options;
    const { state, endpoint, assistants } = server();
    if (state === 'stopped' && tokens.all.length === 0 && tokens.problem === undefined) return [];
    return [
      windowItem(state, endpoint),
      ...(state === 'running' ? [sectionItem('assistants', connectedText(assistants.length))] : []),
      ...(tokens.problem === undefined ? [] : [tokenProblemItem(tokens.problem, tokens.path)]),
      ...(tokens.all.length === 0 ? [] : [sectionItem('tokens', `${tokens.all.length}`)]),
      ...(otherWindows.all.length === 0 ? [] : [sectionItem('otherWindows', `${otherWindows.all.length}`)]),
    ];
  }

  #windowRows(): readonly vscode.TreeItem[] {
    const { mode, http } = this.#options.server();
    const text = { name: modeName(mode), icon: modeIcon(mode), detail: modeDetail(mode) };
    return [modeItem(text), ...(http.kind === 'closed' ? [] : [httpItem(http)])];
  }

  #assistantRows(now: number): readonly vscode.TreeItem[] {
    const { server, setUp } = this.#options;
    const { assistants } = server();
    const rows = [
      ...assistants.map((assistant) => assistantItem(assistant, now)),
      ...notConnected(setUp.all, assistants).map((assistant) => setUpItem(assistant, now)),
    ];
    return rows.length === 0 ? [connectItem()] : rows;
  }

  #redrawSoon(): void {
    if (!this.#options.view.view.visible) return;
    this.#pending ??= this.#options.clock.after(redrawMilliseconds, () => {
      this.#pending = undefined;
      this.#redraw.fire();
    });
  }

  #age(): void {
    this.#aging?.dispose();
    this.#aging = undefined;
    const { view, otherWindows, setUp, clock } = this.#options;
    if (!view.view.visible) return this.#unwatch();
    otherWindows.watch();
    setUp.watch();
    this.#redraw.fire();
    this.#aging = clock.after(agingMilliseconds, () => this.#age());
  }

  #unwatch(): void {
    this.#options.otherWindows.unwatch();
    this.#options.setUp.unwatch();
  }
}

function connectedText(count: number): string {
  const { t } = vscode.l10n;
  return count === 0 ? t('none connected') : t('{0} connected', count);
}
