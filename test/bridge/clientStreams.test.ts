import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { ClientStreams } from '#bridge/clientStreams.ts';

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

  it('go on reading while little waits: a client may write before it reads', () => {
    const { input, streams } = setUp();
    for (let count = 0; count < 15; count++) streams.send(megabyte);
    expect(input.isPaused()).toBe(false);
  });

  it('H8: give up a client that reads nothing at all, however much its window still says', () => {
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

  it('tell of the end of the input, and go on writing', async () => {
    const { input, streams, written, onInputEnd, onBroken, onLine } = setUp();
    input.end('1');
    await vi.waitFor(() => expect(onInputEnd).toHaveBeenCalledTimes(1));
    expect(onLine).toHaveBeenCalledWith('1');
    expect(onBroken).not.toHaveBeenCalled();
    streams.send('2');
    expect(written).toEqual(['2\n']);
  });

  it('tell that they broke, whichever side it is; nothing is sent after it', async () => {
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
