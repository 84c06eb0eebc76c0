import { extname } from 'node:path/posix';
import * as vscode from 'vscode';
import type { FoundProblem } from '../../problemsChange.ts';
import { isOpenDocument } from '../temporaryDocuments.ts';

/** The problems that language services publish by themselves, whenever they are ready. */
export interface PublishedProblems {
  /** Returns the published errors and warnings of a file with this text. */
  problemsOf(fsPath: string, text: string): readonly FoundProblem[];
  /**
   * Waits until services have published nothing about these files for 300 ms. Waits 1000 ms for the first report if one of the
   * files is open, since services examine open files. Resolves with the files that services reported on meanwhile.
   */
  waitUntilQuiet(fsPaths: readonly string[], expired: AbortSignal): Promise<ReadonlySet<string>>;
}

/** Milliseconds without a report: after the last one, and before the first one. */
const [quiet, firstWord] = [300, 1000];

export const publishedProblems: PublishedProblems = {
  problemsOf(fsPath, text) {
    const lines = text.split(/\r\n|\n|\r/);
    return vscode.languages.getDiagnostics(vscode.Uri.file(fsPath)).flatMap((diagnostic) => {
      const severity = severityOf(diagnostic.severity);
      if (severity === undefined) return [];
      const line = diagnostic.range.start.line + 1;
      const code = codeOf(diagnostic);
      const lineText = (lines[line - 1] ?? '').trim();
      return [{ line, severity, message: diagnostic.message, lineText, ...(code !== undefined && { code }) }];
    });
  },

  async waitUntilQuiet(fsPaths, expired) {
    const heard = new Set<string>();
    if (!fsPaths.some(isSpokenOf)) return heard;
    const files = new Map(fsPaths.map((fsPath) => [vscode.Uri.file(fsPath).toString(), fsPath]));
    const { promise, resolve } = Promise.withResolvers<void>();
    let timer = setTimeout(resolve, fsPaths.some(isOpenDocument) ? firstWord : quiet);
    const subscription = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
      const spoken = uris.flatMap((uri) => files.get(uri.toString()) ?? []);
      if (spoken.length === 0) return;
      for (const fsPath of spoken) heard.add(fsPath);
      clearTimeout(timer);
      timer = setTimeout(resolve, quiet);
    });
    const end = (): void => resolve();
    expired.addEventListener('abort', end, { once: true });
    if (expired.aborted) end();
    await promise;
    expired.removeEventListener('abort', end);
    clearTimeout(timer);
    subscription.dispose();
    return heard;
  },
};

/**
 * Plain text has no diagnostics provider. For a closed file, expects reports only if a file with its ending has diagnostics.
 */
function isSpokenOf(fsPath: string): boolean {
  const uri = vscode.Uri.file(fsPath);
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (document !== undefined && !document.isClosed) return document.languageId !== 'plaintext';
  return vscode.languages.getDiagnostics().some(([other]) => extname(other.path) === extname(uri.path));
}

function severityOf(severity: vscode.DiagnosticSeverity): FoundProblem['severity'] | undefined {
  if (severity === vscode.DiagnosticSeverity.Error) return 'error';
  return severity === vscode.DiagnosticSeverity.Warning ? 'warning' : undefined;
}

/** Returns the code as the problems list shows it: `eslint(no-var)`. */
function codeOf({ code, source }: vscode.Diagnostic): string | undefined {
  const value = typeof code === 'object' ? code.value : code;
  if (value === undefined) return source;
  return source === undefined ? String(value) : `${source}(${value})`;
}
