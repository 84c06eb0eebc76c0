import type { Assistant, AssistantPart, ConnectPart, LauncherCommand, Machine } from './assistant.ts';
import type { ConfigurationChange, PartState } from './configuration.ts';
import type { HookTrust } from './hookTrust.ts';
import type { DisabledHooks } from './hooks/hooksDisabledBy.ts';
import type { Namesake } from './namesakes.ts';

/** Gives access to the assistants of this user on this machine, and to their configuration files. */
export interface Configurations {
  /** All assistants, in display order. */
  readonly assistants: readonly Assistant[];
  readonly machine: Machine;
  /** Returns the command that starts the launcher. @throws ConfigurationError where no assistant can start it */
  launcherCommand(): LauncherCommand;
  isFound(assistant: Assistant): Promise<boolean>;
  /** Returns whether a program of the assistant is on the PATH; true where that proves nothing. */
  hasProgram(assistant: Assistant): Promise<boolean>;
  /** Returns when each assistant last called a window of this user, in milliseconds since the epoch, by its id. */
  lastSeen(): Promise<ReadonlyMap<string, number>>;
  /** Returns the state of our entry. @throws ConfigurationError when the file cannot be read or parsed, as do the next two */
  readState(assistant: Assistant): Promise<PartState>;
  /** Returns which parts are set up besides the entry. */
  readParts(assistant: Assistant): Promise<PartStates>;
  /** Plans the changes after which the named parts are set up (true) or not (false), one for each file. */
  planParts(
    assistant: Assistant,
    wanted: Readonly<Partial<Record<ConnectPart, boolean>>>,
  ): Promise<readonly ConfigurationChange[]>;
  /** Returns the first settings file, of the user or in one of these folders, that switches the hooks of an assistant off. */
  hooksDisabledBy(assistant: Assistant, folders: readonly string[]): Promise<DisabledHooks | undefined>;
  /** Returns whether an assistant trusts the hooks in its file; undefined for one that runs them without trust. */
  readHookTrust(assistant: Assistant): Promise<HookTrust | undefined>;
  /** Makes an assistant trust our hooks, as the user would by hand. @returns the trust afterwards */
  trustHooks(assistant: Assistant): Promise<HookTrust | undefined>;
  /** Returns the servers of our name in these folders (absolute) that start another program. */
  namesakes(folders: readonly string[]): Promise<readonly Namesake[]>;
  /** Writes a planned change. @throws ConfigurationError when the file has changed since the plan was made */
  readonly apply: (change: ConfigurationChange) => Promise<unknown>;
  /** Returns the ids of the assistants that are set up; while there is one, all windows start their server by themselves. */
  connectedIds(): Promise<readonly string[]>;
  markConnected(id: string): Promise<void>;
  unmarkConnected(id: string): Promise<void>;
}

/** An assistant that is set up to start the launcher. */
export interface SetUpAssistant {
  readonly assistant: Assistant;
  /** When it last called a window of this user, in milliseconds since the epoch; undefined when it never has. */
  readonly lastSeen: number | undefined;
}

/** An assistant, whether it is installed, and the state of its configuration. */
export interface SeenAssistant {
  readonly assistant: Assistant;
  /** The absolute path of its configuration file, which may not exist. */
  readonly file: string;
  readonly isFound: boolean;
  /** True when a program of it is on the PATH, and where the PATH proves nothing. */
  readonly hasProgram: boolean;
  /** The state of our entry; `unreadable` when the file cannot be read or parsed. */
  readonly state: PartState | 'unreadable';
  /** Why the file is unreadable. */
  readonly problem?: string;
  /** The state of its other parts; absent for an assistant without parts, and for one whose files cannot be read. */
  readonly parts?: PartStates;
}

export type PartStates = Readonly<Record<AssistantPart, PartState>>;

/** Returns the assistants that run on this platform with their state, in display order. Changes nothing. */
export async function seeAssistants(configurations: Configurations): Promise<readonly SeenAssistant[]> {
  const seen = await Promise.all(configurations.assistants.map((assistant) => see(assistant, configurations)));
  return seen.filter((each) => each !== undefined);
}

/** Returns the assistants that Connect set up and that still have an entry, in display order. Changes nothing. */
export async function setUpAssistants(
  configurations: Pick<Configurations, 'assistants' | 'connectedIds' | 'readState' | 'lastSeen'>,
): Promise<readonly SetUpAssistant[]> {
  const [ids, times] = await Promise.all([configurations.connectedIds(), configurations.lastSeen()]);
  const marked = configurations.assistants.filter(({ id }) => ids.includes(id));
  const states = await Promise.all(marked.map((each) => configurations.readState(each).catch(() => 'unreadable')));
  return marked.flatMap((assistant, index) =>
    states[index] === 'absent' ? [] : [{ assistant, lastSeen: times.get(assistant.id) }],
  );
}

async function see(assistant: Assistant, configurations: Configurations): Promise<SeenAssistant | undefined> {
  const file = assistant.configurationFile(configurations.machine);
  if (file === undefined) return undefined;
  const [isFound, hasProgram] = await Promise.all([
    configurations.isFound(assistant),
    configurations.hasProgram(assistant),
  ]);
  const facts = { assistant, file, isFound, hasProgram };
  try {
    const state = await configurations.readState(assistant);
    const parts = assistant.parts && (await configurations.readParts(assistant).catch(() => undefined));
    return { ...facts, state, ...(parts && { parts }) };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { ...facts, state: 'unreadable', problem };
  }
}
