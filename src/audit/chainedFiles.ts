import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AppendFile } from './appendFile.ts';
import { auditFileName, dayOf } from './auditFiles.ts';
import { chainStart, sealLine } from './hashChain.ts';

export interface ChainedFilesOptions {
  readonly folder: string;
  readonly windowId: string;
  /** Start of the run, milliseconds since the epoch. */
  readonly start: number;
  /** Begins a new part before a line would make the file longer than this. */
  readonly mostBytes: number;
  /** Creates the folder; called before a file is opened. */
  readonly prepare: () => void;
}

/** The current end of the chain that a window writes. */
export interface ChainHead {
  readonly windowId: string;
  readonly start: number;
  /** Path of the file to which the window writes. */
  readonly path: string;
  /** Current length of that file; 0 when the file does not exist. */
  readonly bytes: number;
  /** `seq` of the last line; 0 before the first. */
  readonly seq: number;
  /** Hash of the last line. */
  readonly hash: string;
}

/**
 * Writes the audit files of one run of a window. The lines form one hash chain; a new file begins at a maximum length and with
 * each UTC day (docs/security.md, "Audit").
 */
export class ChainedFiles {
  readonly #options: ChainedFilesOptions;
  #file: AppendFile;
  #path: string;
  #day: string;
  #part = 1;
  #bytes = 0;
  #seq = 0;
  #hash = chainStart;

  /** @throws RangeError when the window id cannot be part of a file name */
  constructor(options: ChainedFilesOptions) {
    this.#options = options;
    this.#day = dayOf(options.start);
    this.#path = this.#pathOfPart();
    this.#file = new AppendFile(this.#path, options.prepare);
  }

  /** True until the first line is written. */
  get isEmpty(): boolean {
    return this.#seq === 0;
  }

  /** The current end of the chain. Path and length belong together, because writes are synchronous. */
  get head(): ChainHead {
    const { windowId, start } = this.#options;
    const bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    return { windowId, start, path: this.#path, bytes, seq: this.#seq, hash: this.#hash };
  }

  /**
   * Appends a record to the chain.
   * @param json the record as one line of JSON
   * @param seq the number of the line
   * @param now milliseconds since the epoch
   * @returns true when the record began a new part
   * @throws when the line was not written completely; the chain continues without it
   */
  append(json: string, seq: number, now: number): boolean {
    const { line, hash } = sealLine(json, this.#hash);
    const length = Buffer.byteLength(line) + 1;
    const day = dayOf(now);
    const isNewPart = this.#bytes > 0 && (day > this.#day || this.#bytes + length > this.#options.mostBytes);
    if (isNewPart) this.#beginPart(day);
    this.#file.append(line);
    this.#seq = seq;
    this.#hash = hash;
    this.#bytes += length;
    return isNewPart;
  }

  close(): void {
    this.#file.close();
  }

  #beginPart(day: string): void {
    this.#file.close();
    this.#part += 1;
    this.#day = day;
    this.#bytes = 0;
    this.#path = this.#pathOfPart();
    this.#file = new AppendFile(this.#path, this.#options.prepare);
  }

  #pathOfPart(): string {
    const { folder, windowId, start } = this.#options;
    return join(folder, auditFileName({ day: this.#day, windowId, start, part: this.#part }));
  }
}
