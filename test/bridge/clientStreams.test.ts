import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { ClientStreams } from '../../src/bridge/clientStreams.ts';

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
  const onEnd = vi.fn<() => void>();
  const onLine = vi.fn<(line: string) => void>();
  const streams = new ClientStreams({ input, output, onLine, onEnd });
  /** The client reads what was written so far. */
  const readAll = (): void => {
    for (let done = waiting.shift(); done !== undefined; done = waiting.shift()) done();
  };
  return { input, output, streams, written, readAll, onEnd, onLine };
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

  it('tell of their end, whichever side it is; nothing is sent after it', async () => {
    const { input, output, streams, written, onEnd } = setUp();
    output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await turn();
    expect(onEnd).toHaveBeenCalledTimes(1);
    streams.send('1');
    await streams.finish();
    expect(written).toEqual([]);
    input.destroy(new Error('EIO'));
    await turn();
    expect(onEnd).toHaveBeenCalledTimes(2);
  });
});
