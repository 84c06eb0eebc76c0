import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/** The end of the name of a file that the build packed with brotli. */
export const packedSuffix = '.br';

/** Reads a file that the build packs; the package of development has it as it is. */
export function readPacked(folder: string, file: string): Buffer {
  const packed = join(folder, `${file}${packedSuffix}`);
  return existsSync(packed) ? brotliDecompressSync(readFileSync(packed)) : readFileSync(join(folder, file));
}
