import { describe, expect, test } from 'vitest';
import { mostWaitSeconds, type NativeAnswer } from '#base/nativeEdit.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import { droidHook } from '#connect/hooks/droid.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import { type HookInput, UnreadableCommand } from '#connect/hooks/hookAdapter.ts';
import { qwenCodeHook } from '#connect/hooks/qwenCode.ts';
import { editIn } from './editIn.ts';

interface Call {
  readonly tool?: string;
  readonly input?: object;
  readonly event?: 'PreToolUse' | 'PostToolUse';
}

const edit = { file_path: '/project/a.ts', old_string: 'b', new_string: 'B' };

/** The input of a hook as Qwen Code 0.24.4 writes it. */
function inputOf({ tool = 'edit', input = edit, event = 'PreToolUse' }: Call = {}): HookInput {
  return {
    session_id: '4fc7abcc-37ab-4b6a-adeb-19c2d87a2ce1',
    transcript_path: '/home/user/.qwen/projects/-project/chats/4fc7abcc-37ab-4b6a-adeb-19c2d87a2ce1.jsonl',
    cwd: '/project',
    hook_event_name: event,
    timestamp: '2026-11-24T15:08:00.428Z',
    permission_mode: 'yolo',
    prompt_id: '4fc7abcc-37ab-4b6a-adeb-19c2d87a2ce1########0',
    tool_name: tool,
    tool_input: input,
    tool_use_id: 'toolu_1795532880428_fgc8kqel9',
    tool_call_id: 'call_1',
  };
}

const editsOf = (call: Call) => editIn(qwenCodeHook.read(inputOf(call), ''))?.edits;

