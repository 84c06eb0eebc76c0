import { windows1252 } from '#base/encodings.ts';

/** Decodes a text piece by piece. */
export interface StreamDecoder {
  /** The encoding id of the editor. */
  readonly encoding: string;
  /**
   * Returns the text of the next piece; undefined stands for the end.
   * @throws TypeError when the bytes are not in this encoding
   */
  decode(chunk: Buffer | undefined): string;
}

/** Returns the decoder for Unicode, chosen by the byte-order mark at the start. */
export function unicodeDecoder(start: Uint8Array): StreamDecoder {
  const [first, second, third] = start;
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf;
  const [encoding, label] =
    first === 0xff && second === 0xfe
      ? ['utf16le', 'utf-16le']
      : first === 0xfe && second === 0xff
        ? ['utf16be', 'utf-16be']
        : [isMarked ? 'utf8bom' : 'utf8', 'utf-8'];
  const decoder = new TextDecoder(label, { fatal: true });
  return {
    encoding,
    decode: (chunk) => (chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true })),
  };
}

/** Returns the decoder for a text that is not Unicode. */
export function windowsDecoder(): StreamDecoder {
  return { encoding: 'windows1252', decode: (chunk) => (chunk === undefined ? '' : windows1252(chunk)) };
}
