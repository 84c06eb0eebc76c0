/** One file that was changed from outside, as the user sees it. */
import type { Hunk } from '../hunks.ts';
import { type Baseline, type BaselineSource, crlfContentId, isExecutableMode } from './baseline.ts';
import type { DiskEntry } from './diskEntry.ts';
import type { OutsideCall } from './outsideCalls.ts';

/**
 * `mode`: only the permission to execute changed. `link`: a symbolic link was changed, came or went in place of a file. `binary`: an
 * edit of a file that is no text. `unknown`: nobody knows what was there before.
 */
export type OutsideKind = 'create' | 'edit' | 'delete' | 'mode' | 'link' | 'binary' | 'unknown';

/** A file whose bytes on disk are neither its baseline nor what the editor or Drawbridge wrote. */
export interface OutsideFile {
  /** Absolute real path. */
  readonly fsPath: string;
  readonly kind: OutsideKind;
  readonly before: Baseline;
  readonly now: DiskEntry;
  /** The calls during which it was changed; empty when other programs changed it. */
  readonly calls: readonly OutsideCall[];
  readonly isSecret: boolean;
  /** When the time began in which it was changed, in milliseconds since the epoch. */
  readonly since: number;
}

/** A file that was moved for certain: its content disappeared at one place and stands at one other place. */
export interface OutsideMove {
  readonly from: OutsideFile;
  readonly to: OutsideFile;
}

/** A line of the list. */
export type OutsideChange =
  | {
      readonly type: 'file';
      /** Identifies the line; another one after the file changed again. */
      readonly id: string;
      readonly fsPath: string;
      /** Set for a move: where the file was. */
      readonly movedFrom?: string;
      readonly kind: OutsideKind | 'move';
      readonly calls: readonly OutsideCall[];
      readonly source: BaselineSource;
      readonly isSecret: boolean;
      readonly isBinary: boolean;
      readonly canUndo: boolean;
      /** The files that the line stands for: one, or two for a move. */
      readonly files: readonly OutsideFile[];
      /** Set when the user takes back only this part of a changed text. */
      readonly part?: Hunk;
    }
  | {
      readonly type: 'switch';
      readonly id: string;
      /** Root of the repository. */
      readonly root: string;
      /** Branches or commits; undefined where Git does not know. */
      readonly from: string | undefined;
      readonly to: string | undefined;
      /** The number of files that it explains. */
      readonly count: number;
    }
  | {
      /** A folder that the repository ignores, in which files changed. */
      readonly type: 'ignored';
      readonly id: string;
      readonly root: string;
      /** The number of changed files that were seen in it; 0 when it is new as a whole. */
      readonly count: number;
      readonly calls: readonly OutsideCall[];
    };

/** Returns the kind of the difference between a baseline and what is on disk. */
export function kindOf(before: Baseline, now: DiskEntry): OutsideKind {
  if (before.kind === 'unknown') return 'unknown';
  if (before.kind === 'missing') return 'create';
  if (now.kind === 'missing') return 'delete';
  if (before.kind === 'link' || now.kind === 'link') return 'link';
  if (now.kind === 'file') {
    const isOnlyMode =
      before.isExecutable !== isExecutableMode(now.mode) &&
      before.isSame({ ...now, mode: before.isExecutable ? now.mode | 0o100 : now.mode & ~0o100 });
    if (isOnlyMode) return 'mode';
    if (now.isBinary) return 'binary';
  }
  return 'edit';
}

/** Returns whether Drawbridge can restore the baseline. */
export function canUndo({ before, now, isSecret }: OutsideFile): boolean {
  const isKnown = before.kind === 'file' || before.kind === 'link' || before.kind === 'missing';
  const isGuarded = now.kind === 'file' || now.kind === 'link' || now.kind === 'missing';
  return !isSecret && isKnown && isGuarded && (before.kind === 'missing' || before.contentId !== undefined);
}

/** Returns the lines of a list of files: two of them are one line where a file was moved for certain. */
export function linesOf(files: readonly OutsideFile[]): readonly OutsideChange[] {
  const moves = movesIn(files);
  const moved = new Set(moves.flatMap(({ from, to }) => [from, to]));
  return [
    ...moves.map(({ from, to }): OutsideChange => ({
      ...lineOf(to, [from, to]),
      kind: 'move',
      movedFrom: from.fsPath,
    })),
    ...files.filter((file) => !moved.has(file)).map((file) => lineOf(file, [file])),
  ];
}

function lineOf(file: OutsideFile, files: readonly OutsideFile[]): OutsideChange & { readonly type: 'file' } {
  const { fsPath, kind, isSecret, now } = file;
  return {
    type: 'file',
    id: files.map((each) => `${each.fsPath}\n${stateOf(each.now)}`).join('\n'),
    fsPath,
    kind,
    calls: [...new Set(files.flatMap(({ calls }) => calls))],
    source: (files[0] ?? file).before.source,
    isSecret,
    isBinary: now.kind === 'file' && now.isBinary,
    canUndo: files.every(canUndo),
    files,
  };
}

/** Returns a text that is the same for the same bytes and mode. */
export function stateOf(entry: DiskEntry): string {
  if (entry.kind === 'file' || entry.kind === 'link') return `${entry.kind} ${entry.sha256} ${entry.mode}`;
  return entry.kind === 'opaque' ? `opaque ${entry.stamp}` : entry.kind;
}

/** A move is certain when the content is not empty, and stands for exactly one deleted and one created file. */
function movesIn(files: readonly OutsideFile[]): readonly OutsideMove[] {
  const gone = Map.groupBy(
    files.filter(({ kind, before, isSecret }) => kind === 'delete' && before.contentId !== undefined && !isSecret),
    ({ before }) => before.contentId,
  );
  const come = Map.groupBy(
    files.filter(({ kind, now }) => kind === 'create' && 'sha256' in now && now.size > 0),
    ({ now }) => stateOf(now),
  );
  return [...come.values()].flatMap((created) => {
    const [to, ...others] = created;
    if (to === undefined || others.length > 0 || !('sha256' in to.now)) return [];
    const { gitIds, lfIds, sha256 } = to.now;
    const ids = [...Object.values(gitIds), ...Object.values(lfIds ?? {}).map(crlfContentId), `sha256 ${sha256}`];
    const from = ids.flatMap((id) => gone.get(id) ?? []);
    const [only] = from;
    return only !== undefined && from.length === 1 && only.before.isSame(to.now) ? [{ from: only, to }] : [];
  });
}
