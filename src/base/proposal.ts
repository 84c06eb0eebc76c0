import { canonicalJson } from './canonicalJson.ts';
import type { Purpose, ResolvedPath, TreeFile } from './files.ts';

/** A text with the encoding that determines its bytes. */
export interface TextState {
  /** The text without a byte-order mark, with its line ends as they are. */
  readonly text: string;
  /** The editor's encoding id, which also tells whether there is a byte-order mark (`utf8bom`). */
  readonly encoding: string;
}

/** A change that gives an existing text file another text. */
export interface FileEdit {
  readonly kind: 'edit';
  /** The real file: an edit through a link is an edit of its target (threat row P4). */
  readonly path: ResolvedPath;
  /** The text that the proposal was computed from. */
  readonly base: TextState & {
    readonly source: 'buffer' | 'disk';
    readonly unsaved: boolean;
    /** Number of unchanged lines whose line end changes on save, because the editor unifies mixed line ends. */
    readonly unifiedLineEnds: number;
  };
  readonly result: TextState;
  /** The file is replaced as a whole, so the policy judges it, and the approval shows it, as a delete. */
  readonly overwrites?: true;
}

/** A change that creates a file, and any missing folders above it. */
export interface FileCreate {
  readonly kind: 'create';
  readonly path: ResolvedPath;
  readonly result: TextState;
}

export const recoveries = ['committed', 'not_committed', 'unknown'] as const;
/**
 * Tells whether version control could restore a deleted path. `committed`: every file is committed as it is.
 * `not_committed`: some content is in no commit. `unknown`: no version control was found, or it did not answer.
 */
export type Recovery = (typeof recoveries)[number];

/** A change that deletes a file, or a folder with everything in it. */
export interface FileDelete {
  readonly kind: 'delete';
  readonly path: ResolvedPath;
  readonly isFolder: boolean;
  /** The deleted files in path order, with their bytes, which the history keeps for undo. Empty folders are not listed. */
  readonly files: readonly (TreeFile & { readonly bytes: Uint8Array })[];
  /** The deleted text, when the path is a single text file. The approval shows it. */
  readonly base?: TextState;
  /** The files go to the trash of the system; otherwise only the history of Drawbridge keeps the bytes. */
  readonly toTrash: boolean;
  readonly recovery: Recovery;
  /** Folders (real paths, innermost first) that are also removed when they are empty. Only an undo sets them. */
  readonly emptiedFolders?: readonly string[];
}

/** A change that moves a file, or a folder with everything in it. A move never replaces anything. */
export interface FileMove {
  readonly kind: 'move';
  readonly path: ResolvedPath;
  /** The new path, where nothing exists yet. Missing folders above it are created. */
  readonly to: ResolvedPath;
  readonly isFolder: boolean;
  /** The files in path order, as they are before the move. */
  readonly files: readonly TreeFile[];
  /** Folders that are also removed when they are empty, as in {@link FileDelete}. */
  readonly emptiedFolders?: readonly string[];
}

/** A change that restores deleted files byte for byte at a missing path. Only an undo makes one; no tool proposes it. */
export interface FileRestore {
  readonly kind: 'restore';
  /** The path of the restored file or folder, where nothing exists now. Missing folders above it are created. */
  readonly path: ResolvedPath;
  readonly isFolder: boolean;
  readonly files: readonly (TreeFile & { readonly bytes: Uint8Array })[];
}

/**
 * The change of one path in a proposal. Two changes of a proposal never share a path, with one exception: a moved file may also
 * be edited. The edit names the file by its path before the move, and is applied first.
 */
export type FileChange = FileEdit | FileCreate | FileDelete | FileMove;

/** The changes that an assistant proposes, as exact resulting texts, so that the apply computes nothing again. */
export interface ChangesProposal {
  readonly kind: 'changes';
  readonly files: readonly FileChange[];
  /** The files belong together (a move and the imports that follow it), so the user cannot leave one out. */
  readonly indivisible?: true;
  /** Id of the approval that this proposal undoes as a whole. */
  readonly reverts?: string;
  /** The purpose of the change, where its files do not tell it. It is only shown. */
  readonly purpose?: ChangePurpose;
  /** Tells the assistant which part of what it asked for the change leaves out, as a sentence. */
  readonly leftOut?: string;
}

