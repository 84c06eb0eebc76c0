import * as vscode from 'vscode';
import { choiceText } from '#base/untrustedText.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { appliedUris } from '#changes/editor/diff/diffUris.ts';
import type { UserChanges } from '#changes/appliedChanges.ts';
import type { ChangeTexts, UnrevertedFile } from '#changes/appliedChanges.ts';
import { authorText, headline, nameOf } from './changeText.ts';
import { type SessionFile, sessionFiles } from './sessionFiles.ts';

/** Opens changes of assistants in read-only diffs of the editor, and the changed files. */
export class ChangeDiffs {
  readonly #changes: Pick<UserChanges, 'list' | 'textsOfFile'>;

  constructor(changes: Pick<UserChanges, 'list' | 'textsOfFile'>) {
    this.#changes = changes;
  }

  /** Opens a diff of one file before and after the change; opens the file when there are no texts to compare. */
  async openFile(change: AppliedChange, file: ChangedFile): Promise<void> {
    if (!hasDiff(await this.#texts(change, file))) {
      await openPlace(file);
      return;
    }
    const title = vscode.l10n.t('{0} (changed by {1})', nameOf(placeOf(file).path), authorText(change));
    await vscode.commands.executeCommand('vscode.diff', ...appliedUris(change.id, file.index, file.path), title, {
      preview: true,
    });
  }

  /** Opens a diff of all files of a change. */
  async openAll(change: AppliedChange): Promise<void> {
    const texts = await Promise.all(change.files.map((file) => this.#texts(change, file)));
    const shown = change.files.filter((_file, index) => hasDiff(texts[index]));
    if (shown.length < 2) {
      const only = shown[0] ?? change.files[0];
      if (only !== undefined) await this.openFile(change, only);
      return;
    }
    const resources = shown.map((file) => [
      vscode.Uri.parse(placeOf(file).uri),
      ...appliedUris(change.id, file.index, file.path),
    ]);
    const title = vscode.l10n.t('{0}: {1}', authorText(change), headline(change));
    await vscode.commands.executeCommand('vscode.changes', title, resources);
  }

  /**
   * Opens one diff of everything that a session changed. What others changed in between in the same files is in it too.
   * @param changes newest first
   */
  async openSession(changes: readonly AppliedChange[]): Promise<void> {
    const { t } = vscode.l10n;
    const files = sessionFiles(changes);
    const differs = await Promise.all(files.map((file) => this.#differs(file)));
    const shown = files.filter((_file, index) => differs[index]);
    const sides = shown.map(({ first, last, path, uri }): [vscode.Uri, vscode.Uri, vscode.Uri] => [
      vscode.Uri.parse(uri),
      appliedUris(first.change.id, first.file.index, path)[0],
      appliedUris(last.change.id, last.file.index, path)[1],
    ]);
    const [newest] = changes;
    const [only, ...others] = sides;
    if (newest === undefined || only === undefined) {
      void vscode.window.showInformationMessage(t('Nothing of this session is left to show as a diff.'));
      return;
    }
    const title = t('{0}: everything this session changed', authorText(newest));
    if (others.length > 0) await vscode.commands.executeCommand('vscode.changes', title, sides);
    else await vscode.commands.executeCommand('vscode.diff', only[1], only[2], title, { preview: true });
  }

  /** Returns whether there is something to see: the texts are kept, and a later change did not take everything back. */
  async #differs({ first, last }: SessionFile): Promise<boolean> {
    const [earliest, latest] = await Promise.all([
      this.#texts(first.change, first.file),
      this.#texts(last.change, last.file),
    ]);
    return earliest !== undefined && latest !== undefined && earliest.before !== latest.after;
  }

  /** Opens a diff of a file as the assistant left it and as it is now. The right side is the file itself. */
  async compareWithNow(change: AppliedChange, file: ChangedFile): Promise<void> {
    const texts = await this.#texts(change, file);
    if (texts?.now === undefined || texts.after === undefined) {
      void vscode.window.showInformationMessage(vscode.l10n.t('This file does not have two versions to compare.'));
      return;
    }
    const [, after] = appliedUris(change.id, file.index, file.path);
    const place = placeOf(file);
    const title = vscode.l10n.t('{0} (as {1} left it ↔ now)', nameOf(place.path), authorText(change));
    await vscode.commands.executeCommand('vscode.diff', after, vscode.Uri.parse(place.uri), title, { preview: true });
  }

  /** Lists the files that could not be undone. Each opens a diff of the assistant's change and of the later changes. */
  async chooseConflict(conflicts: readonly UnrevertedFile[]): Promise<void> {
    const { t } = vscode.l10n;
    const items = conflicts.map((conflict) => ({
      label: choiceText(nameOf(conflict.path)),
      description: choiceText(conflict.path),
      detail: choiceText(conflict.reason),
      conflict,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: t('Not Undone, Because They Were Changed Since'),
      placeHolder: t('Select a file to see what the assistant changed and what was changed since'),
    });
    if (picked !== undefined) await this.#openThreeWay(picked.conflict);
  }

  async #openThreeWay({ id, fileIndex }: UnrevertedFile): Promise<void> {
    const change = this.#changes.list().find((each) => each.id === id);
    const file = change?.files.find(({ index }) => index === fileIndex);
    if (change === undefined) return;
    if (file === undefined) {
      await this.openAll(change);
      return;
    }
    const texts = await this.#texts(change, file);
    if (!hasDiff(texts)) {
      await openPlace(file);
      return;
    }
    const [before, after] = appliedUris(id, file.index, file.path);
    const now = vscode.Uri.parse(placeOf(file).uri);
    const title = vscode.l10n.t('{0}: changed by {1}, and since then', nameOf(file.path), authorText(change));
    await vscode.commands.executeCommand('vscode.changes', title, [
      [after, before, after],
      [now, after, texts?.now === undefined ? undefined : now],
    ]);
  }

  #texts({ id }: AppliedChange, { index }: ChangedFile): Promise<ChangeTexts | undefined> {
    return this.#changes.textsOfFile(id, index).catch(() => undefined);
  }
}

/** Opens a changed file at its current path. */
export async function openPlace(file: ChangedFile): Promise<void> {
  const uri = vscode.Uri.parse(placeOf(file).uri);
  const stat = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  if (stat === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('This file no longer exists.'));
    return;
  }
  const isFolder = (stat.type & vscode.FileType.Directory) !== 0;
  await vscode.commands.executeCommand(isFolder ? 'revealInExplorer' : 'vscode.open', uri);
}

function placeOf(file: ChangedFile): { readonly path: string; readonly uri: string } {
  return file.movedTo ?? file;
}

function hasDiff(texts: ChangeTexts | undefined): boolean {
  return texts?.before !== undefined || texts?.after !== undefined;
}
