import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { codex } from '#connect/assistants/codex.ts';
import { copilotCli } from '#connect/assistants/copilotCli.ts';
import { gemini } from '#connect/assistants/gemini.ts';
import { disablingSetting, hooksDisabledBy } from '#connect/hooks/hooksDisabledBy.ts';
import { temporaryMachine } from '../temporaryMachine.ts';

test.each([
  ['claude-code', '{ /* no */ "disableAllHooks": true, }', 'disableAllHooks'],
  ['claude-code', '{"disableAllHooks": false}', undefined],
  ['claude-code', 'not JSON', undefined],
  ['gemini-cli', '{"hooksConfig": {"enabled": false}}', 'hooksConfig.enabled'],
  ['gemini-cli', '{"hooksConfig": {"enabled": true, "disabled": ["other", "drawbridge"]}}', 'hooksConfig.disabled'],
  [
    'gemini-cli',
    '{"hooksConfig": {"disabled": ["/home/ada/.drawbridge/bin/drawbridge hook"]}}',
    'hooksConfig.disabled',
  ],
  ['gemini-cli', '{"hooksConfig": {"disabled": ["other"]}}', undefined],
  ['gemini-cli', '{"disableAllHooks": true}', undefined],
  ['codex', '[features]\nhooks = false\n', 'features.hooks'],
  ['codex', 'features.hooks = false\n', 'features.hooks'],
  ['codex', '[features]\ncodex_hooks = false\n', 'features.codex_hooks'],
  ['codex', '[features]\nhooks = true\n', undefined],
  ['codex', '[features\nhooks = false\n', undefined],
  ['copilot-cli', '{"disableAllHooks": true}', 'disableAllHooks'],
  ['qwen-code', '{"disableAllHooks": true}', 'disableAllHooks'],
  ['droid', '{"hooksDisabled": true}', undefined],
])('disablingSetting finds in a file of %s with the text %j: %s', (id, text, setting) => {
  expect(disablingSetting(id, text)).toBe(setting);
});

test('hooksDisabledBy looks into the settings of the user, and then into those of each folder', async () => {
  const machine = await temporaryMachine();
  const folders = [join(machine.home, 'shop'), join(machine.home, 'docs')];
  const write = async (file: string, text: string) => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  for (const assistant of [claudeCode, codex, copilotCli, gemini]) {
    expect(await hooksDisabledBy(assistant, machine, folders)).toBeUndefined();
  }
  const inFolder = await write(join(machine.home, 'docs', '.codex', 'config.toml'), 'features = { hooks = false }\n');
  expect(await hooksDisabledBy(codex, machine, folders)).toEqual({ file: inFolder, setting: 'features.hooks' });
  const local = await write(join(machine.home, 'shop', '.claude', 'settings.local.json'), '{"disableAllHooks": true}');
  expect(await hooksDisabledBy(claudeCode, machine, folders)).toMatchObject({ file: local });
  const own = await write(join(machine.home, '.claude', 'settings.json'), '{"disableAllHooks": true}');
  expect(await hooksDisabledBy(claudeCode, machine, folders)).toMatchObject({ file: own });
  const geminiFile = await write(gemini.configurationFile(machine) ?? '', '{"hooksConfig": {"enabled": false}}');
  expect(await hooksDisabledBy(gemini, machine, [])).toMatchObject({ file: geminiFile });
});
