import * as vscode from 'vscode';
import type { Event } from '#base/event.ts';

/** The source of the items of a {@link LateTree}. Items need ids. */
export interface TreeSource {
  /** Returns the children of an item, or the top items. */
  items(parent?: vscode.TreeItem): readonly vscode.TreeItem[];
  /** Returns the parent of an item; absent in a tree that reveals only top items. */
  parent?(item: vscode.TreeItem): vscode.TreeItem | undefined;
  readonly onDidChange: Event<void>;
}

/** The tree views that are registered at activation and filled when the rest of the extension is loaded. */
export const lateViews = [
  'drawbridge.activity',
  'drawbridge.outside',
  'drawbridge.context',
  'drawbridge.history',
  'drawbridge.rules',
  'drawbridge.connections',
  'drawbridge.tools',
] as const;

export interface LateView {
  readonly tree: LateTree;
  readonly view: vscode.TreeView<vscode.TreeItem>;
}

/** A tree data provider that is empty until a source is attached. */
export class LateTree implements vscode.TreeDataProvider<vscode.TreeItem>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #source: TreeSource | undefined;

  /** Attaches a source until the returned subscription is disposed. */
  attach(source: TreeSource): vscode.Disposable {
    this.#source = source;
    const subscription = source.onDidChange(() => this.#changed.fire());
    this.#changed.fire();
    return new vscode.Disposable(() => {
      subscription.dispose();
      if (this.#source === source) this.#source = undefined;
      this.#changed.fire();
    });
  }

  getChildren(element?: vscode.TreeItem): vscode.TreeItem[] {
    return [...(this.#source?.items(element) ?? [])];
  }

  getTreeItem(item: vscode.TreeItem): vscode.TreeItem {
    return item;
  }

  /** `TreeView.reveal` needs this method. */
  getParent(item: vscode.TreeItem): vscode.TreeItem | undefined {
    return this.#source?.parent?.(item);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
