/** Lets an assistant write an approved change by itself, and finds out from the bytes on disk what it wrote. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Files, LiveText, ResolvedPath } from '#base/files.ts';
import type { ExactWrite } from '#base/nativeEdit.ts';
import {
  type FileChange,
  type FileCreate,
  type FileDelete,
  type FileEdit,
  type FileMove,
  purposeOf,
} from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Writer } from '#changes/approver.ts';
import type { AppliedFile, AppliedText, Edits, NoteWritten } from '#changes/edits.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { resolveAddress } from './resolve.ts';

/** A change that the assistant may make now. A file that is moved and edited has two. */
export interface HandedOverFile {
  readonly change: FileChange;
  /** Hex SHA-256 of the bytes on disk; absent when there is no file. */
  readonly sha256?: string;
}

export interface WriterDependencies {
  readonly clock: Clock;
  readonly edits: Pick<Edits, 'findStale' | 'watch'>;
  readonly files: Pick<Files, 'locate' | 'readBytes'>;
  /** Reads the text of a file on disk, also when an editor holds another one. Throws as `Files.readText` does. */
  readonly readSaved: (path: ResolvedPath, maxBytes: number) => Promise<LiveText>;
  /** Saves the text that an editor holds of a file. */
  readonly save: (path: ResolvedPath) => Promise<{ readonly state: 'saved' | 'not_dirty' | 'failed' }>;
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly pathRules: PathRules;
  readonly noteWritten: NoteWritten;
}

/** The waiting call of an assistant. */
export interface WaitingWriter {
  /** The kinds that the assistant writes exactly. The window applies every other change. */
  readonly writesExactly: readonly ExactWrite[];
  /** Gives the permission to write. Returns false when the assistant cannot write this, or does not wait any more. */
  readonly handOver: (files: readonly HandedOverFile[]) => boolean;
  /** Gives the permission to make the call as it is. Returns false when the assistant does not wait any more. */
  readonly permit: () => boolean;
  /** Resolves when the assistant reported the end of its call, or began another one. */
  readonly ended: Promise<void>;
}

/** Milliseconds that the assistant has to write what was approved. */
const patience = 120_000;
/** A larger file is not compared with what was approved. */
const maximumBytes = 64 * 1024 * 1024;

/** Returns the writer of a call that waits for its answer. */
export function assistantWriter(
  { writesExactly, handOver, permit, ended }: WaitingWriter,
  dependencies: WriterDependencies,
): Writer {
  return {
    ended,
    permit,
    async apply(changes) {
      const needs = needsOf(changes);
      if (needs === undefined || !needs.every((need) => writesExactly.includes(need))) return undefined;
      // The assistant writes to the disk, below the text that an editor holds. When saving changes that text, the change is stale.
      const unsaved = changes.filter((change) => change.kind === 'edit' && change.base.unsaved);
      const saved = await Promise.all(unsaved.map(({ path }) => dependencies.save(path)));
      if (saved.some(({ state }) => state === 'failed')) return undefined;
      const stale = await dependencies.edits.findStale(changes);
      if (stale !== undefined) return { status: 'stale', ...stale };
      const files = await Promise.all(changes.map((change) => withHash(change, dependencies)));
      const folders = await Promise.all(changes.map((change) => missingFolders(change, dependencies)));
      if (!handOver(files)) return undefined;
      const found = await waitUntilWritten(changes, ended, dependencies);
      if (found.some((file) => file.isBase || isSomethingElse(file))) return notWritten(found);
      const applied = found.map(({ written }, index): AppliedFile => {
        const createdFolders = folders[index] ?? [];
        return { ...(written && { written }), ...(createdFolders.length > 0 && { createdFolders }) };
      });
      const outcome = { status: 'applied', files: applied } as const;
      dependencies.noteWritten(changes, outcome);
      return outcome;
    },
  };
}

/** Returns whether there is something else than what was approved, and no text that could be compared with it. */
function isSomethingElse({ isBase, isApproved, written }: FoundFile): boolean {
  return !isBase && !isApproved && written === undefined;
}

function notWritten(found: readonly FoundFile[]) {
  const reason = found.some(isSomethingElse)
    ? 'The assistant did something else than what was approved. Look at the files before you go on.'
    : found.every(({ isBase }) => isBase)
      ? 'The assistant did not make this edit; nothing was changed.'
      : 'The assistant made only a part of this edit. Look at the files before you go on.';
  return { status: 'failed', reason, states: found.map(({ isBase }) => (isBase ? 'not_applied' : 'unknown')) } as const;
}

/** Returns the kinds that an assistant must write exactly to make these changes; undefined when no assistant can make them. */
function needsOf(changes: readonly FileChange[]): readonly ExactWrite[] | undefined {
  const needs = new Set<ExactWrite>(changes.map(({ kind }) => kind));
  if (new Set(changes.map(({ path }) => path.realPath)).size > 1) needs.add('several');
  for (const change of changes) {
    if (change.kind === 'delete' || change.kind === 'move') {
      if (change.isFolder) return undefined;
      continue;
    }
    const { text, encoding } = change.result;
    if (encoding === 'utf8bom' || encoding === 'utf16le') needs.add(encoding);
    else if (encoding !== 'utf8') return undefined;
    for (const each of change.kind === 'edit' ? [change.base.text, text] : [text]) {
      const lineEnds = new Set(each.match(/\r\n|\r|\n/g));
      if (lineEnds.size > 1 || lineEnds.has('\r')) needs.add('mixedLineEnds');
      else if (lineEnds.has('\r\n')) needs.add('crlf');
      if (each !== '' && !each.endsWith('\n')) needs.add('noFinalLineEnd');
    }
    // Assistants that keep the last line end of a file keep it when nothing else is left.
    if (change.kind === 'edit' && text === '') needs.add('noFinalLineEnd');
  }
  return [...needs];
}

