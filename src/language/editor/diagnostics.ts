import * as vscode from 'vscode';
import { Emitter, type Subscription } from '#base/event.ts';
import { comparePaths } from '#base/pathOrder.ts';
import type { Workspace } from '#base/workspace.ts';
import { foundFile } from '#files/editor/foundFile.ts';
import type { Diagnostics } from '../diagnostics.ts';
import { convertDiagnostics } from './diagnostics/convertDiagnostics.ts';
import { examineFiles } from './diagnostics/examineFiles.ts';

/**
 * Creates the diagnostics of this window: its problems list, and requests to language services. Dispose it when the extension
 * ends.
 */
export function createDiagnostics(workspace: Workspace): Diagnostics & Subscription {
  const changed = new Emitter<void>();
  const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    if (uris.some(({ scheme }) => scheme === 'file')) changed.fire();
  });
  const list: Diagnostics['list'] = () => {
    const folders = workspace.folders();
    return vscode.languages
      .getDiagnostics()
      .flatMap(([uri, found]) => {
        const file = found.length === 0 ? undefined : foundFile(uri, folders);
        return file === undefined ? [] : [{ ...file, diagnostics: convertDiagnostics(found, folders) }];
      })
      .toSorted((one, other) => comparePaths(one.path, other.path));
  };
  return {
    list,
    listShown: async () => list(),
    examine: (files, report, expired) => examineFiles(files, workspace.folders(), report, expired),
    onDidChange: changed.event,
    dispose: () => subscription.dispose(),
  };
}
