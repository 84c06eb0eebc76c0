import { describe, expect, test } from 'vitest';
import { type ApprovedFile, mostWaitSeconds, type NativeAnswer } from '#base/nativeEdit.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { droidHook } from '#connect/hooks/droid.ts';
import { type HookInput, UnreadableCommand } from '#connect/hooks/hookAdapter.ts';

interface Call {
  readonly tool?: string;
  readonly input?: object;
  readonly event?: 'PreToolUse' | 'PostToolUse';
}

const edit = { file_path: '/project/a.ts', old_str: 'b', new_str: 'B' };
const create = { tool: 'Create', input: { file_path: '/project/n.ts', content: 'x\n' } } as const;

/** The input of a hook as Droid 0.225.2 writes it. */
function inputOf({ tool = 'Edit', input = edit, event = 'PreToolUse' }: Call = {}): HookInput {
  return {
    session_id: '6e15c811-5b9b-4862-969b-59e1d566aaec',
    transcript_path: '/home/user/.factory/sessions/-project/6e15c811-5b9b-4862-969b-59e1d566aaec.jsonl',
    cwd: '/project',
    permission_mode: 'auto-low',
    hook_event_name: event,
    tool_name: tool,
    tool_input: input,
  };
}

describe('the input of a hook of Droid', () => {
  test('is recognised by calls without an id', () => {
    expect(droidHook.recognises(inputOf(), '')).toBe(true);
    expect(droidHook.recognises({ ...inputOf(), tool_use_id: 'toolu_1' }, '')).toBe(false);
    expect(droidHook.recognises({ ...inputOf(), hook_event_name: 'PreCompact' }, '')).toBe(false);
  });

  test('is read as an edit of a file, whose relative path starts from the working directory', () => {
    const input = { ...edit, file_path: 'd/../a.ts', change_all: true };
    expect(droidHook.read(inputOf({ input }), '')).toEqual({
      event: 'before',
      assistant: 'Droid',
      session: '6e15c811-5b9b-4862-969b-59e1d566aaec',
      isSerial: true,
      waitSeconds: mostWaitSeconds,
      tool: 'Edit',
      writesExactly: ['edit', 'changed', 'crlf', 'utf8bom'],
      edits: [{ kind: 'replace', path: '/project/a.ts', oldText: 'b', newText: 'B', all: true }],
    });
  });

  test('is read as a whole file, to which Droid adds the last line end', () => {
    expect(droidHook.read(inputOf({ ...create, event: 'PostToolUse' }), '')).toMatchObject({
      event: 'after',
      writesExactly: ['edit', 'create', 'changed', 'utf8bom'],
      edits: [{ kind: 'write', path: '/project/n.ts', text: 'x\n' }],
    });
  });

  test('is read as a command of an unknown shell in the working directory', () => {
    const execute = { tool: 'Execute', input: { command: 'ls', riskLevel: 'low' } };
    const command = { shell: 'other', text: 'ls', folder: '/project' };
    expect(droidHook.read(inputOf(execute), '')).toMatchObject({ event: 'before', tool: 'Execute', command });
    expect(droidHook.read(inputOf({ ...execute, event: 'PostToolUse' }), '')).toMatchObject({
      event: 'after',
      command,
    });
    expect(() => droidHook.read(inputOf({ ...execute, input: {} }), '')).toThrow(UnreadableCommand);
  });

  test('is read as a moment by the folder of its transcript', () => {
    const { tool_name: _tool, tool_input: _input, ...session } = inputOf();
    const stop = { ...session, hook_event_name: 'Stop', stop_hook_active: false };
    expect(droidHook.read(stop, 'moment')).toEqual({
      event: 'turnEnded',
      assistant: 'Droid',
      session: '6e15c811-5b9b-4862-969b-59e1d566aaec',
      folder: '/project',
    });
    expect([droidHook, claudeCodeHook].map((each) => each.recognises(stop, 'moment'))).toEqual([true, false]);
    expect(droidHook.recognises({ ...stop, transcript_path: '/home/user/.claude/projects/p/s.jsonl' }, '')).toBe(false);
  });

  test('is no edit when the tool is another one, and is refused for a patch and for another input', () => {
    expect(droidHook.read(inputOf({ tool: 'Read' }), '')).toBeUndefined();
    expect(() => droidHook.read(inputOf({ tool: 'ApplyPatch', input: {} }), '')).toThrow('patch');
    expect(() => droidHook.read(inputOf({ input: { path: 'a' } }), '')).toThrow('file_path');
  });
});

describe('the answer to Droid', () => {
  const answerTo = (answer: NativeAnswer, call: Call = {}): unknown => {
    const { stdout, exitCode } = droidHook.answer(inputOf(call), answer, '');
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };
  const approved = (before: string, after: string): NativeAnswer => {
    const file: ApprovedFile = { path: '/project/a.ts', change: 'edit', texts: { before, after }, isChanged: true };
    return { decision: 'allow', files: [file] };
  };
  const allowed = (updatedInput: object) => ({
    hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'allow', updatedInput },
  });

  test('denies with the words for its model', () => {
    expect(answerTo({ decision: 'deny', words: 'The user declined it.' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: 'The user declined it.',
      },
    });
  });

  test('makes exactly the approved text, with LF for an edit and as it is for a whole file', () => {
    const input = { file_path: '/project/a.ts', old_str: 'a\nb\n', new_str: 'a\nB\n', change_all: false };
    expect(answerTo(approved('a\r\nb\r\n', 'a\r\nB\r\n'))).toEqual(allowed(input));
    expect(answerTo(approved('', 'y\n'), create)).toEqual(allowed({ file_path: '/project/n.ts', content: 'y\n' }));
  });

  test('names only the lines that change in a very long text', () => {
    const long = 'line\n'.repeat(300_000);
    expect(answerTo(approved(`b\n${long}`, `B\n${long}`))).toEqual(
      allowed({ file_path: '/project/a.ts', old_str: 'b', new_str: 'B', change_all: false }),
    );
  });

  test('says nothing without an opinion, and tells its words after the call', () => {
    expect(answerTo({ decision: 'none' })).toBeUndefined();
    expect(answerTo({ decision: 'none', words: 'Only a part was approved.' }, { event: 'PostToolUse' })).toEqual({
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'Only a part was approved.' },
    });
  });
});
