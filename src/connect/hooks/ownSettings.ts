import { posix, win32 } from 'node:path';
import { holds } from '#home/guards.ts';

/** Files and folders in the user's home that decide whether an assistant asks Drawbridge, and folders of programs that it runs. */
const inHome: readonly string[] = [
  '.claude.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.claude/plugins',
  '.codex/config.toml',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.gemini/policies',
  '.gemini/extensions',
  '.gemini/trustedfolders.json',
  '.qwen/settings.json',
  '.factory/settings.json',
  '.factory/hooks.json',
  '.copilot/hooks',
  '.copilot/config.json',
  '.copilot/settings.json',
  '.copilot/mcp-config.json',
  '.config/opencode/opencode.json',
  '.config/opencode/opencode.jsonc',
  '.config/opencode/config.json',
  // opencode reads both names.
  '.config/opencode/plugin',
  '.config/opencode/plugins',
  // Its tools take the place of the built-in ones.
  '.config/opencode/tool',
  '.config/opencode/tools',
  // opencode reads this folder as one of its configuration too.
  '.opencode',
  '.cursor/hooks.json',
  '.cursor/mcp.json',
];

/**
 * Variables by which the user moves the folder of an assistant's settings, and the folder in the home that they stand for; empty for the
 * home itself. They are named in each assistant's documentation; `src/connect/assistants` writes to the same places.
 */
const movedBy: readonly { readonly variable: string; readonly folder: string }[] = [
  { variable: 'CLAUDE_CONFIG_DIR', folder: '.claude' },
  // `.claude.json` is in this folder then.
  { variable: 'CLAUDE_CONFIG_DIR', folder: '' },
  { variable: 'CODEX_HOME', folder: '.codex' },
  { variable: 'GEMINI_CLI_HOME', folder: '' },
  { variable: 'COPILOT_HOME', folder: '.copilot' },
  { variable: 'XDG_CONFIG_HOME', folder: '.config' },
];

/** The places of one user. Paths are absolute and without links. */
export interface UserPlaces {
  readonly home: string;
  /** The state folder. */
  readonly state: string;
  readonly platform: NodeJS.Platform;
  /** The variables of the hook program. They only add places: a project may set them for a hook. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Returns the paths of what belongs to Drawbridge itself, and of the settings by which an assistant could switch its guard off. */
export function ownSettings({ home, state, platform, environment }: UserPlaces): readonly string[] {
  const paths = platform === 'win32' ? win32 : posix;
  const moved = movedBy.flatMap(({ variable, folder }) => {
    const place = environment[variable];
    if (place === undefined || !paths.isAbsolute(place)) return [];
    const names = inHome.map((name) => posix.relative(folder, name)).filter((name) => !name.startsWith('..'));
    return names.map((name) => paths.join(place, name));
  });
  return [state, ...inHome.map((name) => paths.join(home, name)), ...moved];
}

/**
 * Returns whether a file is one of these settings, or in one. Letters count in any case, since many disks ignore it.
 * @param path absolute and without links
 */
export function isOwnSetting(path: string, settings: readonly string[], platform: NodeJS.Platform): boolean {
  return settings.some((place) => holds(place.toLowerCase(), path.toLowerCase(), platform));
}