async function withHash(change: FileChange, { files }: Pick<WriterDependencies, 'files'>): Promise<HandedOverFile> {
  if (change.kind === 'create') return { change };
  return { change, sha256: hashOf(await files.readBytes(change.path, maximumBytes)) };
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Returns the real paths of the folders that a creation or a move makes, the outermost first. */
async function missingFolders(
  change: FileChange,
  { files }: Pick<WriterDependencies, 'files'>,
): Promise<readonly string[]> {
  const missing: string[] = [];
  if (change.kind !== 'create' && change.kind !== 'move') return missing;
  let folder = dirname(change.kind === 'move' ? change.to.realPath : change.path.realPath);
  while ((await files.locate(folder, 'read')).kind === 'missing') {
    missing.unshift(folder);
    folder = dirname(folder);
  }
  return missing;
}

/** A file as it is on disk, compared with a change of it. */
interface FoundFile {
  readonly isBase: boolean;
  readonly isApproved: boolean;
  /** Absent when there is no text. */
  readonly written?: AppliedText;
}

/** Waits until every file is as it was approved, or the assistant will not write any more. */
async function waitUntilWritten(
  changes: readonly FileChange[],
  ended: Promise<void>,
  dependencies: WriterDependencies,
): Promise<readonly FoundFile[]> {
  const { clock, edits } = dependencies;
  const moves = changes.filter(({ kind }) => kind === 'move');
  const findAll = (): Promise<FoundFile[]> =>
    Promise.all(
      changes.map((change) => {
        const move = moves.find(({ path }) => path.realPath === change.path.realPath);
        return find(change, move?.kind === 'move' ? move : undefined, dependencies);
      }),
    );
  const over = Promise.withResolvers<'over'>();
  const timer = clock.after(patience, () => over.resolve('over'));
  void ended.then(() => over.resolve('over'));
  let changed = Promise.withResolvers<'changed'>();
  const watch = edits.watch(changes, () => changed.resolve('changed'));
  try {
    for (;;) {
      const found = await findAll();
      if (found.every(({ isApproved }) => isApproved)) return found;
      if ((await Promise.race([over.promise, changed.promise])) === 'over') return await findAll();
      changed = Promise.withResolvers();
    }
  } finally {
    timer.dispose();
    watch.dispose();
  }
}

/** @param move the move of the same file, if there is one */
async function find(
  change: FileChange,
  move: FileMove | undefined,
  dependencies: WriterDependencies,
): Promise<FoundFile> {
  try {
    if (change.kind === 'delete') return await findDeleted(change, dependencies);
    if (change.kind === 'move') return await findMoved(change, dependencies);
    return await findText(change, move, dependencies);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // It is not a text any more. The change was not written as it was approved.
    return { isBase: false, isApproved: false };
  }
}

async function findText(
  change: FileEdit | FileCreate,
  move: FileMove | undefined,
  dependencies: WriterDependencies,
): Promise<FoundFile> {
  const moved = move && (await locate(move.to.uri, change, dependencies));
  const path = moved?.kind === 'file' ? moved : await locate(change.path.uri, change, dependencies);
  if (path.kind === 'missing') return { isBase: change.kind === 'create', isApproved: false };
  const { text, encoding, modified } = await dependencies.readSaved(path, maximumBytes);
  // The same text in another encoding has other bytes.
  const isApproved = text === change.result.text && encoding === change.result.encoding;
  const isBase = change.kind === 'edit' && text === change.base.text && encoding === change.base.encoding;
  const { size } = path;
  const written = { text, encoding, saved: true, dirty: false, changedOnSave: !isApproved, size, modified };
  return { isBase, isApproved, written };
}

async function findDeleted(change: FileDelete, dependencies: WriterDependencies): Promise<FoundFile> {
  const path = await locate(change.path.uri, change, dependencies);
  if (path.kind === 'missing') return { isBase: false, isApproved: true };
  const bytes = await dependencies.files.readBytes(path, maximumBytes);
  return { isBase: hashOf(bytes) === change.files[0]?.sha256, isApproved: false };
}

async function findMoved(change: FileMove, dependencies: WriterDependencies): Promise<FoundFile> {
  const [from, to] = await Promise.all([
    locate(change.path.uri, change, dependencies),
    locate(change.to.uri, change, dependencies),
  ]);
  return { isBase: to.kind === 'missing', isApproved: from.kind === 'missing' && to.kind === 'file' };
}

function locate(
  uri: string,
  change: FileChange,
  { workspace, files, pathRules }: WriterDependencies,
): Promise<ResolvedPath> {
  return resolveAddress(uri, { workspace, files, pathRules, purpose: purposeOf(change) });
}
