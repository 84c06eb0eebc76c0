import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { StateFolder } from '#home/stateFolder.ts';
import { listAuditFiles, runOf } from '../auditFiles.ts';
import type { ChainProblem } from '../verifyRun.ts';
import type { FileAuditLog } from '../fileAuditLog.ts';
import { verifyRun, type RunReport } from '../verifyRun.ts';
import { cancellableProgress } from './cancellableProgress.ts';
import type { Log } from './log.ts';

export interface VerifyAuditDependencies {
  readonly state: Pick<StateFolder, 'audit'>;
  readonly fileAuditLog: Pick<FileAuditLog, 'head'>;
  readonly log: Pick<Log, 'info' | 'warn'>;
}

/** Checks the hash chains of all records and shows the user the first bad line (threat row A23). */
export async function verifyAudit(dependencies: VerifyAuditDependencies): Promise<void> {
  const { t } = vscode.l10n;
  const reports = await cancellableProgress(t('Verifying the audit record'), (signal, report) =>
    verifyAll(dependencies, signal, report),
  );
  if (reports === undefined) return;
  const problems = reports.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
  const [first, ...others] = problems;
  if (first === undefined) {
    dependencies.log.info(describeWhole(reports));
    void vscode.window.showInformationMessage(describeWhole(reports));
    return;
  }
  for (const problem of problems) dependencies.log.warn(describeProblem(problem));
  const more =
    others.length === 0 ? [] : [t('Records of {0} more runs have a bad line too; see the log.', others.length)];
  const open = t('Open Line');
  const picked = await vscode.window.showErrorMessage([describeProblem(first), ...more].join(' '), open);
  if (picked === open) await openLine(first);
}

async function verifyAll(
  { state, fileAuditLog }: VerifyAuditDependencies,
  signal: AbortSignal,
  report: (percent: number) => void,
): Promise<RunReport[]> {
  const listed = await listAuditFiles(state.audit);
  const { head } = fileAuditLog;
  const all = Math.max(
    1,
    listed.reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const runs = Map.groupBy(listed, runOf);
  // The run of this window is checked even when all its files are missing.
  if (!runs.has(runOf(head))) runs.set(runOf(head), []);
  const reports: RunReport[] = [];
  for (const [run, files] of runs) {
    const own = run === runOf(head) ? { head } : {};
    reports.push(await verifyRun(files, { ...own, signal, onFile: (bytes) => report((bytes / all) * 100) }));
  }
  return reports;
}

function describeWhole(reports: readonly RunReport[]): string {
  const { t } = vscode.l10n;
  const chained = reports.filter(({ isChained, files }) => isChained && files > 0);
  const sum = (of: (report: RunReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
  const lines = chained.reduce((total, report) => total + report.lines, 0);
  const unchained = reports.filter(({ isChained }) => !isChained).length;
  const cut = sum(({ cutLines }) => cutLines);
  const later = reports.filter(({ startsLater }) => startsLater).length;
  return [
    t('The audit record is intact: {0} lines of {1} runs.', lines, chained.length),
    ...(unchained > 0
      ? [t('Not verified, because an older version wrote them without a chain: {0} runs.', unchained)]
      : []),
    ...(cut > 0 ? [t('Cut off by a crash or a full disk: {0} lines.', cut)] : []),
    ...(later > 0 ? [t('First files missing (too old or deleted): {0} runs.', later)] : []),
  ].join(' ');
}

/** Describes the problem of a line, with its place as `<file>:<line>`. */
export function describeProblem({ path, line, kind }: ChainProblem): string {
  const { t } = vscode.l10n;
  const place = `${basename(path)}:${line}`;
  const descriptions: Record<ChainProblem['kind'], string> = {
    edited: t('The audit record was changed: {0} was edited.', place),
    added: t('The audit record was changed: {0} was added later.', place),
    removed_before: t('The audit record was changed: a line before {0} was removed, or lines changed places.', place),
    end_removed: t('The audit record was changed: the lines after {0} were removed.', place),
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
