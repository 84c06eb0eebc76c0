import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { SharedFile } from '#home/sharedFile.ts';
import { temporaryState } from './temporaryState.ts';

const counter = z.strictObject({ count: z.number() });
type Counter = z.infer<typeof counter>;

/** Opens the shared file below `home` as one window does. */
function open(home: string): SharedFile<Counter> & { readonly errors: unknown[] } {
  const errors: unknown[] = [];
  const file = new SharedFile<Counter>({
    home,
    name: 'shared.json',
    parse: (value) => counter.parse(value),
    empty: { count: 0 },
    onError: (error) => void errors.push(error),
  });
  onTestFinished(() => file.dispose());
  return Object.assign(file, { errors });
}

function newHome(): string {
  return temporaryState().home;
}

const increment = ({ count }: Counter): Counter => ({ count: count + 1 });

/** Resolves when a window was told of a change and its value then satisfies the condition. */
function change(file: SharedFile<Counter>, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const subscription = file.onDidChange(() => {
      if (!condition()) return;
      subscription.dispose();
      resolve();
    });
  });
}

function spawnWriter(home: string, ...what: string[]) {
  return spawn(process.execPath, [join(import.meta.dirname, 'sharedFileWriter.ts'), home, ...what], {
    stdio: 'inherit',
  });
}

describe('a shared file', () => {
  test('holds the updated value with mode 0600', async () => {
    const home = newHome();
    const file = open(home);
    expect([file.value, file.problem, existsSync(file.path)]).toEqual([{ count: 0 }, undefined, false]);
    expect(await file.update(increment)).toEqual({ count: 1 });
    expect(file.value).toEqual({ count: 1 });
    expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({ count: 1 });
    expect((lstatSync(file.path).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(home)).toEqual(['shared.json']);
    expect(open(home).value).toEqual({ count: 1 });
  });

  test('tells every window once when the value changed', async () => {
    const home = newHome();
    const [here, there] = [open(home), open(home)];
    const counts: number[] = [];
    here.onDidChange(() => counts.push(here.value.count));
    const arrived = change(there, () => there.value.count === 1);
    await here.update(increment);
    await here.update((now) => ({ ...now }));
    const { value } = here;
    await here.refresh();
    expect(here.value).toBe(value);
    await arrived;
    expect(counts).toEqual([1]);
  });

  test('tells when the user edited or removed the file', async () => {
    const file = open(newHome());
    const written = change(file, () => file.value.count === 7);
    writeFileSync(file.path, '{ "count": 7 }');
    await written;
    const removed = change(file, () => file.value.count === 0);
    rmSync(file.path);
    await removed;
    expect(file.problem).toBeUndefined();
  });

  test('returns the latest value before the change event', async () => {
    const home = newHome();
    const [here, there] = [open(home), open(home)];
    const updated = here.update(increment);
    await updated;
    expect(there.latest()).toEqual({ count: 1 });
    rmSync(here.path);
    expect(there.latest()).toEqual({ count: 0 });
  });

  test('loses no update when two windows of one process write', async () => {
    const home = newHome();
    const [here, there] = [open(home), open(home)];
    await Promise.all([here, there].flatMap((file) => Array.from({ length: 50 }, () => file.update(increment))));
    expect([here.latest(), there.latest()]).toEqual([{ count: 100 }, { count: 100 }]);
  });

  test('loses no update when two processes write', async () => {
    const home = newHome();
    const exits = [1, 2].map(() => once(spawnWriter(home, 'count', '100'), 'exit'));
    expect(await Promise.all(exits)).toEqual([
      [0, null],
      [0, null],
    ]);
    const file = open(home);
    expect([file.value, readdirSync(home)]).toEqual([{ count: 200 }, ['shared.json']]);
  });

  test('stays usable when a window is killed during an update', async () => {
    const home = newHome();
    const file = open(home);
    await file.update(increment);
    expect(await once(spawnWriter(home, 'die'), 'exit')).toEqual([null, 'SIGKILL']);
    const locked = `${file.path}.lock`;
    expect([file.latest(), existsSync(locked)]).toEqual([{ count: 1 }, true]);
    // A minute later.
    const before = new Date(Date.now() - 60_000);
    utimesSync(locked, before, before);
    expect(await file.update(increment)).toEqual({ count: 2 });
    expect(existsSync(locked)).toBe(false);
  });

  test('writes nothing when the change throws or its result is not valid', async () => {
    const file = open(newHome());
    await file.update(increment);
    const refuse = (): never => {
      throw new Error('no');
    };
    await expect(file.update(refuse)).rejects.toThrow('no');
    await expect(file.update(() => ({ count: Number.NaN }))).rejects.toThrow();
    expect(await file.update(increment)).toEqual({ count: 2 });
  });
});

describe('a shared file that cannot be used', () => {
  test('keeps the last valid value, gives the reason, and is never overwritten', async () => {
    const file = open(newHome());
    await file.update(increment);
    const broken = change(file, () => file.problem !== undefined);
    writeFileSync(file.path, '{ "count": ');
    await broken;
    expect(file.value).toEqual({ count: 1 });
    expect(file.problem).toMatch(/shared\.json cannot be used: .*JSON.*Repair it, or move it away\.$/);
    await expect(file.update(increment)).rejects.toThrow('cannot be used');
    expect(readFileSync(file.path, 'utf8')).toBe('{ "count": ');
    const mended = change(file, () => file.problem === undefined);
    writeFileSync(file.path, '{ "count": 1 }');
    await mended;
    expect(await file.update(increment)).toEqual({ count: 2 });
  });

  test('names the invalid part of the file', () => {
    const home = newHome();
    open(home);
    writeFileSync(join(home, 'shared.json'), '{ "count": "many" }');
    const file = open(home);
    expect([file.value, file.problem]).toEqual([{ count: 0 }, expect.stringContaining('→ at count')]);
  });

  test('H12 refuses a link and does not write through it', async () => {
    const home = newHome();
    mkdirSync(home);
    const target = join(home, 'target.json');
    writeFileSync(target, '{ "count": 9 }');
    symlinkSync(target, join(home, 'shared.json'));
    const file = open(home);
    expect([file.value, file.problem]).toEqual([{ count: 0 }, expect.stringContaining('it is a link')]);
    await expect(file.update(increment)).rejects.toThrow('it is a link');
    expect(readFileSync(target, 'utf8')).toBe('{ "count": 9 }');
    mkdirSync(join(home, 'elsewhere'));
    rmSync(file.path);
    mkdirSync(file.path);
    await file.refresh();
    expect(file.problem).toContain('it is not a file');
  });

  test('H12 sets mode 0600 when others could read the file', () => {
    const home = newHome();
    mkdirSync(home);
    const path = join(home, 'shared.json');
    writeFileSync(path, '{ "count": 3 }');
    chmodSync(path, 0o644);
    expect(open(home).value).toEqual({ count: 3 });
    expect((lstatSync(path).mode & 0o777).toString(8)).toBe('600');
  });
});
