import { diffLines } from 'diff';

/** Replace `length` UTF-16 units at `offset` by `text`. */
export interface OffsetEdit {
  readonly offset: number;
  readonly length: number;
  readonly text: string;
}

/** Milliseconds after which the whole text is replaced in one piece instead. */
const diffTimeout = 500;

/** Edits that turn one text into another and leave unchanged lines alone, so that cursors and decorations there stay. */
export function editsBetween(base: string, result: string): readonly OffsetEdit[] {
  const changes = diffLines(base, result, { timeout: diffTimeout });
  if (changes === undefined) return [{ offset: 0, length: base.length, text: result }];
  const edits: OffsetEdit[] = [];
  let offset = 0;
  for (const { value, added, removed } of changes) {
    const last = edits.at(-1);
    if (removed) {
      edits.push({ offset, length: value.length, text: '' });
      offset += value.length;
    } else if (!added) {
      offset += value.length;
    } else if (last !== undefined && last.offset + last.length === offset) {
      edits[edits.length - 1] = { ...last, text: last.text + value };
    } else {
      edits.push({ offset, length: 0, text: value });
    }
  }
  return edits;
}
