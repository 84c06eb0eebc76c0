/** Writes every file that is derived from the lists in `src` and `test`, for example after a tool was added. */
import { writeFile } from 'node:fs/promises';
import { writtenFiles } from './writtenFiles.ts';

for (const [path, text] of Object.entries(writtenFiles)) await writeFile(path, await text());
