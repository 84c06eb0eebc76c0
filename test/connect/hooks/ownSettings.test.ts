import { expect, test } from 'vitest';
import { isOwnSetting, ownSettings } from '#connect/hooks/ownSettings.ts';

const places = { home: '/home/ada', state: '/home/ada/.drawbridge', platform: 'linux', environment: {} } as const;

test.each([
  ['/home/ada/.drawbridge/guards/window-1', true],
  ['/home/ada/.claude/settings.json', true],
  ['/home/ada/.Claude/Settings.json', true],
  ['/home/ada/.copilot/hooks/drawbridge.json', true],
  ['/home/ada/.config/opencode/plugin/other.js', true],
  ['/home/ada/.opencode/plugins/other.js', true],
  ['/home/ada/shop/.opencode/plugins/other.js', false],
  ['/home/ada/.copilot/settings.json', true],
  ['/home/ada/.codex/hooks.json', true],
  ['/home/ada/.codex/config.toml', true],
  ['/home/ada/.gemini/settings.json', true],
  ['/home/ada/.config/opencode/opencode.json', true],
  ['/home/ada/.config/opencode/plugins/drawbridge.js', true],
  ['/home/ada/.config/opencode/plugin/other.ts', true],
  ['/home/ada/.config/opencode/themes/mine.json', false],
  ['/home/ada/.claude/projects/shop/memory.md', false],
  ['/home/ada/shop/.claude/settings.json', false],
  ['/home/ada/.drawbridges', false],
])('isOwnSetting: %s: %s', (path, expected) => {
  expect(isOwnSetting(path, ownSettings(places), places.platform)).toBe(expected);
});

test('isOwnSetting knows the paths of Windows', () => {
  const windows = {
    home: 'C:\\Users\\ada',
    state: 'C:\\Users\\ada\\.drawbridge',
    platform: 'win32',
    environment: {},
  } as const;
  expect(isOwnSetting('c:\\users\\ada\\.codex\\hooks.json', ownSettings(windows), 'win32')).toBe(true);
});

test.each([
  ['CLAUDE_CONFIG_DIR', '/elsewhere/settings.json'],
  ['CLAUDE_CONFIG_DIR', '/elsewhere/.claude.json'],
  ['CODEX_HOME', '/elsewhere/hooks.json'],
  ['GEMINI_CLI_HOME', '/elsewhere/.gemini/settings.json'],
  ['COPILOT_HOME', '/elsewhere/hooks/drawbridge.json'],
  ['XDG_CONFIG_HOME', '/elsewhere/opencode/plugins/drawbridge.js'],
])('knows the settings that %s moves to %s, and those in the home too', (variable, path) => {
  const moved = ownSettings({ ...places, environment: { [variable]: '/elsewhere' } });
  expect(isOwnSetting(path, moved, 'linux')).toBe(true);
  expect(isOwnSetting('/home/ada/.claude/settings.json', moved, 'linux')).toBe(true);
  expect(isOwnSetting(path, ownSettings({ ...places, environment: { [variable]: 'elsewhere' } }), 'linux')).toBe(false);
});
