import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import { listAuditFiles } from '../auditFiles.ts';
import type { AuditLog } from '../auditLog.ts';
import type { FileAuditLog } from '../fileAuditLog.ts';
import { finishedFiles, livePaths, recordRemoval } from '../retention.ts';
import type { StoredHeads } from '../storedHeads.ts';

export interface DeleteRecordsDependencies {
  readonly state: StateFolder;
  readonly clock: Clock;
  readonly fileAuditLog: Pick<FileAuditLog, 'head' | 'event' | 'problem'>;
  readonly heads: StoredHeads;
  /** Returns the time before which records are removed anyway. */
  readonly oldest: () => number;
  readonly onError: (error: unknown) => void;
  readonly auditLog: Pick<AuditLog, 'event'>;
  /** Removes the texts that are kept for undo, except those of changes that wait or are being applied. */
  readonly deleteHistory: () => Promise<unknown>;
}

/**
 * Removes the records of runs that have ended and, on request, the history, after the user confirmed it. The record of this run
 * continues and holds a line about the deletion.
 */
export async function deleteRecords(dependencies: DeleteRecordsDependencies): Promise<void> {
  const { t } = vscode.l10n;
  const onlyRecords = t('Delete Records');
  const both = t('Delete Records and History');
  const detail = t(
    'Records of open windows stay, and this deletion is recorded there. Without the history, changes of assistants can no longer be undone. Deleted records cannot be restored.',
  );
  const question = t('Delete the audit records of all closed windows?');
  const picked = await vscode.window.showWarningMessage(question, { modal: true, detail }, onlyRecords, both);
  if (picked !== onlyRecords && picked !== both) return;
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: t('Deleting audit records') },
    () => carryOut(dependencies, picked === both),
  );
}

async function carryOut(dependencies: DeleteRecordsDependencies, withHistory: boolean): Promise<void> {
  const { t } = vscode.l10n;
  const deleted = { files: 0, bytes: 0, history: false };
  let failure: string | undefined;
  try {
    await dependencies.heads.locked(async (held) => {
      const listed = await listAuditFiles(dependencies.state.audit);
      const finished = finishedFiles(listed, await livePaths(listed, dependencies));
      if (finished.length > 0)
        await recordRemoval(finished, 'user', { ...dependencies, held, oldest: dependencies.oldest() });
      for (const { path, bytes } of finished) {
        await rm(path, { force: true });
        deleted.files += 1;
        deleted.bytes += bytes;
      }
    });
    if (withHistory) {
      await dependencies.deleteHistory();
      deleted.history = true;
    }
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error);
  }
  // Files that were deleted are recorded even when the deletion failed later.
  dependencies.auditLog.event({ event: 'records.deleted', ...deleted });
  if (failure === undefined) {
    const done = withHistory
      ? t('Deleted {0} files of audit records, and the history.', deleted.files)
      : t('Deleted {0} files of audit records.', deleted.files);
    void vscode.window.showInformationMessage(done);
    return;
  }
  void vscode.window.showErrorMessage(
    t('Deleted {0} files of audit records. Then the deletion failed: {1}', deleted.files, failure),
  );
}
