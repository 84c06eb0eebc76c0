import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { type HookReport, isCommand, isMoment } from '#base/nativeCommand.ts';
import type { NativeAnswer } from '#base/nativeEdit.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import { copilotHook } from '#connect/hooks/copilot.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import { type HookAdapter, type HookInput, noOpinion, UnreadableCommand } from '#connect/hooks/hookAdapter.ts';
import { opencodeHook } from '#connect/hooks/opencode.ts';

const record = z.record(z.string(), z.unknown());
const recording = z.object({ hooks: z.array(record) });

interface Hook {
  readonly input: HookInput;
  /** What the command of the hook says of its event. */
  readonly event: string;
}

const moments = new Set(['sessionStart', 'agentStop', 'sessionEnd']);

/** The hooks of a recording; those of Copilot are recorded with their event. */
function hooksIn(assistant: string, name: string): readonly Hook[] {
  const file = `test/bridge/hook/recorded/${assistant}/${name}.json`;
  return recording.parse(JSON.parse(readFileSync(file, 'utf8'))).hooks.map((hook) => {
    if (assistant !== 'copilot') return { input: hook, event: '' };
    const { event, input } = z.object({ event: z.string(), input: record }).parse(hook);
    return { input, event: moments.has(event) ? `moment ${event}` : event };
  });
}

function reportsIn(adapter: HookAdapter, assistant: string, name: string): readonly HookReport[] {
  return hooksIn(assistant, name).flatMap(({ input, event }) => {
    const report = adapter.recognises(input, event) ? adapter.read(input, event) : undefined;
    return report === undefined ? [] : [report];
  });
}

/** One line for each report: a moment, or the event, text and folder of a command. */
function linesOf(reports: readonly HookReport[]): readonly string[] {
  return reports.map((report) => {
    if (isMoment(report)) return `${report.event} ${report.folder}`;
    return isCommand(report) ? `${report.event} ${report.command.text} ${report.command.folder}` : 'edit';
  });
}

const adapters: Readonly<Record<string, HookAdapter>> = {
  claudeCode: claudeCodeHook,
  codex: codexHook,
  copilot: copilotHook,
  gemini: geminiHook,
  opencode: opencodeHook,
};

afterEach(() => vi.unstubAllEnvs());

describe('the commands and moments of a recorded session', () => {
  test.each(
    Object.entries({
      claudeCode: [
        'sessionBegan /project',
        'before cd d /project',
        'after cd d /project/d',
        'before cat a.txt /project/d',
        'after cat a.txt /project/d',
        'before exit 3 /project/d',
        'after exit 3 /project/d',
        'turnEnded /project/d',
        'sessionEnded /project/d',
      ],
      codex: [
        'sessionBegan /project',
        'before cat a.txt /project/d',
        'after cat a.txt /project/d',
        'before exit 3 /project',
        'after exit 3 /project',
        // Its program runs on, and gets what is typed without a hook.
        'before cat /project',
        'turnEnded /project',
        'sessionEnded /project',
      ],
      copilot: [
        'sessionBegan /project',
        ...['cd d', 'cat a.txt', 'exit 3', 'cat', 'typed{enter}'].flatMap((text) => [
          `before ${text} /project`,
          `after ${text} /project`,
        ]),
        'turnEnded /project',
        'sessionEnded /project',
      ],
      gemini: [
        'sessionBegan /project',
        'before cat a.txt /project/d',
        'after cat a.txt /project/d',
        'before exit 3 /project',
        'after exit 3 /project',
        'turnEnded /project',
        'sessionEnded /project',
      ],
      opencode: [
        'sessionBegan /project',
        'before true /project',
        'after true /project',
        'before cat a.txt /project/d',
        'after cat a.txt /project/d',
        'before exit 3 /project',
        'after exit 3 /project',
        'turnEnded /project',
        'sessionEnded /project',
      ],
    }),
  )('are read from the hooks of %s', (assistant, lines) => {
    const adapter = adapters[assistant] ?? claudeCodeHook;
    expect(linesOf(reportsIn(adapter, assistant, 'commands'))).toEqual(lines);
  });

  test.each(Object.entries(adapters))('have one end of the turn when a subagent of %s ends', (assistant, adapter) => {
    const reports = reportsIn(adapter, assistant, 'commandInSubagent');
    expect(reports.filter(isMoment).map(({ event }) => event)).toEqual(['sessionBegan', 'turnEnded', 'sessionEnded']);
    const commands = reports.filter(isCommand);
    expect(commands.map(({ event }) => event)).toEqual(['before', 'after']);
    // The hooks of Gemini CLI do not name a subagent.
    expect(commands.filter(({ agent }) => agent !== undefined)).toHaveLength(assistant === 'gemini' ? 0 : 2);
    expect(new Set(reports.map(({ session }) => session)).size).toBe(1);
  });

  test('are recognised by the adapter of their assistant alone', () => {
    for (const assistant of Object.keys(adapters)) {
      for (const file of globSync(`test/bridge/hook/recorded/${assistant}/command*.json`)) {
        for (const { input, event } of hooksIn(assistant, basename(file, '.json'))) {
          const found = Object.entries(adapters).filter(([, each]) => each.recognises(input, event));
          expect(found.map(([name]) => name).filter((name) => name !== assistant)).toEqual([]);
        }
      }
    }
  });
});

