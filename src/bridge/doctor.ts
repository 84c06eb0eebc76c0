import { constants } from 'node:fs';
import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readLastSeen } from '#home/lastSeen.ts';
import { examineWindows, type WindowHealth, type WindowState } from '#home/windowHealth.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { printable } from './chooseWindow.ts';
import type { WindowSource } from './windowSource.ts';

/** Everything that Doctor judges by. */
export interface Facts {
  /** The version of the bridge. */
  readonly version: string;
  /** The program that runs the bridge, as in "Node 24.21.0 (/usr/bin/node)". */
  readonly runtime: string;
  readonly home: string;
  readonly launcher: { readonly file: string; readonly isThere: boolean };
  /** The ids of the assistants that Connect set up, which makes windows start their servers. */
  readonly setUp: readonly string[];
  /** When each assistant last called, in milliseconds since the epoch, by its id. */
  readonly lastSeen: ReadonlyMap<string, number>;
  readonly windows: readonly WindowHealth[];
  readonly chosen: WindowSource['chosen'];
  readonly silent: WindowSource['silent'];
  readonly wanted: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

export interface Diagnosis {
  readonly text: string;
  /** True when an assistant that is started in this folder would reach a window. */
  readonly isWorking: boolean;
}

export async function collectFacts(
  home: string,
  source: WindowSource,
  given: Pick<Facts, 'version' | 'runtime' | 'environment'>,
): Promise<Facts> {
  const launcher = join(home, 'bin', process.platform === 'win32' ? 'drawbridge.cmd' : 'drawbridge');
  const exists = (path: string, mode: number): Promise<boolean> =>
    access(path, mode).then(
      () => true,
      () => false,
    );
  return {
    ...given,
    home,
    launcher: { file: launcher, isThere: await exists(launcher, constants.X_OK) },
    setUp: await setUpIds(home),
    lastSeen: await readLastSeen(home),
    windows: await examineWindows(home),
    chosen: source.chosen,
    silent: source.silent,
    wanted: source.wanted,
  };
}

async function setUpIds(home: string): Promise<readonly string[]> {
  const text = await readFile(join(home, 'connected'), 'utf8').catch(() => '');
  return text.split(/\r?\n/).filter((line) => /^[\w-]{1,100}$/.test(line));
}

/** Returns a report of what was found, what is wrong, and what to do. The line of a problem begins with "!". */
export function diagnose(facts: Facts): Diagnosis {
  const { version, runtime, home, chosen } = facts;
  const lines = [
    `Drawbridge ${version} on ${runtime}`,
    `Its files: ${home}`,
    ...launcherLines(facts),
    '',
    'Windows',
    ...windowLines(facts),
    '',
    'Assistants',
    ...assistantLines(facts),
    '',
    'Here',
    hereLine(facts),
    ...proxyLines(facts.environment),
  ];
  return { text: `${lines.join('\n')}\n`, isWorking: chosen !== undefined };
}

function launcherLines({ launcher }: Facts): string[] {
  if (launcher.isThere) return [`Launcher: ${launcher.file}`];
  return [
    `! The launcher ${launcher.file} is missing or cannot be run.`,
    '  Open a window of the editor with Drawbridge installed: it writes the launcher anew.',
  ];
}

function windowLines({ windows, version, setUp }: Facts): string[] {
  if (windows.length > 0) return windows.flatMap((window) => healthLines(window, version));
  if (setUp.length > 0)
    return ['! No window is running Drawbridge. Open a folder in the editor with Drawbridge installed.'];
  return ['! No window is running Drawbridge. Run "Drawbridge: Connect an Assistant..." in the editor once.'];
}

/** The id of programs that were set up by hand, of which nothing else is known. */
const somethingElse = 'something-else';

function assistantLines({ setUp, lastSeen }: Facts): string[] {
  if (setUp.length === 0) return ['  None is set up by the editor.'];
  return setUp.map((id) => {
    if (id === somethingElse) return '  Something else was set up by hand.';
    const time = lastSeen.get(id);
    return time === undefined
      ? `! ${id}: set up, never called. Start it in a folder that a window has open.`
      : `  ${id}: set up, last seen ${new Date(time).toLocaleString()}.`;
  });
}

function healthLines({ file, record, state }: WindowHealth, version: string): string[] {
  if (record === undefined) {
    return [`! ${printable(file)} cannot be read, or another version of Drawbridge wrote it. Delete it if it stays.`];
  }
  const name = nameOf(record);
  if (state === 'alive') return [`  ${name}: answers.`, ...workingLines(record, version)];
  if (state === 'otherHost') {
    return [
      `  ${name}: runs on ${printable(record.hostName)}, or ran there before a restart or in another container.`,
      '  An assistant must run where the window\u2019s folder is.',
    ];
  }
  return [`${state === 'notRunning' ? ' ' : '!'} ${name}: ${troubles[state]}`];
}

const troubles: Readonly<Record<Exclude<WindowState, 'alive'>, string>> = {
  refused: 'its endpoint is closed, or belongs to another program. Reload the window.',
  unreachable: 'does not answer. It may be busy; if it stays like that, reload the window.',
  notRunning: 'has ended and left its file behind; the next window that starts removes it.',
};

function workingLines({ trusted, folders, extensionVersion }: WindowRecord, version: string): string[] {
  return [
    ...(folders.length === 0 ? ['  ! It has no folder open. Open one: assistants work in folders.'] : []),
    ...(trusted
      ? []
      : ['  ! It is in Restricted Mode. Trust its folder in the editor to let assistants change files.']),
    ...(extensionVersion === version
      ? []
      : [
          `  It runs Drawbridge ${printable(extensionVersion)}, not ${version}. Reload it if it was updated meanwhile.`,
        ]),
  ];
}

function hereLine(facts: Facts): string {
  const { chosen, silent, wanted } = facts;
  const assistant = 'An assistant that is started here';
  if (chosen !== undefined) return `  ${assistant} reaches ${nameOf(chosen.record)}: ${chosen.reason}.`;
  if (silent !== undefined)
    return `! ${assistant} waits for ${nameOf(silent)}, which does not answer. Reload that window.`;
  return `! No window has ${wanted} open. ${whatToDo(facts)}`;
}

function whatToDo({ windows }: Facts): string {
  const isOpen = windows.some(({ state }) => state === 'alive');
  const open = 'Open it in the editor; a connection that waits then works by itself.';
  return isOpen ? `${open} To use another window, start the assistant in its folder, or pass --folder.` : open;
}

/** The bridge never uses a proxy, but a client that connects by URL may send requests for 127.0.0.1 to one. */
function proxyLines(environment: Facts['environment']): string[] {
  const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'].filter((name) => environment[name]);
  const exceptions = `${environment['NO_PROXY'] ?? ''},${environment['no_proxy'] ?? ''}`.split(/[\s,]+/);
  const isExcepted = exceptions.some((host) => host === '*' || host.startsWith('127.'));
  if (names.length === 0 || isExcepted) return [];
  return [
    `! ${names.join(' and ')} is set, and NO_PROXY does not name 127.0.0.1. Assistants that use the URL may not get`,
    '  through: add 127.0.0.1,localhost to NO_PROXY. Assistants that start the launcher are not affected.',
  ];
}

function nameOf({ workspaceName, folders, editor, pid }: WindowRecord): string {
  const paths = folders.map(({ path }) => path).join(', ');
  const name = [workspaceName, paths === '' ? 'no folder' : paths].filter((part) => part !== undefined).join(', ');
  return printable(`${editor.name} "${name}" (process ${pid})`);
}
