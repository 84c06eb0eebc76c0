import type { Event } from './event.ts';

export interface WorkspaceFolder {
  /** The name the editor shows; the first path segment in a window with several folders. */
  readonly name: string;
  readonly uri: string;
  /** Absolute path as the editor spells it. */
  readonly fsPath: string;
  /** The same folder with every link resolved. */
  readonly realPath: string;
}

export interface EditorDescription {
  /** For example "Visual Studio Code". */
  readonly name: string;
  readonly version: string;
  /** For example "ssh-remote"; absent when the window is local. */
  readonly remote?: string;
}

/** The window: which folders it holds and whether its user trusts them. */
export interface Workspace {
  /** Stays the same when the window is reloaded. */
  readonly windowId: string;
  readonly editor: EditorDescription;
  /** What the window's title calls the workspace; undefined without a folder. */
  name(): string | undefined;
  /** Local folders only, in the editor's order. Empty when no folder is open. */
  folders(): readonly WorkspaceFolder[];
  isTrusted(): boolean;
  /** Trusted by now, but assistants met it untrusted and its user has not enabled edits since. `isTrusted` is false then. */
  isHeld(): boolean;
  /** Folders, their names or trust changed. */
  readonly onDidChange: Event<void>;
}
