/** Lets an assistant write an approved change by itself, and finds out from the bytes on disk what it wrote. */
import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { Files, LiveText, ResolvedPath } from '#base/files.ts';
import type { FileChange, FileCreate, FileEdit } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import type { Writer } from '#changes/approver.ts';
import type { AppliedText, Edits } from '#changes/edits.ts';
import type { PathRules } from '#policy/protectedPaths.ts';
import { resolveAddress } from './resolve.ts';

/** A change that the assistant may write now. */
export interface HandedOverFile {
  readonly change: FileEdit | FileCreate;
  /** Hex SHA-256 of the bytes on disk; absent when there is no file. */
  readonly sha256?: string;
}

export interface WriterDependencies {
  readonly clock: Clock;
  readonly edits: Pick<Edits, 'findStale' | 'watch'>;
  readonly files: Pick<Files, 'locate' | 'readBytes'>;
  /** Reads the text of a file on disk, also when an editor holds another one. Throws as `Files.readText` does. */
  readonly readSaved: (path: ResolvedPath, maxBytes: number) => Promise<LiveText>;
  readonly workspace: Pick<Workspace, 'folders'>;
  readonly pathRules: PathRules;
}

/** The waiting call of an assistant. */
export interface WaitingWriter {
  /** Gives the permission to write. Returns false when the assistant cannot write this, or does not wait any more. */
  readonly handOver: (files: readonly HandedOverFile[]) => boolean;
  /** Resolves when the assistant reported the end of its call, or began another one. */
  readonly ended: Promise<void>;
}

/** Milliseconds that the assistant has to write what was approved. */
const patience = 120_000;
/** A larger file is not compared with what was approved. */
const maximumBytes = 64 * 1024 * 1024;

/** Returns the writer of a call that waits for its answer. */
export function assistantWriter({ handOver, ended }: WaitingWriter, dependencies: WriterDependencies): Writer {
  return {
    ended,
    async apply(changes) {
      const own = changes.filter(isWritable);
      if (own.length < changes.length) return undefined;
      const stale = await dependencies.edits.findStale(own);
      if (stale !== undefined) return { status: 'stale', ...stale };
      const files = await Promise.all(own.map((change) => withHash(change, dependencies)));
      const folders = await Promise.all(own.map((change) => missingFolders(change, dependencies)));
      if (!handOver(files)) return undefined;
      const found = await waitUntilWritten(own, ended, dependencies);
      if (found.every(({ isBase }) => isBase)) {
        const reason = 'The assistant did not write it; nothing was changed.';
        return { status: 'failed', reason, states: own.map(() => 'not_applied') };
      }
      const applied = found.map(({ written }, index) => {
        const createdFolders = folders[index] ?? [];
        return { ...(written && { written }), ...(createdFolders.length > 0 && { createdFolders }) };
      });
      return { status: 'applied', files: applied };
    },
  };
}

/** Encodings that assistants keep. They write every other text as UTF-8, or refuse to. */
const keptEncodings: ReadonlySet<string> = new Set(['utf8', 'utf8bom', 'utf16le']);

/**
 * Returns whether an assistant would write exactly the approved text: it writes under the unsaved text of an editor, and unifies mixed
 * line ends (Claude Code 2.1.329).
 */
function isWritable(change: FileChange): change is FileEdit | FileCreate {
  if (change.kind !== 'edit' && change.kind !== 'create') return false;
  if (!keptEncodings.has(change.result.encoding)) return false;
  return change.kind === 'create' || !(change.base.unsaved || hasMixedLineEnds(change.base.text));
}

function hasMixedLineEnds(text: string): boolean {
  return new Set(text.match(/\r\n|\r|\n/g)).size > 1;
}

async function withHash(
  change: FileEdit | FileCreate,
  { files }: Pick<WriterDependencies, 'files'>,
): Promise<HandedOverFile> {
  if (change.kind === 'create') return { change };
  const bytes = await files.readBytes(change.path, maximumBytes);
  return { change, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Returns the real paths of the folders that a creation makes, the outermost first. */
async function missingFolders(
  { kind, path }: FileEdit | FileCreate,
  { files }: Pick<WriterDependencies, 'files'>,
): Promise<readonly string[]> {
  const missing: string[] = [];
  if (kind !== 'create') return missing;
  let folder = dirname(path.realPath);
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

/** Waits until every file holds the approved text, or the assistant will not write any more. */
async function waitUntilWritten(
  changes: readonly (FileEdit | FileCreate)[],
  ended: Promise<void>,
  dependencies: WriterDependencies,
): Promise<readonly FoundFile[]> {
  const { clock, edits } = dependencies;
  const findAll = (): Promise<FoundFile[]> => Promise.all(changes.map((change) => find(change, dependencies)));
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

async function find(
  change: FileEdit | FileCreate,
  { files, readSaved, workspace, pathRules }: WriterDependencies,
): Promise<FoundFile> {
  try {
    const path = await resolveAddress(change.path.uri, { workspace, files, pathRules, purpose: 'change' });
    if (path.kind === 'missing') return { isBase: change.kind === 'create', isApproved: false };
    const { text, encoding, modified } = await readSaved(path, maximumBytes);
    const isApproved = text === change.result.text;
    const isBase = change.kind === 'edit' && text === change.base.text;
    const { size } = path;
    const written = { text, encoding, saved: true, dirty: false, changedOnSave: !isApproved, size, modified };
    return { isBase, isApproved, written };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // It is not a text any more. The change was not written as it was approved.
    return { isBase: false, isApproved: false };
  }
}
