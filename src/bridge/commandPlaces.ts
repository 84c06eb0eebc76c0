/** The places that a command may reach, as far as its folder and its text tell. Which command it is, the window finds out. */
import { dirname, posix, win32 } from 'node:path';
import type { NativeCommand } from '#base/nativeCommand.ts';
import { isOwnSetting, type UserPlaces } from '#connect/hooks/ownSettings.ts';
import { type Guard, holds } from '#home/guards.ts';
import { guardsOfFiles } from '#home/worktree.ts';
import { realPath } from './realPath.ts';

type Text = Pick<NativeCommand['command'], 'text' | 'folder'>;
type Places = Pick<UserPlaces, 'home' | 'platform'>;

/** A here-document may have any number of words. The whole text is searched for the folders of guards all the same. */
const mostWords = 2000;

/** The ways in which the shells write the user's home folder. A quote may stand after it, as in `"$HOME"/a`. */
const homes = /(?:~|\$HOME|\$\{HOME\}|\$env:HOME|\$env:USERPROFILE|%USERPROFILE%)(?=["']?(?:[\\/]|$|[\s"';&|)]))/gi;

/** Returns a text with the user's home folder in place of its variables, without quotes and escapes. */
export function expanded(text: string, { home, platform }: Places): string {
  const whole = text.replaceAll(homes, () => home);
  return platform === 'win32' ? whole.replaceAll(/["'`]/g, '') : whole.replaceAll(/["'`\\]/g, '');
}

/**
 * Returns the paths that the words of a command may be, absolute, and the folder in which a pattern looks for names. A word of another
 * kind becomes a path that leads nowhere.
 */
export function pathsIn({ text, folder }: Text, places: Places): readonly string[] {
  const paths = places.platform === 'win32' ? win32 : posix;
  const words = expanded(text, places).split(/[\s;&|<>()=,:{}[\]]+/);
  // A Windows path begins with a letter and a colon.
  const drives = places.platform === 'win32' ? expanded(text, places).split(/[\s;&|<>()=,{}[\]]+/) : [];
  const distinct = new Set([...words, ...drives].filter((word) => word !== '' && word.length < 4096));
  const resolved = [...distinct]
    .slice(0, mostWords)
    .flatMap((word) => (/[*?]/.test(word) ? [word, `${word.replace(/[^\\/]*[*?].*$/, '')}.`] : [word]))
    .map((word) => paths.resolve(folder, word));
  return [...new Set(resolved)];
}

/**
 * Returns the guards that a command concerns: with a folder that holds its folder, or lies below it, or that its text names, and those
 * of the repositories whose work trees it names. A text also names a folder by a file in it, or by a folder above it.
 */
export async function guardsOfCommand(
  guards: readonly Guard[],
  command: Text,
  places: Places,
): Promise<readonly Guard[]> {
  if (guards.length === 0) return [];
  const folder = await realPath(command.folder);
  // A single word seldom names something outside the folder, and what is inside is judged by the folder.
  const named = pathsIn(command, places).filter((path) => !holds(folder, path, places.platform));
  const reals = await Promise.all(named.map(realPath));
  const held = new Set(guardsOfFiles(guards, [folder, ...reals]));
  const text = expanded(command.text, places);
  return guards.filter(
    (guard) =>
      held.has(guard) ||
      guard.folders.some(
        (guarded) =>
          holds(folder, guarded, places.platform) ||
          reals.some((path) => holds(path, guarded, places.platform) && !isAbove(path, places)) ||
          namesPath(text, guarded, places.platform),
      ),
  );
}

/** Returns whether a folder holds the homes of users, as `/` does: most commands name such a folder by chance. */
function isAbove(folder: string, { home, platform }: Places): boolean {
  return folder !== home && holds(folder, home, platform);
}

/** Returns whether a text has a path, and not merely as the beginning of a longer name. */
function namesPath(text: string, path: string, platform: NodeJS.Platform): boolean {
  const fold = (one: string): string => (platform === 'win32' ? one.replaceAll('\\', '/').toLowerCase() : one);
  const parts = fold(text).split(fold(path));
  return parts.slice(1).some((rest) => !/^[\w-]/.test(rest));
}

/**
 * Returns whether a command names one of the files by which an assistant's guard could be switched off, or a folder with such files
 * below the user's home, or works in the folder of one. Letters count in any case.
 * @param settings absolute paths
 */
export async function namesOwnSettings(command: Text, settings: readonly string[], places: Places): Promise<boolean> {
  const { home, platform } = places;
  const named = pathsIn(command, places);
  // A settings file may be a link, as into a folder of dotfiles, and so may be what the command names.
  const [reals, realSettings] = await Promise.all([
    Promise.all([command.folder, ...named].map(realPath)),
    Promise.all(settings.map(realPath)),
  ]);
  const every = [...settings, ...realSettings];
  const isBelowHome = (path: string): boolean => path !== home && holds(home, path, platform);
  const holdsSetting = (path: string): boolean =>
    isBelowHome(path) && settings.some((setting) => holds(path.toLowerCase(), setting.toLowerCase(), platform));
  const parents = new Set(settings.map(dirname).filter(isBelowHome));
  const text = expanded(command.text, places).toLowerCase();
  return (
    parents.has(command.folder) ||
    [...named, ...reals].some((path) => isOwnSetting(path, every, platform)) ||
    named.some(holdsSetting) ||
    every.some((setting) => namesPath(text, setting.toLowerCase(), platform))
  );
}
