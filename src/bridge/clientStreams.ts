import type { Readable, Writable } from 'node:stream';
import { errorText } from './jsonRpc.ts';
import { MessageLines } from './messageLines.ts';

/** With this much unread by the client, nothing more is read from it until it has caught up. */
const unreadBytes = 16 * 1024 * 1024;
/** With this much it reads no more at all: what runs may still say as much, but never for ever (threat row H8). */
const maximumUnreadBytes = 64 * 1024 * 1024;

export interface ClientStreamsOptions {
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
