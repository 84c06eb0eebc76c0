import * as vscode from 'vscode';
import { Emitter, type Event, type Subscription } from '#base/event.ts';

/** Whether any assistant is connected on this machine, in whatever window that was done. Keeps `drawbridge.connected`. */
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

  /** After a change of our own, which the watcher tells of later. */
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
