import { readFileSync } from 'node:fs';
import * as prettier from 'prettier';
import * as z from 'zod';
import { contributes, restrictedConfigurations } from '#main/contributions/manifest.ts';

const fields = z.record(z.string(), z.unknown());

/** `package.json` with what it contributes as `src/main/contributions` says, formatted as the repository is. */
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
