import { canonicalJson } from './canonicalJson.ts';
import type { Purpose, ResolvedPath, TreeFile } from './files.ts';

/** A text with everything that decides its bytes. */
export interface TextState {
  /** Without a byte-order mark, line ends as they are. */
  readonly text: string;
  /** The editor's encoding id, byte-order mark included (`utf8bom`). */
  readonly encoding: string;
}

/** An existing text file gets another text. */
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
  /** The file is replaced as a whole, whatever it held: judged and shown as a delete. */
  readonly overwrites?: true;
}

/** A file that does not exist yet; missing folders above it are made. */
export interface FileCreate {
  readonly kind: 'create';
  readonly path: ResolvedPath;
  readonly result: TextState;
}

export const recoveries = ['committed', 'not_committed', 'unknown'] as const;
/**
 * What version control could bring back of a file that is deleted. `committed`: every file is committed as it is.
 * `not_committed`: some of it is in no commit. `unknown`: no version control was found, or it did not answer.
 */
export type Recovery = (typeof recoveries)[number];

/** A file, or a folder with all that is in it, is deleted. */
export interface FileDelete {
  readonly kind: 'delete';
  readonly path: ResolvedPath;
  readonly isFolder: boolean;
  /** In path order; a folder's own empty folders are not listed. With the bytes, which the history keeps for undo. */
  readonly files: readonly (TreeFile & { readonly bytes: Uint8Array })[];
  /** Of a single text file, to be shown. */
  readonly base?: TextState;
  /** Into the system's trash; otherwise only our history keeps the bytes. */
  readonly toTrash: boolean;
  readonly recovery: Recovery;
  /** Only in an undo: folders (real paths, innermost first) that are removed as well where nothing is left in them. */
  readonly emptiedFolders?: readonly string[];
}

/** A file, or a folder with all that is in it, gets another path. Never replaces anything. */
export interface FileMove {
  readonly kind: 'move';
  readonly path: ResolvedPath;
  /** Missing; folders above it are made. */
  readonly to: ResolvedPath;
  readonly isFolder: boolean;
  /** In path order, as they are before the move. */
  readonly files: readonly TreeFile[];
  /** As in {@link FileDelete}. */
  readonly emptiedFolders?: readonly string[];
}

/** What was deleted comes back, byte for byte, where nothing is now. Undo alone makes it; no tool proposes it. */
export interface FileRestore {
  readonly kind: 'restore';
  /** Missing; folders above it are made. */
  readonly path: ResolvedPath;
  readonly isFolder: boolean;
  readonly files: readonly (TreeFile & { readonly bytes: Uint8Array })[];
}

/**
 * One path's part of a proposal. No two changes of a proposal share a path, save that a file which is moved may be edited
 * too: edits name files where they are before the move, and are applied first.
 */
export type FileChange = FileEdit | FileCreate | FileDelete | FileMove;

/** What an assistant wants to change, as data: exact resulting texts, nothing to be computed again. */
export interface ChangesProposal {
  readonly kind: 'changes';
  readonly files: readonly FileChange[];
  /** The files make sense only together (a move and the imports that follow it): none can be left out. */
  readonly indivisible?: true;
  /** The approval that this takes back, all of it. */
  readonly reverts?: string;
}

/** Something that is done as a whole once it is approved: a command, a tool of another extension, a save. */
export interface ActionProposal {
  readonly kind: 'action';
  /** An action changes no file in a way that could be shown. */
  readonly files: readonly never[];
  /** What is done, in a few words for the human: "Run command: Organize Imports". */
  readonly title: string;
  /** What the rules know it by, exactly: the id of a command, the name and hash of another extension's tool. */
  readonly definition: string;
  /** Exactly what it is done with; plain JSON. */
  readonly arguments: unknown;
  /** Of an action that is more than its tool is by itself. */
  readonly risk?: 'execute';
  /** The files it is done to, as far as they are known. */
  readonly places: readonly ResolvedPath[];
  /** What else the human should know, in sentences. */
  readonly remarks: readonly string[];
}

/** Something the assistant wants to know of the human. An answer is never consent to anything. */
export interface QuestionProposal {
  readonly kind: 'question';
  readonly files: readonly never[];
  /** The assistant's words, plain text, not trusted; so are the choices. */
  readonly question: string;
  readonly choices: readonly string[];
  /** The human may write an answer of their own. */
  readonly allowsText: boolean;
}

/** What the human is asked for. */
export type Proposal = ChangesProposal | ActionProposal | QuestionProposal;

/** Both texts of a change that has a text to show: nothing before a creation, nothing after a delete. */
export function textsOf(change: FileChange): { readonly base: string; readonly result: string } | undefined {
  if (change.kind === 'edit') return { base: change.base.text, result: change.result.text };
  if (change.kind === 'create') return { base: '', result: change.result.text };
  return change.kind === 'delete' && change.base !== undefined ? { base: change.base.text, result: '' } : undefined;
}

/** What is done, and with what, as one string: `editor.action.formatDocument []`. Equal for the same action alone. */
export function actionKey(action: Pick<ActionProposal, 'definition' | 'arguments'>): string {
  // JSON without white space cannot end in another JSON behind a space, so that nothing of a definition passes for arguments.
  return `${action.definition} ${canonicalJson(action.arguments)}`;
}

/** What the path of a change is resolved for: a delete or a move is of the entry itself, also when it is a link. */
export function purposeOf({ kind }: Pick<FileChange, 'kind'>): Purpose {
  return kind === 'delete' || kind === 'move' ? 'entry' : 'change';
}

export const changeKinds = ['edit', 'create', 'delete', 'move'] as const;

export type ChangeKind = (typeof changeKinds)[number];
