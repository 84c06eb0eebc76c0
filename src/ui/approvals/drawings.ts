import type { Approval, ApprovalAction, ApprovalFile, Approvals, ApprovalTexts } from '#changes/approval.ts';
import { diffRows, type LineRow } from '#changes/diffRows.ts';
import { linesOf } from '#changes/hunks.ts';
import type { Review, ReviewHunk } from '#changes/review.ts';
import type { WarnedFile, WarnedPlace } from '#changes/warnedFile.ts';
import type { Warning } from '#changes/warnings.ts';
import type { RowsMessage } from '#ui/page/messages.ts';
import { chunkOf, segmentsOf, textRows, type ShownRows } from './cardRows.ts';

/** The shown parts of a file that the approval does not have. */
export interface FileChanges extends ShownRows {
  /** The text before the change, and the number of its lines. */
  readonly base: string;
  readonly baseLines: number;
  readonly warnings: readonly Warning[];
  /** The number by which the page says that the name was on screen; only where a warning is about it. */
  readonly namePart?: number;
}

/** A place that a warning is about, with the numbers of all its parts. */
interface PartsOfPlace {
  readonly file: number;
  readonly place: WarnedPlace;
  readonly parts: readonly number[];
}

/** The rows that can be shown of an approval. */
export interface Drawing {
  /** A drawing with another number has other rows. */
  readonly number: number;
  /** The changed lines. */
  readonly files: readonly FileChanges[];
  /** The rows of the arguments of an action. */
  readonly arguments?: ShownRows;
}

/** An approval with what its card draws of exactly this revision; no drawing when its texts cannot be read. */
export interface Drawn {
  readonly approval: Approval;
  readonly drawing: Drawing | undefined;
}

interface Known {
  readonly revision: number;
  readonly drawing: Drawing | undefined;
}

/**
 * The changed lines of waiting approvals. What is costly about them is computed when the text changes, not when the user
 * only takes a part out or back in.
 */
export class Drawings {
  readonly #approvals: Pick<Approvals, 'get' | 'texts' | 'review' | 'warned'>;
  readonly #known = new Map<string, Known>();
  #drawings = 0;
  /** The number of parts so far: no two drawings share the number of a part. */
  #parts = 0;

  constructor(approvals: Pick<Approvals, 'get' | 'texts' | 'review' | 'warned'>) {
    this.#approvals = approvals;
  }

  /** What was drawn last. */
  last(id: string): Drawing | undefined {
    return this.#known.get(id)?.drawing;
  }

  /** The approval as it is now, and the drawing that belongs to its hash. Undefined when there is no such approval. */
  async current(id: string): Promise<Drawn | undefined> {
    for (;;) {
      const approval = this.#approvals.get(id);
      if (!approval) return undefined;
      const known = this.#known.get(id);
      if (known?.revision === approval.revision) return { approval, drawing: known.drawing };
      const files = await this.#filesOf(approval, known?.drawing?.files ?? []).catch(() => undefined);
      const now = this.#approvals.get(id);
      // Edited while it was read: what came out may be of neither text.
      if (now?.revision !== approval.revision) continue;
      // The arguments of an action never change.
      const rows = known?.drawing?.arguments ?? (approval.action && argumentRows(approval.action));
      const number = files && this.#numberOf(files, known?.drawing);
      const drawing = files && number !== undefined ? { number, files, ...(rows && { arguments: rows }) } : undefined;
      this.#known.set(id, { revision: approval.revision, drawing });
      return { approval: now, drawing };
    }
  }

  /** Returns the place that a part of the last drawing belongs to; undefined for a part of another drawing. */
  placeWith(id: string, part: number): PartsOfPlace | undefined {
    for (const [file, { namePart, segments }] of (this.last(id)?.files ?? []).entries()) {
      if (namePart === part) return { file, place: { side: 'name' }, parts: [part] };
      const row = segments.find((segment) => segment.part === part)?.row;
      if (row === undefined || !('line' in row)) continue;
      const place = { side: row.kind === 'removed' ? 'before' : 'after', line: row.line } as const;
      return { file, place, parts: segments.flatMap((each) => (each.row === row ? (each.part ?? []) : [])) };
    }
    return undefined;
  }

  /** Forgets all others. */
  keep(ids: ReadonlySet<string>): void {
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#known.delete(id);
  }

