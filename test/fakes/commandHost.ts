import { Position, Range } from './documents.ts';
import { EventEmitter } from './vscode.ts';

/** The part of the editor that knows commands and extensions; for `vi.mock('vscode')`, with everything of `vscode.ts`. */
export * from './vscode.ts';
export { Position, Range };

export class Uri {
  readonly scheme: string;
  readonly fsPath: string;

  constructor(scheme: string, fsPath: string) {
    this.scheme = scheme;
    this.fsPath = fsPath;
  }

  static file(fsPath: string): Uri {
    return new Uri('file', fsPath);
  }

  static joinPath(base: Uri, name: string): Uri {
    return new Uri(base.scheme, `${base.fsPath}/${name}`);
  }

  toString(): string {
    return `${this.scheme}://${this.fsPath}`;
  }
}

export class Location {
  readonly uri: Uri;
  readonly range: Range;

  constructor(uri: Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

/** What a test sets. */
export const host = {
  commands: new Map<string, (...given: unknown[]) => unknown>(),
  manifests: [] as { readonly id: string; readonly packageJSON: unknown }[],
  files: new Map<string, string>(),
  extensionsChanged: new EventEmitter<void>(),
  /** Brings an extension, and tells. */
  install(id: string, packageJSON: unknown): void {
    host.manifests.push({ id, packageJSON });
    host.extensionsChanged.fire();
  },
  reset(): void {
    host.commands.clear();
    host.files.clear();
    host.manifests.length = 0;
    host.extensionsChanged.fire();
  },
};

export const commands = {
  getCommands: async (withoutInternal: boolean) =>
    [...host.commands.keys()].filter((id) => !withoutInternal || !id.startsWith('_')),
  async executeCommand(id: string, ...given: unknown[]): Promise<unknown> {
    const run = host.commands.get(id);
    if (run === undefined) throw new Error(`command '${id}' not found`);
    return run(...given);
  },
};

export const extensions = {
  get all() {
    return host.manifests.map((each) => ({ ...each, extensionUri: Uri.file(`/extensions/${each.id}`) }));
  },
  onDidChange: host.extensionsChanged.event,
};

export const workspace = {
  fs: {
    async readFile({ fsPath }: Uri): Promise<Uint8Array> {
      const text = host.files.get(fsPath);
      if (text === undefined) throw new Error(`FileNotFound: ${fsPath}`);
      return new TextEncoder().encode(text);
    },
  },
};
