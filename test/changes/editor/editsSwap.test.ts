import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FileChange } from '#base/proposal.ts';
import { edits } from '#changes/editor/edits.ts';
import { resetEditor } from '../../fakes/editor/editor.ts';
import { EditsFixture, snapshot } from './editsFixture.ts';

const rounds = 300;

let w: EditsFixture;

beforeEach(() => {
  resetEditor();
  w = new EditsFixture();
  mkdirSync(w.at('src'));
});
afterEach(() => w.remove());

/** The same names and bytes in the approved folder and in the folder outside. */
function putDouble(name: string): void {
  w.put(`src/${name}`, name);
  mkdirSync(join(w.outside, name, '..'), { recursive: true });
  writeFileSync(join(w.outside, name), name);
}

/** Runs the work while another thread swaps the folder for a link to the outside without a pause. */
async function whileSwapping(work: () => Promise<void>): Promise<void> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const swapper = new Worker(
    `const { readdirSync, renameSync, symlinkSync, unlinkSync } = require('node:fs');
     const { workerData: { stop, folder, outside, away } } = require('node:worker_threads');
     while (Atomics.load(stop, 0) === 0) {
       renameSync(folder, away);
       if (linked()) {
         Atomics.wait(stop, 0, 0, 0.2);
         unlinkSync(folder);
       }
       putBack();
       Atomics.wait(stop, 0, 0, 1);
     }
     // Returns false when a create has made the folder in the moment without one.
     function linked() {
       try {
         symlinkSync(outside, folder);
         return true;
       } catch ({ code }) {
         if (code !== 'EEXIST') throw new Error(code);
         return false;
       }
     }
     // For a moment there is no folder, and a create makes one: what it holds by then goes along.
     function putBack() {
       try {
         renameSync(away, folder);
       } catch ({ code }) {
         if (code !== 'ENOTEMPTY') throw new Error(code);
         Atomics.wait(stop, 0, 0, 20);
         for (const name of readdirSync(folder)) renameSync(folder + '/' + name, away + '/' + name);
         putBack();
       }
     }`,
    { eval: true, workerData: { stop, folder: w.at('src'), outside: w.outside, away: join(w.root, 'away') } },
  );
  // A worker that dies early must be noticed, too.
  const { promise: exited, resolve } = Promise.withResolvers<number>();
  swapper.once('exit', resolve);
  try {
    await work();
  } finally {
    Atomics.store(stop, 0, 1);
    Atomics.notify(stop, 0);
    expect(await exited).toBe(0);
  }
}

/** Applies each change while the folder is swapped. Returns the number of applied changes. */
async function applyAll(changes: readonly FileChange[]): Promise<readonly boolean[]> {
  const applied: boolean[] = [];
  await whileSwapping(async () => {
    for (const change of changes) {
      const outcome = await edits.apply([change]);
      if (outcome.status === 'failed') expect(outcome.states).toEqual(['not_applied']);
      applied.push(outcome.status === 'applied');
    }
  });
  // The race happened.
  const count = applied.filter(Boolean).length;
  expect(count).toBeGreaterThan(5);
  expect(applied.length - count).toBeGreaterThan(5);
  return applied;
}

const indexes = Array.from({ length: rounds }, (_, index) => index);

describe.runIf(process.platform === 'linux')('P5 a folder that is swapped for a link to outside', () => {
  it('gets no created file through the link', async () => {
    const before = snapshot(w.outside);
    const changes = await Promise.all(
      indexes.map((index) => w.create(`src/${index % 2 ? 'a' : `deep${index}/b`}${index}`)),
    );
    const applied = await applyAll(changes);
    expect(snapshot(w.outside)).toEqual(before);
    const names = Object.entries(snapshot(w.at('src'))).filter(([, what]) => what !== 'folder');
    expect(names).toHaveLength(applied.filter(Boolean).length);
  });

  it('loses no file outside, and keeps every file complete that was not deleted', async () => {
    for (const index of indexes) putDouble(index % 2 ? `f${index}` : `d${index}/f`);
    const before = snapshot(w.outside);
    const changes = await Promise.all(indexes.map((index) => w.delete(`src/${index % 2 ? 'f' : 'd'}${index}`)));
    const applied = await applyAll(changes);
    expect(snapshot(w.outside)).toEqual(before);
    const left = indexes.filter((index) => applied[index] !== true).map((index) => `${index % 2 ? 'f' : 'd'}${index}`);
    expect(readdirSync(w.at('src')).toSorted()).toEqual(left.toSorted());
  });

  it("has nothing moved into or out of the link's target", async () => {
    for (const index of indexes) putDouble(index % 2 ? `f${index}` : `d${index}/f`);
    const before = snapshot(w.outside);
    const inside = snapshot(w.at('src'));
    const changes = await Promise.all(
      indexes.map((index) => w.move(`src/${index % 2 ? 'f' : 'd'}${index}`, `src/to${index}`)),
    );
    const applied = await applyAll(changes);
    expect(snapshot(w.outside)).toEqual(before);
    for (const [index, change] of changes.entries()) {
      if (applied[index] === true && change.kind === 'move') {
        renameSync(change.to.realPath, change.path.realPath);
      }
    }
    expect(snapshot(w.at('src'))).toEqual(inside);
  });
});

it('P5 refuses a link to outside that was there from the start', async () => {
  const change = await w.create('src/deep/new.txt');
  symlinkSync(w.outside, w.at('src/deep'));
  expect(await edits.apply([change])).toMatchObject({ status: 'stale', path: 'src/deep/new.txt' });
  expect(snapshot(w.outside)).toEqual({});
});
