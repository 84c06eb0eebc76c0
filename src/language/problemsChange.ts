import { redactText } from '#audit/redactText.ts';
import type { Problem, ProblemsChange } from './problems.ts';

/** A problem of one file, with the text of its line: what stays the same when lines move. */
export interface FoundProblem extends Omit<Problem, 'path'> {
  readonly lineText: string;
}

/** What is known of one file's problems at one moment. */
export interface FileProblems {
  readonly problems: readonly FoundProblem[];
  /** Computed from the text as it was at that moment. */
  readonly isFresh: boolean;
  /** No problem, and no word from anybody who could know of one. */
  readonly isSilent?: boolean;
}

export interface ComparedFile {
  /** As results name it, where it is now. */
  readonly path: string;
  readonly before: FileProblems;
  /** Undefined when nobody answered in time. */
  readonly after: FileProblems | undefined;
}

/** Problems listed. */
const listed = 20;
/** UTF-16 units of a message; those of deep types are pages long. */
const longestMessage = 1000;

/** New, fixed and unchanged problems of files; undefined without any file. */
export function problemsChange(files: readonly ComparedFile[]): ProblemsChange | undefined {
  if (files.length === 0) return undefined;
  const found: Problem[] = [];
  let [fixedCount, afterCount] = [0, 0];
  for (const { path, before, after } of files) {
    if (after === undefined) continue;
    found.push(...without(after.problems, before.problems).map((problem) => named(path, problem)));
    fixedCount += without(before.problems, after.problems).length;
    afterCount += after.problems.length;
  }
  return {
    new: found.slice(0, listed),
    newCount: found.length,
    fixedCount,
    unchangedCount: afterCount - found.length,
    freshness: files.every(({ after }) => after?.isFresh === true) ? 'fresh' : 'settling',
  };
}

/** What of the first list is not in the second, counting repetitions, in line order. */
function without(problems: readonly FoundProblem[], others: readonly FoundProblem[]): readonly FoundProblem[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return problems
    .toSorted((one, other) => one.line - other.line)
    .filter((problem) => {
      const count = counts.get(keyOf(problem)) ?? 0;
      counts.set(keyOf(problem), count - 1);
      return count <= 0;
    });
}

function keyOf({ severity, code, message, lineText }: FoundProblem): string {
  return JSON.stringify([severity, code, message, lineText]);
}

function named(path: string, { line, severity, message, code }: FoundProblem): Problem {
  // Before it is cut: a piece of a secret has no shape.
  const whole = redactText(message).text;
  const text = whole.length > longestMessage ? `${whole.slice(0, longestMessage).toWellFormed()}…` : whole;
  return { path, line, severity, message: text, ...(code !== undefined && { code }) };
}
