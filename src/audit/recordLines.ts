import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

export interface RecordLine {
  /** As it is on disk, without its line end. */
  readonly bytes: Buffer;
  /** 1-based. */
  readonly number: number;
  /** It has a line end; false for the last one of a file at most. */
  readonly isEnded: boolean;
}

const lineFeed = 0x0a;

/**
 * The lines of a file of records, one after the other; a link is not followed.
 * @param mostBytes what is behind them is not read
 * @throws when it cannot be read
 */
export async function* readRecordLines(path: string, mostBytes = Infinity): AsyncGenerator<RecordLine> {
  if (mostBytes === 0) return;
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);
  await using file = await open(path, flags);
  const stream = file.createReadStream({ end: mostBytes - 1, autoClose: false, highWaterMark: 256 * 1024 });
  let begun: Buffer[] = [];
  let number = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let at = 0;
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, at)) {
      number += 1;
      yield { bytes: Buffer.concat([...begun, chunk.subarray(at, end)]), number, isEnded: true };
      begun = [];
      at = end + 1;
    }
    begun.push(chunk.subarray(at));
  }
  const rest = Buffer.concat(begun);
  if (rest.length > 0) yield { bytes: rest, number: number + 1, isEnded: false };
}
