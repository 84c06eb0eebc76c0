/** Keeps the comments of the user at their lines when the text of a request changes under them. */
import { createHash } from 'node:crypto';
import { compose, linesOf } from '#changes/hunks.ts';
import type { LineComment, Remembered } from '#ui/page/fromPage.ts';
import type { FileChanges } from './drawings.ts';

type CommentedFile = Pick<FileChanges, 'path' | 'base' | 'hunks'>;

/** Adds to each comment what its lines are found by. A comment that was anchored before keeps its anchor. */
export function anchored(comments: readonly LineComment[], files: readonly CommentedFile[]): LineComment[] {
  return comments.map((comment) => {
    const file = files[comment.file];
    if (comment.anchor !== undefined || file === undefined) return comment;
    const lines = linesOfSide(file, comment.side).slice(comment.firstLine - 1, comment.lastLine);
    return { ...comment, anchor: { path: file.path, code: hashOf(lines) } };
  });
}

/**
 * Moves comments to the nearest place in these files where their lines stand now. A comment whose lines are gone stays where it is and is
 * marked as outdated; when its whole file is gone, its words become words of the decline, so that none are lost.
 */
export function moved(kept: Remembered, files: readonly CommentedFile[]): Remembered {
  const comments: LineComment[] = [];
  const homeless: string[] = [];
  for (const comment of kept.comments) {
    const { anchor } = comment;
    const index = anchor === undefined ? comment.file : files.findIndex(({ path }) => path === anchor.path);
    const file = files[index];
    if (anchor === undefined) comments.push(comment);
    else if (file === undefined) homeless.push(`${anchor.path}:${comment.firstLine}: ${comment.comment}`);
    else comments.push(placed({ ...comment, file: index }, linesOfSide(file, comment.side), anchor.code));
  }
  if (homeless.length === 0) return { ...kept, comments };
  const draft = { isOpen: true, ...kept.draft };
  const message = [...(kept.draft ? [kept.draft.message] : []), ...homeless].filter((words) => words !== '').join('\n');
  return { ...kept, comments, draft: { ...draft, message: message.slice(0, 2000) } };
}

/** @param code the hash of the lines of the comment */
function placed(comment: LineComment, lines: readonly string[], code: string): LineComment {
  const { outdated: _, ...rest } = comment;
  const count = comment.lastLine - comment.firstLine + 1;
  const isAt = (first: number): boolean =>
    first >= 1 && first + count - 1 <= lines.length && hashOf(lines.slice(first - 1, first - 1 + count)) === code;
  for (let distance = 0; distance <= Math.max(lines.length, comment.firstLine); distance += 1) {
    const first = [comment.firstLine - distance, comment.firstLine + distance].find(isAt);
    if (first !== undefined) return { ...rest, firstLine: first, lastLine: first + count - 1 };
  }
  return { ...rest, outdated: true };
}

function linesOfSide({ base, hunks }: CommentedFile, side: LineComment['side']): readonly string[] {
  return linesOf(side === 'before' ? base : compose(base, hunks));
}

/** The lines themselves must not be stored: they may hold secrets. */
function hashOf(lines: readonly string[]): string {
  return createHash('sha256').update(lines.join('')).digest('base64');
}
