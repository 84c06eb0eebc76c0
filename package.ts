/**
 * Makes `dist/drawbridge.vsix` from a copy of the packed files in `dist/package`. There, `docs/marketplace.md` takes the place of the
 * contributor's README. DRAWBRIDGE_REPOSITORY, the address of the public repository, makes the pictures and links of that page and
 * the addresses in the manifest. Without it the page has neither pictures nor links to files, because they would lead nowhere.
 */
import { cpSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createVSIX } from '@vscode/vsce';
import * as z from 'zod';

const repository = process.env['DRAWBRIDGE_REPOSITORY']?.replace(/\/+$/, '');
const folder = join('dist', 'package');
const page = 'docs/marketplace.md';

rmSync(folder, { recursive: true, force: true });
// vsce itself would look at each file of this folder, so also at the corpora of a bench and at the test hosts.
const packed = readFileSync('.vscodeignore', 'utf8').match(/(?<=^!).+/gm) ?? [];
for (const file of globSync(packed)) if (statSync(file).isFile()) cpSync(file, join(folder, file));

const manifest = z.looseObject({}).parse(JSON.parse(readFileSync('package.json', 'utf8')));
writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...addresses() }, undefined, 2));

const text = readFileSync(page, 'utf8');
writeFileSync(join(folder, 'README.md'), repository === undefined ? withoutRelativeLinks(text) : text);

await createVSIX({
  cwd: folder,
  packagePath: 'dist/drawbridge.vsix',
  dependencies: false,
  allowMissingRepository: repository === undefined,
  ...(repository === undefined
    ? { rewriteRelativeLinks: false }
    : { baseContentUrl: `${repository}/blob/main/docs`, baseImagesUrl: `${repository}/raw/main/docs` }),
});

/** Returns the fields of the manifest from which the marketplace makes its list of resources. */
function addresses(): Readonly<Record<string, unknown>> {
  if (repository === undefined) return {};
  return {
    repository: { type: 'git', url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
  };
}

/** Takes out pictures, and leaves of each link to a file its words. */
function withoutRelativeLinks(markdown: string): string {
  return markdown
    .replaceAll(/^!\[[^\]]*\]\((?!https:)[^)]*\)\n+/gm, '')
    .replaceAll(/\[([^\]]*)\]\((?!https:)[^)]*\)/g, '$1');
}
