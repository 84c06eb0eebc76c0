import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Assistant } from '#connect/assistant.ts';
import { ConfigurationError } from '#connect/configuration.ts';
import { launcherCommand } from '#connect/launcherCommand.ts';
import { hasProgram, isFound, thisMachine } from '#connect/machine.ts';
import { opencode } from '#connect/assistants/opencode.ts';
import { windsurf } from '#connect/assistants/windsurf.ts';
import { temporaryMachine } from './temporaryMachine.ts';

describe('launcherCommand', () => {
  const on = (platform: NodeJS.Platform, launcher: string) =>
    launcherCommand({ platform, launcher, home: '', environment: {} });

  test('is the launcher itself where scripts can be started', () => {
    const launcher = '/home/ada lovelace/.drawbridge/bin/drawbridge';
    expect(on('linux', launcher)).toEqual({ command: launcher, args: [] });
    expect(on('darwin', launcher)).toEqual({ command: launcher, args: [] });
  });

  test('is cmd.exe on Windows with the path unquoted: clients add quotation marks', () => {
    const launcher = String.raw`C:\Users\Ada Lovelace\.drawbridge\bin\drawbridge.cmd`;
    expect(on('win32', launcher)).toMatchObject({ args: ['/d', '/c', launcher] });
  });

  test('A1: names cmd.exe by its whole path, since clients look in the working directory first', () => {
    const machine = { platform: 'win32' as const, launcher: String.raw`C:\x\drawbridge.cmd`, home: '' };
    const command = (environment: Record<string, string>) => launcherCommand({ ...machine, environment }).command;
    expect(command({ SystemRoot: String.raw`D:\WINNT` })).toBe(String.raw`D:\WINNT\System32\cmd.exe`);
    expect(command({})).toBe(String.raw`C:\Windows\System32\cmd.exe`);
  });

  test.each('&<>()@^|%,;='.split(''))(
    'a path with %s, which cmd.exe takes for its own, is refused with a way out',
    (special) => {
      const attempt = () => on('win32', `C:\\Users\\A${special}B\\.drawbridge\\bin\\drawbridge.cmd`);
      expect(attempt).toThrow(ConfigurationError);
      expect(attempt).toThrow(special);
    },
  );
});

describe('isFound', () => {
  const assistant: Assistant = { ...opencode, programs: ['acode'], traces: ({ home }) => [join(home, '.acode')] };

  test('accepts a trace, or a program on the PATH that can be started', async () => {
    const machine = await temporaryMachine();
    const folder = join(machine.home, 'bin');
    const withPath = { ...machine, environment: { PATH: `/nowhere::${folder}` } };
    expect(await isFound(assistant, withPath)).toBe(false);
    await mkdir(join(folder, 'acode'), { recursive: true });
    expect(await isFound(assistant, withPath)).toBe(false);
    const other = join(machine.home, 'other');
    await mkdir(other);
    await writeFile(join(other, 'acode'), '');
    expect(await isFound(assistant, { ...machine, environment: { PATH: other } })).toBe(false);
    await chmod(join(other, 'acode'), 0o755);
    expect(await isFound(assistant, { ...machine, environment: { PATH: other } })).toBe(true);
    expect(await isFound(assistant, machine)).toBe(false);
    await writeFile(join(machine.home, '.acode'), '');
    expect(await isFound(assistant, machine)).toBe(true);
  });

  test('is false when the machine has no sign of the assistant', async () => {
    expect(await isFound(windsurf, await temporaryMachine())).toBe(false);
  });
});

test('hasProgram is false when no program of the assistant is on the PATH, whatever its configuration says', async () => {
  const machine = await temporaryMachine();
  const assistant: Assistant = { ...opencode, programs: ['acode'], traces: ({ home }) => [home] };
  await mkdir(machine.home, { recursive: true });
  expect([await isFound(assistant, machine), await hasProgram(assistant, machine)]).toEqual([true, false]);
  const folder = join(machine.home, 'bin');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'acode'), '', { mode: 0o755 });
  expect(await hasProgram(assistant, { ...machine, environment: { PATH: folder } })).toBe(true);
  expect(await hasProgram({ programs: [] }, machine)).toBe(true);
});

test('describes the machine of the process', () => {
  expect(thisMachine({ launcher: '/l', editorUserFolder: undefined })).toMatchObject({
    platform: process.platform,
    launcher: '/l',
    environment: process.env,
  });
});
