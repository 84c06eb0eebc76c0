import * as vscode from 'vscode';
import type { Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import { shortPath } from '../machinePaths.ts';
import type { Namesake } from '../namesakes.ts';
import type { Configurations } from '../seenAssistants.ts';
import { serverFiles } from '../serverFiles.ts';

/** The key of the ids of the servers that the user was warned of in this workspace. */
const toldKey = 'drawbridge.namesakes';
const mostTold = 100;

export interface NamesakeWatchOptions {
  readonly configurations: Pick<Configurations, 'namesakes' | 'machine'>;
  readonly workspace: Pick<Workspace, 'folders' | 'onDidChange'>;
  /** Keeps the ids of the servers that the user was warned of in this workspace. */
  readonly memento: Pick<vscode.Memento, 'get' | 'update'>;
}

/**
 * Warns the user of a folder that brings its own server called "drawbridge" (threat row G11). The warning comes once, and again when
 * the folder names another program.
 */
export class NamesakeWatch {
  readonly #options: NamesakeWatchOptions;
  readonly #folders: Subscription;
  #watchers: readonly Subscription[] = [];
  #watched = '';

  constructor(options: NamesakeWatchOptions) {
    this.#options = options;
    this.#folders = options.workspace.onDidChange(() => this.#watch());
    this.#watch();
  }

  dispose(): void {
    this.#folders.dispose();
    for (const watcher of this.#watchers) watcher.dispose();
  }

  #watch(): void {
    const uris = this.#options.workspace.folders().map(({ uri }) => uri);
    if (uris.join('\n') === this.#watched) return;
    this.#watched = uris.join('\n');
    for (const watcher of this.#watchers) watcher.dispose();
    const pattern = `{${serverFiles.map(({ path }) => path.join('/')).join(',')}}`;
    const look = (): void => void this.#look();
    this.#watchers = uris.map((uri) => {
      const folder = vscode.Uri.parse(uri);
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, pattern));
      return vscode.Disposable.from(watcher, watcher.onDidCreate(look), watcher.onDidChange(look));
    });
    look();
  }

  async #look(): Promise<void> {
    const { configurations, memento, workspace } = this.#options;
    const found = await configurations.namesakes(workspace.folders().map(({ fsPath }) => fsPath));
    const told = new Set(memento.get<readonly string[]>(toldKey, []));
    const untold = found.filter(({ id }) => !told.has(id));
    if (untold.length === 0) return;
    await memento.update(toldKey, [...told, ...untold.map(({ id }) => id)].slice(-mostTold));
    await Promise.all(untold.map((namesake) => this.#tell(namesake)));
  }

  async #tell({ assistant, file }: Namesake): Promise<void> {
    const { t } = vscode.l10n;
    const message = t(
      'This folder brings its own server called "drawbridge": {0} starts another program for {1}. If you allowed {1} the tools of Drawbridge, it does not ask you about that program.',
      shortPath(file, this.#options.configurations.machine.home),
      assistant,
    );
    const button = t('Open File');
    const picked = await vscode.window.showWarningMessage(message, button);
    if (picked === button) await vscode.window.showTextDocument(vscode.Uri.file(file));
  }
}
