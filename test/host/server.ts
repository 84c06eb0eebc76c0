import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import type { HostOptions, OpenOptions } from './host.ts';
import { installServer, type EmbeddedServer } from './install.ts';
import type { Run } from './processes.ts';
import { makeProfile, type Profile } from './profile.ts';
import { until } from './until.ts';

const manifestShape = z.object({ publisher: z.string(), name: z.string(), version: z.string() });

/** A VS Code server that waits for browsers. */
export interface Server {
  readonly profile: Profile;
  /** The address at which a browser opens a window. It lets whoever has it in: treat it as a secret. */
  address(options: OpenOptions): string;
}

/** Starts the VS Code server itself, without the launcher of code-server around it. */
export async function startServer(run: Run, options: HostOptions): Promise<Server> {
  const programs = await installServer();
  const profile = makeProfile(run.directory, options);
  await addExtensions(programs, run, profile, options.extensions);
  const token = randomBytes(16).toString('hex');
  const tokenFile = join(run.directory, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  // No --enable-smoke-test-driver: it would suppress the toasts.
  const args = [programs.main, '--host', '127.0.0.1', '--port', '0', '--connection-token-file', tokenFile];
  args.push('--accept-server-license-terms', '--telemetry-level', 'off', ...folders(run, profile));
  // A page that leaves says goodbye, but a busy browser may drop the word: without this its extension host stays for hours.
  args.push('--reconnection-grace-time', '2');
  if (options.trusted !== false) args.push('--disable-workspace-trust');
  const child = run.spawn(programs.node, args, profile.environment);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-20_000)));
  }
  let ended = false;
  child.once('exit', () => (ended = true));
  const port = await until(() => {
    return ended ? 'ended' : /agent listening on (\d+)/.exec(output)?.[1];
  }, 'the VS Code server to listen');
  if (port === 'ended') throw new Error(`The VS Code server ended at once:\n${output}`);
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/version`)).ok, 'the VS Code server to answer');
  return { profile, address: (what) => `${url}/?${query(what)}&tkn=${token}` };
}

function query({ folder, workspace }: OpenOptions): string {
  if (folder !== undefined) return `folder=${encodeURIComponent(resolve(folder))}`;
  if (workspace !== undefined) return `workspace=${encodeURIComponent(resolve(workspace))}`;
  return 'ew=true';
}

function folders(run: Run, { data, extensions }: Profile): string[] {
  const server = join(run.directory, 'server');
  return ['--server-data-dir', server, '--user-data-dir', data, '--extensions-dir', extensions];
}

/** Installs packaged extensions as a user would and links unpacked ones. */
async function addExtensions(
  programs: EmbeddedServer,
  run: Run,
  profile: Profile,
  list: readonly string[],
): Promise<void> {
  const packaged = list.filter((path) => path.endsWith('.vsix')).map((path) => resolve(path));
  if (packaged.length > 0) {
    const install = packaged.flatMap((path) => ['--install-extension', path]);
    const args = [programs.main, '--accept-server-license-terms', ...folders(run, profile), ...install];
    await promisify(execFile)(programs.node, args, { env: run.environment(profile.environment) });
    // Without its list the server looks for extensions itself at its first start, and so finds the links too.
    rmSync(join(profile.extensions, 'extensions.json'));
  }
  for (const path of list.filter((each) => !each.endsWith('.vsix'))) {
    const { publisher, name, version } = manifestShape.parse(
      JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')),
    );
    symlinkSync(resolve(path), join(profile.extensions, `${publisher}.${name}-${version}`), 'dir');
  }
}
