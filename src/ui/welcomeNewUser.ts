import * as vscode from 'vscode';
import { stateFolder } from '#home/stateFolder.ts';

const welcomed = 'welcomed';

/**
 * Opens the walkthrough for somebody who has never had Drawbridge: once in this editor, and not where another editor of theirs
 * or an earlier install has left its folder. Runs at activation, so it loads nothing.
 */
export async function welcomeNewUser({
  extension,
  globalState,
}: Pick<vscode.ExtensionContext, 'extension' | 'globalState'>): Promise<void> {
  if (globalState.get(welcomed) === true) return;
  await globalState.update(welcomed, true);
  const opensWalkthroughs = vscode.workspace
    .getConfiguration('workbench')
    .get('welcomePage.walkthroughs.openOnInstall');
  if (opensWalkthroughs === false || (await exists(stateFolder().home))) return;
  // Opens behind the file that the user edits, as the editor does it itself.
  const inactive = vscode.window.activeTextEditor !== undefined;
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', `${extension.id}#welcome`, { inactive });
}

async function exists(path: string): Promise<boolean> {
  return vscode.workspace.fs.stat(vscode.Uri.file(path)).then(
    () => true,
    () => false,
  );
}
