import type { Readable, Writable } from 'node:stream';
import { errorText } from './jsonRpc.ts';

/** With this much unread by the client, nothing more is read from it until it has caught up. */
const unreadBytes = 16 * 1024 * 1024;
/** With this much it reads no more at all: what runs may still say as much, but never for ever (threat row H8). */
const maximumUnreadBytes = 64 * 1024 * 1024;

interface ClientStreamsOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onLine: (line: string) => void;
  /** The client sends no more; it may still read. */
  readonly onInputEnd: () => void;
  /** The client is gone, or reads nothing. Maybe more than once. */
  readonly onBroken: () => void;
}

/** The client on stdio: one message a line, and nothing else (MCP, "Transports", stdio). */
export class ClientStreams {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #onBroken: () => void;

  constructor({ input, output, onLine, onInputEnd, onBroken }: ClientStreamsOptions) {
    this.#input = input;
    this.#output = output;
    this.#onBroken = onBroken;
    const lines = new MessageLines({ onLine, onUnreadable: (problem) => this.send(unreadable[problem]) });
    input.on('data', (chunk: Buffer) => lines.push(chunk));
    input.on('end', () => {
      lines.end();
      onInputEnd();
    });
    input.on('error', onBroken);
    output.on('error', onBroken);
    output.on('drain', () => input.resume());
  }

  /** @param text one message or batch without a line end */
  send(text: string): void {
    if (!this.#output.writable) return;
    this.#output.write(`${text}\n`);
    if (this.#output.writableLength > unreadBytes) this.#input.pause();
    if (this.#output.writableLength > maximumUnreadBytes) this.#onBroken();
  }

  /** Reads no more, and resolves when what was sent is written or can no longer be. */
  async finish(): Promise<void> {
    this.#input.pause();
    // Called when everything before it is written, or when the stream fails.
    await new Promise<void>((resolve) => this.#output.write('', () => resolve()));
  }
}

const unreadable = {
  tooLong: errorText(null, -32700, 'Parse error: the message is longer than 8 MiB.'),
  notUtf8: errorText(null, -32700, 'Parse error: the message is not UTF-8.'),
};

/** Above what a window takes in one request; what is longer is a mistake or an attack. */
const maximumLineBytes = 8 * 1024 * 1024;
const lineEnd = 0x0a;

interface MessageLinesOptions {
  /** One line without its end; never empty. */
  readonly onLine: (line: string) => void;
  /** A line that cannot be read; what follows its end is read as usual. */
  readonly onUnreadable: (problem: 'tooLong' | 'notUtf8') => void;
  readonly maximumBytes?: number;
}

/** Cuts a stream of bytes into the lines that are MCP's messages on stdio. */
export class MessageLines {
  readonly #options: MessageLinesOptions;
  readonly #maximumBytes: number;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isTooLong = false;

  constructor(options: MessageLinesOptions) {
    this.#options = options;
    this.#maximumBytes = options.maximumBytes ?? maximumLineBytes;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineEnd, start);
      if (end === -1) break;
      this.#add(chunk.subarray(start, end));
      this.#finishLine();
      start = end + 1;
    }
    this.#add(chunk.subarray(start));
  }

  /** The stream is over: what is left is a line, too. */
  end(): void {
    this.#finishLine();
  }

  /** Of a line that is too long nothing is kept, so that it costs no memory. */
  #add(part: Buffer): void {
    if (part.length === 0 || this.#isTooLong) return;
    this.#bytes += part.length;
    this.#isTooLong = this.#bytes > this.#maximumBytes;
    if (this.#isTooLong) this.#parts = [];
    else this.#parts.push(part);
  }

  #finishLine(): void {
    const bytes = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    const isTooLong = this.#isTooLong;
    this.#parts = [];
    this.#bytes = 0;
    this.#isTooLong = false;
    if (isTooLong) return this.#options.onUnreadable('tooLong');
    const line = decode(bytes);
    if (line === undefined) return this.#options.onUnreadable('notUtf8');
    if (line.trim() !== '') this.#options.onLine(line);
  }
}

/** Without a byte order mark, which some shells put in front; undefined when it is no UTF-8. */
function decode(bytes: Buffer | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