describe('a command of Claude Code', () => {
  const bash = (toolInput: object): HookInput => ({
    ...hooksIn('claudeCode', 'commandUnsandboxed')[0]?.input,
    tool_input: toolInput,
  });
  const commandOf = (input: HookInput) => {
    const report = claudeCodeHook.read(input, '');
    return report !== undefined && isCommand(report) ? report.command : undefined;
  };
  const allow: NativeAnswer = { decision: 'allow', files: [] };

  test('is left to Claude Code when it asks to leave the sandbox, and is let through otherwise', () => {
    const [unsandboxed] = hooksIn('claudeCode', 'commandUnsandboxed');
    expect(commandOf(unsandboxed?.input ?? {})).toMatchObject({ text: 'true', leavesSandbox: true });
    expect(claudeCodeHook.answer(unsandboxed?.input ?? {}, allow, '')).toEqual(noOpinion);
    expect(JSON.parse(claudeCodeHook.answer(bash({ command: 'true' }), allow, '').stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow' },
    });
    const denied = claudeCodeHook.answer(unsandboxed?.input ?? {}, { decision: 'deny', words: 'No.' }, '');
    expect(denied.stdout).toContain('"permissionDecisionReason":"No."');
  });

  test.runIf(process.platform !== 'win32')('runs in the first of its shells that names bash or zsh and exists', () => {
    const shellWith = (environment: Readonly<Record<string, string>>) => {
      for (const name of ['CLAUDE_CODE_SHELL', 'SHELL', 'CLAUDE_CODE_SHELL_PREFIX']) {
        vi.stubEnv(name, environment[name]);
      }
      return commandOf(bash({ command: 'ls' }))?.shell;
    };
    expect(shellWith({ SHELL: '/bin/bash' })).toBe('bash');
    expect(shellWith({ SHELL: '/bin/bash', CLAUDE_CODE_SHELL: '/none/zsh' })).toBe('bash');
    expect(shellWith({ SHELL: '/usr/bin/fish' })).toBe('zsh');
    expect(shellWith({ SHELL: '/none/bash' })).toBe('zsh');
    expect(shellWith({ SHELL: '/bin/bash', CLAUDE_CODE_SHELL_PREFIX: 'wrap' })).toBe('other');
    expect(shellWith({})).toBe('zsh');
  });

  test('is one of PowerShell, or of a monitor, which may also open a connection', () => {
    expect(commandOf({ ...bash({ command: 'ls' }), tool_name: 'PowerShell' })).toMatchObject({ shell: 'powershell' });
    const monitor = (toolInput: object): HookInput => ({ ...bash(toolInput), tool_name: 'Monitor' });
    expect(commandOf(monitor({ command: 'tail -f x', description: 'd' }))).toMatchObject({ text: 'tail -f x' });
    expect(commandOf(monitor({ ws: { url: 'wss://x' } }))).toBeUndefined();
  });

  test.each([{}, { command: 1 }, { command: 'ls', dangerouslyDisableSandbox: 'yes' }])(
    'is refused as a command when its input is %j',
    (toolInput) => expect(() => claudeCodeHook.read(bash(toolInput), '')).toThrow(UnreadableCommand),
  );

  test('gets no answer after its end', () => {
    const input = { ...bash({ command: 'ls' }), hook_event_name: 'PostToolUseFailure' };
    expect(claudeCodeHook.answer(input, { decision: 'deny', words: 'No.' }, '')).toEqual(noOpinion);
  });
});

