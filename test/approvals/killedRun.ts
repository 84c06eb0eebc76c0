/**
 * Carries out one act on the real disk in a process of its own, and kills it right before the n-th call that writes.
 * Arguments: the bundle of `killedWork.ts`, the act, n. Tells, a line each: the folder that it works in, then where it was killed, or `done`.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join } from 'node:path';
import type * as killedWork from './killedWork.ts';

const [, , work = '', act = 'apply', killAt = '0'] = process.argv;
const counter = { isOn: false, calls: 0, hasChanged: false };

const tell = (line: string): void => void fs.writeSync(1, `${line}\n`);

/** A path through a folder's handle, as people know it. */
function nameOf(path: unknown): string {
  const text = String(path);
  if (!text.startsWith('/proc/self/fd/')) return text;
  try {
    return join(fs.readlinkSync(dirname(text)), basename(text));
  } catch {
    return text;
  }
}

function beforeWrite(call: string, path: unknown): void {
  if (!counter.isOn) return;
  const name = nameOf(path);
  const isOfHistory = name.includes('/state/') || name === '';
  const phase = !isOfHistory ? 'between files' : counter.hasChanged ? 'before commit' : 'write-ahead';
  counter.calls += 1;
  if (counter.calls === Number(killAt)) {
    tell(`${phase}: ${call} ${name.replace(/^.*\/(inside|state)\//, '$1/')}`);
    process.kill(process.pid, 'SIGKILL');
    for (;;);
  }
  if (!isOfHistory) counter.hasChanged = true;
}

type Calls = Record<string, (...given: unknown[]) => unknown>;

function watch(target: object, names: readonly string[]): void {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every one of these is a function
  const calls = target as Calls;
  for (const name of names) {
    const original = calls[name];
    if (original === undefined) throw new Error(`There is no ${name}`);
    calls[name] = function (this: unknown, ...given: unknown[]) {
      const [path, second] = given;
      const isRead = name === 'open' && (second === undefined || second === 'r' || typeof second === 'number');
      if (!isRead) beforeWrite(name, typeof path === 'string' ? path : '');
      return original.apply(this, given);
    };
  }
}

const handle = await promises.open('/dev/null');
watch(Object.getPrototypeOf(handle), ['chmod', 'writeFile']);
await handle.close();
watch(promises, ['link', 'mkdir', 'open', 'rename', 'rm', 'rmdir', 'symlink', 'unlink', 'utimes']);
watch(fs, ['open', 'write', 'fsync', 'rename', 'chmod']);
syncBuiltinESMExports();

// Only now, so that every module has the watched calls.
const { carryOut }: typeof killedWork = await import(work);
await carryOut(act, tell, () => (counter.isOn = true));
tell('done');
