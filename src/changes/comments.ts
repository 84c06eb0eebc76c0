/** The comments of the user on lines of a proposal, which go to the assistant with the decision. */
import { redactText } from '#audit/redactText.ts';
import { textsOf } from '#base/proposal.ts';
import type { ChangeRequest } from './requests.ts';
import { currentText } from './selection.ts';

/** A comment as the page sends it. */
export interface GivenComment {
  /** 0-based, in the files of the approval. */
  readonly file: number;
  /** The text in which the lines are counted: before the change, or as it would be after the change. */
  readonly side: 'before' | 'after';
  /** 1-based, both included. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** At most 2,000 UTF-16 units. */
  readonly comment: string;
}

/** A comment as the assistant gets it. */
export interface LineComment extends Omit<GivenComment, 'file'> {
  /** The path of the file, as the assistant knows it. */
  readonly path: string;
  /** The lines, redacted as every answer is; empty when they cannot be told apart from a secret, or there are none. */
  readonly code: string;
}

/** At most this many comments go with a decision. */
export const mostComments = 50;
/** Characters of code with a comment; the assistant has the file. */
const codeLength = 2000;

/** Returns comments with their paths and their lines. A comment on a file that the request does not have is left out. */
export function commentsOn(
  { approval, proposal, choices }: Pick<ChangeRequest, 'approval' | 'proposal' | 'choices'>,
  given: readonly GivenComment[],
): readonly LineComment[] {
  return given.slice(0, mostComments).flatMap(({ file: index, side, firstLine, lastLine, comment }) => {
    const file = approval.files[index];
    if (file === undefined) return [];
    const change = proposal?.files[index];
    const texts = change && textsOf(change);
    const after = change && file.edited ? currentText(change, choices[index]) : texts?.result;
    const text = (side === 'before' ? texts?.base : after) ?? '';
    const [first, last] = [Math.min(firstLine, lastLine), Math.max(firstLine, lastLine)];
    const path = side === 'after' && file.to !== undefined ? file.to.path : file.path;
    return [{ path, side, firstLine: first, lastLine: last, code: codeOf(text, first, last), comment }];
  });
}

/** Returns one line for each comment, such as `src/a.ts:12: comment`. */
export function commentLines(comments: readonly LineComment[]): readonly string[] {
  return comments.map(({ path, side, firstLine, lastLine, comment }) => {
    const lines = firstLine === lastLine ? `${firstLine}` : `${firstLine}-${lastLine}`;
    return `${path}:${lines}${side === 'before' ? ' (before the change)' : ''}: ${comment}`;
  });
}

/** The complete text is redacted, since no pattern finds three lines of a key. */
function codeOf(text: string, first: number, last: number): string {
  const shown = redactText(text).text.split('\n');
  if (shown.length !== text.split('\n').length) return '';
  return shown
    .slice(first - 1, last)
    .join('\n')
    .slice(0, codeLength);
}
