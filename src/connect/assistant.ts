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

/** The place of a value in a configuration file. */
interface Place {
  /** The absolute path of a JSON file; the file with the server entry when absent. */
  readonly file?: string;
  /** The keys that lead to the value, or to the array that holds it. */
  readonly path: readonly string[];
  readonly value: JsonValue;
  /**
   * Returns whether Drawbridge added a value there, whatever launcher or time-out the value has. Absent for a value that others write
   * too, which is then taken back only when Drawbridge has a record of adding it.
   */
  readonly isOurs?: (value: unknown) => boolean;
}

/** A change by which Drawbridge sets up a part: an element of an array, the value of a key, or a whole file of our own. */
export type Addition =
  | (Place & { readonly kind: 'element' })
  | (Place & { readonly kind: 'value' })
  | {
      readonly kind: 'file';
      /** The absolute path. */
      readonly file: string;
      readonly text: string;
    };

export const assistantParts = ['guard', 'permission', 'only'] as const;
/**
 * A part that Drawbridge sets up besides the server entry. `guard`: the assistant asks Drawbridge before its own edits. `permission`: it
 * does not ask about the tools of Drawbridge itself. `only`: it edits through Drawbridge only, since its own edit tools are off.
 */
export type AssistantPart = (typeof assistantParts)[number];

/** A part that Connect sets up: the entry that starts the launcher, or another part. */
export type ConnectPart = 'server' | AssistantPart;

/** The facts that the additions of a part depend on. */
export interface PartContext {
  readonly machine: Machine;
  readonly launcher: LauncherCommand;
  /** Starts the launcher, as the shell of the assistant reads it. */
  readonly commandLine: string;
  /** The keys that lead to the server entry. */
  readonly entryPath: readonly string[];
}

/** An AI assistant that starts the MCP servers in its configuration file. `assistants/` has a file for each. */
export interface Assistant {
  /** The stable id, as `claude-code`. */
  readonly id: string;
  /** The name of the product, as "Claude Code". */
  readonly name: string;
  /** How the user starts it: in a terminal, as an editor of its own, as an extension of this editor, or as an app. */
  readonly kind: 'terminal' | 'editor' | 'extension' | 'app';
  /** The names that its MCP client reports, without any proof. */
  readonly reportsAs: RegExp;
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
  /** A remark on the product for the list of Connect, such as "shut down in May 2026"; absent for most. */
  readonly note?: string;
  /** Returns this user's settings file, where it is not the configuration file. */
  settingsFile?(machine: Machine): string;
  /** The parts besides the server entry. An addition below the server entry is made only together with it. */
  readonly parts?: Readonly<Partial<Record<AssistantPart, (context: PartContext) => readonly Addition[]>>>;
  /** The assistant still asks the user itself before its own edits, whatever our hook answers. */
  readonly asksAnyway?: boolean;
}

/** Returns the codicon that shows how the user starts an assistant. */
export function assistantIcon({ id, kind }: Pick<Assistant, 'id' | 'kind'>): string {
  if (id === 'copilot-cli') return 'copilot';
  return { terminal: 'terminal', editor: 'window', extension: 'extensions', app: 'device-desktop' }[kind];
}
