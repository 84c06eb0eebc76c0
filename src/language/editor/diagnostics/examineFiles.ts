import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { openDocument } from '#files/editor/openDocument.ts';
import type { Diagnostic, DiagnosticSeverity, ExaminedFile, Freshness } from '../../diagnostics.ts';
import { placeConverter } from '../locations.ts';
import { languageExtensions, activateLanguageExtensions } from '../languageExtensions.ts';
import { tsserverDiagnostics, typescript, type TsserverDiagnostic } from '../typescript.ts';
import { convertDiagnostics } from './convertDiagnostics.ts';
import { publishedProblems } from './publishedProblems.ts';
import { isRecentlyWritten, waitForReload } from '../documentReload.ts';

/** The most files opened at once, in no tab, for services to examine. Some stay open for some minutes. */
const mostOpened = 50;

type Examined = Pick<ExaminedFile, 'freshness' | 'diagnostics'>;

/** Implements `Diagnostics.examine`. */
export async function examineFiles(
  files: readonly ResolvedPath[],
  folders: readonly WorkspaceFolder[],
  report: (done: number) => void,
  expired: AbortSignal,
): Promise<readonly ExaminedFile[]> {
  const asked: ResolvedPath[] = [];
  const others: ResolvedPath[] = [];
  for (const file of files) ((await typescript.checks(file.realPath)) ? asked : others).push(file);
  let done = 0;
  const found = new Map<ResolvedPath, Examined>();
  const keep = (file: ResolvedPath, examined: Examined): void => {
    found.set(file, examined);
    report((done += 1));
  };
  await Promise.all([askAbout(asked, folders, keep, expired), listenFor(others, folders, keep, expired)]);
  return files.map((file) => {
    const { path, uri, fsPath, folder } = file;
    const examined = found.get(file) ?? { freshness: 'unanswered', diagnostics: publishedOf(file, folders) };
    return { path, uri, fsPath, folder, ...examined };
  });
}

type Keep = (file: ResolvedPath, examined: Examined) => void;

/** Asks the built-in TypeScript, which answers requests for files in no tab too. */
async function askAbout(
  files: readonly ResolvedPath[],
  folders: readonly WorkspaceFolder[],
  keep: Keep,
  expired: AbortSignal,
): Promise<void> {
  const written = files.filter(isRecentlyWritten);
  if (written.length <= mostOpened) await typescript.reread(written.map(({ realPath }) => realPath));
  else await typescript.waitForWatcher(expired);
  for (const file of files) {
    if (expired.aborted) return;
    const isCurrent = await waitForReload(file, expired);
    const own = isCurrent ? await ask(file.realPath) : undefined;
    if (expired.aborted) return;
    const others = publishedOf(file, folders).filter(({ source }) => source !== 'ts' && source !== 'js');
    if (own === undefined) {
      keep(file, { freshness: 'unanswered', diagnostics: publishedOf(file, folders) });
    } else {
      const placeIn = placeConverter(folders);
      const told = own.map((one) => fromServer(one, placeIn));
      keep(file, { freshness: 'fresh', diagnostics: [...told, ...others].toSorted(byPlace) });
    }
  }
}

async function ask(fsPath: string): Promise<readonly TsserverDiagnostic[] | undefined> {
  const questions = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', 'suggestionDiagnosticsSync'] as const;
  const found = await tsserverDiagnostics(fsPath, questions);
  if (found !== undefined) return found;
  // tsserver finds the project of a file only once the file was opened, and knows a file outside projects only while it is open.
  await vscode.workspace.openTextDocument(vscode.Uri.file(fsPath));
  return tsserverDiagnostics(fsPath, questions);
}

const severities: Readonly<Record<string, DiagnosticSeverity>> = {
  error: 'error',
  warning: 'warning',
  message: 'information',
  suggestion: 'hint',
};

function fromServer(
  { category, code, message, startLocation, endLocation = startLocation, relatedInformation }: TsserverDiagnostic,
  placeIn: ReturnType<typeof placeConverter>,
): Diagnostic {
  const position = ({ line, offset }: TsserverDiagnostic['startLocation']): vscode.Position =>
    new vscode.Position(line - 1, offset - 1);
  const related = relatedInformation?.flatMap(({ message: told, span }) =>
    span === undefined
      ? []
      : [
          {
            message: told,
            place: placeIn(vscode.Uri.file(span.file), { start: position(span.start), end: position(span.end) }),
          },
        ],
  );
  return {
    severity: severities[category] ?? 'information',
    message,
    source: 'ts',
    code: String(code),
    firstLine: startLocation.line,
    firstColumn: startLocation.offset,
    lastLine: endLocation.line,
    lastColumn: endLocation.offset,
    ...(related !== undefined && related.length > 0 && { related }),
  };
}

/**
 * Waits for the diagnostics that other services publish. Most services publish only for open documents; services from which
 * the editor pulls diagnostics, such as JSON's, only for documents in a tab.
 */
async function listenFor(
  files: readonly ResolvedPath[],
  folders: readonly WorkspaceFolder[],
  keep: Keep,
  expired: AbortSignal,
): Promise<void> {
  if (files.length === 0) return;
  const wereOpen = new Set(files.filter((file) => openDocument(file) !== undefined));
  const languages = new Map<ResolvedPath, string>();
  for (const [at, file] of files.entries()) {
    if (expired.aborted) break;
    const languageId = await opened(file, at < mostOpened);
    if (languageId !== undefined) languages.set(file, languageId);
  }
  const heard = await publishedProblems.waitUntilQuiet(
    files.map(({ realPath }) => realPath),
    expired,
  );
  for (const file of files) {
    const diagnostics = publishedOf(file, folders);
    const isSpokenOf = diagnostics.length > 0 || heard.has(file.realPath) || wereOpen.has(file);
    keep(file, { freshness: freshnessOf(languages.get(file), isSpokenOf), diagnostics });
  }
}

function freshnessOf(languageId: string | undefined, isSpokenOf: boolean): Freshness {
  if (languageId !== undefined && languageExtensions(languageId).length === 0) {
    return isSpokenOf ? 'published' : 'no_service';
  }
  return isSpokenOf ? 'published' : 'unanswered';
}

/**
 * Activates the extensions of a file's language and returns its language id; undefined when the file is not text or not opened.
 */
async function opened(file: ResolvedPath, mayOpen: boolean): Promise<string | undefined> {
  try {
    const document =
      openDocument(file) ??
      (mayOpen ? await vscode.workspace.openTextDocument(vscode.Uri.file(file.realPath)) : undefined);
    if (document !== undefined) await activateLanguageExtensions(document.languageId);
    return document?.languageId;
  } catch {
    return undefined;
  }
}

function publishedOf({ realPath }: ResolvedPath, folders: readonly WorkspaceFolder[]): readonly Diagnostic[] {
  return convertDiagnostics(vscode.languages.getDiagnostics(vscode.Uri.file(realPath)), folders);
}

function byPlace(one: Diagnostic, other: Diagnostic): number {
  return one.firstLine - other.firstLine || one.firstColumn - other.firstColumn;
}
