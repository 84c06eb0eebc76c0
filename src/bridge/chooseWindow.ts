import { posix, win32 } from 'node:path';
import { holds } from '#home/guards.ts';
import type { WindowRecord } from '#home/windowFiles.ts';

/** A window that is open, with the real paths of its folders. */
export interface OpenWindow {
  readonly record: WindowRecord;
  /** Real paths of its folders, absolute. */
  readonly folders: readonly string[];
}

/** Everything that says which window a bridge belongs to, the strongest first. Paths are real and absolute. */
export interface Wishes {
  /** The folder given with `--folder`. */
  readonly folder?: string | undefined;
  /** The MCP roots of the client, in its own order. */
  readonly roots: readonly string[];
  /** The value of `DRAWBRIDGE_WINDOW`, which the integrated terminal of a window sets. */
  readonly windowId?: string | undefined;
  readonly workingDirectory: string;
  readonly platform: NodeJS.Platform;
}

export interface Choice {
  readonly window: OpenWindow;
  /** Why this window was chosen, as in "it has the folder /work/shop open, which holds the working directory". */
  readonly reason: string;
  /** How well the window fits: the higher kind wins, then the higher detail. Among equals the last focus decides. */
  readonly fit: Fit;
}

export interface Fit {
  /** `only`: the window was chosen because no other window is open. */
  readonly kind: 'asked' | 'terminal' | 'workingDirectory' | 'only';
  /** Compares fits of the same kind; higher is better. */
  readonly detail: number;
}

/**
 * Returns the window that a bridge belongs to: the one that holds `--folder`, else a root of the client, else the one whose
 * terminal started it, else the one that holds the working directory, else the only one, which asks its user first. The deepest
 * folder wins, then the window that had the focus last. `--folder` and roots are strict: when no window holds them there is none,
 * never another.
 */
export function chooseWindow(windows: readonly OpenWindow[], wishes: Wishes): Choice | undefined {
  const { folder, roots, windowId, workingDirectory, platform } = wishes;
  const newestFirst = windows.toSorted(byLastFocus);
  if (folder !== undefined) return holding(newestFirst, folder, 'the folder of --folder', platform, 'asked');
  if (roots.length > 0) return holdingRoot(newestFirst, roots, platform);
  const ofTerminal = newestFirst.find(({ record }) => record.windowId === windowId);
  if (ofTerminal !== undefined) {
    const reason = 'it is the window of this terminal (DRAWBRIDGE_WINDOW)';
    return { window: ofTerminal, reason, fit: { kind: 'terminal', detail: 0 } };
  }
  const here = holding(newestFirst, workingDirectory, 'the working directory', platform, 'workingDirectory');
  if (here !== undefined) return here;
  const [only, ...others] = newestFirst;
  if (only === undefined || others.length > 0) return undefined;
  return { window: only, reason: 'it is the only window that is open', fit: { kind: 'only', detail: 0 } };
}

/** A client may have thousands of roots, and a model reads their names in every error. */
const maximumNamedRoots = 4;

/** Returns the folder that a window must have open to be chosen, as in "the folder /work/shop". */
export function wantedFolder({ folder, roots, workingDirectory }: Wishes): string {
  if (folder !== undefined) return `the folder ${printable(folder)}`;
  if (roots.length > 0) {
    const names = roots.slice(0, maximumNamedRoots).map(printable);
    if (roots.length > maximumNamedRoots) names.push(`one of ${roots.length - maximumNamedRoots} more`);
    return `the folder ${names.join(' or ')}`;
  }
  return `the folder ${printable(workingDirectory)}`;
}

/** Returns whether one fit is better than another; the focus of the windows is not compared. */
export function fitsBetter(one: Fit, other: Fit): boolean {
  return isStronger(one, other) || (one.kind === other.kind && one.detail > other.detail);
}

/** Returns whether one fit is of a higher kind than another. */
export function isStronger(one: Fit, other: Fit): boolean {
  return strength[one.kind] > strength[other.kind];
}

const strength: Readonly<Record<Fit['kind'], number>> = { asked: 3, terminal: 2, workingDirectory: 1, only: 0 };

/** Returns a text with its control characters replaced: a path may come from a client and may hold line ends. */
export function printable(path: string): string {
  return path.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\u{fffd}');
}

/** Larger than the depth of any path, so that the order of the roots counts before the depth. */
const perRoot = 1_000_000;

function holdingRoot(
  windows: readonly OpenWindow[],
  roots: readonly string[],
  platform: NodeJS.Platform,
): Choice | undefined {
  for (const [index, root] of roots.entries()) {
    const choice = holding(windows, root, `the client's folder ${printable(root)}`, platform, 'asked');
    if (choice === undefined) continue;
    return { ...choice, fit: { kind: 'asked', detail: (roots.length - index) * perRoot + choice.fit.detail } };
  }
  return undefined;
}

/** Returns the window with the deepest folder that holds a path, or the first of several. */
function holding(
  windows: readonly OpenWindow[],
  path: string,
  what: string,
  platform: NodeJS.Platform,
  kind: Fit['kind'],
): Choice | undefined {
  let best: { window: OpenWindow; folder: string; depth: number } | undefined;
  for (const window of windows) {
    for (const folder of window.folders) {
      if (!holds(folder, path, platform)) continue;
      const depth = depthOf(folder, platform);
      if (best === undefined || depth > best.depth) best = { window, folder, depth };
    }
  }
  if (best === undefined) return undefined;
  const reason = `it has the folder ${printable(best.folder)} open, which holds ${what}`;
  return { window: best.window, reason, fit: { kind, detail: best.depth } };
}

function depthOf(folder: string, platform: NodeJS.Platform): number {
  const paths = platform === 'win32' ? win32 : posix;
  const names = paths.resolve(folder).split(paths.sep);
  return names.filter((name) => name !== '').length;
}

function byLastFocus({ record: a }: OpenWindow, { record: b }: OpenWindow): number {
  return b.focusedAt - a.focusedAt || b.startedAt - a.startedAt || (a.windowId < b.windowId ? -1 : 1);
}
