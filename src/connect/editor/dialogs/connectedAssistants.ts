import * as vscode from 'vscode';
import { Emitter, type Event, type Subscription } from '#base/event.ts';

/**
 * Follows whether any assistant is connected on this machine, by any window. Sets the context key
 * `drawbridge.connected`.
 */
export class ConnectedAssistants {
  readonly #file: vscode.Uri;
  readonly #subscriptions: Subscription[];
  readonly #changed = new Emitter<void>();
  readonly onDidChange: Event<void> = this.#changed.event;
  #any = false;

  /** @param home the state folder, absolute */
  constructor(home: string) {
    const folder = vscode.Uri.file(home);
    this.#file = vscode.Uri.joinPath(folder, 'connected');
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, 'connected'));
    const look = (): void => void this.look();
    this.#subscriptions = [watcher, watcher.onDidCreate(look), watcher.onDidDelete(look)];
    look();
  }

  get any(): boolean {
    return this.#any;
  }

  /** Looks at once, as after a change by this window, which the watcher reports later. */
  async look(): Promise<void> {
    const any = await vscode.workspace.fs.stat(this.#file).then(
      () => true,
      () => false,
    );
    if (any === this.#any) return;
    this.#any = any;
    void vscode.commands.executeCommand('setContext', 'drawbridge.connected', any);
    this.#changed.fire();
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }
}
