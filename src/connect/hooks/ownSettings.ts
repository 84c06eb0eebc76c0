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

/** The places of one user. Paths are absolute and without links. */
export interface UserPlaces {
  readonly home: string;
  /** The state folder. */
  readonly state: string;
  readonly platform: NodeJS.Platform;
}

/** Returns the paths of what belongs to Drawbridge itself, and of the settings by which an assistant could switch its guard off. */
export function ownSettings({ home, state, platform }: UserPlaces): readonly string[] {
  const paths = platform === 'win32' ? win32 : posix;
  return [state, ...inHome.map((name) => paths.join(home, name))];
}

/**
 * Returns whether a file is one of these settings, or in one. Letters count in any case, since many disks ignore it.
 * @param path absolute and without links
 */
export function isOwnSetting(path: string, settings: readonly string[], platform: NodeJS.Platform): boolean {
  return settings.some((place) => holds(place.toLowerCase(), path.toLowerCase(), platform));
}
