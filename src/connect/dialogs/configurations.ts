import type { Assistant, LauncherCommand, Machine } from '../assistant.ts';
import type { ConfigurationChange } from '../configuration.ts';

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
