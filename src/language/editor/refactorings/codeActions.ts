import * as vscode from 'vscode';
import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { Workspace } from '#base/workspace.ts';
import type { CodeAction, CodeActionEffect, LineRange, Refactorings } from '../../refactorings.ts';
import { raceAbort } from '../../raceAbort.ts';
import { throwUnavailable } from '../providerCommands.ts';
import { documentForServices } from '../documentForServices.ts';
import { tsserverDiagnostics } from '../typescript.ts';
import { commandOf } from './codeActionCommand.ts';
import { languageEditsOf } from './workspaceEdits.ts';

/** Problems of the lines that actions are told apart by: each is a question to every service. */
const mostProblems = 10;
/** Actions of one kind that are expanded to find one of them again. */
const mostExpanded = 50;
/** Codes of the problems that "Fix All" of built-in TypeScript fixes: interface not implemented, misplaced `await`, unreachable code. */
const fixedByTypeScript: ReadonlySet<unknown> = new Set([2420, 1308, 7027]);

/** What services may answer with, old ones with bare commands. */
type Offered = vscode.CodeAction | vscode.Command;

interface Question {
  readonly path: ResolvedPath;
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly kind: string | undefined;
}

/** What the lightbulb offers, of any language. */
export function createCodeActions(workspace: Workspace): Refactorings['codeActions'] {
  return (path, lines, kinds, signal) =>
    raceAbort(async () => {
      const document = await documentForServices(path);
      const range = trimmedRange(document, lines);
      return withTemporaryProblems(document, async () => {
        const wanted = kinds.length === 0 ? [undefined] : kinds;
        const answers = await Promise.all(
          wanted.map(async (kind) => {
            const question = { path, document, range, kind };
            const fixes = await fixedProblems(question);
            const offered = (await ask(question, 0)).map((one, at, all) =>
              asAction(one, question, fixes, all.slice(0, at), workspace),
            );
            return [...offered, ...(await fixesInNoTab(question, workspace))];
          }),
        );
        return answers.flat();
      });
    }, signal);
}

function asAction(
  offered: Offered,
  question: Question,
  fixes: ReadonlyMap<string, readonly string[]>,
  before: readonly Offered[],
  workspace: Workspace,
): CodeAction {
  const kind = kindOf(offered);
  /** Several may have one title. */
  const turn = before.filter((other) => isAlike(other, offered)).length;
  const command = commandOf(offered)?.id;
  return {
    title: offered.title,
    kind,
    isPreferred: 'isPreferred' in offered && (offered.isPreferred ?? false),
    fixes: fixes.get(offered.title) ?? [],
    ...(command !== undefined && { command }),
    async expand(signal): Promise<CodeActionEffect> {
      const again = { ...question, kind: kind === '' ? question.kind : kind };
      const found = await raceAbort(
        () => withTemporaryProblems(question.document, () => ask(again, mostExpanded)),
        signal,
      );
      const same = found.filter((other) => isAlike(other, offered))[turn];
      if (same === undefined) throw noLongerOffered(offered.title);
      const live = commandOf(same);
      const edits =
        'edit' in same && same.edit !== undefined ? await languageEditsOf(same.edit, workspace.folders()) : undefined;
      return { ...(edits && { edits }), ...(live && { command: live }) };
    },
  };
}

/** Built-in TypeScript offers "Fix All" without an edit for files in no tab: what it would fix, by the preferred fix of each. */
async function fixesInNoTab({ path, document, kind }: Question, workspace: Workspace): Promise<readonly CodeAction[]> {
  if (kind !== 'source.fixAll' || !isUnpublished(document)) return [];
  const problems = vscode.languages.getDiagnostics(document.uri).filter(({ code }) => fixedByTypeScript.has(code));
  const fixes = problems.map(async ({ range, message }) => {
    const question = { path, document, range, kind: 'quickfix' };
    const found = (await ask(question, 0)).filter((one) => 'isPreferred' in one && one.isPreferred);
    return found.slice(0, 1).map((fix) => asAction(fix, question, new Map([[fix.title, [message]]]), [], workspace));
  });
  return (await Promise.all(fixes)).flat();
}

