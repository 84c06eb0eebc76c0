import { readFileSync } from 'node:fs';
import * as prettier from 'prettier';
import * as z from 'zod';
import { contributes, restrictedConfigurations } from '#main/contributions/manifest.ts';

const fields = z.record(z.string(), z.unknown());

/** Returns `package.json` with the contributions of `src/main/contributions`, formatted like the repository. */
export async function packageManifest(): Promise<string> {
  const manifest = fields.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const capabilities = fields.parse(manifest['capabilities']);
  const untrustedWorkspaces = {
    ...fields.parse(capabilities['untrustedWorkspaces']),
    restrictedConfigurations: restrictedConfigurations(),
  };
  const written = { ...manifest, capabilities: { ...capabilities, untrustedWorkspaces }, contributes: contributes() };
  return prettier.format(JSON.stringify(written), {
    ...(await prettier.resolveConfig('package.json')),
    parser: 'json-stringify',
  });
}
