import { Emitter } from '#base/event.ts';
import type { EditorDescription, Workspace, WorkspaceFolder } from '#base/workspace.ts';

/** A window whose folders and trust a test sets. */
export class FakeWorkspace implements Workspace {
  readonly windowId = '0123456789abcdef0123456789abcdef';
  editor: EditorDescription = { name: 'Fake Editor', version: '1.0.0' };
  readonly #changed = new Emitter<void>();
  readonly onDidChange = this.#changed.event;
  #folders: readonly WorkspaceFolder[];
  trusted = true;
  held = false;

  constructor(folders: readonly WorkspaceFolder[] = [folderAt('/w')]) {
    this.#folders = folders;
  }

  name(): string | undefined {
    return this.#folders[0]?.name;
  }

  folders(): readonly WorkspaceFolder[] {
    return this.#folders;
  }

  isTrusted(): boolean {
    return this.trusted && !this.held;
  }

  isHeld(): boolean {
    return this.held;
  }

  setFolders(folders: readonly WorkspaceFolder[]): void {
    this.#folders = folders;
    this.#changed.fire();
  }
}

/** Returns a folder whose real path is its path, unless another one is given. */
export function folderAt(fsPath: string, facts: Partial<WorkspaceFolder> = {}): WorkspaceFolder {
  const path = fsPath.replaceAll('\\', '/');
  const uri = path.startsWith('//')
    ? `file:${path}`
    : path.startsWith('/')
      ? `file://${path}`
      : `file:///${path.replace(':', '%3A')}`;
  return { name: path.slice(path.lastIndexOf('/') + 1), uri, fsPath, realPath: fsPath, ...facts };
}
