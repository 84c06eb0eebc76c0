import { PassThrough, Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ClientStreams, MessageLines } from '#bridge/clientStreams.ts';

function setUp() {
  const input = new PassThrough();
  const written: string[] = [];
  const waiting: (() => void)[] = [];
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _, done) {
      written.push(chunk);
      waiting.push(done);
    },
  });
  const onInputEnd = vi.fn<() => void>();
  const onBroken = vi.fn<() => void>();
  const onLine = vi.fn<(line: string) => void>();
  const streams = new ClientStreams({ input, output, onLine, onInputEnd, onBroken });
  /** The client reads what was written so far. */
  const readAll = (): void => {
    for (let done = waiting.shift(); done !== undefined; done = waiting.shift()) done();
  };
  return { input, output, streams, written, readAll, onInputEnd, onBroken, onLine };
}

const megabyte = 'x'.repeat(1024 * 1024);
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the client\u2019s streams', () => {
  it('read no more from a client that reads nothing, until it has caught up', async () => {
    const { input, streams, readAll, onLine } = setUp();
    for (let count = 0; count < 16; count++) streams.send(megabyte);
    expect(input.isPaused()).toBe(true);
    input.write('1\n');
    await turn();
    expect(onLine).not.toHaveBeenCalled();
    while (input.isPaused()) {
      readAll();
      await turn();
    }
    await turn();
    expect(onLine).toHaveBeenCalledWith('1');
  });

  it('go on reading while little waits, since a client may write before it reads', () => {
    const { input, streams } = setUp();
    for (let count = 0; count < 15; count++) streams.send(megabyte);
    expect(input.isPaused()).toBe(false);
  });

  it('H8: drop a client that reads nothing at all, however much its window still sends', () => {
    const { streams, onBroken } = setUp();
    for (let count = 0; count < 63; count++) streams.send(megabyte);
    expect(onBroken).not.toHaveBeenCalled();
    streams.send(megabyte);
    expect(onBroken).toHaveBeenCalled();
  });

  it('write one message a line, and finish when all is written', async () => {
    const { input, streams, written, readAll, onLine } = setUp();
    streams.send('1');
    streams.send('2');
    let isFinished = false;
    const finished = streams.finish().then(() => (isFinished = true));
    await turn();
    input.write('{}\n');
    await turn();
    expect(isFinished).toBe(false);
    expect(onLine).not.toHaveBeenCalled();
    readAll();
    await turn();
    readAll();
    await finished;
    expect(written.join('')).toBe('1\n2\n');
  });

  it('report the end of the input, and go on writing', async () => {
    const { input, streams, written, onInputEnd, onBroken, onLine } = setUp();
    input.end('1');
    await vi.waitFor(() => expect(onInputEnd).toHaveBeenCalledTimes(1));
    expect(onLine).toHaveBeenCalledWith('1');
    expect(onBroken).not.toHaveBeenCalled();
    streams.send('2');
    expect(written).toEqual(['2\n']);
  });

  it('report a failure on either side, and send nothing after it', async () => {
    const { input, output, streams, written, onBroken } = setUp();
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await turn();
    expect(onBroken).toHaveBeenCalledTimes(1);
    streams.send('1');
    await streams.finish();
    expect(written).toEqual([]);
    input.destroy(new Error('EIO'));
    await turn();
    expect(onBroken).toHaveBeenCalledTimes(2);
  });
});

function read(chunks: readonly Buffer[], maximumBytes?: number): string[] {
  const seen: string[] = [];
  const lines = new MessageLines({
    onLine: (line) => seen.push(line),
    onUnreadable: (problem) => seen.push(`<${problem}>`),
    ...(maximumBytes !== undefined && { maximumBytes }),
  });
  for (const chunk of chunks) lines.push(chunk);
  lines.end();
  return seen;
}

/** The bytes cut into pieces at these places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const inside = places.map((place) => place % (bytes.length + 1)).toSorted((one, other) => one - other);
  return [0, ...inside].map((start, index) => bytes.subarray(start, inside[index] ?? bytes.length));
}

describe('the splitting of messages into lines', () => {
  it('law: yields the same lines however the bytes are cut', () => {
    const line = fc
      .string({ unit: 'grapheme', maxLength: 20 })
      .filter((text) => !text.includes('\n') && text.trim() !== '');
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, places) => {
        const expected = texts.map((text) => text.replace(/^\ufeff/, ''));
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        expect(read(cut(bytes, places))).toEqual(expected);
      }),
    );
  });

  it('law: refuses only the lines that are too long, however the bytes are cut', () => {
    const line = fc.nat(12).map((length) => 'x'.repeat(length + 1));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat()), (texts, places) => {
        const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(''));
        expect(read(cut(bytes, places), 8)).toEqual(texts.map((text) => (text.length > 8 ? '<tooLong>' : text)));
      }),
    );
  });

  it('skips empty lines, and accepts CR LF, a byte order mark and a last line without a newline', () => {
    expect(read([Buffer.from('\ufeff{}\r\n\n \r\n[]\n"last"')])).toEqual(['{}\r', '[]', '"last"']);
  });

  it('refuses a line that is not UTF-8, and continues', () => {
    expect(read([Buffer.from([0xc3]), Buffer.from([0x28, 0x0a, 0x31, 0x0a])])).toEqual(['<notUtf8>', '1']);
  });
});
