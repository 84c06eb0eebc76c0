import { expect, test } from 'vitest';
import { shellOf } from '#connect/hooks/shells.ts';

test.each([
  ['/bin/bash', 'bash'],
  ['/bin/sh', 'bash'],
  ['/usr/bin/dash', 'bash'],
  ['C:\\Program Files\\Git\\bin\\bash.EXE', 'bash'],
  ['/opt/homebrew/bin/zsh', 'zsh'],
  ['fish', 'fish'],
  ['nu', 'nu'],
  ['pwsh.exe', 'powershell'],
  ['cmd.exe', 'cmd'],
  ['/bin/ksh', 'other'],
  ['/opt/bash/run', 'other'],
  ['', 'other'],
  [undefined, 'other'],
])('the shell of the program %s is %s', (program, shell) => {
  expect(shellOf(program)).toBe(shell);
});
