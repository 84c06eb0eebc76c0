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

/** An element that Drawbridge adds to an array in the settings of an assistant. */
export interface SettingsElement {
  /** The keys that lead to the array. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /** Returns whether an element of that array was added by Drawbridge, whatever launcher or time-out it has. */
  readonly isOurs: (value: unknown) => boolean;
}

export const settingsParts = ['guard', 'permission'] as const;
/** `guard`: the assistant asks Drawbridge before its own edits. `permission`: it does not ask about the tools of Drawbridge itself. */
export type SettingsPart = (typeof settingsParts)[number];

/** The settings of an assistant that Drawbridge sets up besides the entry that starts the launcher. They stand in a JSON file. */
export interface AssistantSettings {
  /** Returns this user's settings file, existing or not; undefined on a platform without the assistant. */
  file(machine: Machine): string | undefined;
  /** Returns the elements of each part. @param commandLine starts the launcher, as the assistant's shell reads it */
  elements(commandLine: string): Readonly<Record<SettingsPart, readonly SettingsElement[]>>;
}

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
  /** What has become of the product, as "shut down in May 2026", for the list of Connect; undefined where nothing has. */
  readonly note?: string;
  /** Absent for an assistant whose own edits Drawbridge cannot guard. */
  readonly settings?: AssistantSettings;
}
