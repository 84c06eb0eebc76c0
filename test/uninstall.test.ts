import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { install, temporaryFolder } from './home/launcher/installed.ts';

test('the uninstall script removes the launcher of this version without an editor', async () => {
  const { scripts } = z
    .object({ scripts: z.object({ 'vscode:uninstall': z.string() }) })
    .parse(JSON.parse(readFileSync('package.json', 'utf8')));
  // The editor splits the command at its spaces and runs the second part.
  const [program, script = '', ...others] = scripts['vscode:uninstall'].split(' ');
  expect([program, others]).toEqual(['node', []]);

  const { home, folder, extensionPath } = await install({ root: temporaryFolder() });
  await build({
    entryPoints: ['src/bridge/uninstall.ts'],
    outfile: join(extensionPath, script),
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'silent',
  });
  const { status, stderr } = spawnSync(process.execPath, [join(extensionPath, script)], {
    env: { DRAWBRIDGE_HOME: home },
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect([existsSync(home), existsSync(folder)]).toEqual([true, false]);
});
