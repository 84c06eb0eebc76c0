import { extname } from 'node:path';
import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../configuration.ts';

/** No tool reads documents of this scheme, so assistants never see the other content of the file. */
const scheme = 'drawbridge-configuration';

/**
 * Shows a change of a configuration in the editor's diff while a question is open.
 * @param ask asks the user, who looks at the diff meanwhile
 */
export async function besideComparison<T>(
  { assistant, file, before = '', after = '' }: ConfigurationChange,
  ask: () => Thenable<T>,
): Promise<T> {
  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    provideTextDocumentContent: ({ query }) => (query.startsWith('before') ? before : after),
  });
  // The editor caches the text of a URI, so each comparison has its own URI.
  const number = (comparisons += 1);
  const path = `/${assistant.id}${extname(file)}`;
  const side = (which: 'before' | 'after'): vscode.Uri =>
    vscode.Uri.from({ scheme, path, query: `${which}-${number}` });
  const [left, right] = [side('before'), side('after')];
  try {
    const title = vscode.l10n.t('{0}: configuration before and after', assistant.name);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
    return await ask();
  } finally {
    await close(right);
    provider.dispose();
  }
}

let comparisons = 0;

async function close(right: vscode.Uri): Promise<void> {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  const ours = tabs.filter(
    ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === right.toString(),
  );
  await vscode.window.tabGroups.close(ours, true);
}
