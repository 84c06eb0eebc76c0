import type { Readable, Writable } from 'node:stream';
import { errorText } from './jsonRpc.ts';

/** When this many bytes wait for the client, the bridge reads nothing more from it until it has read them. */
const unreadBytes = 16 * 1024 * 1024;
/**
 * When this many bytes wait, the client counts as gone, so that running calls cannot fill the memory (threat row H8).
 */
const maximumUnreadBytes = 64 * 1024 * 1024;

interface ClientStreamsOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onLine: (line: string) => void;
  /** Called when the client has closed its output; it may still read. */
  readonly onInputEnd: () => void;
  /** Called when the client is gone or does not read; may be called more than once. */
  readonly onBroken: () => void;
}

/** The client on stdio: each line is one message (MCP, "Transports", stdio). */
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

  /** Writes one message. @param text one message or batch without a line end */
  send(text: string): void {
    if (!this.#output.writable) return;
    this.#output.write(`${text}\n`);
    if (this.#output.writableLength > unreadBytes) this.#input.pause();
    if (this.#output.writableLength > maximumUnreadBytes) this.#onBroken();
  }

  /** Stops reading, and resolves when everything sent was written or the stream has failed. */
  async finish(): Promise<void> {
    this.#input.pause();
    // Node calls back when everything before this write was written, or when the stream fails.
    await new Promise<void>((resolve) => this.#output.write('', () => resolve()));
  }
}

const unreadable = {
  tooLong: errorText(null, -32700, 'Parse error: the message is longer than 8 MiB.'),
  notUtf8: errorText(null, -32700, 'Parse error: the message is not UTF-8.'),
};

/** More than a window accepts in one request; a longer line is a mistake or an attack. */
const maximumLineBytes = 8 * 1024 * 1024;
const lineEnd = 0x0a;

interface MessageLinesOptions {
  /** Called with each line, without its line end; never with an empty line. */
  readonly onLine: (line: string) => void;
  /** Called for a line that cannot be read; the lines after it are read as usual. */
  readonly onUnreadable: (problem: 'tooLong' | 'notUtf8') => void;
  readonly maximumBytes?: number;
}

/** Cuts a stream of bytes into lines, each of which is an MCP message. */
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

  /** Ends the stream: the bytes after the last line end are a line, too. */
  end(): void {
    this.#finishLine();
  }

  /** Adds bytes to the current line; drops a line that is too long, so that it takes no memory. */
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

/** Returns the text without the byte order mark that some shells write; undefined for bytes that are not UTF-8. */
function decode(bytes: Buffer | undefined): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
