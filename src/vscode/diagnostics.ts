import * as vscode from 'vscode';
import type { Diagnostic, Diagnostics, DiagnosticSeverity } from '../ports/diagnostics.ts';
import { Emitter, type Subscription } from '../ports/event.ts';
import { comparePaths } from '../ports/pathOrder.ts';
import type { Workspace } from '../ports/workspace.ts';
import { foundFile } from './foundFile.ts';

/** The problems list of this window. Dispose it when the extension ends. */
export function createDiagnostics(workspace: Workspace): Diagnostics & Subscription {
  const changed = new Emitter<void>();
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (uris.some(({ scheme }) => scheme === 'file')) changed.fire();
  });
  return {
    list: () =>
      vscode.languages
        .getDiagnostics()
        .flatMap(([uri, found]) => {
          const file = found.length === 0 ? undefined : foundFile(uri, workspace.folders());
          return file === undefined ? [] : [{ ...file, diagnostics: found.map(diagnosticOf).toSorted(byPlace) }];
        })
        .toSorted((one, other) => comparePaths(one.path, other.path)),
    onDidChange: changed.event,
    dispose: () => subscription.dispose(),
  };
}

const severities: readonly DiagnosticSeverity[] = ['error', 'warning', 'information', 'hint'];

function diagnosticOf({ severity, message, source, code, range }: vscode.Diagnostic): Diagnostic {
  const value = typeof code === 'object' ? code.value : code;
  return {
    severity: severities[severity] ?? 'error',
    message,
    ...(source === undefined ? {} : { source }),
    ...(value === undefined ? {} : { code: String(value) }),
    firstLine: range.start.line + 1,
    firstColumn: range.start.character + 1,
    lastLine: range.end.line + 1,
    lastColumn: range.end.character + 1,
  };
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  return one.firstLine - other.firstLine || one.firstColumn - other.firstColumn;
}
