import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import * as vscode from 'vscode';
import { deleteRecords } from '#audit/editor/deleteRecords.ts';
import { exportAudit } from '#audit/editor/exportAudit.ts';
import { Log, withLog } from '#audit/editor/log.ts';
import { verifyAudit } from '#audit/editor/verifyAudit.ts';
import { FileAuditLog } from '#audit/fileAuditLog.ts';
import { readEarlierCalls } from '#audit/recentCalls.ts';
import { type Redact, Redactor } from '#audit/redactor.ts';
import { oldestKept } from '#audit/retention.ts';
import { readRunEnds } from '#audit/runEnds.ts';
import { HeadKeeper, StoredHeads } from '#audit/storedHeads.ts';
import type { Clock } from '#base/clock.ts';
import { messageOf } from '#base/messageOf.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import { tellRecordsRequired } from '#ui/rules/ruleNotices.ts';
import type { Commands } from './commands.ts';
import type { Services } from './services.ts';

/** The output channel, and the secrets that neither it nor the audit files may show. */
export interface Logging {
  readonly redactor: Redactor;
  readonly channel: vscode.LogOutputChannel;
  readonly log: Log;
}

export function createLogging(): Logging {
  const redactor = new Redactor();
  const channel = vscode.window.createOutputChannel('Drawbridge', { log: true });
  return { redactor, channel, log: new Log(channel, redactor) };
}

/** The record of every tool call: in the audit file, and in the output channel too. */
export async function createRecord(
  { redactor, channel, log }: Logging,
  {
    state,
    windowId,
    clock,
    storage,
  }: {
    readonly state: StateFolder;
    readonly windowId: string;
    readonly clock: Clock;
    readonly storage: vscode.SecretStorage;
  },
) {
  const [before, earlierCalls] = await Promise.all([
    readRunEnds(state.audit, clock.now()),
    readEarlierCalls(state.audit, windowId),
  ]);
  const fileAuditLog = new FileAuditLog({
    state,
    windowId,
    instanceId: randomBytes(8).toString('hex'),
    clock,
    redactor,
    onFailure: (error) => void reportUnrecorded(log, channel, redactor.redact, error),
    recentCalls: earlierCalls,
    before,
  });
  const { recentCalls } = fileAuditLog;
  // The name of a Mac changes with its network.
  const host = process.platform === 'darwin' ? 'mac' : hostname();
  const heads = new StoredHeads({ storage, state, host });
  const headKeeper = new HeadKeeper({
    heads,
    fileAuditLog,
    clock,
    onError: (error) =>
      log.warn(`The head of the audit record could not be stored, and is stored later: ${messageOf(error)}`),
  });
  return { fileAuditLog, heads, headKeeper, recentCalls, auditLog: withLog(fileAuditLog, log, redactor) };
}

/** Shows an error to the user, with a button that opens the log. */
export async function offerLog(channel: vscode.LogOutputChannel, redact: Redact, message: string): Promise<void> {
  const show = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(redact(message), show)) === show) channel.show();
}

async function reportUnrecorded(
  log: Log,
  channel: vscode.LogOutputChannel,
  redact: Redact,
  error: unknown,
): Promise<void> {
  log.error('Calls cannot be recorded, so they are refused', error);
  const message = vscode.l10n.t('Drawbridge cannot record calls, so it refuses them: {0}', messageOf(error));
  await offerLog(channel, redact, message);
}

/** The commands that export, verify and delete the record. */
export function recordCommands({
  approvals,
  state,
  clock,
  redactor,
  log,
  workspace,
  auditLog,
  fileAuditLog,
  heads,
  retention,
  history,
  outside,
  policy,
}: Services): Commands {
  const oldest = (): number => oldestKept(retention);
  return {
    exportAudit: () =>
      exportAudit({ state, clock, redactor, fileAuditLog, auditLog, folders: () => workspace.folders() }),
    verifyAudit: () => verifyAudit({ state, fileAuditLog, heads, oldest, log }),
    deleteRecords: () =>
      policy.managed.settings.audit.required
        ? tellRecordsRequired()
        : deleteRecords({
            state,
            clock,
            fileAuditLog,
            heads,
            oldest,
            onError: retention.onError,
            auditLog,
            async deleteHistory() {
              await history.deleteAll(clock.now());
              approvals.forgetFinished();
              await outside.deleteSnapshots();
            },
          }),
  };
}
