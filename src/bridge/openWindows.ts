import { type FSWatcher, watch } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '#base/clock.ts';
import { Emitter, type Subscription } from '#base/event.ts';
import { readWindowRecords, type WindowRecord } from '#home/windowFiles.ts';
import {
  type Choice,
  chooseWindow,
  fitsBetter,
  isStronger,
  type OpenWindow,
  wantedFolder,
  type Wishes,
} from './chooseWindow.ts';
import { type Found, LiveWindows } from './liveWindows.ts';
import { isNeutral, type Surroundings } from './neutralFolders.ts';
import { type ChosenWindow, keyOf, type WindowSource } from './windowSource.ts';
import { realPath } from './realPath.ts';

/** How long the bridge waits for a window that closed before it chooses another one: a reload takes a few seconds. */
const reloadMilliseconds = 10_000;
/** How long after a choice a window with a deeper folder may replace it: an editor opens its windows one by one. */
const settlingMilliseconds = 30_000;
/** While no window answers, the window files are also polled at this interval, since the watcher may miss changes. */
const firstPollMilliseconds = 1000;
const firstPolls = 60;
const laterPollMilliseconds = 5000;

export interface OpenWindowsOptions {
  /** The state folder of this user, absolute. */
  readonly home: string;
  readonly clock: Clock;
  readonly wishes: UnresolvedWishes;
  readonly surroundings: Surroundings;
}

/**
 * Returns the windows of this user on this host and the one that fits the wishes, after a first look at the window
 * files.
 */
export async function openWindows(options: OpenWindowsOptions): Promise<WindowSource> {
  const windows = new OpenWindows(options);
  await windows.refresh();
  return windows;
}

/** The window that was chosen, kept while it reloads. */
interface Own {
  readonly windowId: string;
  readonly choice: Choice;
  readonly since: number;
  /** When the window closed; undefined while it is open. */
  lostAt?: number | undefined;
}

/** Implements {@link openWindows}. No window is chosen before the first `refresh`. */
export class OpenWindows implements WindowSource {
  readonly #home: string;
  readonly #clock: Clock;
  readonly #live: LiveWindows;
  readonly #surroundings: Surroundings;
  readonly #changed = new Emitter<void>();
  #wishes: UnresolvedWishes;
  #own: Own | undefined;
  /** Ids of windows that were replaced by another one because they did not come back. */
  readonly #left = new Set<string>();
  #chosen: ChosenWindow | undefined;
  #open: readonly WindowRecord[] = [];
  #silent: WindowRecord | undefined;
  #wanted = '';
  #watcher: FSWatcher | undefined;
  #poll: Subscription | undefined;
  #pollsLeft = firstPolls;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;
  #isDisposed = false;

  readonly onDidChange = this.#changed.event;

  constructor({ home, clock, wishes, surroundings }: OpenWindowsOptions) {
    this.#home = home;
    this.#clock = clock;
    this.#wishes = wishes;
    this.#surroundings = surroundings;
    this.#live = new LiveWindows(clock);
  }

  get chosen(): ChosenWindow | undefined {
    return this.#chosen;
  }

  get open(): readonly WindowRecord[] {
    return this.#open;
  }

  get silent(): WindowRecord | undefined {
    return this.#silent;
  }

  get wanted(): string {
    return this.#wanted;
  }

  async setRoots(roots: readonly string[]): Promise<void> {
    if (roots.join('\0') !== this.#wishes.roots.join('\0')) {
      this.#wishes = { ...this.#wishes, roots };
      this.#own = undefined;
      this.#left.clear();
    }
    await this.#look();
  }

  async refresh(): Promise<void> {
    this.#live.doubt();
    this.#pollsLeft = firstPolls;
    await this.#look();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#poll?.dispose();
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  /** Looks at the window files after the running look has ended; callers that ask meanwhile share one look. */
  #look(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const next = this.#lookAfter(this.#running);
    this.#next = next;
    this.#running = next.catch(() => undefined);
    return next;
  }

  async #lookAfter(running: Promise<void>): Promise<void> {
    await running;
    this.#next = undefined;
    if (!this.#isDisposed) await this.#lookNow();
  }

