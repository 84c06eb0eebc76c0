import type { ResolvedPath } from './files.ts';

/** A text with everything that decides its bytes. */
export interface TextState {
  /** Without a byte-order mark, line ends as they are. */
  readonly text: string;
  /** The editor's encoding id, byte-order mark included (`utf8bom`). */
  readonly encoding: string;
}

/** One file's part of a proposal. Later kinds (create, delete, move) join as members of this union. */
export interface FileEdit {
  readonly kind: 'edit';
  /** The real file: an edit through a link is an edit of its target (threat row P4). */
  readonly path: ResolvedPath;
  /** What the proposal was computed from. */
  readonly base: TextState & {
    readonly source: 'buffer' | 'disk';
    readonly unsaved: boolean;
    /** Lines besides the changed ones whose line end saving will change, because an editor holds a file of mixed line ends. */
    readonly unifiedLineEnds: number;
  };
  readonly result: TextState;
}

export type FileChange = FileEdit;

/** What an assistant wants to change, as data: exact resulting texts, nothing to be computed again. */
export interface ChangesProposal {
  readonly kind: 'changes';
  readonly files: readonly FileChange[];
}

/** Later kinds (`action`) join here. */
export type Proposal = ChangesProposal;
