import { mkdirSync, symlinkSync, unlinkSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FileChange, FileRestore } from '#base/proposal.ts';
import { edits } from '#changes/editor/edits.ts';
import { openFile } from '../../fakes/editor/documents.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeEdits } from '../../fakes/edits.ts';
import { EditsFixture, snapshot } from './editsFixture.ts';

/** Counts all calls of the disk, or only the writing ones, and makes one of them fail. */
const fault = vi.hoisted(() => ({ calls: 0, at: 0, onlyWrites: false }));
const writes = ['link', 'mkdir', 'rename', 'rmdir', 'symlink', 'unlink'];

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const failing = <Arguments extends unknown[], Result>(
    name: string,
    call: (...given: Arguments) => Promise<Result>,
  ) => {
    return async (...given: Arguments): Promise<Result> => {
      if (fault.onlyWrites && !writes.includes(name) && given[1] !== 'wx') return call(...given);
      fault.calls += 1;
      if (fault.calls !== fault.at) return call(...given);
      throw Object.assign(new Error(`${name} failed`), { code: 'EIO' });
    };
  };
  return {
    ...actual,
    link: failing('link', actual.link),
    lstat: failing('lstat', (path: string, options?: { bigint: true }) => actual.lstat(path, options)),
    mkdir: failing('mkdir', (path: string, mode?: number) => actual.mkdir(path, mode)),
    open: failing('open', actual.open),
    readdir: failing('readdir', (path: string) => actual.readdir(path)),
    readFile: failing('readFile', (path: string) => actual.readFile(path)),
    readlink: failing('readlink', (path: string) => actual.readlink(path)),
    rename: failing('rename', actual.rename),
    rmdir: failing('rmdir', actual.rmdir),
    symlink: failing('symlink', (target: string, path: string) => actual.symlink(target, path)),
    unlink: failing('unlink', actual.unlink),
  };
});

const tree = ['a.txt', 'b.txt', 'c.txt', 'src/x.txt', 'src/deep/y.txt', 'src/deep/z.txt', 'lib/w.txt'];

let w: EditsFixture;

beforeEach(() => {
  resetEditor();
  w = new EditsFixture();
});
afterEach(() => w.remove());

function setUp(open: readonly string[]): void {
  fault.at = 0;
  w.remove();
  mkdirSync(w.inside, { recursive: true });
  mkdirSync(w.outside);
  resetEditor();
  editor.trash = w.outside;
  for (const name of tree) w.put(name);
  symlinkSync('../a.txt', w.at('src/link'));
  for (const name of open) openFile(w.at(name));
}

type Make = () => Promise<readonly (FileChange | FileRestore)[]>;

/** Possible changes; changes of different rows never conflict. */
const rows: readonly (readonly Make[])[] = [
  [
    async () => [await w.edit('a.txt', 'new a\n')],
    async () => [await w.move('a.txt', 'moved/a.txt')],
    async () => [await w.move('a.txt', 'moved/here/a.txt'), await w.edit('a.txt', 'new a\n')],
    async () => [await w.delete('a.txt')],
    async () => [await w.delete('a.txt', { toTrash: true })],
  ],
  [async () => [await w.edit('b.txt', 'new b\n')], async () => [await w.delete('b.txt')]],
  [async () => [await w.create('new.txt')], async () => [await w.create('moved/new.txt'), await w.create('n/m/o.txt')]],
  [
    async () => [await w.move('src', 'lib/src')],
    async () => [await w.move('src', 'moved/src'), await w.edit('src/deep/y.txt', 'new y\n')],
    async () => [await w.delete('src')],
    async () => [await w.delete('src', { toTrash: true })],
    async () => [await w.move('src/link', 'lib/link'), await w.delete('src/deep')],
  ],
  [
    async () => {
      const deleted = await w.delete('c.txt');
      unlinkSync(w.at('c.txt'));
      return [await w.restore(deleted)];
    },
  ],
];

const mixes = fc.record({
  picks: fc.tuple(...rows.map((row) => fc.option(fc.constantFrom(...row), { nil: undefined }))),
  order: fc.infiniteStream(fc.nat()),
  // A file that is to be missing cannot be open.
  open: fc.subarray(tree.filter((name) => name !== 'c.txt')),
});

const isOurs = (path: string): boolean => /(^|\/)\.drawbridge-/.test(path);

/** Returns the files of the workspace and the texts that the editor holds. */
function state(): unknown {
  return {
    disk: snapshot(w.inside),
    documents: Object.fromEntries(editor.documents.map((document) => [document.uri.fsPath, document.getText()])),
  };
}

/** Returns the files and links by their real path, for the fake that computes the expected result. */
function textsNow(): Record<string, string> {
  const files = Object.entries(snapshot(w.inside)).filter(([path, what]) => what !== 'folder' && !isOurs(path));
  return Object.fromEntries(files.map(([path, what]) => [w.at(path), what.replace(/^(-> |\d+ )/, '')]));
}

async function prepare({ picks, order, open }: typeof mixes extends fc.Arbitrary<infer Mix> ? Mix : never) {
  setUp(open);
  const made: { change: FileChange | FileRestore; place: number }[] = [];
  for (const make of picks) {
    for (const change of (await make?.()) ?? []) made.push({ change, place: Number(order.next().value) });
  }
  return made.toSorted((one, other) => one.place - other.place).map(({ change }) => change);
}

it('applies a mix of changes as the fake editor expects', async () => {
  await fc.assert(
    fc.asyncProperty(mixes, async (mix) => {
      const changes = await prepare(mix);
      const model = new FakeEdits(textsNow());
      const expected = await model.apply(changes);
      const outcome = await edits.apply(changes);
      expect([outcome.status, expected.status]).toEqual(['applied', 'applied']);
      expect(textsNow()).toEqual(Object.fromEntries(model.texts));
      expect(Object.keys(snapshot(w.inside)).filter(isOurs)).toEqual([]);
    }),
    { numRuns: 25 },
  );
});

it('applies a mix of changes completely or not at all when any call of the disk fails', async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      mixes,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.boolean(),
      async (mix, moment, onlyWrites) => {
        Object.assign(fault, { calls: 0, onlyWrites });
        await edits.apply(await prepare(mix));
        const calls = fault.calls;
        const changes = await prepare(mix);
        const before = state();
        const model = new FakeEdits(textsNow());
        await model.apply(changes);
        Object.assign(fault, { calls: 0, at: Math.ceil(moment * calls) });
        const outcome = await edits.apply(changes);
        fault.at = 0;
        seen.set(outcome.status, (seen.get(outcome.status) ?? 0) + 1);
        if (outcome.status === 'applied') {
          expect(textsNow()).toEqual(Object.fromEntries(model.texts));
          return;
        }
        if (outcome.status === 'failed') expect(outcome.states).not.toContain('unknown');
        expect(state()).toEqual(before);
      },
    ),
    { numRuns: 100 },
  );
  // The fault occurred in every phase.
  expect([...seen.keys()].toSorted()).toEqual(expect.arrayContaining(['applied', 'failed', 'stale']));
});
