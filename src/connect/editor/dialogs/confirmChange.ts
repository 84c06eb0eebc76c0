import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../configuration.ts';
import type { Configurations } from '../../dialogs/configurations.ts';
import { shortPath } from '../../dialogs/shortPath.ts';
import { changedLines } from './changedLines.ts';
import { besideComparison } from './compareConfiguration.ts';

interface ChangeQuestion {
  readonly change: ConfigurationChange;
  /** As in "Connect Codex CLI to Drawbridge?". */
  readonly question: string;
  /** The button that does it. */
  readonly act: string;
  /** A sentence that the user should know before they answer. */
  readonly note?: string;
  /** The user's home folder. */
  readonly home: string;
}

/**
 * Plans a change, asks the human, and writes it. An assistant that runs may keep its state in the same file and write it at any
 * time: the change is planned anew after the answer, and asked about again unless it still looks as it was shown.
 * @returns what was written, or a change that is none; undefined when the human does not want it
 * @throws ConfigurationError as the plan does, and when the file cannot be written
 */
export async function confirmAndApply(
  plan: () => Promise<ConfigurationChange>,
  words: Pick<ChangeQuestion, 'question' | 'act' | 'note'>,
  { apply, machine: { home } }: Pick<Configurations, 'apply' | 'machine'>,
): Promise<ConfigurationChange | undefined> {
  let change = await plan();
  while (change.isChange) {
    const asked = { ...words, change, home };
    if (!(await confirmChange(asked))) return undefined;
    change = await plan();
    if (describeChange({ ...asked, change }) !== describeChange(asked)) continue;
    await apply(change);
    return change;
  }
  return change;
}

/** Shows the human exactly what would be written into which file. False when they do not want it. */
async function confirmChange(asked: ChangeQuestion): Promise<boolean> {
  const { change, question, act } = asked;
  const showDiff = vscode.l10n.t('Show Diff');
  const options = { modal: true, detail: describeChange(asked) };
  const picked = await vscode.window.showInformationMessage(question, options, act, showDiff);
  // A dialog would cover the diff; a list that stays open does not.
  return picked === showDiff ? besideComparison(change, () => askAgain(asked)) : picked === act;
}

function describeChange({ change, home, note }: ChangeQuestion): string {
  const { t } = vscode.l10n;
  const { file, before, after } = change;
  const path = shortPath(file, home);
  const what =
    before === undefined
      ? t('This file is made:')
      : after === undefined
        ? t('This file is removed, since nothing else is in it:')
        : t('This is changed in the file:');
  const rest =
    before === undefined ? [] : [t('Everything else in the file stays as it is. A copy of it as it is now is kept.')];
  return [`${what} ${path}`, changedLines(change), ...rest, ...(note === undefined ? [] : [note])].join('\n\n');
}

async function askAgain({ change, question, act, home }: ChangeQuestion): Promise<boolean> {
  const choices = [{ label: act, description: shortPath(change.file, home) }, { label: vscode.l10n.t('Cancel') }];
  const options = { title: question, placeHolder: vscode.l10n.t('The diff shows what changes'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.label === act;
}
