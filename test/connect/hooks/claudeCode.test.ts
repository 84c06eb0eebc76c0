import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { NativeAnswer } from '#base/nativeEdit.ts';
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
    expect(claudeCodeHook.recognises(inputOf(edit))).toBe(true);
    expect(claudeCodeHook.recognises({ hookEventName: 'PreToolUse', sessionId: 's', tool_name: 'edit' })).toBe(false);
    expect(claudeCodeHook.recognises({ ...inputOf(edit), hook_event_name: 'Stop' })).toBe(false);
  });

  test('is read as an edit or a whole file, with session, call and subagent', () => {
    expect(claudeCodeHook.read(inputOf({ ...edit, agent: 'Explore' }))).toEqual({
      event: 'before',
      assistant: 'Claude Code',
      session: 'session-1',
      call: 'toolu_1',
      agent: 'Explore',
      tool: 'Edit',
      edits: [{ kind: 'replace', path: '/project/a.ts', oldText: 'b', newText: 'B', all: false }],
    });
    expect(claudeCodeHook.read(inputOf({ ...write, event: 'PostToolUse' }))).toMatchObject({
      event: 'after',
      edits: [{ kind: 'write', path: '/project/a.ts', text: 'x\n' }],
    });
  });

  test('is no edit when the tool is another one', () => {
    expect(claudeCodeHook.read({ ...inputOf(edit), tool_name: 'mcp__drawbridge__apply_edit' })).toBeUndefined();
  });

  test('is refused when an edit tool has another input than is known', () => {
    expect(() => claudeCodeHook.read({ ...inputOf(edit), tool_input: { path: 'a' } })).toThrow('file_path');
  });
});

describe('the answer to Claude Code', () => {
  const answerTo = (call: ClaudeCodeCall, answer: NativeAnswer): unknown => {
    const { stdout, exitCode } = claudeCodeHook.answer(inputOf(call), answer);
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : record.parse(JSON.parse(stdout))['hookSpecificOutput'];
  };
  const path = '/project/a.ts';
  const texts = { before: 'a\r\nb\r\nc\r\n', after: 'a\r\nX\r\nc\r\n' };

  test('is empty without an opinion', () => {
    expect(answerTo(edit, { decision: 'none' })).toBeUndefined();
  });

  test('leaves the input as it is when everything was approved', () => {
    expect(answerTo(edit, { decision: 'allow', files: [{ path }] })).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
    });
  });

  test('rewrites the input of an edit and of a whole file when the user changed it, and tells the model', () => {
    const answer: NativeAnswer = { decision: 'allow', files: [{ path, texts }], words: 'The user changed it.' };
    expect(answerTo(edit, answer)).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { file_path: path, old_string: 'b', new_string: 'X', replace_all: false },
      additionalContext: 'The user changed it.',
    });
    expect(answerTo(write, answer)).toMatchObject({ updatedInput: { file_path: path, content: 'a\nX\nc\n' } });
  });

  test('is a refusal with the words', () => {
    expect(answerTo(edit, { decision: 'deny', words: 'No.' })).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'No.',
    });
  });
});
