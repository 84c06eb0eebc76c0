import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import writeFileAtomic from 'write-file-atomic';
import type { Clock } from '#base/clock.ts';
import type { Event, Subscription } from '#base/event.ts';
import type { Workspace } from '#base/workspace.ts';
import { guardPath, type Guard, readGuards } from './guards.ts';
import { hostIdentity, ownProcess } from './hostIdentity.ts';
import { makePrivateFolder } from './stateFolder.ts';

export interface GuardOptions {
  /** The state folder of this user. */
  readonly home: string;
  readonly clock: Clock;
  readonly workspace: Pick<Workspace, 'windowId' | 'folders' | 'isTrusted' | 'onDidChange'>;
  /** The switch of the MCP server of this window. */
  readonly server: {
    readonly running: object | undefined;
    readonly state: 'stopped' | 'starting' | 'running' | 'failed';
    readonly onDidChange: Event<void>;
  };
  readonly onError: (error: unknown) => void;
}

/** The window writes its record again after each such interval, which shows that the window is there. */
const heartbeatMilliseconds = 30_000;

/**
 * Keeps the guard record of this window: its folders are guarded while its server runs and the workspace is trusted. After a restart
 * that failed, they are guarded until the user stops the server. After the end of the window, which may be a reload, the record says
 * `closed`.
 */
export class WindowGuard {
  readonly #options: GuardOptions;
  readonly #subscriptions: readonly Subscription[];
  readonly #inTurn = pLimit(1);
  #heartbeat: Subscription | undefined;
  #isWritten = false;
  #hasEnded = false;

  constructor(options: GuardOptions) {
    const { workspace, server } = options;
    this.#options = options;
    this.#subscriptions = [workspace.onDidChange(() => this.#update()), server.onDidChange(() => this.#update())];
    this.#update();
  }

  /** Marks the folders as closed. Call it before the server stops, so that no edit passes in between. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    for (const subscription of this.#subscriptions) subscription.dispose();
    this.#heartbeat?.dispose();
    await this.#inTurn(async () => {
      if (this.#isWritten) await this.#write('closed');
    });
  }

  #update(): void {
    this.#heartbeat?.dispose();
    this.#heartbeat = this.#options.clock.after(heartbeatMilliseconds, () => this.#update());
    void this.#inTurn(() => this.#writeNow().catch(this.#options.onError));
  }

  async #writeNow(): Promise<void> {
    if (this.#hasEnded) return;
    const { home, workspace, server } = this.#options;
    // While the server restarts, edits wait for it. They are refused when it cannot start, until the user stops it.
    const isWanted = server.running !== undefined || (this.#isWritten && server.state !== 'stopped');
    const guards = isWanted && workspace.isTrusted() && workspace.folders().length > 0;
    if (guards) {
      await this.#write('open');
      this.#isWritten = true;
      await this.#removeEnded();
    } else if (this.#isWritten) {
      await removeGuard(home, workspace.windowId);
      this.#isWritten = false;
    }
  }

  /** Removes the records of windows that have ended and whose folders this window guards, so that no old record refuses edits later. */
  async #removeEnded(): Promise<void> {
    const { home, workspace } = this.#options;
    const own = new Set(workspace.folders().map(({ realPath }) => realPath));
    for (const { windowId, folders, hasEnded } of await readGuards(home)) {
      const isCovered = windowId !== workspace.windowId && folders.every((folder) => own.has(folder));
      if (hasEnded && isCovered) await removeGuard(home, windowId);
    }
  }

  #write(state: 'open' | 'closed'): Promise<void> {
    const { home, workspace } = this.#options;
    const folders = workspace.folders().map(({ realPath }) => realPath);
    return writeGuard(home, { windowId: workspace.windowId, state, folders });
  }
}

/**
 * Writes the record of this process's window.
 * @throws when the folder of records belongs to another user or is a link (threat row H12)
 */
export async function writeGuard(
  home: string,
  { windowId, state, folders }: Pick<Guard, 'windowId' | 'state' | 'folders'>,
): Promise<void> {
  const folder = join(home, 'guards');
  makePrivateFolder(home, folder);
  const owner = { version: 1, ...(await hostIdentity()), ...(await ownProcess()) };
  const lines = [state, JSON.stringify(owner), ...folders.filter((path) => !/[\r\n]/.test(path))];
  await writeFileAtomic(guardPath(home, windowId), lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
}

/** Removes the record of a window, which guards nothing any more. */
export async function removeGuard(home: string, windowId: string): Promise<void> {
  await rm(guardPath(home, windowId), { force: true });
}
