import type { Assistant } from '../assistant.ts';
import type { Configurations } from './configurations.ts';

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
