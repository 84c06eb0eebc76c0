import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** What each folder must not import, one planted import each; the map itself is `.oxlintrc.json`. */
const forbidden: readonly (readonly [file: string, specifier: string])[] = [
  ['src/ports/planted.ts', '../core/tool.ts'],
  ['src/ports/planted.ts', 'node:fs'],
  ['src/core/planted.ts', 'vscode'],
  ['src/core/planted.ts', 'node:fs'],
  ['src/core/planted.ts', '../approvals/queue.ts'],
  ['src/core/planted.ts', '@modelcontextprotocol/server'],
  ['src/policy/planted.ts', '../core/callTool.ts'],
  ['src/approvals/planted.ts', '../core/callTool.ts'],
  ['src/approvals/planted.ts', 'vscode'],
  ['src/tools/workspace/planted.ts', 'vscode'],
  ['src/tools/workspace/planted.ts', '../../vscode/files.ts'],
  ['src/tools/workspace/planted.ts', '../../core/callTool.ts'],
  ['src/tools/language/symbols/planted.ts', 'vscode'],
  ['src/tools/language/symbols/planted.ts', '../../../core/callTool.ts'],
  ['src/tools/language/symbols/planted.ts', '../../../vscode/files.ts'],
  ['src/vscode/language/symbols/planted.ts', '../../../server/http.ts'],
  ['src/completions/planted.ts', '../core/callTool.ts'],
  ['src/completions/planted.ts', '../core/resource.ts'],
  ['src/resources/planted.ts', 'vscode'],
  ['src/resources/planted.ts', 'node:fs'],
  ['src/resources/planted.ts', '../core/callTool.ts'],
  ['src/resources/planted.ts', '../vscode/files.ts'],
  ['src/resources/planted.ts', '../prompts/index.ts'],
  ['src/prompts/planted.ts', 'vscode'],
  ['src/prompts/planted.ts', '../core/callTool.ts'],
  ['src/prompts/planted.ts', '../resources/index.ts'],
  ['src/tools/workspace/planted.ts', '../../prompts/index.ts'],
  ['src/server/planted.ts', 'vscode'],
  ['src/server/planted.ts', '@modelcontextprotocol/server'],
  ['src/server/planted.ts', '../approvals/queue.ts'],
  ['src/vscode/planted.ts', '../server/http.ts'],
  ['src/vscode/planted.ts', '@modelcontextprotocol/server'],
  ['src/vscode/disk/planted.ts', '../../server/http.ts'],
  ['src/connect/planted.ts', 'vscode'],
  ['src/connect/planted.ts', '../server/windows.ts'],
  ['src/bridge/planted.ts', 'vscode'],
  ['src/bridge/planted.ts', '../server/http.ts'],
  ['src/bridge/planted.ts', '../tools/index.ts'],
  ['src/bridge.ts', './server/http.ts'],
  ['src/sidebar/planted.ts', 'zod'],
  ['src/sidebar/planted.ts', 'vscode'],
  ['src/extension.ts', 'zod'],
  ['src/extension.ts', './core/tool.ts'],
];

/** The same places may import these, so that the map does not simply deny everything. */
const allowed: readonly (readonly [file: string, specifier: string])[] = [
  ['src/ports/planted.ts', './clock.ts'],
  ['src/core/planted.ts', '../ports/clock.ts'],
  ['src/tools/workspace/planted.ts', '../../core/tool.ts'],
  ['src/tools/language/symbols/planted.ts', '../../../core/tool.ts'],
  ['src/completions/planted.ts', '../tools/workspace/pathInput.ts'],
  ['src/resources/planted.ts', '../completions/filePaths.ts'],
  ['src/prompts/planted.ts', '../completions/filePaths.ts'],
  ['src/server/planted.ts', '../core/callTool.ts'],
  ['src/vscode/planted.ts', 'vscode'],
  ['src/bridge/planted.ts', '../server/windows.ts'],
  ['src/connect/planted.ts', 'node:fs'],
];

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boundaries-'));
  const map: unknown = JSON.parse(readFileSync('.oxlintrc.json', 'utf8'));
  if (typeof map !== 'object') throw new Error('The map is not an object');
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify({ ...map, options: {}, categories: {}, rules: {} }));
});

afterAll(() => rmSync(folder, { recursive: true }));

function complaints(file: string, source: string): string {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, source);
  const oxlint = join('node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [
    oxlint,
    '-c',
    join(folder, '.oxlintrc.json'),
    '--format',
    'unix',
    path,
  ]);
  rmSync(path);
  return stdout.toString();
}

/** Every form of an import, one a line. */
const forms = (specifier: string): string =>
  [
    `import { x } from '${specifier}';`,
    `import type { X } from '${specifier}';`,
    `export { y } from '${specifier}';`,
    `export const z: X | undefined = x(import('${specifier}'));`,
  ].join('\n');

const complaintsAbout = (file: string, specifier: string): number =>
  complaints(file, forms(specifier)).split('no-restricted-imports').length - 1;

describe('the boundary map', () => {
  it.each(forbidden)('%s may not import %s, in any form', (file, specifier) => {
    expect(complaintsAbout(file, specifier)).toBe(4);
  });

  it.each(allowed)('%s may import %s', (file, specifier) => {
    expect(complaintsAbout(file, specifier)).toBe(0);
  });
});
