import { writeLastSeen } from '#home/lastSeen.ts';
import type { Assistant } from './assistant.ts';

/** An assistant that calls all the time is written down this often. */
const writeMilliseconds = 60_000;

/** Returns the assistant whose MCP client, or whose own tools, report this name; undefined when none is known by it. */
export function assistantOf(client: string, assistants: readonly Assistant[]): Assistant | undefined {
  return assistants.find(({ name, reportsAs }) => client === name || reportsAs.test(client));
}

export interface LastSeenOptions {
  /** The state folder, absolute. */
  readonly home: string;
  readonly assistants: readonly Assistant[];
  readonly onError: (error: unknown) => void;
}

/** Keeps when each assistant last called a window of this user. */
export class LastSeen {
  readonly #options: LastSeenOptions;
  readonly #written = new Map<string, number>();

  constructor(options: LastSeenOptions) {
    this.#options = options;
  }

  /**
   * Records that a client called. A client that is no known assistant is ignored.
   * @param client the name that it reports
   * @param time milliseconds since the epoch
   */
  note(client: string | undefined, time: number): void {
    const { home, assistants, onError } = this.#options;
    const assistant = client === undefined ? undefined : assistantOf(client, assistants);
    if (assistant === undefined || time - (this.#written.get(assistant.id) ?? 0) < writeMilliseconds) return;
    this.#written.set(assistant.id, time);
    writeLastSeen(home, assistant.id, time).catch(onError);
  }
}
