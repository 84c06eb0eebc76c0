import type { Approval, ApprovalAction, ApprovalFile, Approvals, ApprovalTexts } from '#changes/approval.ts';
import { diffRows } from '#changes/diffRows.ts';
import { linesOf } from '#changes/hunks.ts';
import type { Review, ReviewHunk } from '#changes/review.ts';
import { deletedSecrets, nameWarnings, type Warning, warningsOf } from '#changes/warnings.ts';
import type { RowsMessage } from '#ui/page/messages.ts';
import { chunkOf, segmentsOf, textRows, type ShownRows } from './cardRows.ts';

/** The shown parts of a file that the approval does not have. */
export interface FileChanges extends ShownRows {
  /** The text before the change, and the number of its lines. */
  readonly base: string;
  readonly baseLines: number;
  readonly warnings: readonly Warning[];
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
  readonly #approvals: Pick<Approvals, 'get' | 'texts' | 'review'>;
  readonly #known = new Map<string, Known>();
  #drawings = 0;

  constructor(approvals: Pick<Approvals, 'get' | 'texts' | 'review'>) {
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
      if (!file.hasText) {
        const warnings = nameWarnings(namesOf(file));
        drawn.push(
          known?.segments.length === 0
            ? known
            : { path: file.path, base: '', baseLines: 0, segments: [], hunks: [], canSelect: false, warnings },
        );
        continue;
      }
      const texts = await this.#approvals.texts(id, index);
      const review = await this.#approvals.review(id, index);
      if (!texts || !review) throw new Error('A change whose texts cannot be read');
      const { hunks } = review;
      const isKnown = known !== undefined && known.base === texts.base && areSame(known.hunks, hunks);
      const canSelect = hunks.length > 1 && !indivisible && file.change !== 'delete';
      drawn.push(isKnown ? { ...known, hunks } : { canSelect, ...changesOf(file, texts, review) });
    }
    return drawn;
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

function changesOf(
  file: ApprovalFile,
  { base, current }: ApprovalTexts,
  review: Review,
): Omit<FileChanges, 'canSelect'> {
  const rows = diffRows(base, review);
  const baseLineCount = base === '' ? 0 : base.split('\n').length;
  const facts = {
    baseLineCount,
    unifiedLineEnds: file.unifiedLineEnds,
    deletedSecrets: deletedSecrets(base, current),
  };
  const warnings = [...nameWarnings(namesOf(file)), ...(file.change === 'delete' ? [] : warningsOf(rows, facts))];
  const baseLines = linesOf(base).length;
  return { path: file.path, base, baseLines, segments: segmentsOf(rows), hunks: review.hunks, warnings };
}

function namesOf({ path, to }: ApprovalFile): string {
  return to === undefined ? path : `${path}/${to.path}`;
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
