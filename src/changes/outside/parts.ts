/** The changed parts of a listed text file. The user can keep or undo each of them by itself. */
import { isDeepStrictEqual } from 'node:util';
import { compose, type Hunk, hunksBetween } from '../hunks.ts';
import { hashedBaseline } from './baseline.ts';
import { isText, sha256Of } from './diskEntry.ts';
import { canUndo, type OutsideFile, stateOf } from './outsideChange.ts';
import type { OutsideDisk } from './outsideDependencies.ts';

/** A text before and after an outside change. */
interface TextChange {
  readonly before: string;
  readonly parts: readonly Hunk[];
}

/** Returns the parts of a changed text in their order; none for anything else, or for a file that has changed again. */
export async function partsOf(file: OutsideFile, disk: Pick<OutsideDisk, 'read'>): Promise<readonly Hunk[]> {
  return (await textChangeOf(file, disk))?.parts ?? [];
}

/** Returns the text before with only this part of the change; undefined when the file holds this part no more. */
export async function bytesWith(
  file: OutsideFile,
  part: Hunk,
  disk: Pick<OutsideDisk, 'read'>,
): Promise<Uint8Array | undefined> {
  const change = await textChangeOf(file, disk);
  const found = change && findPart(change, part);
  return found && Buffer.from(compose(change.before, [found]));
}

/** Returns the file as it must be listed for an undo of this part alone; undefined when the file holds this part no more. */
export async function onlyPart(
  file: OutsideFile,
  part: Hunk,
  disk: Pick<OutsideDisk, 'read'>,
): Promise<OutsideFile | undefined> {
  const change = await textChangeOf(file, disk);
  const found = change && findPart(change, part);
  if (!found || file.now.kind !== 'file') return undefined;
  const others = change.parts.filter((each) => each !== found);
  const bytes = Buffer.from(compose(change.before, others));
  const entry = { kind: 'file', sha256: sha256Of(bytes), mode: file.now.mode } as const;
  return { ...file, before: hashedBaseline(file.before.source, entry, async () => bytes) };
}

async function textChangeOf(file: OutsideFile, disk: Pick<OutsideDisk, 'read'>): Promise<TextChange | undefined> {
  if (file.kind !== 'edit' || file.before.kind !== 'file' || !canUndo(file)) return undefined;
  const { entry, bytes } = await disk.read(file.fsPath);
  if (bytes === undefined || stateOf(entry) !== stateOf(file.now)) return undefined;
  const beforeBytes = await file.before.content();
  if (!isText(beforeBytes) || !isText(bytes)) return undefined;
  const before = textOf(beforeBytes);
  return { before, parts: hunksBetween(before, textOf(bytes)).hunks };
}

/** A part keeps its place in one of the two texts while other parts are kept or undone. */
function findPart({ parts }: TextChange, part: Hunk): Hunk | undefined {
  return parts.find(
    (each) =>
      isDeepStrictEqual([each.baseLines, each.resultLines], [part.baseLines, part.resultLines]) &&
      (each.baseStart === part.baseStart || each.resultStart === part.resultStart),
  );
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}
