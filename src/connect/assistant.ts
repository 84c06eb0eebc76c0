/** The machine that an assistant runs on, as a value, so that tests can fake it. Paths are absolute. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** The user's home folder. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The path of the launcher of the bridge, `<state folder>/bin/drawbridge` or `drawbridge.cmd`. */
  readonly launcher: string;
  /** The folder of the editor's user settings, as `~/.config/Code/User`; undefined when it is not known. */
  readonly editorUserFolder?: string | undefined;
}

/** The command that starts the launcher, without a shell. */
export interface LauncherCommand {
  readonly command: string;
  readonly args: readonly string[];
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** An AI assistant that starts the MCP servers in its configuration file. `assistants/` has a file for each. */
export interface Assistant {
  /** The stable id, as `claude-code`. */
  readonly id: string;
  /** The name of the product, as "Claude Code". */
  readonly name: string;
  readonly format: 'json' | 'toml' | 'yaml';
  /**
   * Returns the path of this user's configuration file, existing or not; undefined on a platform without the assistant.
   */
  configurationFile(machine: Machine): string | undefined;
  /** Returns files and folders; one of them exists when the assistant is installed. */
  traces(machine: Machine): readonly string[];
  /** Programs on the PATH that also show that the assistant is installed, as `claude`. */
  readonly programs: readonly string[];
  /** The keys that lead to the entry of Drawbridge, as `mcpServers`, `drawbridge`. */
  readonly entryPath: readonly string[];
  entry(launcher: LauncherCommand): { readonly [key: string]: JsonValue };
  /**
   * The step that makes the assistant read its configuration, as "Restart Claude Desktop."; undefined when none is
   * needed.
   */
  readonly afterwards?: string;
}
