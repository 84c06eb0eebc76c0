import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';

/** Milliseconds after which a diff is given up. */
const diffTimeout = 1000;

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
