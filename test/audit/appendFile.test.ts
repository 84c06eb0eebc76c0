import { readFileSync, type writeSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test, vi } from 'vitest';
import { AppendFile } from '#audit/appendFile.ts';
import { makePrivateFolder } from '#home/stateFolder.ts';
import { temporaryState } from '../home/temporaryState.ts';

const disk = vi.hoisted(() => ({ full: false }));

/** A disk that is full takes a part of what is written, and then nothing. */
vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<{ writeSync: typeof writeSync }>();
  return {
    ...real,
    writeSync: (descriptor: number, bytes: Buffer) =>
      real.writeSync(descriptor, disk.full ? bytes.subarray(0, 5) : bytes),
  };
});

beforeEach(() => {
  disk.full = false;
});

test('throws when a line was written in part, and keeps the next line intact', () => {
  const { home, audit } = temporaryState();
  const path = join(audit, 'x.jsonl');
  const file = new AppendFile(path, () => makePrivateFolder(home, audit));
  file.append('the first line');
  disk.full = true;
  expect(() => file.append('the second line')).toThrow('took only 5 of 16 bytes');
  disk.full = false;
  file.append('the third line');
  file.append('the fourth line');
  expect(readFileSync(path, 'utf8')).toBe('the first line\nthe s\nthe third line\nthe fourth line\n');
  file.close();
});

test('writes the line before append returns, also after close', () => {
  const { home, audit } = temporaryState();
  const path = join(audit, 'x.jsonl');
  const file = new AppendFile(path, () => makePrivateFolder(home, audit));
  file.append('ä');
  expect(readFileSync(path, 'utf8')).toBe('ä\n');
  file.close();
  file.append('b');
  expect(readFileSync(path, 'utf8')).toBe('ä\nb\n');
});
