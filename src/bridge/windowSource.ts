import type { Event } from '#base/event.ts';
import type { WindowRecord } from '#home/windows.ts';

/** The window that a bridge talks to, and why that one. */
export interface ChosenWindow {
  readonly record: WindowRecord;
  /** Such as "it has the folder /work/shop open, which holds the working directory". */
  readonly reason: string;
}

/** Which window a bridge belongs to, as windows come, go, reload and are focused. */
export interface WindowSource {
  /** The window to talk to now; undefined when none matches. Stays with the window it chose for as long as that one is open. */
  readonly chosen: ChosenWindow | undefined;
  /** All open windows of this user on this host. */
  readonly open: readonly WindowRecord[];
  /** The window that would be chosen, were it to answer: it may be busy or hang. */
  readonly silent: WindowRecord | undefined;
  /** What a window would have to have open to be chosen, in words, such as "the folder /work/shop". */
  readonly wanted: string;
  /** Another window was chosen, the chosen one has another endpoint or secret, or it went. */
  readonly onDidChange: Event<void>;
  /** What the client says it works in, absolute paths or `file:` URIs; comes after `--folder` and before everything else. */
  setRoots(roots: readonly string[]): Promise<void>;
  /** Looks at the window files at once: the endpoint of the chosen window does not answer, or refuses its secret. */
  refresh(): Promise<void>;
  dispose(): void;
}

/** Tells runs of windows apart, those of one window included: each has a secret of its own. */
export function keyOf({ endpoint, token }: WindowRecord): string {
  return `${endpoint} ${token}`;
}
