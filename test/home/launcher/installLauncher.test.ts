import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { launcherPath } from '#home/launcher/installLauncher.ts';
import { bridgesText, compareVersions } from '#home/launcher/launcherFiles.ts';
import { install, makeExtension, temporaryFolder } from './installed.ts';

const scriptOf = (name: string): string => readFileSync(join('src/home/launcher', name), 'utf8');

function modeOf(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8);
}

function linesOf(folder: string, name: string): string[] {
  return readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
}

/** Returns a string that changes whenever a file is written. */
function stampsOf(folder: string): string[] {
  return readdirSync(folder).map((name) => {
    const { ino, mtimeNs } = statSync(join(folder, name), { bigint: true });
    return `${name} ${ino} ${mtimeNs}`;
  });
}

describe('installing the launcher', () => {
  test('uses a path without a version', () => {
    expect(launcherPath('/home/ann/.drawbridge', 'linux')).toBe('/home/ann/.drawbridge/bin/drawbridge');
    expect(launcherPath('/home/ann/.drawbridge', 'win32')).toMatch(/bin.drawbridge\.cmd$/);
  });

  test('H12: lets only this user read or run the launcher', async () => {
    const { home, folder, launcher, bridge } = await install({ root: temporaryFolder() });
    expect([home, folder, launcher].map(modeOf)).toEqual(['700', '700', '700']);
    expect(readdirSync(folder)).toEqual(['bridges', 'drawbridge', 'runtimes']);
    expect(readFileSync(launcher, 'utf8')).toBe(scriptOf('drawbridge.sh'));
    expect(linesOf(folder, 'bridges')).toEqual([`0.1.0\t${bridge}`]);
    expect(linesOf(folder, 'runtimes')).toEqual([process.execPath]);
  });

  test('writes nothing when nothing changed', async () => {
    const root = temporaryFolder();
    const { folder } = await install({ root });
    await install({ root, extensionPath: makeExtension(join(root, 'another editor'), '0.1.0') });
    const before = stampsOf(folder);
    await install({ root });
    await install({ root, extensionPath: makeExtension(join(root, 'another editor'), '0.1.0') });
    expect(stampsOf(folder)).toEqual(before);
  });

  test('repairs damaged files', async () => {
    const root = temporaryFolder();
    const { folder, launcher, bridge } = await install({ root });
    writeFileSync(launcher, 'exit 1');
    chmodSync(launcher, 0o600);
    writeFileSync(join(folder, 'bridges'), 'no version\n\t\n0.1.0\n9.0.0\tpackage.json\n');
    await install({ root });
    expect([readFileSync(launcher, 'utf8'), modeOf(launcher)]).toEqual([scriptOf('drawbridge.sh'), '700']);
    expect(linesOf(folder, 'bridges')).toEqual([`0.1.0\t${bridge}`]);
    chmodSync(launcher, 0o600);
    await install({ root });
    expect(modeOf(launcher)).toBe('700');
  });

  test('lists the newest version first and keeps its launcher when an older one installs', async () => {
    const root = temporaryFolder();
    const newer = makeExtension(join(root, 'one editor'), '0.10.0');
    writeFileSync(join(newer, 'dist', 'drawbridge.sh'), '#!/bin/sh\n# newer\n');
    const { folder, launcher } = await install({ root, extensionPath: newer, version: '0.10.0' });
    await install({ root, version: '0.9.1' });
    expect(linesOf(folder, 'bridges').map((line) => line.split('\t')[0])).toEqual(['0.10.0', '0.9.1']);
    expect(readFileSync(launcher, 'utf8')).toContain('# newer');
    rmSync(launcher);
    await install({ root, version: '0.9.1' });
    expect(readFileSync(launcher, 'utf8')).toBe(scriptOf('drawbridge.sh'));
  });

  test('keeps a runnable launcher when an older version installs', async () => {
    const root = temporaryFolder();
    const { launcher } = await install({ root, version: '0.10.0' });
    chmodSync(launcher, 0o755);
    await install({ root, version: '0.9.1' });
    expect(modeOf(launcher)).toBe('755');
  });

  test('repairs a launcher that cannot run when an older version installs', async () => {
    const root = temporaryFolder();
    const { launcher } = await install({ root, version: '0.10.0' });
    chmodSync(launcher, 0o600);
    await install({ root, version: '0.9.1' });
    expect(modeOf(launcher)).toBe('700');
  });

  test('drops a removed version from the list', async () => {
    const root = temporaryFolder();
    const { extensionPath } = await install({ root, version: '0.3.0' });
    rmSync(extensionPath, { recursive: true });
    const { folder, bridge } = await install({ root, version: '0.2.0' });
    expect(linesOf(folder, 'bridges')).toEqual([`0.2.0\t${bridge}`]);
  });

  test('keeps twenty runtimes, the latest first', async () => {
    const root = temporaryFolder();
    for (let editor = 1; editor <= 22; editor++) await install({ root, execPath: `/editor ${editor}/code` });
    const { folder } = await install({ root, execPath: '/editor 20/code' });
    const lines = linesOf(folder, 'runtimes');
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([20, '/editor 22/code', '/editor 3/code']);
  });

  test('loses no line when several editors install at once', async () => {
    const root = temporaryFolder();
    const versions = Array.from({ length: 12 }, (_, index) => `0.${index}.0`);
    const installed = await Promise.all(
      versions.map((version) => install({ root, version, execPath: `/editor ${version}/code` })),
    );
    const folder = installed[0]?.folder ?? '';
    expect(linesOf(folder, 'bridges')).toEqual(
      installed.map(({ bridge }, index) => `${versions[index]}\t${bridge}`).toReversed(),
    );
    expect(linesOf(folder, 'runtimes').toSorted()).toEqual(
      versions.map((version) => `/editor ${version}/code`).toSorted(),
    );
    expect(readdirSync(folder)).toEqual(['bridges', 'drawbridge', 'runtimes']);
  });

  test.each(['drawbridge', 'bridges', 'runtimes'])(
    'H12 refuses a link in place of %s and does not follow it',
    async (name) => {
      const root = temporaryFolder();
      const { folder } = await install({ root });
      const target = join(root, 'target');
      writeFileSync(target, 'mine');
      rmSync(join(folder, name));
      symlinkSync(target, join(folder, name));
      await expect(install({ root })).rejects.toThrow('it is a link.');
      expect(readFileSync(target, 'utf8')).toBe('mine');
    },
  );

  test('H12 refuses a link in place of its folder', async () => {
    const root = temporaryFolder();
    mkdirSync(join(root, 'home', '.drawbridge'), { recursive: true });
    mkdirSync(join(root, 'elsewhere'));
    symlinkSync(join(root, 'elsewhere'), join(root, 'home', '.drawbridge', 'bin'));
    await expect(install({ root })).rejects.toThrow(/not a folder/);
    expect(readdirSync(join(root, 'elsewhere'))).toEqual([]);
  });

  test('throws and writes nothing when the extension has no bridge', async () => {
    const root = temporaryFolder();
    const extensionPath = makeExtension(root, '0.1.0');
    rmSync(join(extensionPath, 'dist', 'bridge.cjs'));
    await expect(install({ root, extensionPath })).rejects.toThrow(/bridge\.cjs is missing/);
    expect(existsSync(join(root, 'home', '.drawbridge', 'bin', 'drawbridge'))).toBe(false);
  });
});

describe('versions', () => {
  test.each([
    ['0.10.0', '0.9.9'],
    ['1.0.0', '0.99.99'],
    ['0.1.1', '0.1'],
    ['2.0.0-next.1', '1.9.0'],
  ])('sorts %s after %s', (newer, older) => {
    expect(compareVersions(newer, older)).toBeGreaterThan(0);
    expect(compareVersions(older, newer)).toBeLessThan(0);
  });

  test('gives the same list whatever the order of installation', () => {
    const bridge = fc.record({ version: fc.tuple(fc.nat(30), fc.nat(30), fc.nat(30)).map((parts) => parts.join('.')) });
    const bridges = fc.uniqueArray(bridge, { selector: ({ version }) => version });
    fc.assert(
      fc.property(bridges, (found) => {
        const listed = found.map(({ version }) => ({ version, path: `/${version}` }));
        expect(bridgesText(listed)).toBe(bridgesText(listed.toReversed()));
      }),
    );
  });
});
