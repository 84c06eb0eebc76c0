import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';
import * as z from 'zod';
import type { FoundProblem } from '../problemsChange.ts';
import { isOpenDocument, withTemporaryDocuments } from './temporaryDocuments.ts';

/** A language service that answers requests about the present text, instead of publishing problems at its own time. */
export interface QueriedService {
  /** Tells whether this service reports the file's problems. Starts the service for a file in its language. */
  checks(fsPath: string): Promise<boolean>;
  /** Makes the service read the present text of files. Pass files that changed together in one call. */
  reread(fsPaths: readonly string[]): Promise<void>;
  /** Waits until the service should have noticed by itself that files were created or deleted. */
  waitForWatcher(expired: AbortSignal): Promise<void>;
  /** Returns the errors and warnings of a file; undefined when the service knows no project with the file. */
  problemsOf(fsPath: string, text: string): Promise<readonly FoundProblem[] | undefined>;
}

/** Milliseconds that the editor's file watcher takes at most, on a busy machine. */
const watched = 800;

const extensionId = 'vscode.typescript-language-features';
const command = 'typescript.tsserverRequest';

/** True once the command was seen. The list of commands is long, so it is not read again. */
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

/** A diagnostic from tsserver; lines and offsets are 1-based. */
export type TsserverDiagnostic = z.infer<typeof answer>['body'][number];

type TsserverQuestion = 'syntacticDiagnosticsSync' | 'semanticDiagnosticsSync' | 'suggestionDiagnosticsSync';

/** Returns the diagnostics of a file's text as tsserver last read it; undefined when one of the requests has no answer. */
export async function tsserverDiagnostics(
  fsPath: string,
  questions: readonly TsserverQuestion[],
): Promise<readonly TsserverDiagnostic[] | undefined> {
  const found: TsserverDiagnostic[] = [];
  for (const question of questions) {
    // The command accepts URIs of open documents only, but any path.
    const given = await requestTsserver(question, { file: fsPath, includeLinePosition: true });
    const parsed = answer.safeParse(given);
    if (!parsed.success) return undefined;
    found.push(...parsed.data.body);
  }
  return found;
}

/**
 * The editor's built-in TypeScript and JavaScript service. It publishes problems only for files in a tab, but its command
 * passes requests to tsserver, which knows every file of a project that was opened once. tsserver notices a change of a closed
 * file after about 0.2 s, through the editor's file watcher; opening the file makes tsserver read it at once.
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
    // Any provider command opens the file while it runs.
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
 * Waits until the project of a script is loaded. While it loads, the editor asks a syntax-only server for definitions, which
 * knows only that file and no path aliases. May open the file for a moment.
 */
export async function loadProject(fsPath: string): Promise<void> {
  if (languageOf(fsPath) === undefined || !(await canBeAsked())) return;
  if (await hasLoadedProject(fsPath)) return;
  await typescript.reread([fsPath]);
  await hasLoadedProject(fsPath);
}

/**
 * Sends a request about a file to language services, and repeats it if the file's project was still loading. The server that
 * loads projects answers last, so an earlier answer comes from the syntax-only server. Takes no extra time otherwise.
 * @param question opens the file while it runs
 */
export async function askWithProject<T>(fsPath: string, question: () => PromiseLike<T>): Promise<T> {
  if (languageOf(fsPath) === undefined || !(await canBeAsked())) return question();
  let isLoaded = false;
  let heard: Promise<boolean> | undefined;
  const check = (): Promise<boolean> => (heard ??= hasLoadedProject(fsPath).then((isKnown) => (isLoaded = isKnown)));
  // tsserver updates the project when a file opens, so that a check before that makes it do so twice.
  if (isOpenDocument(fsPath)) void check();
  const subscription = vscode.workspace.onDidOpenTextDocument(({ uri }) => {
    if (uri.fsPath === fsPath) void check();
  });
  let given: T;
  try {
    given = await question();
  } finally {
    subscription.dispose();
  }
  if (isLoaded) return given;
  if (!(await check())) await loadProject(fsPath);
  return question();
}

/** Tells whether tsserver has loaded a project with the file. Waits until the projects of open files are loaded. */
async function hasLoadedProject(fsPath: string): Promise<boolean> {
  return (await requestTsserver('syntacticDiagnosticsSync', { file: fsPath, includeLinePosition: true })) !== undefined;
}

/**
 * Reloads the TypeScript projects, so that tsserver looks again for files that it did not find, such as a file that importers
 * named before it was moved there. tsserver does not do this by itself for an open file, and the user would see a false error.
 */
export async function reloadProjects(): Promise<void> {
  if (vscode.extensions.getExtension(extensionId)?.isActive !== true) return;
  // Without this command there is no tsserver either.
  await vscode.commands.executeCommand('typescript.reloadProjects').then(undefined, () => undefined);
}

/**
 * Makes the TypeScript extension request the next outline from tsserver. The extension caches the last outline by document
 * version, and a file that was changed while it was closed opens with the same version again.
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
  // The native TypeScript server does not have this command.
  return (hasCommand ||= (await vscode.commands.getCommands(true)).includes(command));
}

/**
 * Sends a request to tsserver. Resolves with undefined on failure; tsserver fails with "No Project" for a file outside loaded
 * projects.
 */
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
