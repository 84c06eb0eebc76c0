import { readdirSync } from 'node:fs';
import { expect, test, vi } from 'vitest';
import type { Machine } from '#connect/assistant.ts';
import { claudeDesktop } from '#connect/assistants/claudeDesktop.ts';

vi.mock('node:fs', async (original) => ({ ...(await original<object>()), readdirSync: vi.fn<() => string[]>() }));

const machine: Machine = {
  platform: 'win32',
  home: String.raw`C:\Users\Ada`,
  environment: { LOCALAPPDATA: String.raw`D:\Local` },
  launcher: String.raw`C:\Users\Ada\.drawbridge\bin\drawbridge.cmd`,
};

test('a package of Windows reads a file of its own', () => {
  vi.mocked<(path: string) => string[]>(readdirSync).mockReturnValue([
    'Claude.Other_x',
    'Claude_pzs8sxrjxfjjc',
    'Zoom',
  ]);
  const folder = String.raw`D:\Local\Packages\Claude_pzs8sxrjxfjjc\LocalCache\Roaming\Claude`;
  expect(claudeDesktop.configurationFile(machine)).toBe(`${folder}\\claude_desktop_config.json`);
  expect(claudeDesktop.traces(machine)).toContain(folder);
  expect(readdirSync).toHaveBeenCalledWith(String.raw`D:\Local\Packages`);
});

test('other installations read that of the user', () => {
  vi.mocked(readdirSync).mockImplementation(() => {
    throw new Error('ENOENT');
  });
  const file = String.raw`C:\Users\Ada\AppData\Roaming\Claude\claude_desktop_config.json`;
  expect(claudeDesktop.configurationFile(machine)).toBe(file);
});
