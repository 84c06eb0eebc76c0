import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type * as vscode from 'vscode';
import * as z from 'zod';
import { windowRecords } from '../host/windowFile.ts';
import { patience } from './assistant.ts';
import { closeAll, setSetting } from './editor.ts';
import { type Drawbridge, type Files, startDrawbridge, tempWorkspace, toyLanguage, until } from './harness.ts';

const settingsShape = z.record(z.string(), z.json());
type Settings = z.infer<typeof settingsShape>;

type SharedDrawbridge = Drawbridge & { readonly folder: string };

interface Shared {
  readonly drawbridge: SharedDrawbridge;
  /** User settings as they were when the window was new. */
  readonly settings: Settings;
}

let starting: Promise<Shared> | undefined;

/**
 * The one window of all test files of this process, with the settings `patience` and the extension `toyLanguage`: a window of its own costs a test file 12
 * seconds of a core. The window is given as new as it gets without being opened again: its folder holds `files` only, no
 * editor is open, nothing waits, no assistant is connected, there is no rule, and settings are as they were. What stays are the
 * History, the Activity and the record of earlier test files, and cards that are over.
 * @param settings user settings of the test file; they take the place of those with the same name
 */
export async function sharedDrawbridge(files: Files, settings: Settings = {}): Promise<SharedDrawbridge> {
  const isNew = starting === undefined;
  starting ??= start();
  const shared = await starting;
  if (!isNew) await cleanUp(shared);
  const { drawbridge } = shared;
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(drawbridge.folder, path)), { recursive: true });
    writeFileSync(join(drawbridge.folder, path), content);
  }
  // Documents that no tab shows stay for minutes.
  await until(() => drawbridge.window.evaluate(readsAnew, drawbridge.folder), 'the editor to read the files anew');
  for (const [name, value] of Object.entries(settings)) await setSetting(drawbridge.window, name, value);
  return drawbridge;
}

/** The window is never closed: it goes when the process of the test files ends, see processes.ts. */
async function start(): Promise<Shared> {
  const folder = tempWorkspace({});
  const started = await startDrawbridge({ folder, settings: patience, extensions: [toyLanguage] });
  await started.record();
  return { drawbridge: { ...started, folder }, settings: settingsOf(started) };
}

async function cleanUp({ drawbridge, settings }: Shared): Promise<void> {
  const { window, folder, host } = drawbridge;
  await window.page.keyboard.press('Escape');
  await closeAll(window);
  // Ends all sessions with the rules that last as long, and withdraws what waits.
  await window.command('drawbridge.stop');
  await window.command('drawbridge.keepAllOutside');
  await until(() => windowRecords(host.home).length === 0, 'the server to be gone');
  rmSync(join(host.home, 'rules.json'), { force: true });
  await resetSettings(drawbridge, settings);
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true });
  await window.setViewport(1280, 800);
  await window.command('notifications.clearAll');
  await window.command('workbench.view.explorer');
  await window.command('drawbridge.start');
  await drawbridge.record();
}

async function resetSettings(drawbridge: Drawbridge, before: Settings): Promise<void> {
  const now = settingsOf(drawbridge);
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (!isDeepStrictEqual(now[name], before[name])) await setSetting(drawbridge.window, name, before[name]);
  }
}

function settingsOf({ host }: Drawbridge): Settings {
  return settingsShape.parse(JSON.parse(readFileSync(join(host.directory, 'data/User/settings.json'), 'utf8')));
}

/** Returns whether each open document equals its file on disk. Runs in the extension host. */
async function readsAnew(editor: typeof vscode, folder: string): Promise<boolean> {
  const held = editor.workspace.textDocuments.filter(
    ({ uri }) => uri.scheme === 'file' && uri.fsPath.startsWith(folder),
  );
  for (const document of held) {
    const bytes = await editor.workspace.fs.readFile(document.uri).then(
      (content) => content,
      () => undefined, // gone
    );
    if (bytes !== undefined && new TextDecoder().decode(bytes) !== document.getText()) return false;
  }
  return true;
}
