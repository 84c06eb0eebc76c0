/** Finds the lines of a file, as it is now, that a waiting proposal would change. */
import type { ApprovalTexts } from './approval.ts';
import { hunksBetween } from './hunks.ts';
import { mergeTexts } from './rebase.ts';

/** Lines that would change; 0-based, both included. For added lines, the line before which they would stand. */
export interface ProposedSpan {
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly first: number;
  readonly last: number;
}

export interface ProposedLines {
  readonly addedLines: number;
  readonly removedLines: number;
  readonly spans: readonly ProposedSpan[];
}

/**
 * Returns the lines that the proposal would change in the present text of its file; undefined when the user changed the same
 * lines, so that the proposal no longer fits. Ignores line ends, since a document has the same one in all its lines.
 */
export function proposedLines(
  { base, current }: Pick<ApprovalTexts, 'base' | 'current'>,
  present: string,
): ProposedLines | undefined {
  const now = withLineFeeds(present);
  const wanted = mergeTexts(withLineFeeds(current), withLineFeeds(base), now);
  if (wanted === undefined) return undefined;
  const { hunks } = hunksBetween(now, wanted);
  return {
    addedLines: hunks.reduce((sum, { resultLines }) => sum + resultLines.length, 0),
    removedLines: hunks.reduce((sum, { baseLines }) => sum + baseLines.length, 0),
    spans: hunks.map(({ baseStart, baseLines, resultLines }) => ({
      kind: baseLines.length === 0 ? 'added' : resultLines.length === 0 ? 'deleted' : 'modified',
      first: baseStart,
      last: baseStart + Math.max(baseLines.length, 1) - 1,
    })),
  };
}

function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n|\r/g, '\n');
}
