import { packageManifest } from './manifest.ts';
import { threatTable } from './threats/threats.ts';
import { toolReference } from './toolReference.ts';

/** The files that `npm run docs` writes, by path from the root of the repository; each function returns the whole text. */
export const writtenFiles: Readonly<Record<string, () => Promise<string>>> = {
  'docs/tools.md': toolReference,
  'docs/threats.md': threatTable,
  'package.json': packageManifest,
};
