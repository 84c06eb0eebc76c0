import * as vscode from 'vscode';
import type { WindowPolicy } from '#policy/editor/policy.ts';
import { wouldMatch, type PastCall } from '#policy/lint.ts';
import type { Rule, ScopedRule } from '#policy/rules.ts';
import { ruleSentence } from './ruleText.ts';
import type { RulesEditor } from './rulesEditor.ts';
import type { RulesView } from './rulesView.ts';

export interface RuleCommandsOptions {
  readonly policy: Pick<WindowPolicy, 'file' | 'managed' | 'repository'>;
  readonly view: Pick<RulesView, 'ruleOf' | 'find' | 'refresh'>;
  readonly treeView: Pick<vscode.TreeView<vscode.TreeItem>, 'reveal'>;
  readonly editor: RulesEditor;
  readonly pastCalls: () => readonly PastCall[];
}

const mostExamples = 5;

/** The commands of rules. Commands of the view pass a row; others pass the id of the rule. */
export class RuleCommands {
  readonly #options: RuleCommandsOptions;

  constructor(options: RuleCommandsOptions) {
    this.#options = options;
  }

  /** Removes a rule. A rule that denies or asks needs a confirmation, because its removal allows more. */
  async remove(target: unknown): Promise<void> {
    const { file } = this.#options.policy;
    const scoped = this.#ruleOf(target);
    if (scoped === undefined) return this.#tellGone();
    if (scoped.rule.effect !== 'allow' && !(await this.#confirms(scoped.rule, 'remove'))) return;
    const removed = await attempt(() => file.remove(scoped.rule.id));
    if (removed === undefined) return;
    const undo = vscode.l10n.t('Undo');
    const text = vscode.l10n.t('Rule removed: {0}', ruleSentence(removed.rule));
    if ((await vscode.window.showInformationMessage(text, undo)) === undo) await attempt(() => file.restore(removed));
  }

  /** Renews an expired rule. */
  async renew(target: unknown): Promise<void> {
    const scoped = this.#ruleOf(target);
    if (scoped === undefined) return this.#tellGone();
    if (!(await this.#confirms(scoped.rule, 'renew'))) return;
    await attempt(() => this.#options.policy.file.renew(scoped.rule.id));
  }

  async edit(target: unknown): Promise<void> {
    const scoped = this.#ruleOf(target);
    if (scoped === undefined) return this.#tellGone();
    await attempt(() => this.#options.editor.open(scoped.rule.id));
  }

  /** Opens the file of a rule of a repository or of the machine. */
  async openFile(target: unknown): Promise<void> {
    const { repository, managed } = this.#options.policy;
    const scoped = this.#ruleOf(target);
    const path =
      scoped?.scope === 'managed'
        ? managed.path
        : repository.folders.find(({ folder }) => folder.realPath === scoped?.folder)?.path;
    if (path !== undefined) await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path));
  }

  /** Shows a rule in the Rules view; shows only the view when the rule is gone. */
  async show(target: unknown): Promise<void> {
    const { view, treeView } = this.#options;
    await vscode.commands.executeCommand('drawbridge.rules.focus');
    const scoped = this.#ruleOf(target);
    const item = scoped && view.find(scoped.rule.id);
    if (item === undefined) return this.#tellGone();
    await treeView.reveal(item, { select: true, focus: true });
  }

  #ruleOf(target: unknown): ScopedRule | undefined {
    const { view, policy } = this.#options;
    if (typeof target === 'string')
      return [...policy.file.all, ...this.#strict()].find(({ rule }) => rule.id === target);
    return target instanceof vscode.TreeItem ? view.ruleOf(target) : undefined;
  }

  #strict(): readonly ScopedRule[] {
    const { managed, repository } = this.#options.policy;
    return [...managed.settings.rules, ...repository.rules];
  }

  /** A confirmation that allows more states how many past calls it would have allowed. */
  async #confirms(rule: Rule, what: 'remove' | 'renew'): Promise<boolean> {
    const past = this.#options.pastCalls();
    const button = what === 'remove' ? vscode.l10n.t('Remove Rule') : vscode.l10n.t('Renew Rule');
    const question =
      what === 'remove'
        ? vscode.l10n.t('Remove this rule? It will no longer stop any calls.')
        : vscode.l10n.t('Renew this rule? The calls that it allows will run without asking again.');
    const detail = [
      ruleSentence(rule),
      vscode.l10n.t('It matches {0} of the last {1} calls.', wouldMatch(rule, past), past.length),
      ...examples(rule, past),
    ].join('\n');
    return (await vscode.window.showWarningMessage(question, { modal: true, detail }, button)) === button;
  }

  #tellGone(): void {
    void vscode.window.showInformationMessage(vscode.l10n.t('This rule no longer exists.'));
  }
}

function examples(rule: Rule, past: readonly PastCall[]): readonly string[] {
  const matching = past.filter((call) => wouldMatch(rule, [call]) > 0);
  return matching.slice(0, mostExamples).map(({ tool, paths }) => [`• ${tool}`, ...paths.slice(0, 2)].join(' '));
}

/** Shows an error to the user and returns undefined when the action fails. */
async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    void vscode.window.showErrorMessage(error instanceof Error ? error.message : String(error));
    return undefined;
  }
}
