import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FileHistory } from '#changes/history.ts';
import { temporaryState } from '../home/temporaryState.ts';

function openHistory(windowId = 'w-1', state = temporaryState()) {
  return { state, history: new FileHistory(state, windowId) };
}

function pathOf(state: { history: string }, sha256: string): string {
  return join(state.history, 'content', sha256.slice(0, 2), sha256);
}

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

describe('the contents of the history', () => {
  test('return byte for byte by their hash', async () => {
    const { history } = openHistory();
    const bytes = Uint8Array.from({ length: 3000 }, (_, index) => index % 256);
    const sha256 = await history.putContent(bytes);
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect(new Uint8Array(await history.getContent(sha256))).toEqual(bytes);
    const empty = await history.putContent(new Uint8Array());
    expect(await history.getContent(empty)).toHaveLength(0);
  });

  test('keep a view into a larger buffer without the bytes around it', async () => {
    const { history } = openHistory();
    const whole = Buffer.from('before-wanted-after');
    const sha256 = await history.putContent(whole.subarray(7, 13));
    expect((await history.getContent(sha256)).toString()).toBe('wanted');
  });

  test('are readable by this user only', async () => {
    const { state, history } = openHistory();
    const path = pathOf(state, await history.putContent(Buffer.from('x')));
    expect(modeOf(path)).toBe('600');
    expect(modeOf(join(path, '..'))).toBe('700');
    expect(modeOf(state.history)).toBe('700');
    expect(modeOf(state.home)).toBe('700');
  });

  test('are stored once', async () => {
    const { state, history } = openHistory();
    const path = pathOf(state, await history.putContent(Buffer.from('twice')));
    const { ino } = statSync(path);
    await history.putContent(Buffer.from('twice'));
    expect(statSync(path).ino).toBe(ino);
    await Promise.all(Array.from({ length: 5 }, () => history.putContent(Buffer.from('at once'))));
    expect(
      readdirSync(join(state.history, 'content')).flatMap((name) => readdirSync(join(state.history, 'content', name))),
    ).toHaveLength(2);
  });

  test('rewrite a content that was cut off', async () => {
    const { state, history } = openHistory();
    const path = pathOf(state, await history.putContent(Buffer.from('whole text')));
    writeFileSync(path, 'whole');
    await history.putContent(Buffer.from('whole text'));
    expect(readFileSync(path, 'utf8')).toBe('whole text');
  });

  test('F20 rewrite a content that was damaged on the disk', async () => {
    const { state, history } = openHistory();
    const path = pathOf(state, await history.putContent(Buffer.from('whole text')));
    writeFileSync(path, 'whole\0\0\0\0\0');
    const sha256 = await history.putContent(Buffer.from('whole text'));
    expect((await history.getContent(sha256)).toString()).toBe('whole text');
  });

  test('throw for a damaged, missing or linked content', async () => {
    const { state, history } = openHistory();
    const sha256 = await history.putContent(Buffer.from('right'));
    const path = pathOf(state, sha256);
    writeFileSync(path, 'wrong');
    await expect(history.getContent(sha256)).rejects.toThrow('damaged');
    unlinkSync(path);
    await expect(history.getContent(sha256)).rejects.toThrow(
      new Error('what was kept of it is no longer in the history'),
    );
    const other = join(state.home, 'other');
    writeFileSync(other, 'right');
    symlinkSync(other, path);
    await expect(history.getContent(sha256)).rejects.toThrow();
  });

  test('accept only a hash as the key, never a path', async () => {
    const { history } = openHistory();
    for (const key of ['../../etc/passwd', '', 'A'.repeat(64), `${'a'.repeat(64)}/..`]) {
      await expect(history.getContent(key)).rejects.toThrow(RangeError);
    }
  });
});

describe('the records of the history', () => {
  test('return oldest first after the window reloads', async () => {
    const { state, history } = openHistory();
    for (const id of ['b', 'c', 'a']) {
      await history.putRecord(id, { id, n: 1 });
      await sleep(15);
    }
    await openHistory('w-2', state).history.putRecord('d', { id: 'd' });
    await history.putRecord('b', { id: 'b', n: 2 });
    expect(await openHistory('w-1', state).history.records()).toEqual([
      { id: 'c', n: 1 },
      { id: 'a', n: 1 },
      { id: 'b', n: 2 },
    ]);
  });

  test('leave out unreadable records', async () => {
    const { state, history } = openHistory();
    await history.putRecord('good', { good: true });
    const folder = join(state.history, 'records', 'w-1');
    writeFileSync(join(folder, 'bad.json'), '{"half":');
    writeFileSync(join(folder, 'good.json.123456'), '{}');
    symlinkSync('/dev/zero', join(folder, 'link.json'));
    expect(await history.records()).toEqual([{ good: true }]);
    expect(await openHistory().history.records()).toEqual([]);
  });

  test('keep the last of concurrent writes of one record, complete', async () => {
    const { history } = openHistory();
    await Promise.all(Array.from({ length: 10 }, (_, n) => history.putRecord('a', { n, filler: 'x'.repeat(10_000) })));
    expect(await history.records()).toMatchObject([{ n: 9 }]);
  });

  test('are written after an earlier write of the same record has failed', async () => {
    const state = temporaryState();
    const failures = [new Error('the disk is full')];
    const failingState = {
      ...state,
      get home(): string {
        const failure = failures.pop();
        if (failure !== undefined) throw failure;
        return state.home;
      },
    };
    const { history } = openHistory('w-1', failingState);
    const writes = [history.putRecord('a', { n: 1 }), history.putRecord('a', { n: 2 })];
    expect(await Promise.allSettled(writes)).toMatchObject([
      { status: 'rejected', reason: { message: 'the disk is full' } },
      { status: 'fulfilled' },
    ]);
    expect(await history.records()).toEqual([{ n: 2 }]);
  });

  test('accept no path as the id', async () => {
    const { state, history } = openHistory();
    for (const id of ['../evil', 'a/b', '', '.', 'a.json', 'x'.repeat(101)]) {
      await expect(history.putRecord(id, {})).rejects.toThrow(RangeError);
      expect(() => new FileHistory(state, id)).toThrow(RangeError);
    }
    expect(existsSync(state.history)).toBe(false);
  });

  test('throw when a record cannot be written', async () => {
    const { state, history } = openHistory();
    await history.putRecord('a', {});
    const folder = join(state.history, 'content');
    writeFileSync(folder, '');
    await expect(history.putContent(Buffer.from('x'))).rejects.toThrow();
  });
});
