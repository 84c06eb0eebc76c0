import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { StateFolder } from '#home/stateFolder.ts';
import type { FileAuditLog } from '../fileAuditLog.ts';
import type { StoredHeads } from '../storedHeads.ts';
import { verifyRecord, type RecordReport } from '../verifyRecord.ts';
import type { ChainProblem } from '../verifyRun.ts';
import { cancellableProgress } from './cancellableProgress.ts';
import type { Log } from './log.ts';

export interface VerifyAuditDependencies {
  readonly state: Pick<StateFolder, 'audit'>;
  readonly fileAuditLog: Pick<FileAuditLog, 'head'>;
  readonly heads: StoredHeads;
  /** Returns the time before which records are removed because of their age. */
  readonly oldest: () => number;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Checks the hash chains of all records and their ends, and shows the user the first bad line or missing run (threat rows A23, A47, A48). */
export async function verifyAudit({ state, fileAuditLog, heads, oldest, log }: VerifyAuditDependencies): Promise<void> {
  const { t } = vscode.l10n;
  const record = await cancellableProgress(t('Verifying the audit record'), (signal, onProgress) =>
    verifyRecord({
      folder: state.audit,
      head: () => fileAuditLog.head,
      heads,
      oldest: oldest(),
      signal,
      onProgress,
    }),
  );
  if (record === undefined) return;
  const problems = record.runs.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const described = [
    ...problems.map(describeProblem),
    ...record.missing.map((name) => t('The audit record was changed: the run {0} is missing.', name)),
  ];
  const [first, ...others] = described;
  const statements = describeStatements(record);
  if (first === undefined) {
    const whole = [describeWhole(record), ...statements].join(' ');
    log.info(whole);
    void vscode.window.showInformationMessage(whole);
    return;
  }
  for (const text of [...described, ...statements]) log.warn(text);
  const more = others.length === 0 ? [] : [t('{0} more runs have a problem too; see the log.', others.length)];
  const message = [first, ...more].join(' ');
  const [line] = problems;
  if (line === undefined) return void vscode.window.showErrorMessage(message);
  const open = t('Open Line');
  if ((await vscode.window.showErrorMessage(message, open)) === open) await openLine(line);
}

function describeWhole({ runs }: RecordReport): string {
  const chained = runs.filter(({ isChained, files }) => isChained && files > 0);
  const lines = chained.reduce((total, report) => total + report.lines, 0);
  return vscode.l10n.t('The audit record is intact: {0} lines of {1} runs.', lines, chained.length);
}

/** Describes what could not be verified, or is missing without being tampering. */
function describeStatements({ runs, unconfirmed, unrecorded, withoutHead, problem }: RecordReport): readonly string[] {
  const { t } = vscode.l10n;
  const unchained = runs.filter(({ isChained }) => !isChained).length;
  const cut = runs.reduce((total, { cutLines }) => total + cutLines, 0);
  const later = runs.filter(({ startsLater }) => startsLater).length - unrecorded;
  return [
    ...(unchained > 0
      ? [t('Not verified, because an older version wrote them without a chain: {0} runs.', unchained)]
      : []),
    ...(cut > 0 ? [t('Cut off by a crash or a full disk: {0} lines.', cut)] : []),
    ...(later > 0 ? [t('First files removed, as recorded: {0} runs.', later)] : []),
    ...(unrecorded > 0 ? [t('First files missing, and their removal is not recorded: {0} runs.', unrecorded)] : []),
    ...(unconfirmed > 0 ? [t('Removed, as only a run without a head records: {0} runs.', unconfirmed)] : []),
    ...(withoutHead > 0
      ? [
          t(
            'Head not found (new machine or reset keychain): {0} runs. Lines cut from their ends are seen only where a later run names them.',
            withoutHead,
          ),
        ]
      : []),
    ...(problem === undefined ? [] : [t('The secret storage with the heads cannot be read: {0}', problem)]),
  ];
}

/** Describes the problem of a line, with its place as `<file>:<line>`. */
function describeProblem({ path, line, kind, missing }: ChainProblem): string {
  const { t } = vscode.l10n;
  const place = `${basename(path)}:${line}`;
  const descriptions: Record<ChainProblem['kind'], string> = {
    edited: t('The audit record was changed: {0} was edited.', place),
    added: t('The audit record was changed: {0} was added later.', place),
    removed_before: t('The audit record was changed: a line before {0} was removed, or lines changed places.', place),
    end_removed:
      missing === undefined
        ? t('The audit record was changed: the lines after {0} were removed.', place)
        : t('The audit record was changed: the last {0} lines of run {1} are missing.', missing, basename(path)),
    replaced: t('The audit record was changed: the lines of run {0} are not those that were written.', basename(path)),
    unreadable: t('The audit record cannot be read: {0}', place),
  };
  return descriptions[kind];
}

async function openLine({ path, line }: ChainProblem): Promise<void> {
  const at = new vscode.Position(line - 1, 0);
  const selection = new vscode.Range(at, at);
  try {
    await vscode.window.showTextDocument(vscode.Uri.file(path), { selection, preview: true });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The audit record could not be opened: {0}', why));
  }
}
