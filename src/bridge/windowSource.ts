import type { Event } from '#base/event.ts';
import type { WindowRecord } from '#home/windowFiles.ts';

/** The window that a bridge talks to, and why that one. */
export interface ChosenWindow {
  readonly record: WindowRecord;
  /** Why this window was chosen, such as "it has the folder /work/shop open, which holds the working directory". */
  readonly reason: string;
  /**
   * The folder in which the assistant works; undefined when `--folder`, the client or the terminal named the window, or when the
   * working directory says nothing. The window lets such an assistant in only when it has the folder open or its user agrees.
   */
  readonly worksIn?: string | undefined;
}

/** Follows which window a bridge belongs to while windows open, close, reload and get the focus. */
export interface WindowSource {
  /** The window to talk to; undefined when none matches. The choice stays for as long as that window is open. */
  readonly chosen: ChosenWindow | undefined;
  /** All open windows of this user on this host. */
  readonly open: readonly WindowRecord[];
  /** The window that fits but does not answer: it may be busy or hang. */
  readonly silent: WindowRecord | undefined;
  /** The folder that a window must have open to be chosen, in words such as "the folder /work/shop". */
  readonly wanted: string;
  /** Fires when another window was chosen, the chosen one has another endpoint or secret, or it closed. */
  readonly onDidChange: Event<void>;
  /**
   * Sets the roots of the client, absolute paths or `file:` URIs; they count after `--folder` and before everything
   * else.
   */
  setRoots(roots: readonly string[]): Promise<void>;
  /** Reads the window files at once; called when the chosen window does not answer or refuses its secret. */
  refresh(): Promise<void>;
  dispose(): void;
}

/** Returns a key that differs for each run of each window, since each run has a secret of its own. */
export function keyOf({ endpoint, token }: WindowRecord): string {
  return `${endpoint} ${token}`;
}
