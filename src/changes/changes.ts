import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ChangeKind, ChangesProposal } from '#base/proposal.ts';

export interface ChangedFile {
  /** 0-based, among all files of the approval, including those that were not applied. */
  readonly index: number;
  readonly change: ChangeKind;
  /** Workspace-relative; for a move, the path before it. */
  readonly path: string;
  readonly uri: string;
  readonly movedTo?: { readonly path: string; readonly uri: string };
  readonly addedLines: number;
  readonly removedLines: number;
  /** What assistants are told instead, see `ApprovalFile`. */
  readonly toldLines?: { readonly addedLines: number; readonly removedLines: number };
}

/** One applied change of an assistant in this window, now or in an earlier run. */
export interface AppliedChange {
  /** The id of its approval. */
  readonly id: string;
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** Milliseconds since the epoch. */
  readonly appliedAt: number;
  readonly state: 'applied' | 'reverted';
  /** Number of files of the whole change, when only those of `files` were written. */
  readonly proposedFiles?: number;
  /** The change can be undone, as far as is known without reading the files. */
  readonly canRevert: boolean;
  readonly files: readonly ChangedFile[];
}

/** The changes of assistants, and their undo. */
export interface Changes {
  /** Returns the changes, newest first. */
  list(): readonly AppliedChange[];
  /**
   * Returns the proposal that undoes an applied change: exactly where a file is still as the change left it, and with later work
   * kept where it was edited since. Changes nothing.
   * @throws ToolError when the change is not known, was undone already, or cannot be undone without losing work
   */
  inverse(id: string): Promise<ChangesProposal>;
}