  #numberOf(files: readonly FileChanges[], last: Drawing | undefined): number {
    const isSame = last?.files.length === files.length;
    if (isSame && files.every(({ segments }, index) => segments === last.files[index]?.segments)) return last.number;
    this.#drawings += 1;
    return this.#drawings;
  }

  async #filesOf({ id, files, indivisible }: Approval, last: readonly FileChanges[]): Promise<FileChanges[]> {
    const drawn: FileChanges[] = [];
    for (const [index, file] of files.entries()) {
      // A change that was computed anew may have other files.
      const known = last[index]?.path === file.path ? last[index] : undefined;
      const warned = this.#approvals.warned(id, index);
      if (!file.hasText) {
        const nothing = { path: file.path, base: '', baseLines: 0, segments: [], hunks: [], canSelect: false };
        drawn.push(known?.segments.length === 0 ? known : { ...nothing, ...this.#warningsOf(warned) });
        continue;
      }
      const texts = await this.#approvals.texts(id, index);
      const review = await this.#approvals.review(id, index);
      if (!texts || !review) throw new Error('A change whose texts cannot be read');
      const { hunks } = review;
      const isKnown = known !== undefined && known.base === texts.base && areSame(known.hunks, hunks);
      const canSelect = hunks.length > 1 && !indivisible && file.change !== 'delete';
      drawn.push(
        isKnown
          ? { ...known, hunks }
          : { canSelect, ...this.#changesOf(file, texts, review, warned), ...this.#warningsOf(warned) },
      );
    }
    return drawn;
  }

  #warningsOf(warned: WarnedFile | undefined): Pick<FileChanges, 'warnings' | 'namePart'> {
    const isOfName = warned?.places.some(({ side }) => side === 'name') === true;
    return { warnings: warned?.warnings ?? [], ...(isOfName && { namePart: this.#nextPart() }) };
  }

  #changesOf(
    { path }: ApprovalFile,
    { base }: ApprovalTexts,
    review: Review,
    warned: WarnedFile | undefined,
  ): Omit<FileChanges, 'canSelect' | 'warnings'> {
    const lines = new Set(
      warned?.places.map((place) => (place.side === 'name' ? 'name' : `${place.side} ${place.line}`)),
    );
    const isWarned = ({ kind, line }: LineRow): boolean =>
      kind !== 'context' && lines.has(`${kind === 'removed' ? 'before' : 'after'} ${line}`);
    const segments = segmentsOf(diffRows(base, review), isWarned).map((segment) =>
      segment.isWarned && !segment.folded ? { ...segment, part: this.#nextPart() } : segment,
    );
    return { path, base, baseLines: linesOf(base).length, segments, hunks: review.hunks };
  }

  #nextPart(): number {
    this.#parts += 1;
    return this.#parts;
  }
}

/** The most rows that are sent with a new drawing. */
const mostFirst = 300;

/** Returns the rows that are sent with a new drawing, spread over its files in order; the page asks for the rest. */
export function firstRows(id: string, { number, files, arguments: given }: Drawing): Omit<RowsMessage, 'type'>[] {
  if (given) return [{ id, drawing: number, from: 0, rows: chunkOf(given, 0, mostFirst) }];
  let left = mostFirst;
  return files.flatMap((file, index) => {
    const rows = chunkOf(file, 0, left);
    left -= rows.length;
    return rows.length === 0 ? [] : [{ id, drawing: number, file: index, from: 0, rows }];
  });
}

/** Returns the arguments of an action, all of them, one to a line; without rows when there are none but the paths of the action. */
export function argumentRows({ arguments: given, paths, command }: ApprovalAction): ShownRows {
  if (command !== undefined) return textRows(commandText(command));
  const isNothing =
    given === undefined || (typeof given === 'object' && given !== null && Object.keys(given).length === 0);
  const isSaid = JSON.stringify(given) === JSON.stringify({ paths });
  return textRows(isNothing || isSaid ? '' : (JSON.stringify(given, undefined, 2) ?? ''));
}

/** Returns a command line with the scripts that it runs. */
function commandText({ text, scripts }: NonNullable<ApprovalAction['command']>): string {
  return [text, ...scripts.map((script) => `${script.name}:\n${script.text}`)].join('\n\n');
}

/** They are drawn the same, whichever of them are left out. */
function areSame(before: readonly ReviewHunk[], now: readonly ReviewHunk[]): boolean {
  return (
    before.length === now.length &&
    before.every((hunk, index) => {
      const other = now[index];
      return (
        other !== undefined &&
        hunk.origin === other.origin &&
        hunk.baseStart === other.baseStart &&
        hunk.baseLines.length === other.baseLines.length &&
        hunk.resultStart === other.resultStart &&
        areEqual(hunk.resultLines, other.resultLines) &&
        areEqual(hunk.linked, other.linked)
      );
    })
  );
}

function areEqual<Value>(before: readonly Value[], now: readonly Value[]): boolean {
  return before === now || (before.length === now.length && before.every((value, index) => value === now[index]));
}
