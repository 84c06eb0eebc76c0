/** Tells the list of outside changes what Drawbridge wrote, or an assistant with an approval. */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { FileChange, FileRestore } from '#base/proposal.ts';
import type { AppliedText, ApplyOutcome, Edits } from '../edits.ts';
import { sha256Of } from './diskEntry.ts';
import type { OutsideChanges } from './outsideChanges.ts';

type Noted = Pick<OutsideChanges, 'writtenByUs'>;

/** Returns the same edits, which also tell the list what they wrote. */
export function noted(
  edits: Edits,
  note: (changes: readonly (FileChange | FileRestore)[], outcome: ApplyOutcome) => void,
): Edits {
  return {
    async apply(changes, recordId) {
      const outcome = await edits.apply(changes, recordId);
      note(changes, outcome);
      return outcome;
    },
    findStale: (changes) => edits.findStale(changes),
    watch: (changes, listener) => edits.watch(changes, listener),
  };
}

/** Tells the list what was written. A file that another program has written over since is an outside change. */
export async function noteWrites(
  changes: readonly (FileChange | FileRestore)[],
  outcome: ApplyOutcome,
  list: Noted,
): Promise<void> {
  if (outcome.status !== 'applied') return;
  const moves = new Map(
    changes.flatMap((change) => (change.kind === 'move' ? [[change.path.realPath, change.to.realPath] as const] : [])),
  );
  for (const [index, change] of changes.entries()) {
    if (change.kind === 'edit' || change.kind === 'create') {
      const written = outcome.files[index]?.written;
      const { realPath } = change.path;
      if (written !== undefined) await noteText(moves.get(realPath) ?? realPath, written, list);
    } else noteFiles(change, list);
  }
}

async function noteText(realPath: string, written: AppliedText, list: Noted): Promise<void> {
  // Text that an editor holds unsaved is not on the disk.
  if (!written.saved) return;
  const bytes = await bytesOf(realPath, written);
  if (bytes !== undefined) list.writtenByUs(realPath, sha256Of(bytes), bytes);
}

/** Returns the bytes of a file that is as it was after the write; undefined when it is not. */
async function bytesOf(realPath: string, { size, modified, sha256 }: AppliedText): Promise<Uint8Array | undefined> {
  try {
    const bytes = await readFile(realPath);
    if (sha256 !== undefined) return sha256Of(bytes) === sha256 ? bytes : undefined;
    const found = await stat(realPath);
    return bytes.length === size && Math.abs(found.mtimeMs - modified) < 1 ? bytes : undefined;
  } catch {
    return undefined;
  }
}

function noteFiles(change: Exclude<FileChange, { kind: 'edit' | 'create' }> | FileRestore, list: Noted): void {
  for (const { relative, sha256 } of change.files) {
    const own = join(change.path.realPath, relative);
    if (change.kind === 'restore') list.writtenByUs(own, sha256);
    else {
      list.writtenByUs(own, undefined);
      if (change.kind === 'move') list.writtenByUs(join(change.to.realPath, relative), sha256);
    }
  }
}
