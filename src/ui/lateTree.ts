import * as vscode from 'vscode';
import type { Event } from '#base/event.ts';

/** What a {@link LateTree} shows. Items need ids. */
export interface TreeSource {
  /** Those below an item, or the top ones. */
  items(parent?: vscode.TreeItem): readonly vscode.TreeItem[];
  /** The one above an item; absent in a tree of which only top items are revealed. */
  parent?(item: vscode.TreeItem): vscode.TreeItem | undefined;
  readonly onDidChange: Event<void>;
}

/** The trees that wait: they are registered at activation, and filled when the rest of the extension is loaded. */
export const lateViews = [
  'drawbridge.activity',
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

/** A tree that is empty until a source is attached. */
export class LateTree implements vscode.TreeDataProvider<vscode.TreeItem>, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.#changed.event;
  #source: TreeSource | undefined;

  /** Ends with the subscription that is returned. */
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

  /** `TreeView.reveal` asks for it. */
  getParent(item: vscode.TreeItem): vscode.TreeItem | undefined {
    return this.#source?.parent?.(item);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
