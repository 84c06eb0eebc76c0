import { diffLines } from 'diff';
import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../configuration.ts';

const mostLines = 16;
const mostCharacters = 120;

/** The lines that a change takes out (`-`) and puts in (`+`), without empty ones, as many as a dialog has room for. */
export function changedLines({ before = '', after = '' }: ConfigurationChange): string {
  // A last line without an end is the same line as one with it.
  const lines = diffLines(before, after, { ignoreNewlineAtEof: true, stripTrailingCr: true })
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ added, value }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => `${added ? '+' : '-'} ${line}`),
    );
  const shown = lines.slice(0, mostLines).map(shortened);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [vscode.l10n.t('... and {0} more lines', more)] : [])].join('\n');
}

function shortened(line: string): string {
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}
