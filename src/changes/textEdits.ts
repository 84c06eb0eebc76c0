/** The edits between two texts, as offsets for an editor. */
import { hunksBetween, linesOf } from './hunks.ts';

/** Replaces `length` UTF-16 units at `offset` by `text`. */
export interface OffsetEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Returns edits that turn one text into another and leave unchanged lines alone, so that cursors and decorations there stay. */
export function editsBetween(base: string, result: string): readonly OffsetEdit[] {
  const lines = linesOf(base);
  let [at, offset] = [0, 0];
  return hunksBetween(base, result).hunks.map(({ baseStart, baseLines, resultLines }) => {
    for (; at < baseStart; at += 1) offset += lines[at]?.length ?? 0;
    return { offset, length: baseLines.join('').length, text: resultLines.join('') };
  });
}
