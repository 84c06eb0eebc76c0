import { diffLines } from 'diff';
import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../configuration.ts';
import type { Configurations } from '../../seenAssistants.ts';
import { shortPath } from '../../machinePaths.ts';
import { besideComparison } from './compareConfiguration.ts';

interface ChangeQuestion {
  readonly change: ConfigurationChange;
  /** The question, as "Connect Codex CLI to Drawbridge?". */
  readonly question: string;
  /** The label of the button that applies the change. */
  readonly act: string;
  /** A sentence that the user should know before they answer. */
  readonly note?: string;
  /** The user's home folder. */
  readonly home: string;
}

/**
 * Plans a change, asks the user, and writes it. A running assistant may write its state to the same file at any time: after the
 * answer the change is planned again, and the user is asked again if it does not look as it was shown.
 * @returns the written change, or one without a difference; undefined when the user refuses
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

/** Shows the user exactly what would be written into which file. Returns false when the user refuses. */
async function confirmChange(asked: ChangeQuestion): Promise<boolean> {
  const { change, question, act } = asked;
  const showDiff = vscode.l10n.t('Show Diff');
  const options = { modal: true, detail: describeChange(asked) };
  const picked = await vscode.window.showInformationMessage(question, options, act, showDiff);
  // A dialog would cover the diff; a quick pick does not.
  return picked === showDiff ? besideComparison(change, () => askAgain(asked)) : picked === act;
}

function describeChange({ change, home, note }: ChangeQuestion): string {
  const { t } = vscode.l10n;
  const { file, before, after } = change;
  const path = shortPath(file, home);
  const what =
    before === undefined
      ? t('This file will be created:')
      : after === undefined
        ? t('This file will be removed, because it contains nothing else:')
        : t('These lines of the file will change:');
  const rest =
    before === undefined
      ? []
      : [t('Everything else in the file stays as it is. Drawbridge keeps a backup of the file.')];
  return [`${what} ${path}`, changedLines(change), ...rest, ...(note === undefined ? [] : [note])].join('\n\n');
}

async function askAgain({ change, question, act, home }: ChangeQuestion): Promise<boolean> {
  const choices = [{ label: act, description: shortPath(change.file, home) }, { label: vscode.l10n.t('Cancel') }];
  const options = { title: question, placeHolder: vscode.l10n.t('The diff shows what changes'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.label === act;
}

/** Returns the change that undoes a change, valid until another program writes the file. */
export function inverseOf(change: ConfigurationChange): ConfigurationChange {
  return { ...change, before: change.after, after: change.before };
}

const mostLines = 16;
const mostCharacters = 120;

/**
 * Returns the lines that a change removes (`-`) and adds (`+`), without empty ones, at most as many as fit a dialog.
 */
export function changedLines({ before = '', after = '' }: ConfigurationChange): string {
  // A last line without a line end counts as the same line as one with a line end.
  const lines = diffLines(before, after, { ignoreNewlineAtEof: true, stripTrailingCr: true })
    .filter(({ added, removed }) => added || removed)
    .flatMap(({ added, value }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => `${added ? '+' : '-'} ${line}`),
    );
  const shown = lines.slice(0, mostLines).map(shortened);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [vscode.l10n.t('... and {0} more lines', more)] : [])].join('\n');
}

function shortened(line: string): string {
  return line.length > mostCharacters ? `${line.slice(0, mostCharacters)}…` : line;
}
