import type { Readable, Writable } from 'node:stream';
import { errorText } from './jsonRpc.ts';
import { MessageLines } from './messageLines.ts';

/** With this much unread by the client, nothing more is read from it until it has caught up. */
const unreadBytes = 16 * 1024 * 1024;

export interface ClientStreamsOptions {
  readonly input: Readable;
  readonly output: Writable;
  readonly onLine: (line: string) => void;
  /** The client closed its end, or reads no more. Maybe more than once. */
  readonly onEnd: () => void;
}

/** The client on stdio: one message a line, and nothing else (MCP, "Transports", stdio). */
export class ClientStreams {
  readonly #input: Readable;
  readonly #output: Writable;

  constructor({ input, output, onLine, onEnd }: ClientStreamsOptions) {
    this.#input = input;
    this.#output = output;
    const lines = new MessageLines({ onLine, onUnreadable: (problem) => this.send(unreadable[problem]) });
    input.on('data', (chunk: Buffer) => lines.push(chunk));
    input.on('end', () => {
      lines.end();
      onEnd();
    });
    input.on('error', onEnd);
    output.on('error', onEnd);
    output.on('drain', () => input.resume());
  }

  /** @param text one message or batch without a line end */
  send(text: string): void {
    if (!this.#output.writable) return;
    this.#output.write(`${text}\n`);
    if (this.#output.writableLength > unreadBytes) this.#input.pause();
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
