import { downloadAndUnzipVSCode, runVSCodeCommand } from '@vscode/test-electron';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';
import type { Host, HostOptions, OpenOptions } from './host.ts';
import { hostFolder } from './hostFolder.ts';
import { startRun, stopLeftovers } from './processes.ts';
import { makeProfile, probeExtension, type Profile } from './profile.ts';
import { attachWindow } from './window.ts';

/** VS Code is made for one instance a profile: every window here is an instance with its own profile and a shared home. */
export async function startDesktopHost(options: HostOptions): Promise<Host> {
  await stopLeftovers();
  const editor = { cachePath: join(hostFolder(), 'desktop') };
  const program = await downloadAndUnzipVSCode(editor);
  const run = startRun();
  const home = options.home ?? join(run.directory, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const applications = new Set<ElectronApplication>();
  let opened = 0;
  const openWindow = async (what: OpenOptions = {}) => {
    opened += 1;
    const profile = makeProfile(join(run.directory, `w${opened}`), { ...options, home });
    const packaged = options.extensions.filter((path) => path.endsWith('.vsix'));
    for (const path of packaged) {
      await runVSCodeCommand([...folders(profile), '--install-extension', resolve(path)], {
        ...editor,
        reuseMachineInstall: true,
      });
    }
    const unpacked = [...options.extensions.filter((path) => !path.endsWith('.vsix')), probeExtension];
    const application = await _electron.launch({
      executablePath: program,
      artifactsDir: join(run.directory, 't'),
      args: [
        ...folders(profile),
        ...unpacked.map((path) => `--extensionDevelopmentPath=${resolve(path)}`),
        ...(options.trusted === false ? [] : ['--disable-workspace-trust']),
        '--no-sandbox',
        '--disable-updates',
        '--skip-welcome',
        '--skip-release-notes',
        '--new-window',
        ...target(what),
      ],
      env: run.environment(profile.environment),
    });
    applications.add(application);
    const close = async () => {
      applications.delete(application);
      await application.close();
    };
    return attachWindow(await application.firstWindow(), what, profile.probes, close);
  };
  return {
    address: noBrowser,
    home,
    directory: run.directory,
    devtools: noBrowser,
    openWindow,
    async stop() {
      for (const application of applications) await application.close();
      await run.stop();
    },
  };
}

function noBrowser(): never {
  throw new Error('The desktop host has no browser: drive its windows through Playwright.');
}

function folders({ data, extensions }: Profile): string[] {
  return [`--user-data-dir=${data}`, `--extensions-dir=${extensions}`];
}

function target({ folder, workspace }: OpenOptions): string[] {
  const path = folder ?? workspace;
  return path === undefined ? [] : [resolve(path)];
}
