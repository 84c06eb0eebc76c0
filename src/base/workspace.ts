import type { Event } from './event.ts';

/** A folder of the workspace. */
export interface WorkspaceFolder {
  /** The name the editor shows; the first path segment in a window with several folders. */
  readonly name: string;
  readonly uri: string;
  /** Absolute path in the spelling of the editor. */
  readonly fsPath: string;
  /** The same folder with every link resolved. */
  readonly realPath: string;
  /** Present for a Git work tree that the window guards although it is none of its folders. */
  readonly worktree?: {
    /** Real path of the tree of the same repository whose rules count in this one too; undefined when there is none. */
    readonly of: string | undefined;
  };
}

/** The editor that runs this window. */
export interface EditorDescription {
  /** For example "Visual Studio Code". */
  readonly name: string;
  readonly version: string;
  /** For example "ssh-remote"; absent when the window is local. */
  readonly remote?: string;
}

/** The workspace of this window: its folders, and whether the user trusts them. */
export interface Workspace {
  /** Id of the window, which a reload keeps. */
  readonly windowId: string;
  readonly editor: EditorDescription;
  /** Returns the name of the workspace as the window title shows it, or undefined without a folder. */
  name(): string | undefined;
  /** Returns the local folders in the order of the editor; empty when no folder is open. */
  folders(): readonly WorkspaceFolder[];
  /** Returns true when the user trusts the workspace and edits are not held back. */
  isTrusted(): boolean;
  /**
   * Returns true when the workspace is trusted now, but assistants connected while it was not and the user has not enabled edits
   * since. `isTrusted` is false then.
   */
  isHeld(): boolean;
  /** Fires when the folders, their names or their trust changed. */
  readonly onDidChange: Event<void>;
}
