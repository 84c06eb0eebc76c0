import { readRecordLines, type AuditFile, type RecordLine } from './auditFiles.ts';
import type { ChainHead } from './chainedFiles.ts';
import { chainStart, isSealIntact, readSeal } from './hashChain.ts';

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

export interface ChainProblem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /**
   * `edited`: the line is not what was written. `added`: nobody wrote it. `removed_before`: it does not follow the line before
   * it, so that one between them was removed, or lines changed places. `end_removed`: lines after it are gone.
   */
  readonly kind: 'edited' | 'added' | 'removed_before' | 'end_removed' | 'unreadable';
}

interface Position {
  readonly path: string;
  readonly line: number;
}

/** Looks at the lines of one run in their order, and names the first that is not as it was written. */
class ChainCheck {
  readonly #head: string | undefined;
  #previous: string | undefined;
  /** Hash of the line before the last one. */
  #older: string | undefined;
  #last: Position | undefined;
  /** The first of the lines since the last whole one that are none. */
  #broken: (Position & { isCut: boolean; isEnded: boolean }) | undefined;
  #isChained: boolean | undefined;
  #lines = 0;
  #cutLines = 0;

  /**
   * @param isFromStart the first file of the run is there
   * @param head hash of the last line, as the window that writes the run knows it
   */
  constructor({ isFromStart, head }: { isFromStart: boolean; head: string | undefined }) {
    this.#previous = isFromStart ? chainStart : undefined;
    this.#head = head;
  }

  /** Whole lines so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Lines of which only the beginning was written, since the disk was full or the window crashed. */
  get cutLines(): number {
    return this.#cutLines;
  }

  /** False for records of the version before there was a chain. */
  get isChained(): boolean {
    return this.#isChained !== false;
  }

  take(path: string, { bytes, number, isEnded }: RecordLine): ChainProblem | undefined {
    // A line end that completes a line that was cut off.
    if (bytes.length === 0) return undefined;
    const position = { path, line: number };
    const seal = readSeal(bytes);
    this.#isChained ??= seal !== undefined || !startsWith(bytes, '{"v":1,');
    if (!this.#isChained) return this.#takeUnchained(position, bytes, seal !== undefined);
    if (seal === undefined || !isSealIntact(bytes, seal)) {
      const isCut = isBeginning(bytes);
      this.#broken ??= { ...position, isCut, isEnded };
      this.#broken.isCut &&= isCut;
      this.#broken.isEnded = isEnded;
      return undefined;
    }
    return this.#takeWhole(position, seal.previous, seal.hash);
  }

  /** To be asked when all lines have been taken. */
  end(path: string): ChainProblem | undefined {
    const broken = this.#broken;
    if (broken !== undefined) {
      // What was cut off has no line end, unless another line was written behind it.
      if (!broken.isCut || broken.isEnded) return { path: broken.path, line: broken.line, kind: 'edited' };
      this.#cutLines += 1;
    }
    if (this.#head === undefined || (this.#previous ?? chainStart) === this.#head) return undefined;
    return { path: this.#last?.path ?? path, line: this.#last?.line ?? 1, kind: 'end_removed' };
  }

  #takeWhole(position: Position, previous: string, hash: string): ChainProblem | undefined {
    const broken = this.#broken;
    if (this.#previous !== undefined && previous !== this.#previous) {
      if (broken !== undefined) return { path: broken.path, line: broken.line, kind: 'edited' };
      // It follows the line before the last one: that one was put in between.
      if (previous === this.#older && this.#last !== undefined) return { ...this.#last, kind: 'added' };
      return { ...position, kind: 'removed_before' };
    }
    if (broken !== undefined) {
      if (!broken.isCut) return { path: broken.path, line: broken.line, kind: 'added' };
      this.#cutLines += 1;
      this.#broken = undefined;
    }
    if (this.#head !== undefined && this.#previous === this.#head) return { ...position, kind: 'added' };
    this.#older = this.#previous;
    this.#previous = hash;
    this.#last = position;
    this.#lines += 1;
    return undefined;
  }

  #takeUnchained(position: Position, bytes: Buffer, isSealed: boolean): ChainProblem | undefined {
    if (isSealed || (this.#head !== undefined && startsWith(bytes, '{'))) return { ...position, kind: 'edited' };
    this.#lines += 1;
    return undefined;
  }
}

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text;
}

/** The beginning of a line as we write them, without its end. */
function isBeginning(bytes: Buffer): boolean {
  const start = '{"v":2,';
  const text = bytes.toString('latin1');
  if (!(text.length < start.length ? start.startsWith(text) : text.startsWith(start))) return false;
  return !/,"prev":"[0-9a-f]{64}","hash":"[0-9a-f]{64}"\}/.test(text) && !isJson(text);
}

/** No beginning of an object is JSON by itself. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
