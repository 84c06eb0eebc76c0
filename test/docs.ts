/** Writes `docs/tools.md` from the tool list and `docs/threats.md` from its rows; tests hold the files against these. */
import { writeFile } from 'node:fs/promises';
import { threatTable } from './threats/threats.ts';
import { toolReference } from './toolReference.ts';

await writeFile(new URL('../docs/tools.md', import.meta.url), await toolReference());
await writeFile(new URL('../docs/threats.md', import.meta.url), await threatTable());
