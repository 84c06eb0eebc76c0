import type * as vscode from 'vscode';
import { editor, events, register, type FakeExtension } from './editor.ts';
import { CancellationTokenSource, Disposable } from './events.ts';
import { Uri } from './places.ts';

/** Commands, extensions, languages, language models, debugging, the environment and translations. */

/** Commands of the editor and of our own manifest, which are recorded and do nothing. */
const withoutEffect = /^(setContext|vscode\.(open|diff|changes|openFolder)|revealInExplorer|workbench\.|drawbridge\.)/;

function executeCommand<T = unknown>(id: string, ...values: unknown[]): Promise<T>;
async function executeCommand(id: string, ...values: unknown[]): Promise<unknown> {
  editor.executed.push([id, ...values]);
  const run = editor.commands.get(id);
  if (run === undefined && !withoutEffect.test(id)) throw new Error(`command '${id}' not found`);
  return run === undefined ? undefined : Reflect.apply(run, undefined, values);
}

export const commands = {
  executeCommand,
  getCommands: async (withoutInternal = false): Promise<string[]> =>
    [...editor.commands.keys()].filter((id) => !withoutInternal || !id.startsWith('_')),
} satisfies Partial<typeof vscode.commands>;

function extensionOf<T>(id: string, fake: FakeExtension): vscode.Extension<T>;
function extensionOf(id: string, fake: FakeExtension): object {
  return {
    id,
    extensionUri: Uri.file(`/extensions/${id}`),
    get isActive() {
      return fake.isActive;
    },
    get exports() {
      return fake.exports;
    },
    packageJSON: fake.packageJSON ?? {},
    activate: async () => fake.activate?.(),
  };
}

export const extensions = {
  /** Ids are compared without case. */
  getExtension<T>(id: string): vscode.Extension<T> | undefined {
    const found = [...editor.extensions].find(([each]) => each.toLowerCase() === id.toLowerCase());
    return found === undefined ? undefined : extensionOf<T>(...found);
  },
  get all() {
    return [...editor.extensions].map(([id, fake]) => extensionOf<unknown>(id, fake));
  },
  onDidChange: events.extensionsChanged.event,
} satisfies Partial<typeof vscode.extensions>;

function getDiagnostics(uri: vscode.Uri): vscode.Diagnostic[];
function getDiagnostics(): [vscode.Uri, vscode.Diagnostic[]][];
function getDiagnostics(uri?: vscode.Uri): unknown[] {
  if (uri !== undefined) return [...(editor.diagnostics.get(uri.fsPath) ?? [])];
  return [...editor.diagnostics].map(([path, diagnostics]) => [Uri.file(path), diagnostics]);
}

export const languages = {
  getDiagnostics,
  registerCodeLensProvider: (_selector, provider) => register(provider),
  onDidChangeDiagnostics: events.diagnosticsChanged.event,
} satisfies Partial<typeof vscode.languages>;

/** Publishes the diagnostics of a file, like a language service. */
export function publish(fsPath: string, ...diagnostics: readonly vscode.Diagnostic[]): void {
  editor.diagnostics.set(fsPath, diagnostics);
  events.diagnosticsChanged.fire({ uris: [Uri.file(fsPath)] });
}

export const lm = {
  get tools() {
    return editor.languageModelTools;
  },
  invokeTool: async (name: string, options: object, token = new CancellationTokenSource().token) =>
    editor.invokeTool(name, options, token),
  registerMcpServerDefinitionProvider(id: string): Disposable {
    editor.mcpProviders.push(id);
    return new Disposable(() => (editor.mcpProviders = editor.mcpProviders.filter((each) => each !== id)));
  },
} satisfies Partial<typeof vscode.lm>;

export const debug = {
  get activeDebugSession() {
    return editor.debugSession;
  },
  get breakpoints() {
    return editor.breakpoints;
  },
  onDidStartDebugSession: events.debugStarted.event,
  onDidTerminateDebugSession: events.debugEnded.event,
} satisfies Partial<typeof vscode.debug>;

export const env = {
  language: 'en',
  appName: 'Visual Studio Code',
  get remoteName() {
    return editor.remoteName;
  },
  get uiKind() {
    return editor.uiKind;
  },
  clipboard: {
    readText: async (): Promise<string> => editor.clipboard,
    writeText: async (text: string): Promise<void> => void (editor.clipboard = text),
  },
} satisfies Partial<typeof vscode.env>;

/** Inserts values by their number or name, without a translation. */
function t(message: string, ...values: readonly unknown[]): string;
function t(message: { readonly message: string; readonly args?: readonly unknown[] | object }): string;
function t(
  given: string | { readonly message: string; readonly args?: readonly unknown[] | object },
  ...rest: unknown[]
) {
  const { message, args = [] } = typeof given === 'string' ? { message: given, args: rest } : given;
  const values = new Map(Object.entries(args));
  return message.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(values.get(name) ?? all));
}

export const l10n = { t } satisfies Partial<typeof vscode.l10n>;
