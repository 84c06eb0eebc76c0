import type * as vscode from 'vscode';
import type { LineEdit } from './lineSpans.ts';

/** What a change of a document does to its lines. Whole lines put before a line do not touch it. */
export function lineEditOf({
  range: { start, end },
  text,
}: Pick<vscode.TextDocumentContentChangeEvent, 'range' | 'text'>): LineEdit {
  const added = text.match(/\r\n|\r|\n/g)?.length ?? 0;
  const isWhole = start.character === 0 && end.character === 0 && (text === '' || /[\r\n]$/.test(text));
  return isWhole
    ? { first: start.line, end: end.line, count: added }
    : { first: start.line, end: end.line + 1, count: added + 1 };
}
