import * as vscode from 'vscode';
import type { Completion } from '../../../ports/languageDetails.ts';

/** A suggestion without what only editors need. */
export function completionOf({ label, kind, detail, insertText }: vscode.CompletionItem): Completion {
  const name = typeof label === 'string' ? label : label.label;
  const more = typeof label === 'string' ? [] : [label.detail, label.description];
  const told = [detail, ...more].filter((each) => each !== undefined && each !== '').join(' ');
  const inserted = typeof insertText === 'string' ? insertText : insertText?.value;
  return {
    label: name,
    kind: kindName(kind),
    ...(told !== '' && { detail: told }),
    ...(inserted !== undefined && inserted !== name && { insertText: inserted }),
  };
}

/** As LSP names it, for example "enum member". */
function kindName(kind: vscode.CompletionItemKind | undefined): string {
  const name = kind === undefined ? undefined : vscode.CompletionItemKind[kind];
  return (name ?? 'Text').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
