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

test('reads a file of its own when it is a package of Windows', () => {
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

test('reads the file of the user in other installations', () => {
  vi.mocked(readdirSync).mockImplementation(() => {
    throw new Error('ENOENT');
  });
  const file = String.raw`C:\Users\Ada\AppData\Roaming\Claude\claude_desktop_config.json`;
  expect(claudeDesktop.configurationFile(machine)).toBe(file);
});
