import { redactText } from '../../core/redaction.ts';
import { visible } from '../../policy/unsafeNames.ts';
import type { Diagnostic, DiagnosticSeverity, FileDiagnostics } from '../../ports/diagnostics.ts';
import { counted } from '../page.ts';

/** More problems than these are no list to work through. */
export const maximumDiagnostics = 500;
/** Characters of one message; some languages explain at length. */
const maximumMessage = 2000;

const severities: readonly DiagnosticSeverity[] = ['error', 'warning', 'information', 'hint'];
const nouns: Readonly<Record<DiagnosticSeverity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'remark',
  hint: 'hint',
};

/** The problems of files, by file; what is worst comes first, and what is least is cut. */
export function diagnosticText(files: readonly FileDiagnostics[]): string {
  const all = files.flatMap(({ path, diagnostics }) => diagnostics.map((diagnostic) => ({ path, diagnostic })));
  if (all.length === 0) {
    return 'No problems. Language services look at open files; some look at the others only when they are built.';
  }
  const worstFirst = all.toSorted((one, other) => rank(one.diagnostic) - rank(other.diagnostic));
  const shown = worstFirst.slice(0, maximumDiagnostics);
  const cut = all.length - shown.length;
  const counts = severities.flatMap((severity) => {
    const count = all.filter(({ diagnostic }) => diagnostic.severity === severity).length;
    return count === 0 ? [] : [counted(count, nouns[severity])];
  });
  return [
    `${counted(all.length, 'problem')} in ${counted(files.length, 'file')}: ${counts.join(', ')}`,
    ...[...Map.groupBy(shown, ({ path }) => path)].flatMap(([path, inFile]) => [
      visible(path),
      ...inFile.map(({ diagnostic }) => lineOf(diagnostic)),
    ]),
    ...(cut > 0 ? [`(${counted(cut, 'more problem')}, none of them worse than these)`] : []),
  ].join('\n');
}

function rank({ severity }: Diagnostic): number {
  return severities.indexOf(severity);
}

function lineOf({ severity, firstLine, firstColumn, message, source, code }: Diagnostic): string {
  const named = [source, code].filter((each) => each !== undefined).join(' ');
  return `  ${firstLine}:${firstColumn} ${severity} ${shortened(message)}${named === '' ? '' : ` (${named})`}`;
}

/** Redacted first: a cut secret has no shape any more. */
function shortened(message: string): string {
  const { text } = redactText(message);
  const cut = text.length > maximumMessage ? `${text.slice(0, maximumMessage)}…` : text;
  return cut.replaceAll(/\r?\n/g, '\n    ');
}
