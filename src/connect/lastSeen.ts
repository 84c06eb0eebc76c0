import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import type { Assistant } from './assistant.ts';

/** An assistant that calls all the time is written down this often. */
const writeMilliseconds = 60_000;
const idPattern = /^[\w-]{1,100}$/;

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

/**
 * Keeps when each assistant last called a window of this user: one file an assistant, so that windows that write at the same time need
 * no lock. A file holds the time and nothing else.
 */
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
    writeSeen(home, assistant.id, time).catch(onError);
  }
}

async function writeSeen(home: string, id: string, time: number): Promise<void> {
  await mkdir(seenFolder(home), { recursive: true, mode: 0o700 });
  await writeFileAtomic(join(seenFolder(home), id), `${time}\n`, { mode: 0o600 });
}

/** Returns when each assistant last called, in milliseconds since the epoch, by its id. Files that hold no time are ignored. */
export async function readLastSeen(home: string): Promise<ReadonlyMap<string, number>> {
  const names = await readdir(seenFolder(home)).catch((): string[] => []);
  const ids = names.filter((name) => idPattern.test(name));
  const texts = await Promise.all(ids.map((id) => readFile(join(seenFolder(home), id), 'utf8').catch(() => '')));
  return new Map(
    ids.flatMap((id, index) => {
      const time = Number(texts[index]);
      return Number.isSafeInteger(time) && time > 0 ? [[id, time] as const] : [];
    }),
  );
}

function seenFolder(home: string): string {
  return join(home, 'seen');
}
