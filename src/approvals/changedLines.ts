import { createTwoFilesPatch, FILE_HEADERS_ONLY, structuredPatch } from 'diff';

/** Milliseconds after which a diff is given up and the whole file counts as changed. */
const diffTimeout = 1000;

export interface ChangedLines {
  readonly added: number;
  readonly removed: number;
}

/** Lines added and removed between two texts, line ends included in the comparison. */
export function countChangedLines(base: string, result: string): ChangedLines {
  const patch = structuredPatch('', '', base, result, '', '', { context: 0, timeout: diffTimeout });
  if (patch === undefined) return { added: countLines(result), removed: countLines(base) };
  const lines = patch.hunks.flatMap((hunk) => hunk.lines);
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  };
}

/** A unified diff for the model, with three lines of context. */
export function unifiedDiff(path: string, base: string, result: string): string {
  return (
    createTwoFilesPatch(path, path, base, result, undefined, undefined, {
      context: 3,
      timeout: diffTimeout,
      headerOptions: FILE_HEADERS_ONLY,
    }) ?? 'The texts differ too much to show as a diff.'
  );
}

function countLines(text: string): number {
  return text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}
