import type { Assistant, LauncherCommand, Machine, SettingsPart } from './assistant.ts';
import type { ConfigurationChange } from './configuration.ts';
import type { Namesake } from './namesakes.ts';

/** Gives access to the assistants of this user on this machine, and to their configuration files. */
export interface Configurations {
  /** All assistants, in display order. */
  readonly assistants: readonly Assistant[];
  readonly machine: Machine;
  /** Returns the command that starts the launcher. @throws ConfigurationError where no assistant can start it */
  launcherCommand(): LauncherCommand;
  isFound(assistant: Assistant): Promise<boolean>;
  /**
   * Returns the state of our entry. @throws ConfigurationError when the file cannot be read or parsed, as do the plans
   */
  readState(assistant: Assistant): Promise<'absent' | 'current' | 'outdated'>;
  planConnect(assistant: Assistant): Promise<ConfigurationChange>;
  planDisconnect(assistant: Assistant): Promise<ConfigurationChange>;
  /** Returns which parts of an assistant's settings are set up. */
  readSettings(assistant: Assistant): Promise<Readonly<Record<SettingsPart, 'absent' | 'current' | 'outdated'>>>;
  /** Plans the change after which exactly these parts are set up; only for an assistant with settings. */
  planSettings(assistant: Assistant, wanted: ReadonlySet<SettingsPart>): Promise<ConfigurationChange>;
  /** Returns the first of these settings files of Claude Code that switches its hooks off. */
  hooksDisabledBy(files: readonly { readonly file: string; readonly text: string }[]): Promise<string | undefined>;
  /** Returns the servers of our name in these folders (absolute) that start another program. */
  namesakes(folders: readonly string[]): Promise<readonly Namesake[]>;
  /** Writes a planned change. @throws ConfigurationError when the file has changed since the plan was made */
  readonly apply: (change: ConfigurationChange) => Promise<unknown>;
  /** Returns the ids of connected assistants; while there is one, all windows start their server by themselves. */
  connectedIds(): Promise<readonly string[]>;
  markConnected(id: string): Promise<void>;
  unmarkConnected(id: string): Promise<void>;
}

/** An assistant, whether it is installed, and the state of its configuration. */
export interface SeenAssistant {
  readonly assistant: Assistant;
  /** The absolute path of its configuration file, which may not exist. */
  readonly file: string;
  readonly isFound: boolean;
  /** The state of our entry; `unreadable` when the file cannot be read or parsed. */
  readonly state: 'absent' | 'current' | 'outdated' | 'unreadable';
  /** Why the file is unreadable. */
  readonly problem?: string;
  /** The state of the parts of its settings; absent for an assistant without settings, and for one whose settings cannot be read. */
  readonly settings?: Readonly<Record<SettingsPart, 'absent' | 'current' | 'outdated'>>;
}

/** Returns the assistants that run on this platform with their state, in display order. Changes nothing. */
export async function seeAssistants(configurations: Configurations): Promise<readonly SeenAssistant[]> {
  const seen = await Promise.all(configurations.assistants.map((assistant) => see(assistant, configurations)));
  return seen.filter((each) => each !== undefined);
}

async function see(assistant: Assistant, configurations: Configurations): Promise<SeenAssistant | undefined> {
  const file = assistant.configurationFile(configurations.machine);
  if (file === undefined) return undefined;
  const isFound = await configurations.isFound(assistant);
  try {
    const state = await configurations.readState(assistant);
    const settings = assistant.settings && (await configurations.readSettings(assistant).catch(() => undefined));
    return { assistant, file, isFound, state, ...(settings && { settings }) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { assistant, file, isFound, state: 'unreadable', problem };
  }
}
