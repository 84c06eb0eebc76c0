import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import type { Subscription } from '#base/event.ts';
import { plain } from '#base/visibleText.ts';
import type { ModeEnd } from '#policy/editor/modes.ts';
import type { WindowPolicy } from '#policy/editor/policy.ts';
import type { FolderPolicy } from '#policy/editor/repositoryPolicy.ts';
import type { Mode } from '#policy/rules.ts';
import { modeName } from './modeText.ts';

export interface RuleNoticesOptions {
  readonly policy: Pick<WindowPolicy, 'file' | 'repository' | 'managed' | 'onDidChange'>;
  readonly openRulesFile: () => void;
  readonly openFile: (path: string) => void;
  readonly showRules: () => void;
}

/**
 * Tells the user, once for each content, of events that no user of this window caused: broken files, and rules of a repository.
 */
export class RuleNotices implements Subscription {
  readonly #options: RuleNoticesOptions;
  readonly #told = new Set<string>();
  readonly #subscription: Subscription;

  constructor(options: RuleNoticesOptions) {
    this.#options = options;
    this.#subscription = options.policy.onDidChange(() => this.#tell());
    this.#tell();
  }

  dispose(): void {
    this.#subscription.dispose();
  }

  #tell(): void {
    const { policy, openRulesFile, openFile, showRules } = this.#options;
    const { problem } = policy.file;
    if (problem !== undefined) {
      const text = vscode.l10n.t(
        'The rules file cannot be used. Until it is repaired, your rules allow nothing, and every change needs your approval: {0}',
        problem,
      );
      void this.#warn(text, vscode.l10n.t('Open Rules File'), openRulesFile);
    }
    const managed = policy.managed.settings.problem;
    if (managed !== undefined) {
      const text = vscode.l10n.t(
        'Assistants can only read until an administrator repairs the policy of this machine. {0}',
        managed,
      );
      void this.#warn(text, vscode.l10n.t('Open File'), () => openFile(policy.managed.path));
    }
    for (const folder of policy.repository.folders) void this.#tellOfRepository(folder, showRules);
  }

  async #warn(text: string, button: string, act: () => void): Promise<void> {
    if (!this.#isNew(text)) return;
    if ((await vscode.window.showErrorMessage(plain(text), button)) === button) act();
  }

  async #tellOfRepository(
    { folder, rules, ignored, problem, text }: FolderPolicy,
    showRules: () => void,
  ): Promise<void> {
    if (!this.#isNew(`${folder.realPath}\n${text}`) || (rules.length === 0 && ignored === 0)) return;
    const show = vscode.l10n.t('Show');
    const name = plain(folder.name);
    const pressed =
      problem === undefined
        ? await vscode.window.showInformationMessage(repositoryText(name, rules.length, ignored), show)
        : await vscode.window.showWarningMessage(
            vscode.l10n.t(
              'The rules of “{0}” cannot be used, so every change in it needs your approval. {1}',
              name,
              plain(problem),
            ),
            show,
          );
    if (pressed === show) showRules();
  }

  #isNew(content: string): boolean {
    const key = createHash('sha256').update(content).digest('hex');
    if (this.#told.has(key)) return false;
    this.#told.add(key);
    return true;
  }
}

function repositoryText(name: string, rules: number, ignored: number): string {
  const own = vscode.l10n.t('“{0}” has its own stricter rules for assistants.', name);
  const left = vscode.l10n.t('A repository cannot allow anything, so the allow rules of “{0}” are ignored.', name);
  return [...(rules > 0 ? [own] : []), ...(ignored > 0 ? [left] : [])].join(' ');
}

/** Tells the user that a mode that applies changes without asking has ended. */
export function tellModeEnd(ended: Mode, why: ModeEnd): void {
  const name = modeName(ended);
  const texts: Record<ModeEnd, string> = {
    time: vscode.l10n.t('{0} has ended after 4 hours. Changes need your approval again.', name),
    trust: vscode.l10n.t(
      '{0} has ended, because the trust of this workspace changed. Changes need your approval again.',
      name,
    ),
    managed: vscode.l10n.t('{0} has ended: the policy of this machine does not allow it.', name),
  };
  void vscode.window.showInformationMessage(texts[why]);
}

/** Tells the user that the policy of this machine requires the record of calls. */
export function tellRecordsRequired(): void {
  const text = vscode.l10n.t('Your organization requires the record of calls, so it is not deleted.');
  void vscode.window.showInformationMessage(text);
}
