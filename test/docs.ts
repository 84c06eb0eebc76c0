/** Writes every file that is derived from the lists in `src` and `test`: after a tool was added, nothing else is to be done. */
import { writeFile } from 'node:fs/promises';
import { writtenFiles } from './writtenFiles.ts';

for (const [path, text] of Object.entries(writtenFiles)) await writeFile(path, await text());