describe('a command of the other assistants', () => {
  const [before] = hooksIn('copilot', 'commands').filter(({ event }) => event === 'preToolUse');
  const allow: NativeAnswer = { decision: 'allow', files: [] };
  const answered = (adapter: HookAdapter, input: HookInput, answer: NativeAnswer, event = ''): unknown => {
    const { stdout, exitCode } = adapter.answer(input, answer, event);
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };

  test('of GitHub Copilot CLI is let through, or refused in words', () => {
    const input = before?.input ?? {};
    expect(answered(copilotHook, input, allow, 'preToolUse')).toEqual({ permissionDecision: 'allow' });
    expect(answered(copilotHook, input, { decision: 'none' }, 'preToolUse')).toBeUndefined();
    expect(answered(copilotHook, input, { decision: 'deny', words: 'No.' }, 'preToolUse')).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: 'No.',
    });
    expect(answered(copilotHook, input, { decision: 'deny', words: 'No.' }, 'postToolUse')).toBeUndefined();
    const report = copilotHook.read({ ...input, toolName: 'write_powershell', toolArgs: { input: 'y' } }, 'preToolUse');
    const command = { shell: 'powershell', text: 'y', folder: '/project', isInput: true, seesInput: true };
    expect(report).toMatchObject({ command });
    for (const toolName of ['bash', 'write_bash']) {
      const unread = { ...input, toolName, toolArgs: {} };
      expect(() => copilotHook.read(unread, 'preToolUse')).toThrow(UnreadableCommand);
    }
  });

  test('of Codex is let through without an answer, or refused in words', () => {
    const input = hooksIn('codex', 'commands')[1]?.input ?? {};
    expect(answered(codexHook, input, allow)).toBeUndefined();
    expect(answered(codexHook, input, { decision: 'none' })).toBeUndefined();
    expect(answered(codexHook, input, { decision: 'deny', words: 'No.' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'No.',
      },
    });
  });

  test('of Gemini CLI and opencode is let through unchanged', () => {
    const ofGemini = hooksIn('gemini', 'commands')[1]?.input ?? {};
    expect(answered(geminiHook, ofGemini, allow)).toEqual({ decision: 'allow' });
    expect(answered(geminiHook, ofGemini, { decision: 'none' })).toBeUndefined();
    const ofOpencode = hooksIn('opencode', 'commands')[1]?.input ?? {};
    expect(answered(opencodeHook, ofOpencode, allow)).toEqual({ decision: 'allow' });
  });

  test('of opencode runs in the shell of its settings, unless opencode refuses that one', () => {
    const input = hooksIn('opencode', 'commands')[1]?.input ?? {};
    const shells = ['/bin/bash', '/bin/zsh', '/usr/bin/fish', undefined].map((shell) =>
      opencodeHook.read({ ...input, shell }, ''),
    );
    expect(shells).toMatchObject(['bash', 'zsh', 'other', 'other'].map((shell) => ({ command: { shell } })));
    expect(() => opencodeHook.read({ ...input, args: {} }, '')).toThrow(UnreadableCommand);
  });
});
