/** Verifies the hash chain of one run of a window. */
import { readRecordLines, type AuditFile, type RecordLine } from './auditFiles.ts';
import type { ChainHead } from './chainedFiles.ts';
import { chainStart, isSealIntact, readSeal, sequenceOf } from './hashChain.ts';
import { removedFiles } from './removals.ts';
import type { RunEnd } from './runEnds.ts';

/** The result of checking one run. */
export interface RunReport {
  readonly files: number;
  /** Number of intact lines. */
  readonly lines: number;
  readonly problem?: ChainProblem;
  /** False when an older version wrote the run without a chain, so that it cannot be verified. */
  readonly isChained: boolean;
  /** Number of lines that were written only in part, because the disk was full or the window crashed. */
  readonly cutLines: number;
  /** True when the first files of the run are missing, because they were too old or were deleted. */
  readonly startsLater: boolean;
}

export interface VerifyRunOptions {
  /** The end of the run as this window knows it, when this window writes the run. */
  readonly head?: ChainHead;
  /** Lines that the run had reached, as the secret storage and later runs know them. */
  readonly ends?: readonly RunEnd[];
  readonly signal?: AbortSignal;
  readonly onFile?: (bytes: number) => void;
  /** Called for each intact line that names files to be removed. */
  readonly onRemoval?: (seq: number, auditFiles: readonly string[]) => void;
}

/**
 * Checks the hash chain of one run up to its first bad line. The run that this window writes must end where the window says; any
 * other run must contain the lines that are known as its ends.
 * @param files the parts of the run, in order
 * @throws when the signal is aborted
 */
export async function verifyRun(
  files: readonly AuditFile[],
  { head, ends = [], signal, onFile, onRemoval }: VerifyRunOptions = {},
): Promise<RunReport> {
  const startsLater = (files[0]?.part ?? 1) > 1;
  const check = new ChainCheck({ isFromStart: !startsLater, head: head?.hash, ends, onRemoval });
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

/** The first bad line of a run. */
export interface ChainProblem {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /**
   * `edited`: the line differs from the line that was written. `added`: the window did not write the line. `removed_before`: the
   * line does not follow the previous line, so a line between them was removed or lines changed places. `end_removed`: lines
   * after it were removed. `replaced`: the run has other lines than those that are known as its ends.
   */
  readonly kind: 'edited' | 'added' | 'removed_before' | 'end_removed' | 'replaced' | 'unreadable';
  /** With `end_removed`: how many lines are missing at the end, when that is known. */
  readonly missing?: number;
}

interface Position {
  readonly path: string;
  readonly line: number;
}

/** Takes the lines of one run in order and reports the first bad line. */
class ChainCheck {
  readonly #head: string | undefined;
  /** The known ends that were not found yet, by their hash. */
  readonly #ends: Map<string, RunEnd>;
  readonly #onRemoval: VerifyRunOptions['onRemoval'];
  #firstSequence: number | undefined;
  #lastSequence = 0;
  #previous: string | undefined;
  /** Hash of the second-to-last intact line. */
  #older: string | undefined;
  #last: Position | undefined;
  /** First corrupt line after the last intact line. */
  #broken: (Position & { isCut: boolean; isEnded: boolean }) | undefined;
  #isChained: boolean | undefined;
  #lines = 0;
  #cutLines = 0;

  /**
   * @param isFromStart true when the first file of the run exists
   * @param head hash of the last line, as the window that writes the run knows it
   * @param ends lines that the run had reached
   */
  constructor({
    isFromStart,
    head,
    ends,
    onRemoval,
  }: {
    isFromStart: boolean;
    head: string | undefined;
    ends: readonly RunEnd[];
    onRemoval: VerifyRunOptions['onRemoval'];
  }) {
    this.#previous = isFromStart ? chainStart : undefined;
    this.#head = head;
    this.#ends = new Map(ends.map((end) => [end.hash, end]));
    this.#onRemoval = onRemoval;
  }

  /** Number of intact lines so far. */
  get lines(): number {
    return this.#lines;
  }

  /** Number of lines so far that were written only in part, because the disk was full or the window crashed. */
  get cutLines(): number {
    return this.#cutLines;
  }

  /** False for records of the version without a chain. */
  get isChained(): boolean {
    return this.#isChained !== false;
  }

  /** Takes the next line; returns the problem when the chain is broken. */
  take(path: string, { bytes, number, isEnded }: RecordLine): ChainProblem | undefined {
    // An empty line is the line end that AppendFile writes after a line that was cut off.
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
    const problem = this.#takeWhole(position, seal.previous, seal.hash);
    if (problem === undefined) this.#note(bytes, seal.hash);
    return problem;
  }

  /** Returns the problem at the end of the run; call it after the last line. */
  end(path: string): ChainProblem | undefined {
    const broken = this.#broken;
    if (broken !== undefined) {
      // A line that was cut off has no line end, unless another line was written after it.
      if (!broken.isCut || broken.isEnded) return { path: broken.path, line: broken.line, kind: 'edited' };
      this.#cutLines += 1;
    }
    const last = { path: this.#last?.path ?? path, line: this.#last?.line ?? 1 };
    if (this.#head !== undefined && (this.#previous ?? chainStart) !== this.#head)
      return { ...last, kind: 'end_removed' };
    // An end before the first file that is left may have been removed with that file.
    const lost = [...this.#ends.values()].map(({ seq }) => seq).filter((seq) => seq >= (this.#firstSequence ?? 0));
    if (lost.length === 0) return undefined;
    const missing = Math.max(...lost) - this.#lastSequence;
    return missing > 0 ? { ...last, kind: 'end_removed', missing } : { ...last, kind: 'replaced' };
  }

  #note(bytes: Buffer, hash: string): void {
    this.#ends.delete(hash);
    const seq = sequenceOf(bytes);
    if (seq === undefined) return;
    this.#firstSequence ??= seq;
    this.#lastSequence = seq;
    const removed = removedFiles(bytes);
    if (removed.length > 0) this.#onRemoval?.(seq, removed);
  }

  #takeWhole(position: Position, previous: string, hash: string): ChainProblem | undefined {
    const broken = this.#broken;
    if (this.#previous !== undefined && previous !== this.#previous) {
      if (broken !== undefined) return { path: broken.path, line: broken.line, kind: 'edited' };
      // The line follows the second-to-last line, so the last line was inserted.
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

/** Returns whether the bytes are the beginning of a line that Drawbridge writes, without its end. */
function isBeginning(bytes: Buffer): boolean {
  const start = '{"v":2,';
  const text = bytes.toString('latin1');
  if (!(text.length < start.length ? start.startsWith(text) : text.startsWith(start))) return false;
  return !/,"prev":"[0-9a-f]{64}","hash":"[0-9a-f]{64}"\}/.test(text) && !isJson(text);
}

/** Returns whether a text is valid JSON; the mere beginning of an object never is. */
function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
