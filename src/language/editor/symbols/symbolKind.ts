import * as vscode from 'vscode';

/** Returns the LSP name of a symbol kind, for example "enum member". */
export function kindName(kind: vscode.SymbolKind): string {
  const name: string | undefined = vscode.SymbolKind[kind];
  return (name ?? 'Symbol').replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
}
