import { FILE_HEADERS_ONLY, formatPatch } from 'diff';
import { redactText } from '#audit/redactText.ts';
import { hunksBetween, linesOf, type Hunk } from './hunks.ts';

const contextLines = 3;
/** In characters; a model that needs more reads the file. */
const maximumLength = 20_000;

/** Returns a unified diff for the model. Secrets are redacted in the complete texts, since no pattern finds three lines of a key. */
export function unifiedDiff(path: string, baseText: string, resultText: string): string {
  const [base, result] = [redactText(baseText).text, redactText(resultText).text];
  const lines = linesOf(base);
  const groups: Hunk[][] = [];
  for (const hunk of hunksBetween(base, result).hunks) {
    const last = groups.at(-1)?.at(-1);
    if (last !== undefined && hunk.baseStart - endOf(last) <= 2 * contextLines) groups.at(-1)?.push(hunk);
    else groups.push([hunk]);
  }
  const names = { oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined };
  const hunks = groups.map((group) => hunkOf(lines, group));
  const text = formatPatch({ ...names, hunks }, FILE_HEADERS_ONLY);
  return text.length > maximumLength ? 'The texts differ too much to show as a diff.' : text;
}

/** @param group neighbouring hunks whose context would overlap */
function hunkOf(base: readonly string[], group: readonly Hunk[]) {
  const [first, last] = [group[0], group.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('A group has at least one hunk');
  const start = Math.max(0, first.baseStart - contextLines);
  const end = Math.min(base.length, endOf(last) + contextLines);
  const lines: string[] = [];
  const add = (sign: string, given: readonly string[]): void => {
    for (const line of given) {
      lines.push(sign + line.replace(/\n$/, ''));
      if (!line.endsWith('\n')) lines.push('\\ No newline at end of file');
    }
  };
  let [at, grown] = [start, 0];
  for (const { baseStart, baseLines, resultLines } of group) {
    add(' ', base.slice(at, baseStart));
    add('-', baseLines);
    add('+', resultLines);
    at = baseStart + baseLines.length;
    grown += resultLines.length - baseLines.length;
  }
  add(' ', base.slice(at, end));
  const newStart = start + first.resultStart - first.baseStart;
  return { oldStart: start + 1, oldLines: end - start, newStart: newStart + 1, newLines: end - start + grown, lines };
}

function endOf({ baseStart, baseLines }: Hunk): number {
  return baseStart + baseLines.length;
}
