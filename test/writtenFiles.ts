import { measureEconomy } from './bench/economy.ts';
import { commandClasses } from './commandClasses.ts';
import { contributingWithMap } from './contributingMap.ts';
import { packageManifest } from './manifest.ts';
import { readmeWithTables } from './readmeTables.ts';
import { threatTable } from './threats/threats.ts';
import { toolReference } from './toolReference.ts';
import { toolSchemas } from './toolSchemas.ts';

/** The files that `npm run docs` writes, by path from the root of the repository; each function returns the whole text. */
export const writtenFiles: Readonly<Record<string, () => Promise<string>>> = {
  'CONTRIBUTING.md': contributingWithMap,
  'README.md': readmeWithTables,
  'docs/command-classes.md': commandClasses,
  'docs/tools.md': toolReference,
  'docs/threats.md': threatTable,
  'package.json': packageManifest,
  'test/toolSchemas.json': toolSchemas,
  'test/bench/economy.json': async () => `${JSON.stringify(await measureEconomy(), undefined, 2)}\n`,
};
