/** What is known of the machine that an assistant runs on; a fake in tests. Paths are absolute. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The launcher of the bridge, `<state folder>/bin/drawbridge` or `drawbridge.cmd`. */
  readonly launcher: string;
  /** Folder of the editor's user settings, as `~/.config/Code/User`; undefined where it cannot be known. */
  readonly editorUserFolder?: string | undefined;
}

/** How a program is started: without a shell, arguments as they are. */
export interface LauncherCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An AI assistant that starts MCP servers which its configuration file names. One file of this folder for each. */
export interface Assistant {
  /** As in `claude-code`; stable. */
  readonly id: string;
  /** Its own name, as in "Claude Code". */
  readonly name: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /** Where its configuration for this user is, whether it exists or not; undefined on a platform it does not run on. */
  configurationFile(machine: Machine): string | undefined;
  /** Files or folders of which one exists where the assistant is installed. */
  traces(machine: Machine): readonly string[];
  /** Programs on the PATH that mean the same, as in `claude`. */
  readonly programs: readonly string[];
  /** Keys that lead to our entry, as in `mcpServers`, `drawbridge`. */
  readonly entryPath: readonly string[];
  entry(launcher: LauncherCommand): { readonly [key: string]: JsonValue };
  /** What the user has to do so that it is read, as in "Restart Claude Desktop."; undefined when nothing. */
  readonly afterwards?: string;
}