  async #lookNow(): Promise<void> {
    this.#watch();
    const wishes = await resolveWishes(this.#wishes);
    const records = await readWindowRecords(this.#home);
    const found = await this.#live.find(records, wishes, this.#own?.windowId);
    if (this.#isDisposed) return;
    const choice = this.#decide(found, (window) => chooseWindow([window], wishes));
    const answers = choice !== undefined && found.isAlive(choice.window);
    this.#open = found.open.map(({ record }) => record);
    this.#silent = answers ? undefined : choice?.window.record;
    this.#wanted = wantedFolder(wishes);
    this.#schedule(answers);
    this.#choose(answers ? choice : undefined, wishes);
  }

  /** Keeps the chosen window, unless it does not come back or another window fits better, as one that came back may. */
  #decide({ open, best }: Found, choiceOf: (window: OpenWindow) => Choice | undefined): Choice | undefined {
    const own = this.#own;
    if (own === undefined) return best;
    const now = this.#clock.monotonic();
    const window = open.find(({ record }) => record.windowId === own.windowId);
    if (window === undefined) {
      own.lostAt ??= now;
      const isBetter = best !== undefined && isStronger(best.fit, own.choice.fit);
      if (isBetter || now - own.lostAt >= reloadMilliseconds) return best;
      return undefined;
    }
    own.lostAt = undefined;
    const stay = choiceOf(window);
    // The window was chosen for its folders, those have changed, and it is not the only window.
    const isForsaken = stay?.fit.kind === 'only' && own.choice.fit.kind !== 'only' && open.length > 1;
    if (stay === undefined || isForsaken) return best;
    if (best === undefined || best.window === window) return best ?? stay;
    if (isStronger(best.fit, stay.fit)) return best;
    const isSettling = now - own.since < settlingMilliseconds;
    const isBack = this.#left.has(best.window.record.windowId);
    return (isSettling || isBack) && fitsBetter(best.fit, stay.fit) ? best : stay;
  }

  #choose(choice: Choice | undefined, wishes: Wishes): void {
    const before = this.#chosen;
    this.#chosen = choice && this.#chosenBy(choice, wishes);
    if (choice !== undefined && this.#own?.windowId !== choice.window.record.windowId) {
      if (this.#own?.lostAt !== undefined) this.#left.add(this.#own.windowId);
      this.#own = { windowId: choice.window.record.windowId, choice, since: this.#clock.monotonic() };
    }
    if (linkOf(before) !== linkOf(this.#chosen)) this.#changed.fire();
  }

  #chosenBy({ window, reason, fit }: Choice, { workingDirectory }: Wishes): ChosenWindow {
    const { record } = window;
    const isNamed = fit.kind === 'asked' || fit.kind === 'terminal';
    if (isNamed || isNeutral(workingDirectory, this.#surroundings)) return { record, reason };
    const asks = fit.kind === 'only' ? `${reason}, and asks its user before it answers` : reason;
    return { record, reason: asks, worksIn: workingDirectory };
  }

  /** Polls only while no window answers: window files are watched, and a broken connection causes a look, too. */
  #schedule(answers: boolean): void {
    this.#poll?.dispose();
    if (answers) {
      this.#pollsLeft = firstPolls;
      return;
    }
    const isEarly = this.#pollsLeft > 0;
    if (isEarly) this.#pollsLeft--;
    this.#poll = this.#clock.after(isEarly ? firstPollMilliseconds : laterPollMilliseconds, () => void this.#look());
  }

  /**
   * Watches the window files. The folder appears with the first window of this user; until then, or if watching fails,
   * polling finds it.
   */
  #watch(): void {
    if (this.#watcher !== undefined) return;
    try {
      const watcher = watch(join(this.#home, 'windows'), { persistent: false }, () => void this.#look());
      watcher.on('error', () => {
        watcher.close();
        if (this.#watcher === watcher) this.#watcher = undefined;
      });
      this.#watcher = watcher;
    } catch {
      this.#watcher = undefined;
    }
  }
}

/** Returns a string that differs when another link to the window is needed. */
function linkOf(chosen: ChosenWindow | undefined): string {
  return chosen === undefined ? '' : `${keyOf(chosen.record)} ${chosen.worksIn ?? ''}`;
}

/** {@link Wishes} before their paths are resolved: relative folders, symbolic links and `file:` URIs are possible. */
type UnresolvedWishes = Omit<Wishes, 'platform'>;

/**
 * Resolves all paths to real, absolute ones. A root that is no path of this machine stays, so that no window holds it.
 */
async function resolveWishes(wishes: UnresolvedWishes): Promise<Wishes> {
  const workingDirectory = await realPath(wishes.workingDirectory);
  const folder = wishes.folder === undefined ? undefined : await realPath(resolve(workingDirectory, wishes.folder));
  const roots = await Promise.all(wishes.roots.map((root) => realPathOfRoot(root)));
  return { ...wishes, workingDirectory, folder, roots, platform: process.platform };
}

async function realPathOfRoot(root: string): Promise<string> {
  const path = pathOfRoot(root);
  return isAbsolute(path) ? realPath(path) : path;
}

function pathOfRoot(root: string): string {
  if (!/^file:/i.test(root)) return root;
  try {
    return fileURLToPath(root);
  } catch {
    return root;
  }
}
