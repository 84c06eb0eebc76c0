import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { type ApprovedFile, mostWaitSeconds, type NativeAnswer } from '#base/nativeEdit.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { type ClaudeCodeCall, claudeCodeInput } from '../../bridge/claudeCode.ts';

const record = z.record(z.string(), z.unknown());
const inputOf = (call: ClaudeCodeCall) => record.parse(JSON.parse(claudeCodeInput(call)));
const edit: ClaudeCodeCall = {
  tool: 'Edit',
  input: { file_path: '/project/a.ts', old_string: 'b', new_string: 'B', replace_all: false },
};
const write: ClaudeCodeCall = { tool: 'Write', input: { file_path: '/project/a.ts', content: 'x\n' } };

describe('the input of a hook of Claude Code', () => {
  test('is recognised, and others are not', () => {
    expect(claudeCodeHook.recognises(inputOf(edit), '')).toBe(true);
    expect(claudeCodeHook.recognises({ hookEventName: 'PreToolUse', sessionId: 's', tool_name: 'edit' }, '')).toBe(
      false,
    );
    expect(claudeCodeHook.recognises({ ...inputOf(edit), hook_event_name: 'Stop' }, '')).toBe(false);
  });

  test('is read as an edit or a whole file, with session, call and subagent', () => {
    expect(claudeCodeHook.read(inputOf({ ...edit, agent: 'Explore' }), '')).toEqual({
      event: 'before',
      assistant: 'Claude Code',
      session: 'session-1',
      call: 'toolu_1',
      isSerial: true,
      turn: 'prompt-1',
      waitSeconds: mostWaitSeconds,
      agent: { id: 'agent-1', kind: 'Explore' },
      tool: 'Edit',
      writesExactly: ['edit', 'create', 'changed', 'crlf', 'noFinalLineEnd', 'utf8bom', 'utf16le'],
      edits: [{ kind: 'replace', path: '/project/a.ts', oldText: 'b', newText: 'B', all: false }],
    });
    expect(claudeCodeHook.read(inputOf({ ...write, event: 'PostToolUse' }), '')).toMatchObject({
      event: 'after',
      edits: [{ kind: 'write', path: '/project/a.ts', text: 'x\n' }],
    });
  });

  test('is read as an edit when Claude Code is in plan mode', () => {
    expect(claudeCodeHook.read({ ...inputOf(edit), permission_mode: 'plan' }, '')).toMatchObject({ event: 'before' });
  });

  test('is recognised by its identifying keys and refused when another key cannot be read', () => {
    const { tool_input: _, ...rest } = inputOf(edit);
    expect(claudeCodeHook.recognises(rest, '')).toBe(true);
    expect(() => claudeCodeHook.read(rest, '')).toThrow();
    const other = { ...inputOf(edit), agent_id: null, permission_mode: undefined };
    expect(claudeCodeHook.read(other, '')).not.toHaveProperty('agent');
  });

  test('is no edit when the tool is another one', () => {
    expect(claudeCodeHook.read({ ...inputOf(edit), tool_name: 'mcp__drawbridge__apply_edit' }, '')).toBeUndefined();
  });

  test('names an unknown tool that may edit files, before it runs', () => {
    const toolOf = (tool: string, event: 'PreToolUse' | 'PostToolUse' = 'PreToolUse') =>
      claudeCodeHook.unknownTool?.({ ...inputOf({ ...edit, event }), tool_name: tool }, '');
    expect(toolOf('RenameFile')).toBe('RenameFile');
    expect(toolOf('RenameFile', 'PostToolUse')).toBeUndefined();
    for (const known of ['Edit', 'Write', 'NotebookEdit']) expect(toolOf(known)).toBeUndefined();
  });

  test('is refused when an edit tool has another input than is known', () => {
    expect(() => claudeCodeHook.read({ ...inputOf(edit), tool_input: { path: 'a' } }, '')).toThrow('file_path');
  });

  test('is refused for the tool MultiEdit, which earlier versions have', () => {
    expect(() => claudeCodeHook.read({ ...inputOf(edit), tool_name: 'MultiEdit' }, '')).toThrow('MultiEdit');
  });
});

describe('the answer to Claude Code', () => {
  const answerTo = (call: ClaudeCodeCall, answer: NativeAnswer): unknown => {
    const { stdout, exitCode } = claudeCodeHook.answer(inputOf(call), answer, '');
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : record.parse(JSON.parse(stdout))['hookSpecificOutput'];
  };
  const path = '/project/a.ts';
  const texts = { before: 'a\r\nb\r\nc\r\n', after: 'a\r\nX\r\nc\r\n' };

  test('is empty without an opinion', () => {
    expect(answerTo(edit, { decision: 'none' })).toBeUndefined();
  });

  test('is a permission with the exact input, the whole text before as the text to replace', () => {
    expect(answerTo(edit, { decision: 'allow', files: [{ path, texts, change: 'edit', isChanged: false }] })).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { file_path: path, old_string: 'a\nb\nc\n', new_string: 'a\nX\nc\n', replace_all: false },
    });
  });

  test('replaces a part of a text that is too long to be given as a whole', () => {
    const long = 'x\n'.repeat(600_000);
    const files: readonly ApprovedFile[] = [
      { path, texts: { before: `${long}b\n`, after: `${long}B\n` }, change: 'edit', isChanged: false },
    ];
    expect(answerTo(edit, { decision: 'allow', files })).toMatchObject({
      updatedInput: { old_string: 'b', new_string: 'B' },
    });
  });

  test('shortens words that Claude Code would replace by a preview', () => {
    const words = 'w'.repeat(20_000);
    const answer = answerTo(edit, {
      decision: 'allow',
      files: [{ path, texts, change: 'edit', isChanged: true }],
      words,
    });
    expect(JSON.stringify(answer).length).toBeLessThan(10_000);
  });

  test('rewrites the input of an edit and of a whole file when the user changed it, and tells the model', () => {
    const answer: NativeAnswer = {
      decision: 'allow',
      files: [{ path, texts, change: 'edit', isChanged: true }],
      words: 'The user changed it.',
    };
    expect(answerTo(edit, answer)).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { file_path: path, old_string: 'a\nb\nc\n', new_string: 'a\nX\nc\n', replace_all: false },
      additionalContext: 'The user changed it.',
    });
    expect(answerTo(write, answer)).toMatchObject({ updatedInput: { file_path: path, content: 'a\r\nX\r\nc\r\n' } });
  });

  test('is a refusal with the words', () => {
    expect(answerTo(edit, { decision: 'deny', words: 'No.' })).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'No.',
    });
  });
});

test('tells the model news after a call or a failed command, and nothing that it was told before', () => {
  const after = inputOf({ tool: 'Bash', input: { command: 'ls', description: 'Lists' }, event: 'PostToolUse' });
  expect(claudeCodeHook.read(after, '')).toMatchObject({
    reachesModel: true,
    command: { text: 'ls', reason: 'Lists' },
  });
  expect(claudeCodeHook.answer(after, { decision: 'none', words: 'Told before.' }, '').stdout).toBe('');
  for (const event of ['PostToolUse', 'PostToolUseFailure']) {
    const { stdout } = claudeCodeHook.answer(
      { ...after, hook_event_name: event },
      { decision: 'none', news: 'b.ts is back.' },
      '',
    );
    expect(JSON.parse(stdout)).toEqual({
      hookSpecificOutput: { hookEventName: event, additionalContext: 'b.ts is back.' },
    });
  }
});
