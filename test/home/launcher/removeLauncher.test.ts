import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { removeLauncher } from '#home/launcher/removeLauncher.ts';
import { install, temporaryFolder } from './installed.ts';

const request = '{"jsonrpc":"2.0","id":"a","method":"initialize"}\n';

test('keeps the version of another editor', async () => {
  const root = temporaryFolder();
  const newer = await install({ root, version: '0.2.0' });
  const older = await install({ root, version: '0.1.0', bridge: 'process.stdout.write("older")' });
  await removeLauncher(newer.home, newer.bridge);
  expect(readFileSync(join(newer.folder, 'bridges'), 'utf8')).toBe(`0.1.0\t${older.bridge}\n`);
  expect(spawnSync(newer.launcher).stdout.toString()).toBe('older');
});

test('keeps a launcher that tells how to remove it when an assistant is connected', async () => {
  const { home, folder, bridge, launcher } = await install({ root: temporaryFolder(), bridge: 'process.exit(1)' });
  spawnSync(launcher);
  writeFileSync(join(home, 'connected'), 'claude-code\n');
  await removeLauncher(home, bridge);
  expect(readdirSync(folder)).toEqual(['drawbridge']);
  // The editor removes the folder of the extension after this.
  rmSync(dirname(dirname(bridge)), { recursive: true });
  const { status, stdout } = spawnSync(launcher, { input: request, encoding: 'utf8' });
  expect([status, stdout.includes('"id":"a"'), stdout.includes('remove the drawbridge entry')]).toEqual([
    1,
    true,
    true,
  ]);
});

test.each(['nothing', 'an empty list'])(
  'removes the launcher with the last version when %s is connected',
  async (what) => {
    const { home, folder, bridge } = await install({ root: temporaryFolder() });
    if (what !== 'nothing') writeFileSync(join(home, 'connected'), '');
    await removeLauncher(home, bridge);
    expect(existsSync(folder)).toBe(false);
  },
);

test('removes the guard records with the last version, and keeps them for another one', async () => {
  const root = temporaryFolder();
  const first = await install({ root });
  const second = await install({ root, version: '0.2.0' });
  mkdirSync(join(first.home, 'guards'));
  writeFileSync(join(first.home, 'guards', 'window-1'), 'open\n{}\n/w\n');
  writeFileSync(join(first.home, 'guards-off'), '{}');
  await removeLauncher(first.home, first.bridge);
  expect(readdirSync(join(first.home, 'guards'))).toEqual(['window-1']);
  await removeLauncher(first.home, second.bridge);
  expect(existsSync(join(first.home, 'guards'))).toBe(false);
  expect(existsSync(join(first.home, 'guards-off'))).toBe(false);
});

test('keeps records, history, rules and tokens', async () => {
  const { home, bridge } = await install({ root: temporaryFolder() });
  for (const folder of ['audit', 'history', 'windows', 'backups']) mkdirSync(join(home, folder));
  for (const file of ['rules.json', 'tokens.json', 'bin/mine']) writeFileSync(join(home, file), '{}');
  const before = readdirSync(home);
  await removeLauncher(home, bridge);
  expect(readdirSync(home)).toEqual(before);
  expect(readdirSync(join(home, 'bin'))).toEqual(['mine']);
});

test('creates nothing when there is no state folder', async () => {
  const home = join(temporaryFolder(), 'home');
  await removeLauncher(home, '/extensions/dist/bridge.cjs');
  expect(existsSync(home)).toBe(false);
});

test('recognises a bridge by its real path', async () => {
  const root = temporaryFolder();
  const { home, folder, extensionPath } = await install({ root });
  symlinkSync(join(root, 'extensions'), join(root, 'link'));
  await removeLauncher(home, extensionPath.replace('extensions', 'link') + '/dist/bridge.cjs');
  expect(existsSync(folder)).toBe(false);
});

test('H12 does not follow a link in place of the folder', async () => {
  const root = temporaryFolder();
  const { home, folder, bridge } = await install({ root });
  const other = join(root, 'other');
  mkdirSync(other);
  symlinkSync(folder, join(other, 'bin'));
  await removeLauncher(other, bridge);
  expect(readdirSync(join(home, 'bin'))).toContain('bridges');
});
