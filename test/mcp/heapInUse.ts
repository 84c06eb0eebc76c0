import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect: unknown = runInNewContext('gc');

/** Returns the bytes of the heap and of external buffers that are still reachable. */
export async function heapInUse(): Promise<number> {
  if (typeof collect !== 'function') throw new Error('This Node.js cannot be asked to collect garbage.');
  // Closed streams release their memory in the next turns of the event loop.
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}
