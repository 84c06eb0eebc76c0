import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { Subscription } from '#base/event.ts';
import { messageOf } from '#base/messageOf.ts';
import { notificationText } from '#base/untrustedText.ts';
import type { AppliedChange } from '#changes/changes.ts';
import type { UserChanges } from '#changes/appliedChanges.ts';
import type { RevertReport } from '#changes/appliedChanges.ts';
import type { ChangeDiffs } from './changeDiffs.ts';
import { authorText, changeCount } from './changeText.ts';

export interface UndoChangesOptions {
  readonly changes: Pick<UserChanges, 'revert' | 'redo'>;
  readonly diffs: Pick<ChangeDiffs, 'chooseConflict'>;
  readonly clock: Clock;
  /** Shows the card of the next waiting approval. */
  readonly review: () => void;
}

/** An undo that takes longer shows its progress. */
const patienceMilliseconds = 1000;

/** Undoes and redoes changes for the user. It asks before it undoes several changes, and reports afterwards. */
export class UndoChanges {
  readonly #options: UndoChangesOptions;
  #isRunning = false;

  constructor(options: UndoChangesOptions) {
    this.#options = options;
  }

  /** Undoes one change without a question, because the user can redo it. */
  async undo({ id }: AppliedChange): Promise<void> {
    const report = await this.#revert([id]);
    // The row of the change shows a successful undo.
    if (report !== undefined && report.reverted.length === 0) this.#tell(report);
  }

  /**
   * Undoes several changes, after the user has confirmed how many changes of which assistants.
   * @param author the author of the selected change; when others made changes too, the user may choose only this author's
   */
  async undoSeveral(changes: readonly AppliedChange[], author?: string): Promise<void> {
    const applied = changes.filter(({ canRevert }) => canRevert);
    if (applied.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('None of these changes can be undone any more.'));
      return;
    }
    const chosen = await confirm(applied, author);
    const report = chosen && (await this.#revert(chosen.map(({ id }) => id)));
    if (report !== undefined) this.#tell(report);
  }

  async redo(ids: readonly string[]): Promise<void> {
    await this.#exclusively(vscode.l10n.t('Redoing changes'), ids.length, async (report) => {
      for (const [index, id] of ids.entries()) {
        const { status, message } = await this.#options.changes.redo(id);
        if (status !== 'redone') {
          const why = notificationText(message ?? '');
          void vscode.window.showWarningMessage(vscode.l10n.t('The change could not be redone. {0}', why));
          return;
        }
        report(index + 1);
      }
    });
  }

  #revert(ids: readonly string[]): Promise<RevertReport | undefined> {
    return this.#exclusively(vscode.l10n.t('Undoing changes'), ids.length, (report) =>
      this.#options.changes.revert(ids, report),
    );
  }

  #tell(report: RevertReport): void {
    void this.#offer(report).catch((error: unknown) => void vscode.window.showErrorMessage(noticeOf(error)));
  }

  async #offer({ reverted, asked, conflicts }: RevertReport): Promise<void> {
    const { t } = vscode.l10n;
    const [redo, review, show] = [t('Redo'), t('Review'), t('Show')];
    const buttons = [
      ...(conflicts.length > 0 ? [show] : []),
      ...(asked.length > 0 ? [review] : []),
      ...(reverted.length > 0 ? [redo] : []),
    ];
    const message = reportText({ reverted, asked, conflicts });
    const chosen =
      conflicts.length > 0
        ? await vscode.window.showWarningMessage(message, ...buttons)
        : await vscode.window.showInformationMessage(message, ...buttons);
    if (chosen === show) await this.#options.diffs.chooseConflict(conflicts);
    if (chosen === review) this.#options.review();
    // The change that was undone last is redone first.
    if (chosen === redo) await this.redo(reverted.toReversed());
  }

  /** @param count the number of steps of the work, which reports how many are done */
  async #exclusively<Result>(
    title: string,
    count: number,
    work: (report: (done: number) => void) => Promise<Result>,
  ): Promise<Result | undefined> {
    if (this.#isRunning) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Another undo is still running.'));
      return undefined;
    }
    this.#isRunning = true;
    let tell = (_done: number): void => undefined;
    const ended = Promise.withResolvers<void>();
    const slow: Subscription = this.#options.clock.after(patienceMilliseconds, () => {
      const location = vscode.ProgressLocation.Notification;
      void vscode.window.withProgress({ location, title }, (progress) => {
        tell = (done) => progress.report({ message: vscode.l10n.t('{0} of {1}', done, count) });
        return ended.promise;
      });
    });
    try {
      return await work((done) => tell(done));
    } catch (error) {
      void vscode.window.showErrorMessage(noticeOf(error));
      return undefined;
    } finally {
      slow.dispose();
      ended.resolve();
      this.#isRunning = false;
    }
  }
}

/** @returns the changes that the user wants undone; undefined when the user cancelled */
async function confirm(
  changes: readonly AppliedChange[],
  author: string | undefined,
): Promise<readonly AppliedChange[] | undefined> {
  const { t } = vscode.l10n;
  const groups = Map.groupBy(changes, authorText);
  const own = author === undefined ? undefined : groups.get(author);
  const hasOthers = own !== undefined && own.length < changes.length;
  const all = hasOthers ? t('Undo All {0}', changes.length) : t('Undo {0}', changeCount(changes.length));
  const only = t('Only the {0} by {1}', own?.length ?? 0, author ?? '');
  const lines = [...groups].map(([name, group]) =>
    t('{0}: {1} in {2}', name, changeCount(group.length), fileCount(group)),
  );
  const chosen = await vscode.window.showWarningMessage(
    t('Undo {0}?', changeCount(changes.length)),
    {
      modal: true,
      detail: [
        ...lines,
        '',
        t('Undo never overwrites later edits. It asks you about them, or tells you which files it left as they are.'),
      ].join('\n'),
    },
    ...(hasOthers ? [all, only] : [all]),
  );
  if (chosen === all) return changes;
  return chosen === only ? own : undefined;
}

function fileCount(changes: readonly AppliedChange[]): string {
  const count = new Set(changes.flatMap(({ files }) => files.map(({ uri }) => uri))).size;
  return count === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', count);
}

/** Returns a text such as "12 changes undone, 1 waits for you in Approvals." */
function reportText({ reverted, asked, conflicts }: RevertReport): string {
  const { t } = vscode.l10n;
  const parts = [t('{0} undone', changeCount(reverted.length))];
  if (asked.length === 1) parts.push(t('1 waits for you in Approvals'));
  if (asked.length > 1) parts.push(t('{0} wait for you in Approvals', asked.length));
  if (conflicts.length === 1) parts.push(t('1 file was changed since and was not undone'));
  if (conflicts.length > 1) parts.push(t('{0} files were changed since and were not undone', conflicts.length));
  return t('{0}.', parts.join(', '));
}

function noticeOf(error: unknown): string {
  return notificationText(messageOf(error));
}
