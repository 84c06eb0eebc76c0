/** Tells which files were checked for problems, for the tool and the resource that list them. */
import { codeLanguageOf } from '#language/codeLanguages.ts';
import type { ExaminedFile } from '#language/diagnostics.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, countedPart } from '../page.ts';

interface ProblemCounts {
  readonly totalCount: number;
  readonly errorCount: number;
  readonly warningCount: number;
}

interface CheckedCounts {
  /** Files that a language service answered for. */
  readonly checkedCount?: number;
  /** Files that no language service has answered for yet. */
  readonly unansweredCount?: number;
  /** For each language that no extension here checks, which files were not checked. */
  readonly notChecked?: string[];
}

/** Counts the files that language services answered for, and names those that no extension here checks. */
export function checkedCounts(files: readonly ExaminedFile[]): CheckedCounts {
  const unanswered = files.filter(({ freshness }) => freshness === 'unanswered').length;
  const unserved = files.filter((file) => file.freshness === 'no_service' && file.diagnostics.length === 0);
  return {
    checkedCount: files.length - unanswered - unserved.length,
    ...(unserved.length > 0 && { notChecked: notChecked(unserved) }),
    ...(unanswered > 0 && { unansweredCount: unanswered }),
  };
}

/**
 * Tells what was checked before it tells what was found, because "0 problems" of files that nobody looked at reads as clean.
 * @param shown how many of the problems are listed
 */
export function checkedText(
  {
    totalCount,
    errorCount,
    warningCount,
    checkedCount = 0,
    unansweredCount = 0,
    notChecked: unserved = [],
  }: ProblemCounts & CheckedCounts,
  shown = totalCount,
): string {
  const found = `${countedPart(shown, totalCount, 'problem')}: ${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}`;
  const waiting = `${counted(unansweredCount, 'file')} without an answer of a language service yet: ask again`;
  const isKnown = totalCount > 0 || checkedCount > 0;
  const parts = [
    ...(isKnown ? [`${found} in ${counted(checkedCount, 'checked file')}`] : []),
    ...(unansweredCount > 0 ? [waiting] : []),
    ...unserved.map((each) => `not checked: ${each}`),
  ];
  return parts.length === 0 ? 'No file was checked' : parts.join('; ');
}

/** The most files of one language that are named. */
const mostNamed = 3;

/** Says for each language without a service which files were not checked. */
function notChecked(files: readonly ExaminedFile[]): string[] {
  const byLanguage = Map.groupBy(files, ({ path }) => codeLanguageOf(path)?.name ?? endingOf(path));
  return [...byLanguage].map(([language, unserved]) => {
    const named = unserved.slice(0, mostNamed).map(({ path }) => visible(path));
    const more = unserved.length > mostNamed ? ` and ${unserved.length - mostNamed} more` : '';
    return `no extension here checks ${language} (${named.join(', ')}${more})`;
  });
}

function endingOf(path: string): string {
  const [ending] = /\.\w+$/.exec(path) ?? [];
  return ending === undefined ? 'this kind of file' : `${ending} files`;
}
