import * as vscode from 'vscode';
import { newRuleId } from '#policy/editor/rulesDocument.ts';
import type { RulesFile } from '#policy/editor/rulesFile.ts';

/** Opens the rules as JSON in the editor, with a schema. */
export class RulesEditor {
  readonly #file: Pick<RulesFile, 'path' | 'ensureFile'>;
  readonly #now: () => number;

  constructor(file: Pick<RulesFile, 'path' | 'ensureFile'>, now: () => number) {
    this.#file = file;
    this.#now = now;
  }

  /** @param ruleId the rule to go to */
  async open(ruleId?: string): Promise<vscode.TextEditor> {
    await this.#file.ensureFile();
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(this.#file.path));
    if (ruleId !== undefined) select(editor, JSON.stringify(ruleId));
    return editor;
  }

  /** Opens the file with one more rule, unsaved: the rule counts once the user saves the file. */
  async openWithNewRule(): Promise<void> {
    const editor = await this.open();
    const { document } = editor;
    const id = newRuleId();
    const rule = {
      id,
      effect: 'ask',
      class: 'edit',
      paths: ['src/**'],
      origin: { how: 'file', at: new Date(this.#now()).toISOString() },
    };
    const text = withRule(document.getText(), rule);
    // The user must repair a broken file first.
    if (text === undefined) return;
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
    await vscode.workspace.applyEdit(edit);
    select(editor, JSON.stringify(id));
  }
}

function withRule(text: string, rule: object): string | undefined {
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document !== 'object' || document === null || !('rules' in document)) return undefined;
    if (!Array.isArray(document.rules)) return undefined;
    return `${JSON.stringify({ ...document, rules: [...document.rules, rule] }, undefined, 2)}\n`;
  } catch {
    return undefined;
  }
}

function select(editor: vscode.TextEditor, found: string): void {
  const { document } = editor;
  const start = document.getText().indexOf(found);
  if (start < 0) return;
  const [from, to] = [document.positionAt(start), document.positionAt(start + found.length)];
  editor.selection = new vscode.Selection(from, to);
  editor.revealRange(new vscode.Range(from, to), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
