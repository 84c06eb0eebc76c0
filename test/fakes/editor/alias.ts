import { fileURLToPath } from 'node:url';

/** Puts the fake editor in the place of the module `vscode`, which only VS Code has; for vitest and esbuild. */
export const alias = { vscode: fileURLToPath(new URL('vscode.ts', import.meta.url)) };