/** The purpose of a change: a symbol gets another name at a number of places. */
export interface ChangePurpose {
  readonly kind: 'rename_symbol';
  readonly from: string;
  readonly to: string;
  readonly places: number;
}

/**
 * The classes of shell commands. `reads`: it is known to change nothing. `writes`: it changes files. `runs`: it runs a program, or
 * something that is not understood, which may change files.
 */
export const commandClasses = ['reads', 'runs', 'writes'] as const;
export type CommandClass = (typeof commandClasses)[number];

/** One command of a command line. */
export interface CommandPart {
  /** The command as it is written. */
  readonly text: string;
  readonly class: CommandClass;
  /** The reason for the class, as a sentence for the user. */
  readonly reason: string;
  /** The words of the command without their quotes; absent when one of them is known only when the command runs. */
  readonly words?: readonly string[];
}

/** A command line that an assistant wants to run with a tool of its own. */
export interface ProposedCommand {
  /** The whole command line, as the assistant sends it. */
  readonly text: string;
  readonly class: CommandClass;
  readonly parts: readonly CommandPart[];
  /** The scripts that the command line contains or runs, as far as they can be read. */
  readonly scripts: readonly { readonly name: string; readonly text: string }[];
  /** Why the user is asked about this command although it only runs something, as a few words. */
  readonly asks?: string;
  /** Why no rule can allow this command, as a few words. */
  readonly onceOnly?: string;
}

/** An action that runs as a whole after approval: a command, a tool of another extension, or a save. */
export interface ActionProposal {
  readonly kind: 'action';
  /** Always empty: an action has no file changes that a diff could show. */
  readonly files: readonly never[];
  /** A short title for the user, such as "Run command: Organize Imports". */
  readonly title: string;
  /** The exact key that rules match: the id of a command, or the name and hash of a tool of another extension. */
  readonly definition: string;
  /** The exact arguments of the action, as plain JSON. */
  readonly arguments: unknown;
  /** Present when the action has a higher risk than its tool. */
  readonly risk?: 'execute';
  /** The files that the action works on, as far as they are known. */
  readonly places: readonly ResolvedPath[];
  /** Further sentences for the user. */
  readonly remarks: readonly string[];
  /** The command line, when the action is one of an assistant's own shell. */
  readonly command?: ProposedCommand;
}

/** A question of the assistant to the user. An answer never approves anything. */
export interface QuestionProposal {
  readonly kind: 'question';
  readonly files: readonly never[];
  /** The question in the words of the assistant. It and the choices are untrusted plain text. */
  readonly question: string;
  readonly choices: readonly string[];
  /** The user may type an answer of their own. */
  readonly allowsText: boolean;
}

/** A request that waits for a decision of the user. */
export type Proposal = ChangesProposal | ActionProposal | QuestionProposal;

/**
 * Returns both texts of a change, or undefined when it has no text to show. The base of a create and the result of a delete are
 * empty.
 */
export function textsOf(change: FileChange): { readonly base: string; readonly result: string } | undefined {
  if (change.kind === 'edit') return { base: change.base.text, result: change.result.text };
  if (change.kind === 'create') return { base: '', result: change.result.text };
  return change.kind === 'delete' && change.base !== undefined ? { base: change.base.text, result: '' } : undefined;
}

/**
 * Returns definition and arguments of an action as one string, for example `editor.action.formatDocument []`. Two actions have
 * the same key only when they are equal.
 */
export function actionKey(action: Pick<ActionProposal, 'definition' | 'arguments'>): string {
  // No suffix of canonical JSON after a space is JSON itself, so no part of a definition can be mistaken for arguments.
  return `${action.definition} ${canonicalJson(action.arguments)}`;
}

/** Returns the purpose for which the path of a change is resolved. A delete or move concerns the entry itself, even a link. */
export function purposeOf({ kind }: Pick<FileChange, 'kind'>): Purpose {
  return kind === 'delete' || kind === 'move' ? 'entry' : 'change';
}

export const changeKinds = ['edit', 'create', 'delete', 'move'] as const;

export type ChangeKind = (typeof changeKinds)[number];
