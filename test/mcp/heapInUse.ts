import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Bytes of the heap and of buffers outside it that are still needed. */
export async function heapInUse(): Promise<number> {
  if (typeof collect !== 'function') throw new Error('This Node.js cannot be asked to collect garbage.');
  // What has just been closed lets go of its memory in the turns that follow.
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
