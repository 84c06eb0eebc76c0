import { until, type Window } from './harness.ts';

/** Opens a file in an editor that has the keyboard; `beside` the one that has it now. */
export async function openFile(window: Window, path: string, beside = false): Promise<void> {
  await window.evaluate(
    async (vscode, file, isBeside) => {
      const viewColumn = isBeside ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active;
      await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: false, viewColumn });
    },
    path,
    beside,
  );
}

/** Types at the start of an open file, which stays unsaved. */
export async function typeInto(window: Window, path: string, text: string): Promise<void> {
  await window.evaluate(
    async (vscode, file, typed) => {
      const edit = new vscode.WorkspaceEdit();
      edit.insert(vscode.Uri.file(file), new vscode.Position(0, 0), typed);
      await vscode.workspace.applyEdit(edit);
    },
    path,
    text,
  );
}

/** Returns the text of a file in the editor. Opens a document, no tab. */
export async function bufferOf(window: Window, path: string): Promise<{ text: string; dirty: boolean }> {
  return window.evaluate(async (vscode, file) => {
    const document = await vscode.workspace.openTextDocument(file);
    return { text: document.getText(), dirty: document.isDirty };
  }, path);
}

/** Paths of the files in text editors, group by group; with `*` behind them when they are not saved. */
export async function tabsOf(window: Window): Promise<string[]> {
  return window.evaluate((vscode) =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input, isDirty }) =>
        input instanceof vscode.TabInputText ? `${input.uri.fsPath}${isDirty ? '*' : ''}` : [],
      ),
  );
}

/** Closes every editor; what was not saved is lost. */
export async function closeAll(window: Window): Promise<void> {
  let isClosed = false;
  const closing = window
    .evaluate(async (vscode) => {
      for (const document of vscode.workspace.textDocuments) {
        if (!document.isDirty) continue;
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand('workbench.action.files.revert');
      }
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    })
    .finally(() => (isClosed = true));
  // A save that was under way may leave a text unsaved again, and the editor then asks.
  const dontSave = window.page.locator('.monaco-dialog-box').getByRole('button', { name: "Don't Save" });
  await until(async () => {
    if (await dontSave.isVisible()) await dontSave.click({ timeout: 5000 }).catch(() => undefined);
    return isClosed;
  }, 'the editors to close');
  await closing;
}

/** Sets a user setting, or resets it without a `value`. */
export async function setSetting(window: Window, name: string, value?: unknown): Promise<void> {
  await window.evaluate(
    async (vscode, key, given) => {
      // JSON has no undefined, which resets a setting.
      await vscode.workspace.getConfiguration().update(key, given ?? undefined, vscode.ConfigurationTarget.Global);
    },
    name,
    value ?? null,
  );
}
