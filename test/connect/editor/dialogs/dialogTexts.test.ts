import { describe, expect, test } from 'vitest';
import { commandLine } from '#connect/launcherCommand.ts';
import { shortPath } from '#connect/machinePaths.ts';
import { changedLines } from '#connect/editor/dialogs/confirmChange.ts';
import { codex } from './fakeConfigurations.ts';

const lines = (before: string | undefined, after: string | undefined): string =>
  changedLines({ assistant: codex, file: '/f', before, after, isChange: true });

describe('the lines that change', () => {
  test('are those put in and those taken out, and no others', () => {
    expect(lines('a\nold\nz\n', 'a\nnew\nz\n')).toBe('- old\n+ new');
    expect(lines(undefined, '{\n}\n')).toBe('+ {\n+ }');
    expect(lines('only\n', undefined)).toBe('- only');
  });

  test('are told from line ends that stay', () => {
    expect(lines('a\r\nz\r\n', 'a\r\nb\r\nz\r\n')).toBe('+ b');
    expect(lines('a', 'a\nb')).toBe('+ b');
    expect(lines('a\n', 'a\n\nb\n')).toBe('+ b');
  });

  test('are as many as a dialog has room for', () => {
    const shown = lines('', `${Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')}\n`).split('\n');
    expect(shown).toHaveLength(17);
    expect(shown.at(-1)).toBe('... and 24 more lines');
    expect(lines('', 'x'.repeat(5000)).length).toBeLessThan(130);
  });
});

describe('a command line', () => {
  test.each([
    ['linux', '/home/ada/.drawbridge/bin/drawbridge', [], '/home/ada/.drawbridge/bin/drawbridge'],
    ['darwin', "/Users/O'Neil $1/drawbridge", ['--folder', 'a b'], `'/Users/O'\\''Neil $1/drawbridge' --folder 'a b'`],
    ['win32', 'cmd.exe', ['/d', '/c', 'C:\\Users\\A B\\x.cmd'], 'cmd.exe /d /c "C:\\Users\\A B\\x.cmd"'],
  ] as const)('on %s', (platform, command, args, expected) => {
    expect(commandLine({ command, args }, platform)).toBe(expected);
  });
});

test('a path in the home folder is short', () => {
  expect(shortPath('/home/ada/.codex/config.toml', '/home/ada')).toBe('~/.codex/config.toml');
  expect(shortPath('C:\\Users\\Ada\\x', 'C:\\Users\\Ada')).toBe('~\\x');
  expect(shortPath('/home/adam/x', '/home/ada')).toBe('/home/adam/x');
});
