/** Converts between the text of a file and the text of its document, whose lines all end alike in VS Code. */
import { hunksBetween } from './hunks.ts';

const anyEnd = /\r\n|\r|\n/g;

/** Returns the text as an editor holds it: every line ends with the document's one line end. */
export function toDocument(text: string, eol: string): string {
  return eol === '\n' && !text.includes('\r') ? text : text.replaceAll(anyEnd, eol);
}

/**
 * Returns the text of a file for the text of its document, with the line ends that the editor does not keep: untouched lines
 * end as in `current`, lines that were reverted as in `base`.
 * @param document the text that the editor holds
 * @param current the text of the file before
 */
export function fromDocument(document: string, current: string, base: string): string {
  const [only, ...others] = ['\r\n', '\r', '\n'].filter((end) => hasEnd(current, end) || hasEnd(base, end));
  if (only === undefined) return document;
  if (others.length === 0) return toDocument(document, only);
  const [now, was, first] = [linesOf(document), linesOf(current), linesOf(base)];
  const lineEnds = endsOf(now.texts, was, first);
  // A lone carriage return right before a lone line feed would turn two line ends into one.
  for (let index = lineEnds.length - 2; index >= 0; index -= 1) {
    if (lineEnds[index] === '\r' && now.texts[index + 1] === '' && lineEnds[index + 1] === '\n') lineEnds[index] = '\n';
  }
  return now.texts.map((text, index) => text + (lineEnds[index] ?? '')).join('');
}

interface Lines {
  readonly texts: readonly string[];
  /** The line end of each line; the last line has none. */
  readonly ends: readonly string[];
}

function linesOf(text: string): Lines {
  return { texts: text.split(anyEnd), ends: text.match(anyEnd) ?? [] };
}

function endsOf(now: readonly string[], was: Lines, base: Lines): string[] {
  const usual = mostFrequent(was.ends.length > 0 ? was.ends : base.ends);
  const kept = sameLines(was.texts, now);
  const putBack = sameLines(base.texts, now);
  const nextKept = kept.slice();
  for (let index = nextKept.length - 1; index >= 0; index -= 1) nextKept[index] ??= nextKept[index + 1];
  let previous = -1;
  return now.slice(0, -1).map((_text, index) => {
    const [same, old] = [kept[index], putBack[index]];
    if (same !== undefined) {
      previous = same;
      return was.ends[same] ?? usual;
    }
    if (old !== undefined) return base.ends[old] ?? usual;
    // A line that replaces another ends as that one did.
    if (previous + 1 >= (nextKept[index] ?? was.texts.length)) return usual;
    previous += 1;
    return was.ends[previous] ?? usual;
  });
}

/** Returns for each line of `after` the same line's 0-based index in `before`; undefined for a new line. */
function sameLines(before: readonly string[], after: readonly string[]): (number | undefined)[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;

  const same = after.map((_line, index): number | undefined => {
    if (index < head) return index;
    return index >= after.length - tail ? index + before.length - after.length : undefined;
  });
  const middle = (lines: readonly string[]): string =>
    lines
      .slice(head, lines.length - tail)
      .map((line) => `${line}\n`)
      .join('');
  let [at, from] = [head, head];
  for (const { baseStart, baseLines, resultStart, resultLines } of [
    ...hunksBetween(middle(before), middle(after)).hunks,
    {
      baseStart: before.length - tail - head,
      baseLines: [],
      resultStart: after.length - tail - head,
      resultLines: [],
    },
  ]) {
    while (at < head + resultStart) {
      same[at] = from;
      at += 1;
      from += 1;
    }
    at += resultLines.length;
    from = head + baseStart + baseLines.length;
  }
  return same;
}

function hasEnd(text: string, end: string): boolean {
  if (end === '\r\n') return text.includes(end);
  return end === '\r' ? /\r(?!\n)/.test(text) : /(?<!\r)\n/.test(text);
}

function mostFrequent(ends: readonly string[]): string {
  const count = (end: string): number => ends.filter((each) => each === end).length;
  return count('\r\n') * 2 > ends.length ? '\r\n' : '\n';
}
