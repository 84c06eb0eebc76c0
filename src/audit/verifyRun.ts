import type { AuditFile } from './auditFiles.ts';
import { ChainCheck, type ChainProblem } from './chainCheck.ts';
import type { ChainHead } from './chainedFiles.ts';
import { readRecordLines } from './recordLines.ts';

export interface RunReport {
  readonly files: number;
  /** Lines that are as they were written. */
  readonly lines: number;
  readonly problem?: ChainProblem;
  /** False: written by a version that had no chain, so that nothing can be said of it. */
  readonly isChained: boolean;
  /** Lines of which only the beginning was written, since the disk was full or the window crashed. */
  readonly cutLines: number;
  /** The first files of the run are gone: too old, or deleted. */
  readonly startsLater: boolean;
}

export interface VerifyRunOptions {
  /** Of the run that this window writes. */
  readonly head?: ChainHead;
  readonly signal?: AbortSignal;
  readonly onFile?: (bytes: number) => void;
}

/**
 * Checks the chain of one run up to its first bad line. A run that this window writes must end where the window knows it to
 * end; of others, lines that were taken away at the end cannot be missed.
 * @param files parts of the run, in order
 * @throws when the signal is aborted
 */
export async function verifyRun(
  files: readonly AuditFile[],
  { head, signal, onFile }: VerifyRunOptions = {},
): Promise<RunReport> {
  const startsLater = (files[0]?.part ?? 1) > 1;
  const check = new ChainCheck({ isFromStart: !startsLater, head: head?.hash });
  const problem = await firstProblem(files, check, {
    ...(head && { head }),
    ...(signal && { signal }),
    ...(onFile && { onFile }),
  });
  return {
    files: files.length,
    lines: check.lines,
    ...(problem && { problem }),
    isChained: check.isChained,
    cutLines: check.cutLines,
    startsLater,
  };
}

async function firstProblem(
  files: readonly AuditFile[],
  check: ChainCheck,
  { head, signal, onFile }: VerifyRunOptions,
): Promise<ChainProblem | undefined> {
  for (const { path, bytes } of files) {
    const isLive = path === head?.path;
    try {
      for await (const line of readRecordLines(path, isLive ? head.bytes : bytes)) {
        signal?.throwIfAborted();
        const problem = check.take(path, line);
        if (problem !== undefined) return problem;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Error && 'code' in error)) throw error;
      return { path, line: 1, kind: 'unreadable' };
    }
    onFile?.(bytes);
  }
  return check.end(head?.path ?? files.at(-1)?.path ?? '');
}
