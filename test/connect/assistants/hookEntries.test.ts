import { describe, expect, test } from 'vitest';
import { copilotHookFile } from '#connect/assistants/copilotCli.ts';
import { geminiHookEntries } from '#connect/assistants/gemini.ts';

describe('the hooks of Gemini CLI', () => {
  test('run for its edit and command tools only, and wait as long as a timer of Node can', () => {
    const launcher = '/home/u/.drawbridge/bin/drawbridge';
    const hooks = (command: string, timeout: number) => [{ name: 'drawbridge', type: 'command', command, timeout }];
    const matcher = '^(replace|write_file|run_shell_command)$';
    const moment = { hooks: hooks(`${launcher} hook moment`, 60_000) };
    expect(geminiHookEntries(launcher)).toEqual({
      BeforeTool: { matcher, hooks: hooks(`${launcher} hook`, 1_728_000_000) },
      AfterTool: { matcher, hooks: hooks(`${launcher} hook`, 60_000) },
      SessionStart: moment,
      AfterAgent: moment,
      SessionEnd: moment,
    });
  });
});

describe('the hooks of GitHub Copilot CLI', () => {
  const shellTools = 'bash|powershell|write_bash|write_powershell';
  const file = (key: string, start: string) => {
    const hook = (words: string, timeoutSec: number, matcher?: string) => [
      { type: 'command', ...(matcher !== undefined && { matcher }), [key]: `${start} hook ${words}`, timeoutSec },
    ];
    return {
      version: 1,
      hooks: {
        preToolUse: hook('preToolUse', 1_728_000, `edit|create|apply_patch|str_replace_editor|${shellTools}`),
        postToolUse: hook('postToolUse', 60, shellTools),
        postToolUseFailure: hook('postToolUseFailure', 60, shellTools),
        sessionStart: hook('moment sessionStart', 60),
        agentStop: hook('moment agentStop', 60),
        sessionEnd: hook('moment sessionEnd', 60),
      },
    };
  };

  test('run for its edit and command tools only, with the event on the command line', () => {
    const launcher = '/home/u/.drawbridge/bin/drawbridge';
    expect(copilotHookFile(launcher, 'linux')).toEqual(file('bash', launcher));
  });

  test('name a PowerShell command when the system is Windows', () => {
    const launcher = '"C:\\a b\\drawbridge.cmd"';
    expect(copilotHookFile(launcher, 'win32')).toEqual(file('powershell', `& ${launcher}`));
  });
});
