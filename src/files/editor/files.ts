import * as vscode from 'vscode';
import type { DirectoryEntry, Files, LiveText, ResolvedPath, TextWindow, Tree } from '#base/files.ts';
import type { TextState } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import { TimeSlice } from '#base/timeSlice.ts';
import { anyMatches, settingsGlobs } from '#policy/fileGlobs.ts';
import { relativeTo } from '#policy/paths.ts';
import { chunksOf, listDirectory, locate, notFound, readRegularFile, tooLarge } from '../disk.ts';
import { changedLineEnds } from '../lineEnds.ts';
import { LineWindow } from '../lineWindow.ts';
import { OtherNames } from '../otherNames.ts';
import { locateEntry, readTree } from '../readTree.ts';
import { encodingSettings } from './encodingSettings.ts';
import { openDocument } from './openDocument.ts';
import { unsavedDocuments, unsavedElsewhere } from './openEditors.ts';
import { type StreamDecoder, unicodeDecoder, windowsDecoder } from '../streamDecoder.ts';
import { decodeText, encodeText, guessText, keepsBytes } from './textEncoding.ts';

const otherNames = new OtherNames();

/**
 * Reads files as the editor holds them: the unsaved text where there is one, otherwise the disk. It uses `node:fs`, since the
 * editor's own file system API crosses to another process.
 */
export const files: Files = {
  locate: (fsPath, purpose) => (purpose === 'entry' ? locateEntry(fsPath) : locate(fsPath, purpose)),

  async readText(path, maxBytes, known) {
    const document = openDocument(path);
    return document === undefined ? readSaved(path, maxBytes, known) : readFromEditor(path, document, maxBytes);
  },

  async readWindow(path, firstLine, lineCount, signal) {
    const document = openDocument(path);
    if (document === undefined) return readWindow(path, firstLine, lineCount, signal);
    const { text, ...facts } = await readFromEditor(path, document, Infinity);
    const window = new LineWindow(firstLine, lineCount);
    window.add(text);
    return { ...facts, ...window.end() };
  },

  async readStart(path, bytes) {
    for await (const chunk of chunksOf(path)) return chunk.subarray(0, bytes);
    return new Uint8Array();
  },

  async readBytes(path, maxBytes) {
    return (await readRegularFile(path, maxBytes)).bytes;
  },

  async canEncode(text, encoding) {
    return (await encodeText(text, encoding)) !== undefined;
  },

  async list(path) {
    const isHidden = hiddenByEditor(path);
    const timeSlice = new TimeSlice();
    const shown: DirectoryEntry[] = [];
    for (const found of await listDirectory(path)) {
      if (timeSlice.isUsedUp) await timeSlice.yieldToEventLoop();
      const entry = childOf(path, found);
      if (!isHidden(entry)) shown.push(entry);
    }
    return shown;
  },

  async readTree(path, limits, admit) {
    return { files: await readTree(path, limits, admit), ...unsavedBelow(path) };
  },

  leadsToClosed: (path, isClosed) => otherNames.leadsToClosed(path, isClosed),

  newFileFormat(path) {
    const uri = vscode.Uri.file(path.realPath);
    const lineEnd = vscode.workspace.getConfiguration('files', uri).get<unknown>('eol');
    return { encoding: encodingSettings(uri).encoding, lineEnd: lineEnd === '\r\n' ? '\r\n' : '\n' };
  },

  // The file systems of remote machines and of the web have no trash.
  hasTrash: () => vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop,
};

/** Reads the text of a file on disk, also when an editor holds another one. Throws as `Files.readText` does. */
export async function readSaved(path: ResolvedPath, maxBytes: number, known?: string): Promise<LiveText> {
  const { bytes, modified, readonly } = await readRegularFile(path, maxBytes);
  const state = await decodeDisk(path, bytes, known);
  return {
    ...state,
    source: 'disk',
    unsaved: false,
    unsavedElsewhere: isDirtyElsewhere(path),
    readonly,
    unifiedLineEnds: 0,
    modified,
  };
}

/** Reads lines of a file on disk in bounded memory. */
async function readWindow(
  path: ResolvedPath,
  firstLine: number,
  lineCount: number,
  signal: AbortSignal | undefined,
): Promise<TextWindow> {
  const facts = {
    source: 'disk' as const,
    unsaved: false,
    unsavedElsewhere: isDirtyElsewhere(path),
    readonly: false,
    modified: path.modified,
  };
  const read = async (decoder: StreamDecoder): Promise<TextWindow> => {
    const window = new LineWindow(firstLine, lineCount);
    for await (const chunk of chunksOf(path)) {
      signal?.throwIfAborted();
      if (!decoder.encoding.startsWith('utf16') && chunk.includes(0)) throw binary(path);
      window.add(decoder.decode(chunk));
    }
    window.add(decoder.decode(undefined));
    return { ...facts, encoding: decoder.encoding, ...window.end() };
  };
  try {
    return await read(unicodeDecoder(await files.readStart(path, 4)));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    if (controlShare(Buffer.from(await files.readStart(path, Infinity))) > maximumControlShare) throw binary(path);
    const isSet = encodingSettings(vscode.Uri.file(path.realPath)).encoding === 'windows1252';
    return { ...(await read(windowsDecoder())), ...(isSet ? {} : { encodingDoubt: 'guessed' as const }) };
  }
}

