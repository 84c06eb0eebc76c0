import { join } from 'node:path';
import { EditsFixture } from './editor/editsFixture.ts';
import { applyAtOnce, openQueue } from './editor/realQueue.ts';
import { mixedChange, putMixedFiles } from './mixedChange.ts';

/**
 * Applies a mixed change on the real disk, and undoes it or makes it again.
 * @param tell is told the folder that it works in
 * @param begin called right before the act
 */
export async function carryOut(act: string, tell: (root: string) => void, begin: () => void): Promise<void> {
  const w = new EditsFixture();
  tell(w.root);
  putMixedFiles(w);
  const changes = await mixedChange(w);
  const queue = openQueue(w.inside, join(w.root, 'state'));
  if (act === 'apply') begin();
  const id = await applyAtOnce(queue, changes);
  if (act === 'undo') begin();
  if (act !== 'apply') await queue.undo(id);
  if (act === 'redo') {
    begin();
    await queue.redo(id);
  }
  await queue.settled();
}
