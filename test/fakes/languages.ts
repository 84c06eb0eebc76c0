import { Position } from './documents.ts';
import { EventEmitter } from './vscode.ts';

/** The part of the editor that knows languages and git; for `vi.mock('vscode')`, with everything of `vscode.ts`. */
export * from './vscode.ts';
export { Position };

const file = (fsPath: string) => ({ scheme: 'file', fsPath, path: fsPath, toString: () => `file://${fsPath}` });
export const Uri = { file, parse: (text: string) => file(decodeURIComponent(text.replace(/^file:\/\//, ''))) };
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 } as const;

export interface FakeExtension {
  isActive: boolean;
  exports: unknown;
  activate(): Promise<unknown>;
  packageJSON?: unknown;
}

/** What a test sets. */
export const host = {
  trusted: true,
  /** Texts of open documents by path. */
  open: new Map<string, string>(),
  closed: new EventEmitter<void>(),
  commands: new Map<string, (...values: never[]) => unknown>(),
  extensions: new Map<string, FakeExtension>(),
  settings: new Map<string, unknown>(),
  diagnostics: new Map<string, readonly unknown[]>(),
  diagnosticsChanged: new EventEmitter<{ uris: readonly ReturnType<typeof file>[] }>(),
  close(fsPath: string): void {
    host.open.delete(fsPath);
    host.closed.fire();
  },
  /** A language service has something to say about a file. */
  publish(fsPath: string, ...diagnostics: readonly unknown[]): void {
    host.diagnostics.set(fsPath, diagnostics);
    host.diagnosticsChanged.fire({ uris: [file(fsPath)] });
  },
  reset(): void {
    host.trusted = true;
    for (const map of [host.open, host.commands, host.extensions, host.settings, host.diagnostics]) map.clear();
  },
};

export const workspace = {
  get isTrusted() {
    return host.trusted;
  },
  get textDocuments() {
    return [...host.open].map(([path, text]) => ({
      uri: file(path),
      isClosed: false,
      isDirty: false,
      languageId: path.endsWith('.txt') ? 'plaintext' : 'python',
      getText: () => text,
    }));
  },
  onDidCloseTextDocument: host.closed.event,
  getConfiguration: (section: string) => ({
    get: (name: string, fallback: unknown) => host.settings.get(`${section}.${name}`) ?? fallback,
  }),
};

export const commands = {
  getCommands: async () => [...host.commands.keys()],
  async executeCommand(command: string, ...values: never[]): Promise<unknown> {
    const run = host.commands.get(command);
    if (run === undefined) throw new Error(`command '${command}' not found`);
    return run(...values);
  },
};

export const languages = {
  /** Of one file, or of all that there are any of. */
  getDiagnostics: (uri?: { fsPath: string }) =>
    uri === undefined
      ? [...host.diagnostics].map(([path, diagnostics]) => [file(path), diagnostics])
      : (host.diagnostics.get(uri.fsPath) ?? []),
  onDidChangeDiagnostics: host.diagnosticsChanged.event,
};

export const extensions = {
  getExtension: (id: string) => host.extensions.get(id),
  get all() {
    return [...host.extensions].map(([id, extension]) => ({ id, packageJSON: {}, ...extension }));
  },
};
