import { describe, expect, test } from 'vitest';
import { copilotHookFile } from '#connect/assistants/copilotCli.ts';
import { geminiHookEntries } from '#connect/assistants/gemini.ts';

describe('the hooks of Gemini CLI', () => {
  test('run for its edit tools only, and wait as long as a timer of Node can', () => {
    expect(geminiHookEntries('/home/u/.drawbridge/bin/drawbridge')).toEqual({
      BeforeTool: {
        matcher: '^(replace|write_file)$',
        hooks: [
          {
            name: 'drawbridge',
            type: 'command',
            command: '/home/u/.drawbridge/bin/drawbridge hook',
            timeout: 1_728_000_000,
          },
        ],
      },
      AfterTool: {
        matcher: '^(replace|write_file)$',
        hooks: [
          { name: 'drawbridge', type: 'command', command: '/home/u/.drawbridge/bin/drawbridge hook', timeout: 60_000 },
        ],
      },
    });
  });
});

describe('the hooks of GitHub Copilot CLI', () => {
  const hook = { type: 'command', matcher: 'edit|create|apply_patch|str_replace_editor', timeoutSec: 1_728_000 };

  test('run for its edit tools only, with the event on the command line', () => {
    expect(copilotHookFile('/home/u/.drawbridge/bin/drawbridge', 'linux')).toEqual({
      version: 1,
      hooks: { preToolUse: [{ ...hook, bash: '/home/u/.drawbridge/bin/drawbridge hook preToolUse' }] },
    });
  });

  test('name a PowerShell command when the system is Windows', () => {
    expect(copilotHookFile('"C:\\a b\\drawbridge.cmd"', 'win32')).toEqual({
      version: 1,
      hooks: { preToolUse: [{ ...hook, powershell: '& "C:\\a b\\drawbridge.cmd" hook preToolUse' }] },
    });
  });
});