async function decodeDisk(
  path: ResolvedPath,
  bytes: Buffer,
  known: string | undefined,
): Promise<TextState & Pick<LiveText, 'encodingDoubt'>> {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (!isUtf16 && bytes.includes(0)) throw binary(path);
  const state = await decodeText(bytes, vscode.Uri.file(path.realPath), known);
  if (state?.encoding.startsWith('utf') === true) return state;
  // Any byte is valid in an 8-bit encoding, so successful decoding alone does not prove that the file is text.
  if (controlShare(bytes) > maximumControlShare) throw binary(path);
  if (state !== undefined) return state;
  const guessed = await guessText(bytes);
  if (guessed !== undefined) return { ...guessed, encodingDoubt: 'guessed' };
  throw new ToolError(
    'undecodable',
    `${path.path} is text in an encoding that is neither Unicode nor the one set in files.encoding.`,
    'Ask the user which encoding it has; setting files.encoding (or opening the file with it) makes it readable.',
  );
}

/** Greatest share of control characters in a text, apart from tabs, line ends, form feeds and escapes. */
const maximumControlShare = 0.01;

function controlShare(bytes: Buffer): number {
  let controls = 0;
  for (const byte of bytes) {
    if (byte < 0x20 && (byte < 0x08 || byte > 0x0d) && byte !== 0x1b) controls += 1;
  }
  return controls / Math.max(1, bytes.length);
}

async function readFromEditor(path: ResolvedPath, document: vscode.TextDocument, maxBytes: number): Promise<LiveText> {
  if (path.kind === 'missing' && !document.isDirty) throw notFound(path);
  const text = document.getText();
  if (text.length > maxBytes) throw tooLarge(path, text.length, maxBytes);
  const { lines, isKept } = await onDisk(path, document, maxBytes);
  return {
    text,
    encoding: document.encoding,
    source: 'buffer',
    unsaved: document.isDirty,
    unsavedElsewhere: isDirtyElsewhere(path),
    readonly: false,
    unifiedLineEnds: lines,
    modified: path.modified,
    ...(isKept ? {} : { encodingDoubt: 'lossy' as const }),
  };
}

/** Tells how a save changes the bytes of a file whose text nobody has changed in the editor. */
interface SaveEffects {
  /** Lines whose line end changes. */
  readonly lines: number;
  /** False when the encoding of the document cannot represent the bytes. */
  readonly isKept: boolean;
}

/** The last facts for each document. The disk is read again only when the file or the encoding changed. */
const known = new WeakMap<vscode.TextDocument, SaveEffects & { readonly key: string }>();

async function onDisk(path: ResolvedPath, document: vscode.TextDocument, maxBytes: number): Promise<SaveEffects> {
  if (path.kind !== 'file') return { lines: 0, isKept: true };
  const eol = document.eol === vscode.EndOfLine.LF ? '\n' : '\r\n';
  const { encoding } = document;
  const key = `${path.modified} ${path.size} ${path.identity?.inode ?? ''} ${eol.length} ${encoding}`;
  const last = known.get(document);
  if (last?.key === key) return last;
  const { bytes } = await readRegularFile(path, maxBytes * 2);
  const lines = changedLineEnds(bytes, encoding, eol);
  const effects = { key, lines, isKept: await keepsBytes(bytes, encoding) };
  known.set(document, effects);
  return effects;
}

/** Returns true when a notebook or custom editor has unsaved changes of the file, which no text document shows. */
function isDirtyElsewhere(path: ResolvedPath): boolean {
  return unsavedElsewhere().some(
    (uri) => uri.scheme === 'file' && (uri.fsPath === path.fsPath || uri.fsPath === path.realPath),
  );
}

function unsavedBelow(path: ResolvedPath): Omit<Tree, 'files'> {
  const below = (uri: vscode.Uri): string | undefined =>
    uri.scheme === 'file' ? (relativeTo(path.realPath, uri.fsPath) ?? relativeTo(path.fsPath, uri.fsPath)) : undefined;
  return {
    unsaved: unsavedDocuments().flatMap((uri) => below(uri) ?? []),
    unsavedElsewhere: unsavedElsewhere().flatMap((uri) => below(uri) ?? []),
  };
}

function childOf(path: ResolvedPath, { name, kind }: Pick<DirectoryEntry, 'name' | 'kind'>): DirectoryEntry {
  const uri = vscode.Uri.joinPath(vscode.Uri.file(path.fsPath), name);
  const label = path.path === '.' ? name : `${path.path}/${name}`;
  return { name, kind, folder: path.folder, fsPath: uri.fsPath, path: label, uri: uri.toString() };
}

/** Returns a predicate for the entries that `files.exclude` hides. */
function hiddenByEditor(path: ResolvedPath): (entry: DirectoryEntry) => boolean {
  const folder = vscode.Uri.file(path.folder.fsPath);
  const setting = vscode.workspace.getConfiguration('files', folder).get<unknown>('exclude');
  const entries = Object.entries(typeof setting === 'object' ? (setting ?? {}) : {});
  const globs = settingsGlobs(entries.flatMap(([glob, value]) => (value === true ? [glob] : [])));
  return ({ fsPath }) => anyMatches(globs, fsPath.slice(path.folder.fsPath.length + 1).replaceAll('\\', '/'));
}

function binary(path: ResolvedPath): ToolError {
  return new ToolError(
    'binary_file',
    `${path.path} is a binary file, not text.`,
    'Binary files can be neither read nor edited as text.',
  );
}
