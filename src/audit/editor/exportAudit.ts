import { homedir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import type { Clock } from '#base/clock.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import {
  ExportChain,
  exportHeader,
  readForExport,
  newCounts,
  type ExportCounts,
  type ExportOptions,
} from '../exportedRecords.ts';
import { dayOf, listAuditFiles, runOf } from '../auditFiles.ts';
import type { AuditLog } from '../auditLog.ts';
import type { FileAuditLog } from '../fileAuditLog.ts';
import type { Redactor } from '../redactor.ts';
import { cancellableProgress } from './cancellableProgress.ts';

export interface ExportAuditDependencies {
  readonly state: Pick<StateFolder, 'audit'>;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly fileAuditLog: Pick<FileAuditLog, 'head'>;
  readonly auditLog: Pick<AuditLog, 'event'>;
  readonly folders: () => readonly WorkspaceFolder[];
}

type Range = 'window' | 'week' | 'all';

const week = 7 * 24 * 60 * 60_000;
const previewLines = 200;
const previewScheme = 'drawbridge-audit';

/**
 * Exports records into a file that the user can share: secrets are redacted a second time, paths of this machine and the user
 * name are replaced, and the file never contains the text of files. The user sees a preview before saving.
 */
export async function exportAudit(dependencies: ExportAuditDependencies): Promise<void> {
  const range = await pickRange();
  if (range === undefined) return;
  try {
    await exportRange(range, dependencies);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('The audit record was not exported. {0}', why));
  }
}

async function exportRange(range: Range, dependencies: ExportAuditDependencies): Promise<void> {
  const options = await exportOptions(range, dependencies);
  const preview = await cancellableProgress(vscode.l10n.t('Preparing the audit export'), (signal) =>
    readPreview({ ...options, signal }),
  );
  if (preview === undefined) return;
  const { counts, first } = preview;
  await showPreview(describeCounts(counts), first);
  if (!(await wantsToSave(counts))) return;
  const target = await pickTarget(dependencies.clock.now());
  if (target === undefined) return;
  const header = exportHeader(range, dependencies.clock.now(), counts);
  const exported = await cancellableProgress(vscode.l10n.t('Writing the audit export'), (signal) =>
    writeExport(header, { ...options, signal }),
  );
  if (exported === undefined) return;
  await vscode.workspace.fs.writeFile(target, exported.bytes);
  const { lines, calls, redactions } = counts;
  // The hash tells later whether a file is the one that was exported here.
  dependencies.auditLog.event({ event: 'export', range, lines, calls, redactions, chainEnd: exported.chainEnd });
  const message = vscode.l10n.t('Exported {0} lines of the audit record to {1}.', lines, basename(target.path));
  void vscode.window.showInformationMessage(message);
}

async function pickRange(): Promise<Range | undefined> {
  const { t } = vscode.l10n;
  const items: (vscode.QuickPickItem & { range: Range })[] = [
    { range: 'window', label: t('This Window'), description: t('since it was opened or reloaded') },
    { range: 'week', label: t('Last 7 Days'), description: t('of all windows') },
    { range: 'all', label: t('Everything'), description: t('of all windows') },
  ];
  const title = t('Export Audit: Which Records?');
  return (await vscode.window.showQuickPick(items, { title }))?.range;
}

/** Returns the options of the export. Records written later are not part of it, so that the preview matches the saved file. */
async function exportOptions(
  range: Range,
  { state, clock, redactor, fileAuditLog, folders }: ExportAuditDependencies,
): Promise<ExportOptions> {
  const all = await listAuditFiles(state.audit);
  const own = runOf(fileAuditLog.head);
  return {
    files: range === 'window' ? all.filter((file) => runOf(file) === own) : all,
    since: range === 'week' ? clock.now() - week : -Infinity,
    redactor: redactor.withFreshKey(),
    names: {
      paths: [
        ...folders().flatMap(({ fsPath, realPath, name }) => [[fsPath, name] as const, [realPath, name] as const]),
        [homedir(), '~'],
      ],
      user: userInfo().username,
    },
  };
}

async function readPreview(options: ExportOptions): Promise<{ counts: ExportCounts; first: readonly string[] }> {
  const counts = newCounts();
  const first: string[] = [];
  for await (const json of readForExport(options, counts)) if (first.length < previewLines) first.push(json);
  return { counts, first };
}

async function writeExport(header: string, options: ExportOptions): Promise<{ bytes: Buffer; chainEnd: string }> {
  const chain = new ExportChain();
  const lines = [Buffer.from(`${chain.seal(header)}\n`)];
  for await (const json of readForExport(options, newCounts())) lines.push(Buffer.from(`${chain.seal(json)}\n`));
  return { bytes: Buffer.concat(lines), chainEnd: chain.end };
}

function describeCounts({ lines, calls, unreadable, redactions }: ExportCounts): string[] {
  const { t } = vscode.l10n;
  const types = Object.entries(redactions).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    t('Preview of the audit export. Nothing has been saved yet.'),
    t('Lines: {0}', lines),
    t('Calls: {0}', calls),
    t('Damaged lines that were left out: {0}', unreadable),
    t(
      'Redacted secrets: {0}',
      types.reduce((sum, [, number]) => sum + number, 0),
    ),
    ...types.map(([type, number]) => `  ${type}: ${number}`),
    t('The export contains no text of files, no paths of this machine and not your user name.'),
    t('First {0} lines of the export:', Math.min(lines, previewLines)),
  ];
}

/** Shows the preview in a read-only document that never asks to be saved. */
async function showPreview(summary: readonly string[], lines: readonly string[]): Promise<void> {
  const text = [...summary.map((line) => `// ${line}`), '', ...lines, ''].join('\n');
  const uri = vscode.Uri.from({ scheme: previewScheme, path: `/${vscode.l10n.t('Audit export (preview)')}.jsonl` });
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const provider = vscode.workspace.registerTextDocumentContentProvider(previewScheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: () => text,
  });
  try {
    // An earlier preview may still be open.
    changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  } finally {
    provider.dispose();
    changed.dispose();
  }
}

async function wantsToSave({ lines, calls }: ExportCounts): Promise<boolean> {
  const { t } = vscode.l10n;
  const save = t('Save...');
  const message = t(
    'The audit export holds {0} lines with {1} calls. Look at the preview, then save it.',
    lines,
    calls,
  );
  return (await vscode.window.showInformationMessage(message, save)) === save;
}

function pickTarget(now: number): Thenable<vscode.Uri | undefined> {
  const { t } = vscode.l10n;
  return vscode.window.showSaveDialog({
    title: t('Save Audit Export'),
    // The default is outside the workspace, where assistants could read it.
    defaultUri: vscode.Uri.file(join(homedir(), `drawbridge-audit-${dayOf(now)}.jsonl`)),
    filters: { [t('JSON Lines')]: ['jsonl'] },
  });
}
