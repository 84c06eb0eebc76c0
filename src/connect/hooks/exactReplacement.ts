/** A small edit of whole lines that turns one text into another. */
export interface ExactReplacement {
  /** Occurs exactly once in the text before; empty only when that text is empty. */
  readonly oldText: string;
  readonly newText: string;
}

/** The approved replacement holds the whole text before up to this many UTF-16 code units. */
const wholeLength = 1024 * 1024;

/**
 * Returns the edit that an adapter gives to an assistant's tool, so that the tool makes `after` from `before`. It names the whole text
 * before where that is short enough, so that the tool refuses the edit when the file has another text by then. Texts have LF.
 */
export function approvedReplacement(before: string, after: string): ExactReplacement {
  return before.length <= wholeLength ? { oldText: before, newText: after } : exactReplacement(before, after);
}

/** Returns the edit by which a tool that replaces one exact text makes `after` from `before`. Texts have LF; the new text is empty only when `after` is. */
export function exactReplacement(before: string, after: string): ExactReplacement {
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  let start = lineStart(before, head);
  let end = lineEnd(before, before.length - tail);
  for (let step = 1; start > 0 || end < before.length; step *= 2) {
    const oldText = before.slice(start, end);
    const isUnique = oldText !== '' && before.indexOf(oldText) === before.lastIndexOf(oldText);
    // Tools treat an empty new text in ways of their own.
    if (isUnique && after.length > before.length - oldText.length) break;
    // In longer and longer steps, because each costs as much as the text is long, and a long text may repeat itself.
    start = lineStart(before, start - step);
    end = lineEnd(before, end + step);
  }
  return { oldText: before.slice(start, end), newText: after.slice(start, after.length - (before.length - end)) };
}

function lineStart(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return offset >= text.length || end < 0 ? text.length : end;
}
