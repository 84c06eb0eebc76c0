import type { Assistant, LauncherCommand, Machine } from './assistant.ts';
import type { ConfigurationChange } from './configuration.ts';

/** The assistants of this user on this machine, and their configuration files. */
export interface Configurations {
  /** In the order in which they are shown. */
  readonly assistants: readonly Assistant[];
  readonly machine: Machine;
  /** @throws ConfigurationError where no assistant can start the launcher */
  launcherCommand(): LauncherCommand;
  isFound(assistant: Assistant): Promise<boolean>;
  /** @throws ConfigurationError when the file cannot be read or understood, as do the plans */
  readState(assistant: Assistant): Promise<'absent' | 'current' | 'outdated'>;
  planConnect(assistant: Assistant): Promise<ConfigurationChange>;
  planDisconnect(assistant: Assistant): Promise<ConfigurationChange>;
  /** @throws ConfigurationError when the file is not any more what the plan was made for */
  readonly apply: (change: ConfigurationChange) => Promise<unknown>;
  /** Ids of those that were connected here; while there is one, all windows start by themselves. */
  connectedIds(): Promise<readonly string[]>;
  markConnected(id: string): Promise<void>;
  unmarkConnected(id: string): Promise<void>;
}

/** An assistant and what this machine has of it. */
export interface SeenAssistant {
  readonly assistant: Assistant;
  /** Its configuration file, whether it exists or not; absolute. */
  readonly file: string;
  readonly isFound: boolean;
  /** Of our entry; `unreadable` when the file cannot be read or understood. */
  readonly state: 'absent' | 'current' | 'outdated' | 'unreadable';
  /** Why it is unreadable. */
  readonly problem?: string;
}

/** Looks at the assistants that run on this platform, in the order in which they are shown. Changes nothing. */
export async function seeAssistants(configurations: Configurations): Promise<readonly SeenAssistant[]> {
  const seen = await Promise.all(configurations.assistants.map((assistant) => see(assistant, configurations)));
  return seen.filter((each) => each !== undefined);
}

async function see(assistant: Assistant, configurations: Configurations): Promise<SeenAssistant | undefined> {
  const file = assistant.configurationFile(configurations.machine);
  if (file === undefined) return undefined;
  const isFound = await configurations.isFound(assistant);
  try {
    return { assistant, file, isFound, state: await configurations.readState(assistant) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { assistant, file, isFound, state: 'unreadable', problem };
  }
}
