import { symlinkSync } from 'node:fs';
import type { FileChange } from '#base/proposal.ts';
import type { EditsFixture } from './editor/editsFixture.ts';

/** Files that {@link mixedChange} changes, and some that it leaves alone. */
export function putMixedFiles(w: EditsFixture): void {
  const names = ['edited.txt', 'moved.txt', 'deleted.txt', 'old/one.txt', 'old/deep/two.txt', 'src/a.txt', 'kept.txt'];
  for (const name of names) w.put(name);
  symlinkSync('one.txt', w.at('old/link'));
}

/** One change of every kind: edit, create, delete of a file and of a folder, move with an edit, move of a folder. */
export async function mixedChange(w: EditsFixture): Promise<readonly FileChange[]> {
  return [
    await w.edit('edited.txt', 'edited\n'),
    await w.create('new/deep/created.txt'),
    await w.delete('deleted.txt'),
    await w.delete('old'),
    await w.edit('moved.txt', 'moved and edited\n'),
    await w.move('moved.txt', 'elsewhere/moved.txt'),
    await w.move('src', 'lib/src'),
  ];
}
