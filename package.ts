/**
 * Makes `dist/drawbridge.vsix`. DRAWBRIDGE_REPOSITORY, the address of the public repository, makes the README's pictures and
 * links resolve in the marketplace; without it they stay relative.
 */
import { createVSIX } from '@vscode/vsce';

const repository = process.env['DRAWBRIDGE_REPOSITORY']?.replace(/\/+$/, '');

await createVSIX({
  packagePath: 'dist/drawbridge.vsix',
  dependencies: false,
  allowMissingRepository: repository === undefined,
  ...(repository === undefined
    ? { rewriteRelativeLinks: false }
    : { baseContentUrl: `${repository}/blob/main`, baseImagesUrl: `${repository}/raw/main` }),
});
