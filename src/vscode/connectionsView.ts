import type * as vscode from 'vscode';
import type { Clock } from '../ports/clock.ts';
import { Emitter, type Event, type Subscription } from '../ports/event.ts';
import {
  assistantItem,
  problemItem,
  sectionItem,
  tokenItem,
  windowItem,
  type ConnectedAssistant,
} from './connectionItems.ts';
import type { LateTree, TreeSource } from './lateTree.ts';
import type { Status } from './statusBar.ts';
import type { AccessTokens } from './tokens.ts';

/** This window's server as the view shows it. */
export interface ServerFacts {
  readonly state: Status['server'];
  /** `http://127.0.0.1:<port>/mcp` while it runs. */
  readonly endpoint: string | undefined;
  readonly assistants: readonly ConnectedAssistant[];
}

export interface ConnectionsViewOptions {
  readonly treeView: Pick<vscode.TreeView<vscode.TreeItem>, 'visible' | 'onDidChangeVisibility'>;
  readonly tree: LateTree;
  readonly server: () => ServerFacts;
  /** Started, stopped, or an assistant came or went. */
  readonly onDidChangeServer: Event<void>;
  readonly tokens: Pick<AccessTokens, 'all' | 'path' | 'problem' | 'onDidChange'>;
  readonly clock: Clock;
}

/** "3 minutes ago" is drawn anew this often. */
const agingMilliseconds = 60_000;

/** Who can reach this window: its endpoint, the assistants that are there, and the access tokens of this user. */
export class ConnectionsView {
  readonly #options: ConnectionsViewOptions;
  readonly #redraw = new Emitter<void>();
  readonly #subscriptions: Subscription[];
  #aging: Subscription | undefined;

  constructor(options: ConnectionsViewOptions) {
    this.#options = options;
    const { treeView, tree, tokens, onDidChangeServer } = options;
    const source: TreeSource = { items: (parent) => this.#items(parent), onDidChange: this.#redraw.event };
    this.#subscriptions = [
      tokens.onDidChange(() => this.#redraw.fire()),
      onDidChangeServer(() => this.#redraw.fire()),
      treeView.onDidChangeVisibility(() => this.#age()),
      tree.attach(source),
    ];
    this.#age();
  }

  dispose(): void {
    this.#aging?.dispose();
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** Nothing at all without a server and tokens: the view then says what can be done. */
  #items(parent: vscode.TreeItem | undefined): readonly vscode.TreeItem[] {
    const { server, tokens, clock } = this.#options;
    const { state, endpoint, assistants } = server();
    const now = clock.now();
    if (parent?.id === 'assistants') return assistants.map((assistant) => assistantItem(assistant, now));
    if (parent?.id === 'tokens') return tokens.all.map((token) => tokenItem(token, now));
    if (parent !== undefined) return [];
    const rows = [
      ...(tokens.problem === undefined ? [] : [problemItem(tokens.problem, tokens.path)]),
      ...(assistants.length === 0 ? [] : [sectionItem('assistants', assistants.length)]),
      ...(tokens.all.length === 0 ? [] : [sectionItem('tokens', tokens.all.length)]),
    ];
    return rows.length === 0 && state === 'stopped' ? [] : [windowItem(state, endpoint), ...rows];
  }

  #age(): void {
    this.#aging?.dispose();
    this.#aging = undefined;
    if (!this.#options.treeView.visible) return;
    this.#redraw.fire();
    this.#aging = this.#options.clock.after(agingMilliseconds, () => this.#age());
  }
}
