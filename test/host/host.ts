import type { Window } from './window.ts';

/** The folder or workspace file of a window; without either the window is empty. */
export interface OpenOptions {
  /** Absolute path of a folder. */
  readonly folder?: string;
  /** Absolute path of a .code-workspace file. */
  readonly workspace?: string;
}

export interface HostOptions {
  /** .vsix files, or folders of unpacked extensions. */
  readonly extensions: readonly string[];
  /** User settings, on top of those that keep the editor quiet. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** False: folders open in Restricted Mode, until `grantTrust`. */
  readonly trusted?: boolean;
  /** DRAWBRIDGE_HOME of the extension under test; a fresh one inside the host's temporary directory by default. */
  readonly home?: string;
  /** Further environment of the editor. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** A running VS Code with its own settings, extensions and state, all of it gone after `stop`. */
export interface Host {
  /** Address at which a browser opens a window; it lets in whoever has it (embedded host only). */
  address(options?: OpenOptions): string;
  /** DRAWBRIDGE_HOME of every window. */
  readonly home: string;
  /** Temporary directory of this host. */
  readonly directory: string;
  /** DevTools endpoint of the browser, known after the first window is open (embedded host only). */
  devtools(): string;
  openWindow(options?: OpenOptions): Promise<Window>;
  /** Closes everything and leaves no process and no file behind. May be called twice. */
  stop(): Promise<void>;
}

/** Starts the embedded VS Code server, or the desktop editor where DRAWBRIDGE_TEST_HOST_KIND is `desktop`. */
export async function startHost(options: HostOptions): Promise<Host> {
  if (process.env['DRAWBRIDGE_TEST_HOST_KIND'] === 'desktop') {
    const { startDesktopHost } = await import('./desktopHost.ts');
    return startDesktopHost(options);
  }
  const { startEmbeddedHost } = await import('./embeddedHost.ts');
  return startEmbeddedHost(options);
}
