import { diffLines } from 'diff';
import * as vscode from 'vscode';
import type { ConfigurationChange } from '../../configuration.ts';
import type { Configurations } from '../../seenAssistants.ts';
import { shortPath } from '../../machinePaths.ts';
import { besideComparison } from './compareConfiguration.ts';

interface ChangeQuestion {
  /** The changes of one file each. */
  readonly changes: readonly ConfigurationChange[];
  /** The question, as "Connect Codex CLI to Drawbridge?". */
  readonly question: string;
  /** The label of the button that applies the changes. */
  readonly act: string;
  /** A button that leads to other choices instead. */
  readonly others?: { readonly label: string; readonly lead: () => Promise<void> };
  /** The first lines of the dialog. */
  readonly introduction?: string;
  /** A sentence that the user should know before they answer. */
  readonly note?: string;
  /** The user's home folder. */
  readonly home: string;
}

/**
 * Plans changes, asks the user once, and writes them. A running assistant may write its state to the same files at any time: after
 * the answer the changes are planned again, and the user is asked again if they do not look as they were shown.
 * @returns the written changes, and those without a difference; undefined when the user refuses or takes the button `others`
 * @throws ConfigurationError as the plan does, and when a file cannot be written
 */
export async function confirmAndApply(
  plan: () => Promise<readonly ConfigurationChange[]>,
  words: Omit<ChangeQuestion, 'changes' | 'home'>,
  { apply, machine: { home } }: Pick<Configurations, 'apply' | 'machine'>,
): Promise<readonly ConfigurationChange[] | undefined> {
  let changes = await plan();
  while (changes.some(({ isChange }) => isChange)) {
    const asked = { ...words, changes: changes.filter(({ isChange }) => isChange), home };
    if (!(await confirmChanges(asked))) return undefined;
    changes = await plan();
    const now = { ...asked, changes: changes.filter(({ isChange }) => isChange) };
    if (describeChanges(now) !== describeChanges(asked)) continue;
    for (const change of now.changes) await apply(change);
    return changes;
  }
  return changes;
}

/** Shows the user exactly what would be written into which files. Returns false when the user refuses. */
async function confirmChanges(asked: ChangeQuestion): Promise<boolean> {
  const { changes, question, act, others } = asked;
  const showDiff = vscode.l10n.t('Show Diff');
  const options = { modal: true, detail: describeChanges(asked) };
  const buttons = [act, showDiff, ...(others === undefined ? [] : [others.label])];
  const picked = await vscode.window.showInformationMessage(question, options, ...buttons);
  if (others !== undefined && picked === others.label) await others.lead();
  // A dialog would cover the diffs; a quick pick does not.
  return picked === showDiff ? besideComparisons(changes, () => askAgain(asked)) : picked === act;
}

function besideComparisons<T>(
  [change, ...others]: readonly ConfigurationChange[],
  ask: () => Thenable<T>,
): Thenable<T> {
  return change === undefined ? ask() : besideComparison(change, () => besideComparisons(others, ask));
}

function describeChanges({ changes, home, introduction, note }: ChangeQuestion): string {
  const { t } = vscode.l10n;
  const isEdit = changes.some(({ before }) => before !== undefined);
  return [
    ...(introduction === undefined ? [] : [introduction]),
    ...changes.flatMap((change) => describeChange(change, home)),
    ...(isEdit ? [t('Everything else in the file stays as it is. Drawbridge keeps a backup of the file.')] : []),
    ...(note === undefined ? [] : [note]),
  ].join('\n\n');
}

function describeChange(change: ConfigurationChange, home: string): readonly string[] {
  const { t } = vscode.l10n;
  const { file, before, after } = change;
  const what =
    before === undefined
      ? t('This file will be created:')
      : after === undefined
        ? t('This file will be removed, because it contains nothing else:')
        : t('These lines of the file will change:');
  return [`${what} ${shortPath(file, home)}`, changedLines(change)];
}

async function askAgain({ changes, question, act, home }: ChangeQuestion): Promise<boolean> {
  const files = changes.map(({ file }) => shortPath(file, home)).join(', ');
  const choices = [{ label: act, description: files }, { label: vscode.l10n.t('Cancel') }];
  const options = { title: question, placeHolder: vscode.l10n.t('The diff shows what changes'), ignoreFocusOut: true };
  return (await vscode.window.showQuickPick(choices, options))?.label === act;
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
