import type { WorkspaceFolder } from './workspace.ts';

/** Device and inode; the same pair is the same file, whatever its name. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * Why a path is located. A `change` also needs the identity of the directory that holds the file. An `entry` is the directory
 * entry itself: for a symbolic link, the link and not its target.
 */
export type Purpose = 'read' | 'change' | 'entry';

export type FileKind = 'file' | 'directory' | 'other' | 'missing';

/** The file or directory that an absolute path leads to, found without opening it. */
export interface Location {
  /** Every link resolved; for a missing file, its deepest existing ancestor resolved plus the rest. */
  readonly realPath: string;
  readonly kind: FileKind;
  /** The path, or the part of it that exists, ends in a link that leads nowhere. */
  readonly dangling: boolean;
  /** Absent when missing. */
  readonly identity?: FileIdentity;
  /** Identity of the directory that holds the real path; absent when that directory is missing, and for the purpose `read`. */
  readonly parent?: FileIdentity;
  /** Bytes on disk; 0 when missing. */
  readonly size: number;
  /** Milliseconds since the epoch; 0 when missing. */
  readonly modified: number;
  /** Number of hard links to the same inode; 0 when missing. */
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
 * A caller's path after its only resolution, which `call/resolve.ts` alone does. Ports take a `ResolvedPath` and never a
 * string, so the path that was checked is the path that is used (threat row P9).
 */
export interface ResolvedPath extends FileRef, Location {
  readonly folder: WorkspaceFolder;
  /** Absolute path as the caller gave it; differs from `realPath` when a link is involved. */
  readonly fsPath: string;
  /** The path leads through a link (or another spelling) below its folder, so it is another name of `realPath`. */
  readonly linked: boolean;
}

/** A text file as the editor holds it: the unsaved buffer where there is one, otherwise the file. */
export interface LiveText {
  /** The text without a byte-order mark, with its line ends as they are. */
  readonly text: string;
  /** The editor's encoding id, for example `utf8`, `utf8bom`, `utf16le`. */
  readonly encoding: string;
  readonly source: 'buffer' | 'disk';
  /** The buffer differs from the disk. */
  readonly unsaved: boolean;
  /** A notebook or custom editor holds unsaved changes of this file that its text does not show. */
  readonly unsavedElsewhere: boolean;
  readonly readonly: boolean;
  /** Number of lines whose line end changes on save, because the editor unifies mixed line ends; 0 otherwise. */
  readonly unifiedLineEnds: number;
  /**
   * Present when an edit would not keep the bytes of the file. `guessed`: no setting tells its encoding, so the text is shown in a likely
   * one. `lossy`: the editor holds it in an encoding that cannot represent its bytes.
   */
  readonly encodingDoubt?: 'guessed' | 'lossy';
  /** When the file on disk was modified, in milliseconds since the epoch. */
  readonly modified: number;
}

/** Lines of a file that is not loaded as a whole, with the text around them. */
export interface TextWindow extends Omit<LiveText, 'unifiedLineEnds'> {
  /** The wanted lines and about a million characters on each side, in which a secret may begin or end; line ends are LF. */
  readonly text: string;
  /** Where the wanted lines begin and end in `text`. Fewer lines than wanted are there when these are very long. */
  readonly start: number;
  readonly end: number;
  readonly totalLines: number;
  readonly eol: 'lf' | 'crlf' | 'mixed';
}

/** A direct child of a directory. Links are not followed. */
export interface DirectoryEntry extends FoundFile {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
}

/** How much `Files.readTree` reads before it throws `too_large`. */
export interface TreeLimits {
  readonly maximumFiles: number;
  /** Sum of the sizes of all files. */
  readonly maximumBytes: number;
}

/** One file that a delete or a move includes. */
export interface TreeFile {
  /** Path relative to the deleted or moved path, with `/`; empty when that path is the file itself. */
  readonly relative: string;
  /** Hex SHA-256 of its bytes on disk; for a link, of its target as the link spells it. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Permission bits. */
  readonly mode: number;
  readonly isLink: boolean;
}

/** The content of a file, or of a folder with everything below it. */
export interface Tree {
  /** The files in path order. Links are not followed, and folders are not listed. */
  readonly files: readonly (TreeFile & { readonly bytes: Uint8Array })[];
  /** Files with unsaved text in an editor, named as in `files`. They need not exist on disk. */
  readonly unsaved: readonly string[];
  /** Files with unsaved changes in a notebook or a custom editor, named as in `files`. */
  readonly unsavedElsewhere: readonly string[];
}

/** How the editor would write a file that does not exist yet. */
export interface NewFileFormat {
  /** The editor's encoding id. */
  readonly encoding: string;
  readonly lineEnd: '\n' | '\r\n';
}

/** A file by its path, with what its resolution found when it was resolved. */
export type NamedFile = Pick<ResolvedPath, 'folder' | 'fsPath'> &
  Partial<Pick<ResolvedPath, 'realPath' | 'kind' | 'linkCount' | 'identity'>>;

/** Returns true for a file that is closed to assistants. */
export type IsClosed = (file: { readonly folder: WorkspaceFolder; readonly fsPath: string }) => boolean;

/** Reads files of the workspace as the editor holds them. */
export interface Files {
  /**
   * Finds where a path leads. A missing file is a result and not an error.
   * @throws ToolError `not_found` or `unavailable` when the path itself cannot be followed
   */
  locate(fsPath: string, purpose: Purpose): Promise<Location>;
  /**
   * Reads a text file.
   * @param maxBytes a larger file throws `too_large` without being read
   * @param known the encoding that the file had when it was proposed or applied; its bytes are read in it as long as they fit
   * @throws ToolError `not_found`, `binary_file`, `undecodable`, `too_large`, `unavailable` (not a regular file).
   */
  readText(path: ResolvedPath, maxBytes: number, known?: string): Promise<LiveText>;
  /**
   * Reads lines of a text file of any size in bounded memory. Throws as `readText` does, except `too_large`.
   * @param firstLine 1-based; when it does not exist, the window is empty
   */
  readWindow(path: ResolvedPath, firstLine: number, lineCount: number, signal?: AbortSignal): Promise<TextWindow>;
  /** Reads at most `bytes` bytes from the start of a file on disk. Throws as `readBytes` does. */
  readStart(path: ResolvedPath, bytes: number): Promise<Uint8Array>;
  /** Reads the bytes on disk. Throws as `readText` does, except `binary_file` and `undecodable`. */
  readBytes(path: ResolvedPath, maxBytes: number): Promise<Uint8Array>;
  /** Returns true when every character of the text exists in the encoding (an encoding id of the editor). */
  canEncode(text: string, encoding: string): Promise<boolean>;
  /**
   * Lists the direct children of a directory in no particular order, without those that the editor hides (`files.exclude`).
   * Links are not followed.
   * @throws ToolError `not_found`, `unavailable` (not a directory)
   */
  list(path: ResolvedPath): Promise<readonly DirectoryEntry[]>;
  /**
   * Reads a file, a link (when resolved as an `entry`), or a folder with everything in it, hidden files included.
   * @param admit is called with the relative path of every file and folder before that is read, and may throw
   * @throws ToolError `not_found`, `too_large`, `unavailable` (it holds a pipe, socket or device, or changes meanwhile)
   */
  readTree(path: ResolvedPath, limits: TreeLimits, admit?: (relative: string) => void): Promise<Tree>;
  /**
   * Returns true when a file is, as a hard link, the same as a file of its folder that `isClosed` accepts (threat row P21). Files in
   * `node_modules` are exempt.
   * @param file one that was resolved, or one that a walk found without following links
   */
  leadsToClosed(file: NamedFile, isClosed: IsClosed): Promise<boolean>;
  /** Returns the encoding and line end that the editor's settings give to a new file at this path. */
  newFileFormat(path: ResolvedPath): NewFileFormat;
  /** Returns true when deleted files can go to the trash of the system. */
  hasTrash(): boolean;
}

/** Both absolute paths of a file or folder: the one it is reached by, and the one without links. */
export type FileAddress = Pick<ResolvedPath, 'fsPath' | 'realPath'>;
