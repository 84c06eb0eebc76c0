import type * as vscode from 'vscode';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { diagnosticSeverities, type Diagnostic } from '../../diagnostics.ts';
import { placeConverter, textRange } from '../locations.ts';

/** Converts the published diagnostics of one file, in line order. */
export function convertDiagnostics(
  found: readonly vscode.Diagnostic[],
  folders: readonly WorkspaceFolder[],
): readonly Diagnostic[] {
  const placeIn = placeConverter(folders);
  return found
    .map((each) => convertDiagnostic(each, placeIn))
    .toSorted((one, other) => one.firstLine - other.firstLine || one.firstColumn - other.firstColumn);
}

function convertDiagnostic(
  { severity, message, source, code, range, relatedInformation = [] }: vscode.Diagnostic,
  placeIn: ReturnType<typeof placeConverter>,
): Diagnostic {
  const value = typeof code === 'object' ? code.value : code;
  const related = relatedInformation.map(({ location, message: told }) => ({
    message: told,
    place: placeIn(location.uri, location.range),
  }));
  return {
    severity: diagnosticSeverities[severity] ?? 'error',
    message,
    ...(source === undefined ? {} : { source }),
    ...(value === undefined ? {} : { code: String(value) }),
    ...textRange(range),
    ...(related.length > 0 && { related }),
  };
}
