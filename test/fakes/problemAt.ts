import type { Diagnostic } from '#language/diagnostics.ts';

/** A problem of one character. */
export function problemAt(line: number, severity: Diagnostic['severity'], message = 'Wrong.'): Diagnostic {
  return { severity, message, firstLine: line, firstColumn: 1, lastLine: line, lastColumn: 2 };
}
