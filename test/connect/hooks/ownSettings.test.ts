import { expect, test } from 'vitest';
import { isOwnSetting, ownSettings } from '#connect/hooks/ownSettings.ts';

const places = { home: '/home/ada', state: '/home/ada/.drawbridge', platform: 'linux' } as const;

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
  const windows = { home: 'C:\\Users\\ada', state: 'C:\\Users\\ada\\.drawbridge', platform: 'win32' } as const;
  expect(isOwnSetting('c:\\users\\ada\\.codex\\hooks.json', ownSettings(windows), 'win32')).toBe(true);
});
