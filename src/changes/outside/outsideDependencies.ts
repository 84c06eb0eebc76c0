/** What the list of outside changes needs of the disk and of the window. */
import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '#base/clock.ts';
import type { BaselinesDependencies } from './baselines.ts';
import { type DiskEntry, lookAgain, readEntry } from './diskEntry.ts';
import type { Snapshot } from './snapshot.ts';

/** A snapshot with the folder that holds it. */
export interface HeldSnapshot {
  readonly snapshot: Snapshot;
  /** Deletes it. Called once, when nothing needs it any more. */
  readonly drop: () => void;
}

/** The disk as the list sees it; absolute real paths. */
export interface OutsideDisk {
  /** Looks at an entry; `known` is what it was at the last look. */
  look(fsPath: string, known: DiskEntry | undefined): Promise<DiskEntry>;
  read(fsPath: string): Promise<{ readonly entry: DiskEntry; readonly bytes?: Uint8Array }>;
  /** Returns when an entry changed last, for a missing one when its folder did, in milliseconds since the epoch. */
  changedAt(fsPath: string): number | undefined;
}

export interface OutsideDependencies extends BaselinesDependencies {
  readonly clock: Clock;
  readonly disk: OutsideDisk;
  /** Takes the snapshot of all folders of the window. */
  readonly takeSnapshot: (signal: AbortSignal) => Promise<HeldSnapshot>;
  /** Returns whether changes of a file are listed: it lies in a folder of the window, and is none of Git or Drawbridge. */
  readonly covers: (fsPath: string) => boolean;
  readonly onError: (error: unknown) => void;
}

/** A file that the report of a call names. */
export interface ReportedFile {
  readonly fsPath: string;
  /** Its bytes before the call, where the assistant tells them. */
  readonly original?: Uint8Array;
}

/** The disk of this computer. */
export const outsideDisk: OutsideDisk = {
  look: lookAgain,
  read: readEntry,
  changedAt(fsPath) {
    for (let at = fsPath; ; at = dirname(at)) {
      const stats = lstatSync(at, { throwIfNoEntry: false });
      // A folder changes when an entry of it goes.
      if (stats !== undefined) return at === fsPath ? stats.ctimeMs : stats.mtimeMs;
      if (dirname(at) === at) return undefined;
    }
  },
};
