import * as vscode from 'vscode';

/** Nothing to set up for the editor's own agent; how its user is asked once instead of twice. */
export async function tellEditorAgent(): Promise<void> {
  const { t } = vscode.l10n;
  const [openChat, manage] = [t('Open Chat'), t('Manage Tool Approval')];
  const message = t("{0}'s own agent finds Drawbridge by itself: nothing has to be set up.", vscode.env.appName);
  const detail = t(
    'Choose Drawbridge among the tools of the chat in agent mode. The chat asks before each of its tools that may change something, and Drawbridge shows you the change itself: to be asked only once, choose "Always Allow Tools from Drawbridge" beside Allow in the chat. What assistants may change without asking stays what your rules say.',
  );
  const picked = await vscode.window.showInformationMessage(message, { modal: true, detail }, openChat, manage);
  if (picked === openChat) await vscode.commands.executeCommand('workbench.action.chat.open', { mode: 'agent' });
  if (picked === manage) await vscode.commands.executeCommand('workbench.action.chat.editToolApproval');
}
