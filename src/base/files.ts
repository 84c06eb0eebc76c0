import type { WorkspaceFolder } from './workspace.ts';

/** Device and inode; the same pair is the same file, whatever its name. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * Whoever wants to change a file needs to know its directory as well. An `entry` is what a directory holds under that name: a
 * link itself, not what it leads to.
 */
export type Purpose = 'read' | 'change' | 'entry';

export type FileKind = 'file' | 'directory' | 'other' | 'missing';

/** Where an absolute path really leads, found without opening it. */
export interface Location {
  /** Every link resolved; for a missing file, its deepest existing ancestor resolved plus the rest. */
  readonly realPath: string;
  readonly kind: FileKind;
  /** The path, or the part of it that exists, ends in a link that leads nowhere. */
  readonly dangling: boolean;
  /** Absent when missing. */
  readonly identity?: FileIdentity;
  /** Of the directory that holds the real path; absent when that directory is missing too, and for a mere read. */
  readonly parent?: FileIdentity;
  /** Bytes on disk; 0 when missing. */
  readonly size: number;
  /** Milliseconds since the epoch; 0 when missing. */
  readonly modified: number;
  /** Names that lead to the same inode; 0 when missing. */
  readonly linkCount: number;
}

/** A file as results name it. */
export interface FileRef {
  /** Workspace-relative with `/`; starts with the folder's name in a window with several folders. */
  readonly path: string;
  readonly uri: string;
}

/** A file found by walking a folder (never through a link), not yet judged by the policy. */
export interface FoundFile extends FileRef {
  readonly fsPath: string;
  readonly folder: WorkspaceFolder;
}

/**
 * An address of the caller after its one and only resolution. Made by `core/resolve.ts` alone: every port takes this,
 * none takes a string, so the path that was checked is the path that is used (threat row P9).
 */
export interface ResolvedPath extends FileRef, Location {
  readonly folder: WorkspaceFolder;
  /** Absolute, as addressed; differs from `realPath` when a link is involved. */
  readonly fsPath: string;
  /** The address leads through a link (or another spelling) below its folder, so it is another name of `realPath`. */
  readonly linked: boolean;
}

/** A text file as the editor holds it: the unsaved buffer where there is one, otherwise the file. */
export interface LiveText {
  /** Without a byte-order mark, line ends as they are. */
  readonly text: string;
  /** The editor's encoding id, for example `utf8`, `utf8bom`, `utf16le`. */
  readonly encoding: string;
  readonly source: 'buffer' | 'disk';
  /** The buffer differs from the disk. */
  readonly unsaved: boolean;
  /** A notebook or custom editor holds unsaved changes of this file that its text does not show. */
  readonly unsavedElsewhere: boolean;
  readonly readonly: boolean;
  /** Lines whose line end saving will change, because an editor holds a file of mixed line ends; 0 otherwise. */
  readonly unifiedLineEnds: number;
  /** Milliseconds since the epoch; of the file on disk. */
  readonly modified: number;
}

export interface DirectoryEntry extends FoundFile {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

export interface TreeLimits {
  readonly maximumFiles: number;
  /** Of all files together. */
  readonly maximumBytes: number;
}

/** One file of what a delete or a move takes along. */
export interface TreeFile {
  /** Below the deleted or moved path, with `/`; empty when that path is the file itself. */
  readonly relative: string;
  /** Hex SHA-256 of its bytes on disk. For a link: of where it leads, as it is spelt. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly isLink: boolean;
}

/** A file, or all that a folder holds. */
export interface Tree {
  /** In path order, links not followed; folders are not listed. */
  readonly files: readonly (TreeFile & { readonly bytes: Uint8Array })[];
  /** Files of which an editor holds unsaved text, named as in `files`. They need not exist on disk. */
  readonly unsaved: readonly string[];
  /** The same of notebooks and custom editors. */
  readonly unsavedElsewhere: readonly string[];
}

/** How the editor would write a file that does not exist yet. */
export interface NewFileFormat {
  /** An encoding id of the editor's. */
  readonly encoding: string;
  readonly lineEnd: '\n' | '\r\n';
}

export interface Files {
  /** Never throws for a missing file; throws `not_found` when the path cannot be walked at all. */
  locate(fsPath: string, purpose: Purpose): Promise<Location>;
  /**
   * @param maxBytes larger files throw `too_large` without being read.
   * @throws ToolError `not_found`, `binary_file`, `undecodable`, `too_large`, `unavailable` (not a regular file).
   */
  readText(path: ResolvedPath, maxBytes: number): Promise<LiveText>;
  /** The bytes on disk. Throws like `readText`, save for `binary_file` and `undecodable`. */
  readBytes(path: ResolvedPath, maxBytes: number): Promise<Uint8Array>;
  /** Whether every character of the text exists in that encoding (an id of the editor's). */
  canEncode(text: string, encoding: string): Promise<boolean>;
  /** Direct children, links not followed, in no particular order. Throws `not_found` or `unavailable` (not a directory). */
  list(path: ResolvedPath): Promise<readonly DirectoryEntry[]>;
  /**
   * A file (or link, when resolved as an `entry`) or a folder with everything in it, hidden files too.
   * @param admit is told every name below the path, folders too, before anything of it is read, and may throw.
   * @throws ToolError `not_found`, `too_large`, `unavailable` (it holds a pipe, socket or device, or changes meanwhile)
   */
  readTree(path: ResolvedPath, limits: TreeLimits, admit?: (relative: string) => void): Promise<Tree>;
  newFileFormat(path: ResolvedPath): NewFileFormat;
  /** Whether what is deleted can go to the system's trash. */
  hasTrash(): boolean;
}

/** The addresses of a file or folder: as it is reached, and without links. */
export type Place = Pick<ResolvedPath, 'fsPath' | 'realPath'>;
