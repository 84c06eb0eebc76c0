import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** The terminal in which a person started this program, even when its input and output are something else. */
export interface Terminal {
  write(text: string): void;
  /** Waits for a line and returns it without its end. */
  readLine(): string;
  close(): void;
}

/** The longest line that is read, in bytes. */
const mostBytes = 1024;

/** Opens the terminal that controls this process; undefined when there is none. */
export function openTerminal(platform: NodeJS.Platform = process.platform): Terminal | undefined {
  const [input, output] =
    platform === 'win32' ? [String.raw`\\.\CONIN$`, String.raw`\\.\CONOUT$`] : ['/dev/tty', '/dev/tty'];
  const opened: number[] = [];
  const close = (): void => opened.forEach((descriptor) => closeSync(descriptor));
  try {
    const from = openSync(input, 'r+');
    opened.push(from);
    const to = openSync(output, 'r+');
    opened.push(to);
    if (!isatty(from) || !isatty(to)) {
      close();
      return undefined;
    }
    return {
      write: (text) => void writeSync(to, text),
      readLine() {
        const buffer = Buffer.alloc(mostBytes);
        // A terminal gives one line to each read.
        return buffer.toString('utf8', 0, readSync(from, buffer, 0, mostBytes, null)).replace(/\r?\n$/, '');
      },
      close,
    };
  } catch {
    close();
    return undefined;
  }
}
