import { redactText } from '#audit/redactText.ts';
import {
  type Diagnostic,
  diagnosticSeverities,
  type DiagnosticSeverity,
  type FileDiagnostics,
} from '#language/diagnostics.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted } from '../page.ts';

/** The most problems of a list. */
export const maximumDiagnostics = 500;
/** The most characters of one message; some languages explain at length. */
const maximumMessage = 2000;

const nouns: Readonly<Record<DiagnosticSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'remark',
  hint: 'hint',
};

/** Renders one or more problems by file. Beyond the limit, the least severe are left out. */
export function diagnosticText(files: readonly FileDiagnostics[]): string {
  const all = files.flatMap(({ path, diagnostics }) => diagnostics.map((diagnostic) => ({ path, diagnostic })));
  const worstFirst = all.toSorted((one, other) => rank(one.diagnostic) - rank(other.diagnostic));
  const shown = worstFirst.slice(0, maximumDiagnostics);
  const cut = all.length - shown.length;
  const counts = diagnosticSeverities.flatMap((severity) => {
    const count = all.filter(({ diagnostic }) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [counted(count, nouns[severity])];
  });
  return [
    `${counted(all.length, 'problem')} in ${counted(files.length, 'file')}: ${counts.join(', ')}`,
    ...[...Map.groupBy(shown, ({ path }) => path)].flatMap(([path, inFile]) => [
      visible(path),
      ...inFile.map(({ diagnostic }) => messageLine(diagnostic, `${diagnostic.firstLine}:${diagnostic.firstColumn}`)),
    ]),
    ...(cut > 0 ? [`(${counted(cut, 'more problem')}, none of them worse than these)`] : []),
  ].join('\n');
}

function rank({ severity }: Diagnostic): number {
  return diagnosticSeverities.indexOf(severity);
}

/** A diagnostic as results show it. */
export interface ShownDiagnostic extends Omit<Diagnostic, 'related'> {
  readonly related?: string[];
  readonly quickFixes?: string[];
}

/** Renders a diagnostic with its range, related places and fixes, for below the path of its file. */
export function diagnosticLines(diagnostic: ShownDiagnostic): readonly string[] {
  const { firstLine, firstColumn, lastLine, lastColumn, related = [], quickFixes = [] } = diagnostic;
  return [
    messageLine(diagnostic, `${firstLine}:${firstColumn}-${lastLine === firstLine ? '' : `${lastLine}:`}${lastColumn}`),
    ...related.map((place) => `    see ${place}`),
    ...quickFixes.map((title) => `    fix: ${title}`),
  ];
}

function messageLine(
  { severity, message, source, code }: Pick<Diagnostic, 'severity' | 'message' | 'source' | 'code'>,
  place: string,
): string {
  const named = [source, code].filter((each) => each !== undefined).join(' ');
  return `  ${place} ${severity} ${shortened(message)}${named === '' ? '' : ` (${named})`}`;
}

/** Returns a message redacted, then cut, because a cut secret would no longer be recognized. */
export function shortened(message: string): string {
  const { text } = redactText(message);
  const cut = text.length > maximumMessage ? `${text.slice(0, maximumMessage)}…` : text;
  return cut.replaceAll(/\r?\n/g, '\n    ');
}
