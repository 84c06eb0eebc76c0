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

/** The most problems whose fixes are looked up; each costs one request to every service. */
const mostProblems = 10;
/** The most actions of one kind that are expanded to find one of them again. */
const mostExpanded = 50;
/**
 * The problem codes that "Fix All" of the built-in TypeScript fixes: interface not implemented, misplaced `await`, unreachable
 * code.
 */
const fixedByTypeScript: ReadonlySet<unknown> = new Set([2420, 1308, 7027]);

/** A service returns code actions; an old service returns bare commands. */
type Offered = vscode.CodeAction | vscode.Command;

interface Question {
  readonly path: ResolvedPath;
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly kind: string | undefined;
}

/** Creates the request for the code actions that the lightbulb offers. */
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
  /** The position among actions with the same title and kind. */
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

/**
 * Returns the preferred fixes in place of "Fix All", which the built-in TypeScript offers without an edit for files in no tab.
 */
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

/** @throws ToolError `unavailable` when the editor closes the document during the request */
async function ask({ path, document, range, kind }: Question, expanded: number): Promise<readonly Offered[]> {
  const { uri } = document;
  const command = 'vscode.executeCodeActionProvider';
  const question = () =>
    vscode.commands.executeCommand<(Offered | undefined)[] | undefined>(command, uri, range, kind, expanded);
  // The command accepts only open documents; the editor closes a document in no tab after 3 minutes, or after 50 others.
  const again = () => vscode.workspace.openTextDocument(uri).then(question);
  const found = await question().then(undefined, again).then(undefined, throwUnavailable(path));
  return (found ?? []).flatMap((one) => one ?? []);
}

/** Returns the messages of problems by the titles of the actions that fix them, since an action does not name its problems. */
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

/** Returns the range from the first to the last non-blank character, as refactorings of a selection expect. */
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
 * Runs work, such as a request for fixes, that needs the file's problems to be published. The built-in TypeScript publishes
 * problems only for files in a tab; for other files this function publishes them during the work, as hints, which no view shows.
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

/** Tells whether the built-in TypeScript does not publish the problems of a script, because it is in no tab. */
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
