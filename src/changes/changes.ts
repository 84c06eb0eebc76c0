import type { ClientInfo, Principal } from '#base/principal.ts';
import type { ChangeKind, ChangesProposal } from '#base/proposal.ts';

export interface ChangedFile {
  /** 0-based, among all files of the approval, those that were not applied included. */
  readonly index: number;
  readonly change: ChangeKind;
  /** Workspace-relative; of a move, where it came from. */
  readonly path: string;
  readonly uri: string;
  readonly movedTo?: { readonly path: string; readonly uri: string };
  readonly addedLines: number;
  readonly removedLines: number;
}

/** One change that an assistant made in this window, now or in an earlier run. */
export interface AppliedChange {
  /** The id of its approval. */
  readonly id: string;
  readonly tool: string;
  readonly principal: Principal;
  readonly client: ClientInfo | undefined;
  /** Milliseconds since the epoch. */
  readonly appliedAt: number;
  readonly state: 'applied' | 'reverted';
  /** It can be taken back, as far as that can be told without a look at the files. */
  readonly canRevert: boolean;
  readonly files: readonly ChangedFile[];
}

/** What assistants changed, and the way back. */
export interface Changes {
  /** Newest first. */
  list(): readonly AppliedChange[];
  /**
   * The change that takes an applied one back: where a file is still as the assistant left it, exactly; where it was edited
   * since, with that work kept. Changes nothing.
   * @throws ToolError when it is not known, was taken back already, or cannot be taken back without losing work
   */
  inverse(id: string): Promise<ChangesProposal>;
}
