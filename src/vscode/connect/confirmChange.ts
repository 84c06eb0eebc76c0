import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../connect/configuration.ts';
import { changedLines } from './changedLines.ts';
import { besideComparison } from './compareConfiguration.ts';
import { shortPath } from './shortPath.ts';

export interface ChangeQuestion {
  readonly change: ConfigurationChange;
  /** As in "Connect Codex CLI to Drawbridge?". */
  readonly question: string;
  /** The button that does it. */
  readonly act: string;
  /** The user's home folder. */
  readonly home: string;
}

/** Shows the human exactly what would be written into which file. False when they do not want it. */
export async function confirmChange(asked: ChangeQuestion): Promise<boolean> {
  const { change, question, act } = asked;
  const showDiff = vscode.l10n.t('Show Diff');
  const options = { modal: true, detail: describeChange(asked) };
  const picked = await vscode.window.showInformationMessage(question, options, act, showDiff);
  // A dialog would cover the diff; a list that stays open does not.
  return picked === showDiff ? besideComparison(change, () => askAgain(asked)) : picked === act;
}

function describeChange({ change, home }: ChangeQuestion): string {
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
  return [`${what} ${path}`, changedLines(change), ...rest].join('\n\n');
}

async function askAgain({ change, question, act, home }: ChangeQuestion): Promise<boolean> {
  const choices = [{ label: act, description: shortPath(change.file, home) }, { label: vscode.l10n.t('Cancel') }];
  const options = { title: question, placeHolder: vscode.l10n.t('The diff shows what changes'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.label === act;
}
