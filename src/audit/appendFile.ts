import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from 'node:fs';
import { appendFlags } from '#base/openFlags.ts';

/**
 * Appends lines to a private file of this user (mode 0600). Each line is one synchronous write, so that the operating system has
 * it when `append` returns. The file is created with the first line, and created again when somebody removed it.
 */
export class AppendFile {
  readonly #path: string;
  readonly #prepare: () => void;
  #descriptor: number | undefined;
  /** True when the file may end in the middle of a line. */
  #broken = false;

  /** @param prepare creates the folder; called before the file is opened */
  constructor(path: string, prepare: () => void) {
    this.#path = path;
    this.#prepare = prepare;
  }

  /**
   * @param line without its line end
   * @throws when the line was not written completely
   */
  append(line: string): void {
    try {
      const descriptor = this.#openFile();
      const bytes = Buffer.from(`${this.#broken ? '\n' : ''}${line}\n`);
      this.#broken = true;
      const written = writeSync(descriptor, bytes);
      // Only the line end may be missing: the next line starts with it then.
      if (written < bytes.length - 1) throw new Error(`${this.#path} took only ${written} of ${bytes.length} bytes`);
      this.#broken = written < bytes.length;
    } catch (error) {
      this.close();
      throw error;
    }
  }

  close(): void {
    if (this.#descriptor === undefined) return;
    const descriptor = this.#descriptor;
    this.#descriptor = undefined;
    closeSync(descriptor);
  }

  #openFile(): number {
    if (this.#descriptor !== undefined && fstatSync(this.#descriptor).nlink > 0) return this.#descriptor;
    this.close();
    this.#prepare();
    this.#descriptor = openSync(this.#path, appendFlags, 0o600);
    const stats = fstatSync(this.#descriptor);
    if (!stats.isFile()) throw new Error(`${this.#path} is not a file`);
    if (process.getuid !== undefined && stats.uid !== process.getuid()) {
      throw new Error(`${this.#path} belongs to another user`);
    }
    if (process.platform !== 'win32' && (stats.mode & 0o077) !== 0) fchmodSync(this.#descriptor, 0o600);
    return this.#descriptor;
  }
}
