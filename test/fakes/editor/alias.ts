import { fileURLToPath } from 'node:url';

/** Replaces the module `vscode`, which exists only in VS Code, by the fake editor, for vitest and esbuild. */
export const alias = { vscode: fileURLToPath(new URL('vscode.ts', import.meta.url)) };
