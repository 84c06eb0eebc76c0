import * as vscode from 'vscode';
import type { Event } from '../ports/event.ts';

/** What a {@link LateTree} shows. Items need ids. */
export interface TreeSource {
  items(): readonly vscode.TreeItem[];
  readonly onDidChange: Event<void>;
}

/** A flat tree that is registered at activation, and empty until the rest of the extension is loaded and attaches a source. */
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
    return element === undefined ? [...(this.#source?.items() ?? [])] : [];
  }

  getTreeItem(item: vscode.TreeItem): vscode.TreeItem {
    return item;
  }

  /** `TreeView.reveal` asks for it. */
  getParent(): undefined {
    return undefined;
  }

  dispose(): void {
    this.#changed.dispose();
  }
}
