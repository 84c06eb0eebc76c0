import { refuseRedacted } from '../editableText.ts';
import type { LineText } from '../lineText.ts';
import { type EditedText, replaceLocated, type Replacement } from '../replacements.ts';
import { type HunkLocation, placeHunks } from './locateHunks.ts';
import type { Hunk } from './patchSyntax.ts';

/** Consecutive removed lines, and the lines that replace them. */
interface Run {
  /** Index of the first removed line. */
  readonly first: number;
  removed: number;
  readonly added: string[];
}

/**
 * Returns the text after all hunks of one file. Kept lines keep their line ends; added lines take that of their neighbour.
 * A missing line end at the end of the file stays missing unless the patch says otherwise.
 * @param text is what the lines of the patch are compared with
 * @throws ToolError `no_match`, `ambiguous_match`, `too_large`, `redacted_text`
 */
export function applyHunks(path: string, base: string, text: LineText, hunks: readonly Hunk[]): EditedText {
  for (const { patchLine, anchors, lines: hunkLines } of hunks) {
    const texts = [...anchors, ...hunkLines.map(({ text: line }) => line)];
    refuseRedacted(`The hunk at line ${patchLine} of the patch, in ${path},`, texts, text.lf);
  }
  const lines = text.lf.split('\n');
  const isUnterminated = lines.at(-1) !== '';
  if (!isUnterminated) lines.pop();
  const places = placeHunks({ path, lines, isUnterminated }, hunks);
  const last = hunks.at(-1);
  const atEnd = {
    lines: lines.length,
    wasUnterminated: isUnterminated,
    isUnterminated: last?.newUnterminated === true || (isUnterminated && last?.oldUnterminated !== true),
  };
  const replacements = runsOf(hunks, places).map((run) => replacementOf(text, run, atEnd));
  return replaceLocated(path, base, text, replacements);
}

/** Separates changed lines from context, so that context keeps its own line ends; joins adjacent changes. */
function runsOf(hunks: readonly Hunk[], places: readonly HunkLocation[]): readonly Run[] {
  const runs: Run[] = [];
  for (const [index, hunk] of hunks.entries()) {
    let at = places[index]?.first ?? 0;
    for (const { kind, text } of hunk.lines) {
      if (kind !== 'context') {
        let run = runs.at(-1);
        if (run === undefined || run.first + run.removed !== at) {
          run = { first: at, removed: 0, added: [] };
          runs.push(run);
        }
        if (kind === 'added') run.added.push(text);
        else run.removed += 1;
      }
      if (kind !== 'added') at += 1;
    }
  }
  return runs;
}

interface FileEnd {
  /** How many lines the file has. */
  readonly lines: number;
  readonly wasUnterminated: boolean;
  readonly isUnterminated: boolean;
}

function replacementOf(text: LineText, { first, removed, added }: Run, file: FileEnd): Replacement {
  const startOf = (line: number): number => text.lineStarts[line] ?? text.lf.length;
  const start = startOf(first);
  const end = startOf(first + removed);
  const body = added.join('\n');
  if (first + removed < file.lines || !file.isUnterminated) {
    return { start, end, newText: added.length === 0 ? '' : `${body}\n` };
  }
  // The last line has no line end to remove, so the line end above it is removed.
  if (added.length === 0) return { start: Math.max(0, start - 1), end, newText: '' };
  return { start, end, newText: removed === 0 && file.wasUnterminated ? `\n${body}` : body };
}