/** @throws ToolError `unavailable` when the editor does not keep the document for as long as that takes */
async function ask({ path, document, range, kind }: Question, expanded: number): Promise<readonly Offered[]> {
  const { uri } = document;
  const command = 'vscode.executeCodeActionProvider';
  const question = () =>
    vscode.commands.executeCommand<(Offered | undefined)[] | undefined>(command, uri, range, kind, expanded);
  // The editor takes it only of open documents, and lets go of those in no tab after 3 minutes, or 50 others.
  const again = () => vscode.workspace.openTextDocument(uri).then(question);
  const found = await question().then(undefined, again).then(undefined, throwUnavailable(path));
  return (found ?? []).flatMap((one) => one ?? []);
}

/** Messages of problems by the titles of the actions that are offered for them: the editor does not say it of an action. */
async function fixedProblems(question: Question): Promise<ReadonlyMap<string, readonly string[]>> {
  const { path, document, range, kind } = question;
  const fixes = new Map<string, string[]>();
  if (kind !== undefined && kind.split('.')[0] !== 'quickfix') return fixes;
  const problems = vscode.languages
    .getDiagnostics(document.uri)
    .filter((problem) => problem.range.intersection(range) !== undefined)
    .slice(0, mostProblems);
  await Promise.all(
    problems.map(async (problem) => {
      for (const { title } of await ask({ path, document, range: problem.range, kind: 'quickfix' }, 0)) {
        const messages = fixes.get(title) ?? [];
        fixes.set(title, messages);
        if (!messages.includes(problem.message)) messages.push(problem.message);
      }
    }),
  );
  return fixes;
}

function kindOf(offered: Offered): string {
  return 'kind' in offered ? (offered.kind?.value ?? '') : '';
}

function isAlike(one: Offered, other: Offered): boolean {
  return one.title === other.title && kindOf(one) === kindOf(other);
}

/** From the first to the last character that is not blank: that is what refactorings of a selection take. */
function trimmedRange(document: vscode.TextDocument, { firstLine, lastLine }: LineRange): vscode.Range {
  const first = document.lineAt(Math.min(firstLine, document.lineCount) - 1);
  const last = document.lineAt(Math.min(lastLine, document.lineCount) - 1);
  const start = new vscode.Position(first.lineNumber, first.firstNonWhitespaceCharacterIndex);
  const end = new vscode.Position(last.lineNumber, last.text.trimEnd().length);
  return start.isBefore(end) ? new vscode.Range(start, end) : new vscode.Range(start, start);
}

function noLongerOffered(title: string): ToolError {
  return new ToolError(
    'stale_version',
    `The language service no longer offers ${JSON.stringify(title)}; nothing was changed.`,
    'Call list_code_actions again.',
  );
}

/**
 * Runs work that needs the problems of a file to be published, as fixes do. Built-in TypeScript publishes those of files in a
 * tab only; of others they are published here meanwhile, as hints, which no view of the editor shows.
 */
async function withTemporaryProblems<T>(document: vscode.TextDocument, work: () => Promise<T>): Promise<T> {
  if (!isUnpublished(document)) return work();
  const collection = vscode.languages.createDiagnosticCollection();
  try {
    collection.set(document.uri, await problemsOf(document));
    return await work();
  } finally {
    collection.dispose();
  }
}

/** Whether nobody but this tells the problems of a file. */
function isUnpublished(document: vscode.TextDocument): boolean {
  return /^(?:type|java)script(?:react)?$/.test(document.languageId) && !isInTab(document);
}

async function problemsOf({ uri }: vscode.TextDocument): Promise<vscode.Diagnostic[]> {
  const found = await tsserverDiagnostics(uri.fsPath, [
    'syntacticDiagnosticsSync',
    'semanticDiagnosticsSync',
    'suggestionDiagnosticsSync',
  ]);
  return (found ?? []).map(({ code, message, startLocation, endLocation = startLocation }) => {
    const range = new vscode.Range(
      startLocation.line - 1,
      startLocation.offset - 1,
      endLocation.line - 1,
      endLocation.offset - 1,
    );
    const problem = new vscode.Diagnostic(range, message, vscode.DiagnosticSeverity.Hint);
    return Object.assign(problem, { code, source: 'ts' });
  });
}

function isInTab({ uri }: vscode.TextDocument): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString()),
  );
}
