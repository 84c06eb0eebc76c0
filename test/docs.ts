/** Writes `docs/tools.md` from the tool list; `test/docs.test.ts` holds the file against it. */
import { writeFile } from 'node:fs/promises';
import { toolReference } from './toolReference.ts';

await writeFile(new URL('../docs/tools.md', import.meta.url), await toolReference());
