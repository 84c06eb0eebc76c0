import { open } from 'node:fs/promises';
import { encodingLabel } from '#base/encodings.ts';
import { readFlags } from '#base/openFlags.ts';
import type { SearchSettings } from './scope.ts';

/** An encoding for a further search. */
interface OtherEncoding {
  /** The encoding id of the editor. */
  readonly encoding: string;
  /** The name that ripgrep uses. */
  readonly label: string;
  /** Its matches count only in files that are UTF-8, or only in those that are not. */
  readonly isForUtf8: boolean;
}

/** The most encodings that are tried after the first search. */
const mostEncodings = 3;

/**
 * Returns the encodings in which a query is to be searched again. There are none for a query of ASCII, which is the same in all of them.
 */
export function otherEncodings(
  pattern: string,
  { encoding, candidates }: Pick<SearchSettings, 'encoding' | 'candidates'>,
): readonly OtherEncoding[] {
  if (!/[^\0-\x7f]/.test(pattern)) return [];
  if (encodingLabel(encoding) !== undefined) return [{ encoding: 'utf8', label: 'utf-8', isForUtf8: true }];
  const guesses = candidates.filter((each) => !each.startsWith('utf'));
  return [...new Set([...guesses, 'windows1252'])].slice(0, mostEncodings).flatMap((each) => {
    const label = encodingLabel(each);
    return label === undefined ? [] : [{ encoding: each, label, isForUtf8: false }];
  });
}

/** Returns true when a file is UTF-8, or has a byte-order mark, by which ripgrep knows its encoding. False when it cannot be read. */
export async function isUtf8(fsPath: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isFirst = true;
  try {
    const handle = await open(fsPath, readFlags);
    // The stream closes the file at its end, and when the loop is left.
    for await (const chunk of handle.createReadStream()) {
      if (!Buffer.isBuffer(chunk)) return false;
      if (isFirst && [0xfffe, 0xfeff].includes(chunk.length < 2 ? 0 : chunk.readUInt16BE(0))) return true;
      isFirst = false;
      decoder.decode(chunk, { stream: true });
    }
    decoder.decode();
    return true;
  } catch {
    return false;
  }
}
