import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HostOptions } from './host.ts';

/** Folder of the probe extension. */
export const probeExtension = join(dirname(fileURLToPath(import.meta.url)), 'probe');

/** Settings under which the editor asks nothing, fetches nothing and shows nothing of its own. */
const quiet = {
  'chat.commandCenter.enabled': false,
  'chat.mcp.autostart': 'never',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'remote.autoForwardPorts': false,
  'security.workspace.trust.banner': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'typescript.disableAutomaticTypeAcquisition': true,
  'update.mode': 'none',
  'window.confirmBeforeClose': 'never',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Folders of a fresh editor, made below `directory`. */
export interface Profile {
  readonly data: string;
  readonly extensions: string;
  /** The folder in which each probe publishes itself. */
  readonly probes: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Makes the folders and the user settings of a fresh editor. */
export function makeProfile(directory: string, options: HostOptions): Profile {
  const folder = (name: string) => {
    const path = join(directory, name);
    mkdirSync(path, { recursive: true, mode: 0o700 });
    return path;
  };
  const [data, probes] = [folder('data'), folder('probes')];
  const home = options.home ?? folder('home');
  writeFileSync(join(folder('data/User'), 'settings.json'), JSON.stringify({ ...quiet, ...options.settings }));
  const environment = { ...options.environment, DRAWBRIDGE_HOME: home, DRAWBRIDGE_PROBE_DIR: probes };
  return { data, extensions: folder('extensions'), probes, home, environment };
}
