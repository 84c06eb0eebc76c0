import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { FoundProblem } from '../problemsChange.ts';
import { isOpenDocument, withTemporaryDocuments } from './temporaryDocuments.ts';

/** A language service that answers for the present text when it is asked, instead of publishing when it likes. */
export interface QueriedService {
  /** Whether it is this service that judges the file. Starts the service for a file in its language. */
  checks(fsPath: string): Promise<boolean>;
  /** Has it read these files as they are now; several files that changed together have to be shown together. */
  reread(fsPaths: readonly string[]): Promise<void>;
  /** Waits until it should have heard, in its own way, that files came or went. */
  waitForWatcher(expired: AbortSignal): Promise<void>;
  /** Undefined when it knows of no project that holds the file. */
  problemsOf(fsPath: string, text: string): Promise<readonly FoundProblem[] | undefined>;
}

/** Milliseconds that the editor's watcher takes at most, on a machine that has something else to do as well. */
const watched = 800;

const extensionId = 'vscode.typescript-language-features';
const command = 'typescript.tsserverRequest';

/** Asked until it is there: the list of commands is long. */
let hasCommand = false;

const place = z.object({ line: z.int().min(1), offset: z.int().min(1) });

const answer = z.object({
  type: z.literal('response'),
  body: z.array(
    z.object({
      category: z.string(),
      code: z.number(),
      message: z.string(),
      startLocation: place,
      endLocation: place.exactOptional(),
      relatedInformation: z
        .array(
          z.object({
            message: z.string(),
            span: z.object({ file: z.string(), start: place, end: place }).exactOptional(),
          }),
        )
        .exactOptional(),
    }),
  ),
});

/** What tsserver says of a file; lines and offsets are 1-based. */
export type TsserverDiagnostic = z.infer<typeof answer>['body'][number];

type TsserverQuestion = 'syntacticDiagnosticsSync' | 'semanticDiagnosticsSync' | 'suggestionDiagnosticsSync';

/** Of the file as tsserver has it; undefined when one of the questions has no answer. */
export async function tsserverDiagnostics(
  fsPath: string,
  questions: readonly TsserverQuestion[],
): Promise<readonly TsserverDiagnostic[] | undefined> {
  const found: TsserverDiagnostic[] = [];
  for (const question of questions) {
    // A path, not a URI: the command takes URIs of open documents only.
    const given = await requestTsserver(question, { file: fsPath, includeLinePosition: true });
    const parsed = answer.safeParse(given);
    if (!parsed.success) return undefined;
    found.push(...parsed.data.body);
  }
  return found;
}

/**
 * The editor's built-in TypeScript and JavaScript. It publishes problems only of files in a tab, but its command passes
 * questions on to tsserver, which knows every file of a project that was opened once. Of a file that is not open tsserver
 * hears about 0.2 s after a change, from the editor's watcher; opening the file makes it read the file at once.
 */
export const typescript: QueriedService = {
  async checks(fsPath) {
    const language = languageOf(fsPath);
    if (language === undefined) return false;
    const settings = vscode.workspace.getConfiguration(language, vscode.Uri.file(fsPath));
    return settings.get('validate.enable', true) && canBeAsked();
  },

  async reread(fsPaths) {
    const closed = fsPaths.filter((fsPath) => !isOpenDocument(fsPath));
    // Any question opens the file for as long as it takes.
    const open = (fsPath: string): PromiseLike<unknown> =>
      vscode.commands.executeCommand(
        'vscode.executeDefinitionProvider',
        vscode.Uri.file(fsPath),
        new vscode.Position(0, 0),
      );
    await withTemporaryDocuments(closed, () => Promise.allSettled(closed.map(open)));
  },

  async waitForWatcher(expired) {
    await setTimeout(watched, undefined, { signal: expired }).catch(() => undefined);
  },

  async problemsOf(fsPath, text) {
    const lines = text.split(/\r\n|\n|\r/);
    const found = await tsserverDiagnostics(fsPath, ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync']);
    return found?.flatMap(({ category, code, message, startLocation: { line } }): FoundProblem[] => {
      if (category !== 'error' && category !== 'warning') return [];
      return [{ line, severity: category, message, code: `ts(${code})`, lineText: (lines[line - 1] ?? '').trim() }];
    });
  },
};

/**
 * Waits until the project of a script is loaded: while it is, the editor has another server answer where an import leads, which
 * knows that file alone and nothing of aliases. May open the file for a moment.
 */
export async function loadProject(fsPath: string): Promise<void> {
  if (languageOf(fsPath) === undefined || !(await canBeAsked())) return;
  if (await hasLoadedProject(fsPath)) return;
  await typescript.reread([fsPath]);
  await hasLoadedProject(fsPath);
}

/**
 * Asks language services about a file, and once more when its project was still loading: the server that answers last is the one
 * that waits for projects, so that an answer that comes before its word is that of another one. Costs no time otherwise.
 */
export async function askWithProject<T>(fsPath: string, question: () => PromiseLike<T>): Promise<T> {
  if (languageOf(fsPath) === undefined || !(await canBeAsked())) return question();
  let isLoaded = false;
  const heard = hasLoadedProject(fsPath).then((isKnown) => (isLoaded = isKnown));
  const given = await question();
  if (isLoaded) return given;
  if (!(await heard)) await loadProject(fsPath);
  return question();
}

/** Answered once the projects of open files are loaded. */
async function hasLoadedProject(fsPath: string): Promise<boolean> {
  return (await requestTsserver('syntacticDiagnosticsSync', { file: fsPath, includeLinePosition: true })) !== undefined;
}

/**
 * Has it look again for files that it has looked for in vain, as for one that importers named before it was moved there. By
 * itself it never does so for a file that is open by then, and its user would see an error that is none.
 */
export async function reloadProjects(): Promise<void> {
  if (vscode.extensions.getExtension(extensionId)?.isActive !== true) return;
  // Where there is no such command there is no tsserver either.
  await vscode.commands.executeCommand('typescript.reloadProjects').then(undefined, () => undefined);
}

/**
 * Makes it ask tsserver for the next outline. It keeps the last one by the version of the document, and a file that was closed
 * and changed meanwhile is opened with the same version again.
 */
export async function dropCachedOutline(): Promise<void> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension?.isActive !== true) return;
  const another = vscode.Uri.file(join(extension.extensionPath, '../node_modules/typescript/lib/lib.d.ts'));
  await vscode.commands
    .executeCommand('vscode.executeDocumentSymbolProvider', another)
    .then(undefined, () => undefined);
}

async function canBeAsked(): Promise<boolean> {
  const extension = vscode.extensions.getExtension(extensionId);
  if (extension === undefined) return false;
  if (!extension.isActive) await extension.activate();
  // The native TypeScript server comes without it.
  return (hasCommand ||= (await vscode.commands.getCommands(true)).includes(command));
}

/** Rejects inside tsserver, with "No Project", for a file that belongs to none it has loaded. */
async function requestTsserver(question: string, parameters: object): Promise<unknown> {
  return vscode.commands.executeCommand(command, question, parameters).then(
    (given) => given,
    () => undefined,
  );
}

function languageOf(fsPath: string): 'typescript' | 'javascript' | undefined {
  const ending = /\.[cm]?([jt])sx?$/.exec(fsPath)?.[1];
  return ending === undefined ? undefined : ending === 't' ? 'typescript' : 'javascript';
}
