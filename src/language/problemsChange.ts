import { redactText } from '#audit/redactText.ts';
import type { Problem, ProblemsChange } from './problems.ts';

/** A problem of one file. The text of its line identifies it when lines move. */
export interface FoundProblem extends Omit<Problem, 'path'> {
  readonly lineText: string;
}

/** The known problems of one file at one moment. */
export interface FileProblems {
  readonly problems: readonly FoundProblem[];
  /** True when a language service computed the problems from the text of that moment. */
  readonly isFresh: boolean;
  /** True when there is no problem and no language service has reported on the file. */
  readonly isSilent?: boolean;
}

export interface ComparedFile {
  /** The present path of the file, as tool results name it. */
  readonly path: string;
  readonly before: FileProblems;
  /** Undefined when no language service answered in time. */
  readonly after: FileProblems | undefined;
}

/** The most new problems that a result lists. */
const listed = 20;
/** UTF-16 units of a listed message; messages about deeply nested types can be pages long. */
const longestMessage = 1000;

/** Compares the problems of files before and after a change. Returns undefined without any file. */
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

/** Returns the problems of changed files with those of the files that import them, which do not delay the answer. */
export function withProblemsOf(own: ProblemsChange, importers: ProblemsChange): ProblemsChange {
  return {
    new: [...own.new, ...importers.new].slice(0, listed),
    newCount: own.newCount + importers.newCount,
    fixedCount: own.fixedCount + importers.fixedCount,
    unchangedCount: (own.unchangedCount ?? 0) + (importers.unchangedCount ?? 0),
    freshness: own.freshness,
  };
}

/** Returns the problems that are not among the others, in line order. A problem that occurs twice counts twice. */
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
  // Redact before cutting: redaction does not recognize a part of a secret.
  const whole = redactText(message).text;
  const text = whole.length > longestMessage ? `${whole.slice(0, longestMessage).toWellFormed()}…` : whole;
  return { path, line, severity, message: text, ...(code !== undefined && { code }) };
}
