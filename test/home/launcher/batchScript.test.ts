import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { install, temporaryFolder } from './installed.ts';

async function batchScript(): Promise<string> {
  const { launcher } = await install({ root: temporaryFolder(), platform: 'win32' });
  return readFileSync(launcher, 'utf8');
}

test('the batch file has CRLF line ends, without which cmd.exe misses its labels', async () => {
  expect((await batchScript()).replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
});

test('the batch file has every label that it jumps to', async () => {
  const script = await batchScript();
  const places = [...script.matchAll(/goto (\w+)/g)].map(([, label]) => label);
  expect(places.length).toBeGreaterThan(0);
  for (const label of places) expect(script).toContain(`\r\n:${label}\r\n`);
});

test('the batch file starts every program by its path, so that none comes from the working directory', async () => {
  const builtIn = /^(rem|set|setlocal|if|for|goto|exit|echo|@echo|:\w+|>&2 echo) ?/;
  const lines = (await batchScript()).split('\r\n').filter((line) => line !== '' && !builtIn.test(line));
  expect(lines.map((line) => /^"[^"]+"/.exec(line)?.[0])).toEqual([
    '"%SystemRoot%\\System32\\chcp.com"',
    '"%runtime%"',
    '"%runtime%"',
    '"%SystemRoot%\\System32\\WindowsPowerShell\\v1.0\\powershell.exe"',
    '"%SystemRoot%\\System32\\WindowsPowerShell\\v1.0\\powershell.exe"',
  ]);
});

test('the batch file ends on the line that runs the bridge, since it may be replaced meanwhile', async () => {
  const run = (await batchScript()).split('\r\n').findLast((line) => line.startsWith('"%runtime%"'));
  expect(run).toBe('"%runtime%" "%bridge%" %* && exit /b 0 || (del "%folder%runtime" 2>nul & exit /b 1)');
});

test('the batch file quotes paths and splits list lines at tabs', async () => {
  const script = await batchScript();
  const unquoted = script.replaceAll(/"[^"]*"/g, '').replaceAll(/^rem .*$/gm, '');
  expect(unquoted.match(/%(folder|bridge|runtime|PATH|USERPROFILE)%/g)).toBeNull();
  expect(script.match(/delims=\t"/g)?.length).toBe(2);
});

test('A1: the batch file takes only absolute paths from the PATH and remembers none', async () => {
  const lines = (await batchScript()).split('\r\n');
  const path = lines.findIndex((line) => line.includes('%PATH:'));
  expect(lines[path]).toContain(' if /i "%%~fi"=="%%~i" if exist ');
  expect(lines.slice(path + 1, path + 3)).toEqual(['if not defined runtime goto noRuntime', 'goto run']);
});
