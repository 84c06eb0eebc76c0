import { deleteRecords } from '#audit/editor/deleteRecords.ts';
import { exportAudit } from '#audit/editor/exportAudit.ts';
import { verifyAudit } from '#audit/editor/verifyAudit.ts';
import { tellRecordsRequired } from '#ui/rules/ruleNotices.ts';
import type { Commands } from './commands.ts';
import type { Services } from './services.ts';

/** What the human can do with the record. */
export function recordCommands({
  approvals,
  state,
  clock,
  redactor,
  log,
  workspace,
  auditLog,
  fileAuditLog,
  history,
  policy,
}: Services): Commands {
  return {
    exportAudit: () =>
      exportAudit({ state, clock, redactor, fileAuditLog, auditLog, folders: () => workspace.folders() }),
    verifyAudit: () => verifyAudit({ state, fileAuditLog, log }),
    deleteRecords: () =>
      policy.managed.settings.audit.required
        ? tellRecordsRequired()
        : deleteRecords({
            state,
            clock,
            fileAuditLog,
            auditLog,
            async deleteHistory() {
              await history.deleteAll(clock.now());
              approvals.forgetFinished();
            },
          }),
  };
}
