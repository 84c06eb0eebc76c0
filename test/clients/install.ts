import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { repository } from '../host/hostFolder.ts';
import { progress } from '../host/progress.ts';
import type { RealClient } from './realClients.ts';

/** Not in the repository; about 1.3 GB. */
const folder = join(repository, '.clients');
const manifest = z.object({ version: z.string() });

type Installable = Pick<RealClient, 'package' | 'version'>;

/**
 * Installs the pinned versions from npm, once.
 * @returns the folder of their programs
 */
export async function installClients(clients: readonly Installable[]): Promise<string> {
  if (!clients.every(isInstalled)) {
    progress('Installing the clients from npm, once (a minute or two, 1.3 GB)');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"name":"drawbridge-clients","private":true}\n');
    const packages = clients.map((client) => `${client.package}@${client.version}`);
    // The newest of them need a newer Node than the system may have; npm finds the one that runs this first.
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` };
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--save-exact', ...packages], {
      cwd: folder,
      env,
      maxBuffer: 2 ** 26,
    });
  }
  return join(folder, 'node_modules/.bin');
}

function isInstalled({ package: name, version }: Installable): boolean {
  try {
    const file = join(folder, 'node_modules', name, 'package.json');
    return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version === version;
  } catch {
    return false;
  }
}
