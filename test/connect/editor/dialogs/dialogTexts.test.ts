import { describe, expect, test } from 'vitest';
import { commandLine } from '#connect/launcherCommand.ts';
import { shortPath } from '#connect/machinePaths.ts';
import { changedLines } from '#connect/editor/dialogs/confirmChange.ts';
import { codex } from './fakeConfigurations.ts';

const lines = (before: string | undefined, after: string | undefined): string =>
  changedLines({ assistant: codex, record: 'codex', file: '/f', before, after, isChange: true });

describe('changedLines', () => {
  test('returns only added and removed lines', () => {
    expect(lines('a\nold\nz\n', 'a\nnew\nz\n')).toBe('- old\n+ new');
    expect(lines(undefined, '{\n}\n')).toBe('+ {\n+ }');
    expect(lines('only\n', undefined)).toBe('- only');
  });

  test('ignores differences of line ends', () => {
    expect(lines('a\r\nz\r\n', 'a\r\nb\r\nz\r\n')).toBe('+ b');
    expect(lines('a', 'a\nb')).toBe('+ b');
    expect(lines('a\n', 'a\n\nb\n')).toBe('+ b');
  });

  test('cuts the lines when there are more than a dialog can show', () => {
    const shown = lines('', `${Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n')}\n`).split('\n');
    expect(shown).toHaveLength(17);
    expect(shown.at(-1)).toBe('... and 24 more lines');
    expect(lines('', 'x'.repeat(5000)).length).toBeLessThan(130);
  });
});

describe('commandLine', () => {
  test.each([
    ['linux', '/home/ada/.drawbridge/bin/drawbridge', [], '/home/ada/.drawbridge/bin/drawbridge'],
    ['darwin', "/Users/O'Neil $1/drawbridge", ['--folder', 'a b'], `'/Users/O'\\''Neil $1/drawbridge' --folder 'a b'`],
    ['win32', 'cmd.exe', ['/d', '/c', 'C:\\Users\\A B\\x.cmd'], 'cmd.exe /d /c "C:\\Users\\A B\\x.cmd"'],
  ] as const)('quotes the words for the shell on %s', (platform, command, args, expected) => {
    expect(commandLine({ command, args }, platform)).toBe(expected);
  });
});

test('shortPath writes ~ when a path is in the home folder', () => {
  expect(shortPath('/home/ada/.codex/config.toml', '/home/ada')).toBe('~/.codex/config.toml');
  expect(shortPath('C:\\Users\\Ada\\x', 'C:\\Users\\Ada')).toBe('~\\x');
  expect(shortPath('/home/adam/x', '/home/ada')).toBe('/home/adam/x');
});