describe('the input of a hook of Qwen Code', () => {
  test('is read as a command in the folder that the call names', () => {
    const shell = {
      tool: 'run_shell_command',
      input: { command: 'ls', directory: '/project/d', is_background: false },
    };
    const command = { text: 'ls', folder: '/project/d', ...(process.platform !== 'win32' && { shell: 'bash' }) };
    const call = qwenCodeHook.read(inputOf(shell), '');
    expect(call).toMatchObject({ event: 'before', tool: 'run_shell_command', command });
    expect(call).not.toHaveProperty('isSerial');
    const monitor = inputOf({ tool: 'monitor', input: { command: 'make' } });
    const failed = qwenCodeHook.read({ ...monitor, hook_event_name: 'PostToolUseFailure' }, '');
    expect(failed).toMatchObject({ event: 'after', command: { text: 'make', folder: '/project' } });
    expect(() => qwenCodeHook.read(inputOf({ ...shell, input: {} }), '')).toThrow(UnreadableCommand);
  });

  test('is read as a moment, which no other adapter recognises', () => {
    const { tool_name: _tool, tool_input: _input, tool_use_id: _call, ...session } = inputOf();
    const end = { ...session, hook_event_name: 'SessionEnd', reason: 'other' };
    const moment = { event: 'sessionEnded', assistant: 'Qwen Code', folder: '/project' };
    expect(qwenCodeHook.read(end, 'moment')).toMatchObject(moment);
    const others = [claudeCodeHook, codexHook, droidHook, geminiHook];
    const found = [qwenCodeHook, ...others].filter((each) => each.recognises(end, 'moment'));
    expect(found).toEqual([qwenCodeHook]);
    expect(qwenCodeHook.recognises({ ...end, agent_id: 'a' }, 'moment')).toBe(false);
  });

  test('is recognised by its timestamp, which Claude Code does not write', () => {
    expect(qwenCodeHook.recognises(inputOf(), '')).toBe(true);
    const { timestamp: _, ...withoutTimestamp } = inputOf();
    expect(qwenCodeHook.recognises(withoutTimestamp, '')).toBe(false);
    expect(qwenCodeHook.recognises({ ...inputOf(), hook_event_name: 'BeforeTool' }, '')).toBe(false);
  });

  test('is read with session, call, prompt and subagent', () => {
    const agent = { agent_id: 'general-purpose-call_0' };
    expect(qwenCodeHook.read({ ...inputOf(), ...agent }, '')).toEqual({
      event: 'before',
      assistant: 'Qwen Code',
      session: '4fc7abcc-37ab-4b6a-adeb-19c2d87a2ce1',
      call: 'toolu_1795532880428_fgc8kqel9',
      isSerial: true,
      turn: '4fc7abcc-37ab-4b6a-adeb-19c2d87a2ce1########0',
      waitSeconds: mostWaitSeconds,
      agent: { id: 'general-purpose-call_0', kind: 'subagent' },
      tool: 'edit',
      writesExactly: ['edit', 'create', 'noFinalLineEnd', 'utf8bom', 'crlf'],
      edits: [{ kind: 'replace', path: '/project/a.ts', oldText: 'b', newText: 'B', all: false }],
    });
    expect(qwenCodeHook.read(inputOf({ event: 'PostToolUse' }), '')).toMatchObject({ event: 'after' });
  });

  test('is read as Qwen Code carries it out, when it replaces every match or deletes a line', () => {
    expect(editsOf({ input: { ...edit, replace_all: 'true' } })).toMatchObject([{ all: true }]);
    expect(editsOf({ input: { ...edit, new_string: '' } })).toMatchObject([{ takesLineEnd: true }]);
    expect(editsOf({ input: { ...edit, old_string: 'b\n', new_string: '' } })).toEqual([
      { kind: 'replace', path: '/project/a.ts', oldText: 'b\n', newText: '', all: false },
    ]);
  });

  test('is read as a whole file, whose line ends Qwen Code may change', () => {
    const call = { tool: 'write_file', input: { file_path: '/project/n.ts', content: 'x\n' } };
    expect(editsOf(call)).toEqual([{ kind: 'write', path: '/project/n.ts', text: 'x\n' }]);
    expect(editIn(qwenCodeHook.read(inputOf(call), ''))?.writesExactly).not.toContain('crlf');
  });

  test('is read as an edit of a notebook, which the window writes itself', () => {
    const call = {
      tool: 'notebook_edit',
      input: { notebook_path: '/project/n.ipynb', cell_id: 'c2', edit_mode: 'delete' },
    };
    expect(qwenCodeHook.read(inputOf(call), '')).toMatchObject({
      writesExactly: [],
      edits: [{ kind: 'notebook', path: '/project/n.ipynb', cell: 'c2', mode: 'delete', source: '' }],
    });
  });

  test('is no edit when the tool is another one, and is refused when an edit tool has another input', () => {
    expect(qwenCodeHook.read(inputOf({ tool: 'read_file', input: { file_path: '/a' } }), '')).toBeUndefined();
    expect(() => qwenCodeHook.read(inputOf({ input: { path: 'a' } }), '')).toThrow('file_path');
  });
});

describe('the answer to Qwen Code', () => {
  const answerTo = (answer: NativeAnswer, call: Call = {}): unknown => {
    const { stdout, exitCode } = qwenCodeHook.answer(inputOf(call), answer, '');
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };

  test('denies with the words for its model', () => {
    expect(answerTo({ decision: 'deny', words: 'The user declined it.' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'The user declined it.',
      },
    });
  });

  test('allows the edit as it is, because Qwen Code ignores another input', () => {
    expect(answerTo({ decision: 'allow', files: [] })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        permissionDecisionReason: 'Approved in the editor.',
      },
    });
    expect(editIn(qwenCodeHook.read(inputOf(), ''))?.writesExactly).not.toContain('changed');
  });

  test('says nothing without an opinion, and tells its words after the call', () => {
    expect(answerTo({ decision: 'none' })).toBeUndefined();
    expect(answerTo({ decision: 'none' }, { event: 'PostToolUse' })).toBeUndefined();
    expect(answerTo({ decision: 'none', words: 'Your earlier edit was approved.' }, { event: 'PostToolUse' })).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Your earlier edit was approved.' },
    });
  });
});
