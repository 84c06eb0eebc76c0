/** The content that a file had before an outside change: where it comes from, and how it is compared with the disk. */
import { type DiskEntry, stampIn } from './diskEntry.ts';

/** Where a baseline comes from, in the order in which the sources are asked. */
export type BaselineSource = 'written' | 'kept' | 'snapshot' | 'report' | 'document' | 'read' | 'commit' | 'unknown';

/**
 * The kind of a directory entry before the change. `unknown`: nothing tells what was there. `secret`: only its size and hash are
 * known. `opaque`: only its size and time are known, since it is too large or could not be read.
 */
export type BaselineKind = 'file' | 'link' | 'missing' | 'secret' | 'opaque' | 'unknown';

/** What a file was before an outside change. */
export interface Baseline {
  readonly source: BaselineSource;
  readonly kind: BaselineKind;
  /** The owner may execute the file. False for anything but a file. */
  readonly isExecutable: boolean;
  /** Permission bits, where the source knows more than whether the file is executable. */
  readonly mode?: number;
  /** Equal for equal content of the same source, so that a move can be recognised. Absent when the content is not known. */
  readonly contentId?: string;
  /** Returns whether the entry on disk still is this baseline. False whenever that is not certain. */
  isSame(now: DiskEntry): boolean;
  /** Returns the bytes of the file, or the target of the link. Rejects when they are not there. */
  content(): Promise<Uint8Array>;
}

/** Returns a baseline without content: nothing, or something that nobody knows. */
export function emptyBaseline(source: BaselineSource, kind: 'missing' | 'unknown'): Baseline {
  return {
    source,
    kind,
    isExecutable: false,
    isSame: (now) => kind === 'missing' && now.kind === 'missing',
    content: () => Promise.reject(new Error('There is no content to go back to.')),
  };
}

/** Returns the baseline of an entry whose content is not kept: it is compared by its hash where it has one, else by size and time. */
export function lookedAtBaseline(source: BaselineSource, before: DiskEntry, isSecret: boolean): Baseline {
  const isSame = (now: DiskEntry): boolean => {
    if ('sha256' in before) {
      return now.kind === before.kind && now.sha256 === before.sha256 && now.mode === before.mode;
    }
    return stampIn(now) === stampIn(before);
  };
  const kind = isSecret ? 'secret' : 'opaque';
  return {
    source,
    kind: before.kind === 'missing' ? 'missing' : kind,
    isExecutable: before.kind === 'file' && isExecutableMode(before.mode),
    isSame,
    content: () => Promise.reject(new Error('The content of this file is not kept.')),
  };
}

/** Returns the baseline of a file or link whose bytes have this SHA-256. */
export function hashedBaseline(
  source: BaselineSource,
  { kind, sha256, mode }: { readonly kind: 'file' | 'link'; readonly sha256: string; readonly mode: number },
  content: () => Promise<Uint8Array>,
): Baseline {
  const isExecutable = kind === 'file' && isExecutableMode(mode);
  return {
    source,
    kind,
    isExecutable,
    mode,
    contentId: `sha256 ${sha256}`,
    isSame: (now) =>
      now.kind === kind && now.sha256 === sha256 && (kind === 'link' || isExecutableMode(now.mode) === isExecutable),
    content,
  };
}

/** Returns the content id of a file that has CRLF for each LF of the blob with this id. */
export function crlfContentId(id: string): string {
  return `crlf ${id}`;
}

/** Returns whether the owner may execute a file. Windows has no such bit, so every file there counts as not executable. */
export function isExecutableMode(mode: number, platform: string = process.platform): boolean {
  return platform !== 'win32' && (mode & 0o100) !== 0;
}
