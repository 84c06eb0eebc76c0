import { writeFileSync } from 'node:fs';
import type * as promises from 'node:fs/promises';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { edits } from '#changes/editor/edits.ts';
import { resetEditor } from '../../fakes/editor/editor.ts';
import { EditsFixture } from './editsFixture.ts';

const disk = vi.hoisted(() => ({ onNewFile: (): void => undefined, onRename: (_from: string): void => undefined }));

vi.mock('node:fs/promises', async (importOriginal) => {
  const actual = await importOriginal<typeof promises>();
  const rename: typeof actual.rename = async (from, to) => {
    disk.onRename(String(from));
    return actual.rename(from, to);
  };
  const open: typeof actual.open = async (path, flags, mode) => {
    if (flags === 'wx') disk.onNewFile();
    return actual.open(path, flags, mode);
  };
  return { ...actual, rename, open };
});

let w: EditsFixture;

beforeEach(() => {
  Object.assign(disk, { onNewFile: () => undefined, onRename: () => undefined });
  resetEditor();
  w = new EditsFixture();
});
afterEach(() => w.remove());

it('F14 does not overwrite a file that another program writes while an earlier file of the change is written', async () => {
  w.put('a', 'a\n');
  w.put('b', 'b\n');
  const changes = [await w.edit('a', 'A\n'), await w.edit('b', 'B\n')];
  disk.onRename = () => writeFileSync(w.at('b'), 'mine\n');
  expect(await edits.apply(changes)).toEqual({ status: 'stale', path: 'b', reason: 'the file was changed' });
  expect([w.text('a'), w.text('b')]).toEqual(['a\n', 'mine\n']);
});

it('F14 reports, and does not overwrite, what another program writes while an edit is put back', async () => {
  w.put('a', 'a\n');
  w.put('b', 'b\n');
  const changes = [await w.edit('a', 'A\n'), await w.delete('b')];
  let newFiles = 0;
  disk.onNewFile = () => {
    newFiles += 1;
    // The first holds the new text, the second the old one, to be put back.
    if (newFiles === 2) writeFileSync(w.at('a'), 'mine\n');
  };
  disk.onRename = (from) => {
    if (from.endsWith('/b')) throw new Error('the disk failed');
  };
  expect(await edits.apply(changes)).toMatchObject({ status: 'failed', states: ['unknown', 'not_applied'] });
  expect(newFiles).toBe(2);
  expect([w.text('a'), w.text('b')]).toEqual(['mine\n', 'b\n']);
});
