import { expect, it } from 'vitest';
import { isNeutral, processSurroundings, type Surroundings } from '#bridge/neutralFolders.ts';

const linux: Surroundings = {
  platform: 'linux',
  home: '/home/u',
  client: '/opt/Claude/claude',
  environment: { LOCALAPPDATA: '/work', ProgramFiles: '/work' },
};
const windows: Surroundings = {
  platform: 'win32',
  home: String.raw`C:\Users\u`,
  client: undefined,
  environment: {
    LOCALAPPDATA: String.raw`C:\Users\u\AppData\Local`,
    ProgramFiles: String.raw`C:\Program Files`,
    SystemRoot: String.raw`C:\Windows`,
  },
};

it.each<[directory: string, surroundings: Surroundings, expected: boolean]>([
  ['/', linux, true],
  ['/home/u', linux, true],
  ['/home/u/other', linux, false],
  ['/home', linux, false],
  ['/opt/Claude', linux, true],
  ['/opt/Claude/resources', linux, false],
  ['/opt', linux, false],
  ['/work', linux, false],
  ['/opt/Claude', { ...linux, client: undefined }, false],
  ['C:\\', windows, true],
  [String.raw`c:\users\U`, windows, true],
  [String.raw`C:\Users\u\other`, windows, false],
  [String.raw`C:\Windows\System32`, windows, true],
  [String.raw`C:\Users\u\AppData\Local\AnthropicClaude\app-1.0`, windows, true],
  [String.raw`C:\Users\u\AppData\Local\Programs\Editor`, windows, true],
  [String.raw`C:\Users\u\AppData\Local\Temp\clone`, windows, false],
  [String.raw`C:\work`, { ...windows, environment: {} }, false],
])('tells whether %s says what an assistant works on', (directory, surroundings, expected) => {
  expect(isNeutral(directory, surroundings)).toBe(expected);
});

it('knows the home folder and, on Linux, the program that started this one', () => {
  const { home, client, platform } = processSurroundings();
  expect(home).not.toBe('');
  expect(client !== undefined).toBe(platform === 'linux');
});
