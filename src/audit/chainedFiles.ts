import { statSync } from 'node:fs';
import { join } from 'node:path';
import { AppendFile } from './appendFile.ts';
import { auditFileName, dayOf } from './auditFiles.ts';
import { chainStart, sealLine } from './hashChain.ts';

export interface ChainedFilesOptions {
  readonly folder: string;
  readonly windowId: string;
  /** When the run began, milliseconds since the epoch. */
  readonly start: number;
  /** A new part begins before a line would make the file longer than this. */
  readonly mostBytes: number;
  /** Makes the folder; called before a file is opened. */
  readonly prepare: () => void;
}

/** Where the chain of a running window stands. */
export interface ChainHead {
  readonly windowId: string;
  readonly start: number;
  /** Path of the file that is written to. */
  readonly path: string;
  /** Its length now; 0 when it is not there. */
  readonly bytes: number;
  /** Hash of the last line. */
  readonly hash: string;
}

/**
 * The record files of one run of a window: lines in one chain, over parts that end at a length and with each UTC day
 * (docs/security.md, "Audit").
 */
export class ChainedFiles {
  readonly #options: ChainedFilesOptions;
  #file: AppendFile;
  #path: string;
  #day: string;
  #part = 1;
  #bytes = 0;
  #hash = chainStart;

  /** @throws RangeError for an id that cannot be part of a file's name */
  constructor(options: ChainedFilesOptions) {
    this.#options = options;
    this.#day = dayOf(options.start);
    this.#path = this.#pathOfPart();
    this.#file = new AppendFile(this.#path, options.prepare);
  }

  /** Path and length are of this moment: nothing is written between the two. */
  get head(): ChainHead {
    const { windowId, start } = this.#options;
    const bytes = statSync(this.#path, { throwIfNoEntry: false })?.size ?? 0;
    return { windowId, start, path: this.#path, bytes, hash: this.#hash };
  }

  /**
   * @param json the record, one line
   * @param now milliseconds since the epoch
   * @returns whether a new part was begun
   * @throws when the line is not written whole; the chain goes on without it then
   */
  append(json: string, now: number): boolean {
    const { line, hash } = sealLine(json, this.#hash);
    const length = Buffer.byteLength(line) + 1;
    const day = dayOf(now);
    const isNewPart = this.#bytes > 0 && (day > this.#day || this.#bytes + length > this.#options.mostBytes);
    if (isNewPart) this.#beginPart(day);
    this.#file.append(line);
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
