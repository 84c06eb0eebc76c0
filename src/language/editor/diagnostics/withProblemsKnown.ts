import * as vscode from 'vscode';
import { serverDiagnostics } from '../typescript.ts';

/**
 * Runs work that needs the problems of a file to be published, as fixes do. Built-in TypeScript publishes those of files in a
 * tab only; of others they are published here meanwhile, as hints, which no view of the editor shows.
 */
export async function withProblemsKnown<T>(document: vscode.TextDocument, work: () => Promise<T>): Promise<T> {
  if (!isUnpublished(document)) return work();
  const collection = vscode.languages.createDiagnosticCollection();
  try {
    collection.set(document.uri, await problemsOf(document));
    return await work();
  } finally {
    collection.dispose();
  }
}

/** Whether nobody but this tells the problems of a file. */
export function isUnpublished(document: vscode.TextDocument): boolean {
  return /^(?:type|java)script(?:react)?$/.test(document.languageId) && !isInTab(document);
}

async function problemsOf({ uri }: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
  const found = await serverDiagnostics(uri.fsPath, [
    'syntacticDiagnosticsSync',
    'semanticDiagnosticsSync',
    'suggestionDiagnosticsSync',
  ]);
  return (found ?? []).map(({ code, message, startLocation, endLocation = startLocation }) => {
    const range = new vscode.Range(
      startLocation.line - 1,
      startLocation.offset - 1,
      endLocation.line - 1,
      endLocation.offset - 1,
    );
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Hint);
    return Object.assign(problem, { code, source: 'ts' });
  });
}

function isInTab({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
