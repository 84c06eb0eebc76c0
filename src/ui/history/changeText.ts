import * as vscode from 'vscode';
import type { ChangeKind } from '#base/proposal.ts';
import { plain } from '#base/visibleText.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { clientText } from '../activity/callItem.ts';
import { isOwn, startOfDay } from './grouping.ts';

/** Returns a headline such as "Edit cart.ts" or "Change 3 files". */
export function headline({ files }: Pick<AppliedChange, 'files'>): string {
  const { t } = vscode.l10n;
  const [first, ...others] = files;
  if (first === undefined) return t('No files');
  const kinds = new Set(files.map(({ change }) => change));
  const what = others.length === 0 ? nameOf(first.path) : t('{0} files', files.length);
  if (kinds.size > 1) return t('Change {0}', what);
  const headlines: Record<ChangeKind, string> = {
    edit: t('Edit {0}', what),
    create: t('Create {0}', what),
    delete: t('Delete {0}', what),
    move:
      others.length === 0 && first.movedTo !== undefined
        ? t('Move {0} → {1}', plain(first.path), plain(first.movedTo.path))
        : t('Move {0}', what),
  };
  return headlines[first.change];
}

/** Returns a text such as "+14 −3"; empty when no line changed. */
export function lineCounts(files: readonly Pick<ChangedFile, 'addedLines' | 'removedLines'>[]): string {
  const { added, removed } = countLines(files);
  return [added > 0 ? `+${added}` : '', removed > 0 ? `−${removed}` : ''].filter(Boolean).join(' ');
}

/** Returns the same counts for screen readers. */
export function spokenLineCounts(files: readonly Pick<ChangedFile, 'addedLines' | 'removedLines'>[]): string {
  const { t } = vscode.l10n;
  const { added, removed } = countLines(files);
  return t('{0}, {1} removed', added === 1 ? t('1 line added') : t('{0} lines added', added), removed);
}

/** Returns a text such as "Today", "Yesterday" or "Nov 21, 2026". */
export function dayText(start: number, now: number): string {
  const today = startOfDay(now);
  if (start === today) return vscode.l10n.t('Today');
  if (start === startOfDay(today - 1)) return vscode.l10n.t('Yesterday');
  return new Date(start).toLocaleDateString(vscode.env.language, { dateStyle: 'medium' });
}

/** Returns a text such as "Today, 14:02". */
export function dateAndTime(time: number, now: number): string {
  const clock = new Date(time).toLocaleTimeString(vscode.env.language, { timeStyle: 'short' });
  return vscode.l10n.t('{0}, {1}', dayText(startOfDay(time), now), clock);
}

export function changeCount(count: number): string {
  return count === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', count);
}

export function filesChanged(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', count);
}

/** Returns who made a change: the name that the assistant reports, or the user who undid a change. */
export function authorText({ principal, client }: Pick<AppliedChange, 'principal' | 'client'>): string {
  return isOwn(principal) ? vscode.l10n.t('you') : clientText(client?.name ?? '');
}

/** Returns the name of a file without its folders, as plain text. */
export function nameOf(path: string): string {
  return plain(path.slice(path.lastIndexOf('/') + 1));
}

function countLines(files: readonly Pick<ChangedFile, 'addedLines' | 'removedLines'>[]) {
  const added = files.reduce((sum, file) => sum + file.addedLines, 0);
  const removed = files.reduce((sum, file) => sum + file.removedLines, 0);
  return { added, removed };
}
