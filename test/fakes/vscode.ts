/** The few parts of the editor's API that adapters use before they reach the editor itself; for `vi.mock('vscode')`. */

export const l10n = {
  t: (message: string, ...values: (string | number)[]): string =>
    message.replaceAll(/\{(\d+)\}/g, (_all, index: string) => String(values[Number(index)])),
};

export const LogLevel = { Off: 0, Trace: 1, Debug: 2, Info: 3, Warning: 4, Error: 5 } as const;
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 } as const;
export const FilePermission = { Readonly: 1 } as const;
export const StatusBarAlignment = { Left: 1, Right: 2 } as const;

export const ProgressLocation = { Window: 10, Notification: 15 } as const;
export const QuickPickItemKind = { Separator: -1, Default: 0 } as const;

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;
  readonly color: ThemeColor | undefined;

  constructor(id: string, color?: ThemeColor) {
    this.id = id;
    this.color = color;
  }
}

export class ThemeColor {
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export const TreeItemCheckboxState = { Unchecked: 0, Checked: 1 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;

export class TreeItem {
  readonly label: string;
  readonly collapsibleState: number;

  constructor(label: string, collapsibleState: number = TreeItemCollapsibleState.None) {
    this.label = label;
    this.collapsibleState = collapsibleState;
  }
}

export class Disposable {
  readonly dispose: () => void;

  constructor(dispose: () => void) {
    this.dispose = dispose;
  }

  static from(...all: { dispose(): void }[]): Disposable {
    return new Disposable(() => {
      for (const each of all) each.dispose();
    });
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<(value: T) => void>();

  readonly event = (listener: (value: T) => void): Disposable => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };

  fire(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

interface UriParts {
  readonly scheme: string;
  readonly authority?: string;
  readonly path: string;
  readonly query?: string;
}

export class Uri {
  readonly scheme: string;
  readonly authority: string;
  readonly path: string;
  readonly query: string;

  private constructor({ scheme, authority = '', path, query = '' }: UriParts) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.query = query;
  }

  get fsPath(): string {
    return this.path;
  }

  static from(parts: UriParts): Uri {
    return new Uri(parts);
  }

  static file(path: string): Uri {
    return new Uri({ scheme: 'file', path });
  }

  static parse(text: string): Uri {
    const { groups } = /^(?<scheme>[\w-]+):(\/\/(?<authority>[^/]*))?(?<path>[^?]*)(\?(?<query>.*))?$/.exec(text) ?? {};
    const { scheme = '', authority = '', path = '', query = '' } = groups ?? {};
    return new Uri({ scheme, authority, path: decodeURIComponent(path), query });
  }

  static joinPath(base: Uri, ...segments: string[]): Uri {
    const { scheme, authority, path } = base;
    return new Uri({ scheme, authority, path: [path, ...segments].join('/') });
  }

  toString(): string {
    return `${this.scheme}://${this.authority}${encodeURI(this.path)}?${this.query}`;
  }
}

export const FileSystemError = {
  FileNotFound: (uri: Uri) => new Error(`FileNotFound: ${uri.toString()}`),
  NoPermissions: (uri: Uri) => new Error(`NoPermissions: ${uri.toString()}`),
};

/** Every command that was run, with its arguments; replaced by tests that need an answer. */
export const commands = {
  executed: [] as [string, ...unknown[]][],
  registered: new Map<string, (...values: unknown[]) => unknown>(),
  executeCommand: async (command: string, ...values: unknown[]): Promise<void> => {
    commands.executed.push([command, ...values]);
  },
  registerCommand: (command: string, run: (...values: unknown[]) => unknown): Disposable => {
    commands.registered.set(command, run);
    return new Disposable(() => commands.registered.delete(command));
  },
};

export const env = {
  language: 'en',
  appName: 'Visual Studio Code',
  clipboard: {
    text: '',
    writeText: async (text: string): Promise<void> => {
      env.clipboard.text = text;
    },
  },
};

export const workspace = {
  fs: {
    /** Everything exists; names without a dot are folders. */
    stat: async ({ path }: Uri) => ({ type: path.includes('.') ? FileType.File : FileType.Directory }),
  },
};

export interface FakeStatusBarItem {
  show(): void;
  dispose(): void;
  name?: string;
  text?: string;
  tooltip?: string;
  command?: string;
  backgroundColor?: ThemeColor;
  accessibilityInformation?: { label: string };
}

export const window = {
  messages: [] as string[],
  statusBarItems: [] as FakeStatusBarItem[],
  showInformationMessage: async (message: string): Promise<undefined> => {
    window.messages.push(message);
  },
  createStatusBarItem: () => {
    const item: FakeStatusBarItem = { show: () => undefined, dispose: () => undefined };
    window.statusBarItems.push(item);
    return item;
  },
};
