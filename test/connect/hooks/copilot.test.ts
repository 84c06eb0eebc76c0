import { describe, expect, test } from 'vitest';
import { mostWaitSeconds } from '#base/nativeEdit.ts';
import { copilotHook } from '#connect/hooks/copilot.ts';
import { editIn } from './editIn.ts';

const given = (toolName: string, toolArgs: unknown) => ({
  sessionId: 'session-1',
  timestamp: 1_795_521_600_000,
  cwd: '/project',
  toolName,
  toolArgs,
});
const edit = given('edit', { path: '/project/a.ts', old_str: 'b', new_str: 'B' });
const read = (toolName: string, toolArgs: unknown) => copilotHook.read(given(toolName, toolArgs), 'preToolUse');

describe('the input of a hook of GitHub Copilot CLI', () => {
  test('is recognised by its shape and the event on the command line, and others are not', () => {
    expect(copilotHook.recognises(edit, 'preToolUse')).toBe(true);
    expect(copilotHook.recognises(edit, '')).toBe(false);
    expect(copilotHook.recognises(edit, 'permissionRequest')).toBe(false);
  });

  test('is not recognised from the local agent of VS Code, which runs the same file of hooks', () => {
    const input = {
      timestamp: '2026-11-24T12:00:00.000Z',
      hook_event_name: 'PreToolUse',
      session_id: 'session-1',
      tool_name: 'replace_string_in_file',
      tool_input: { filePath: '/project/a.ts', oldString: 'b', newString: 'B' },
      tool_use_id: 'tool-1',
    };
    expect(copilotHook.recognises(input, 'preToolUse')).toBe(false);
  });

  test('is read as an edit that the window applies, because Copilot asks about a whole message before it edits', () => {
    expect(copilotHook.read(edit, 'preToolUse')).toEqual({
      event: 'before',
      assistant: 'GitHub Copilot CLI',
      session: 'session-1',
      waitSeconds: mostWaitSeconds,
      tool: 'edit',
      writesExactly: [],
      edits: [{ kind: 'replace', path: '/project/a.ts', oldText: 'b', newText: 'B', all: false }],
    });
  });

  test('names the subagent, and the session of the agent that started it', () => {
    const agent = { agentId: 'agent-1', agentType: 'explore', parentAgentId: 'session-1' };
    expect(copilotHook.read({ ...edit, sessionId: 'agent-1', ...agent }, 'preToolUse')).toMatchObject({
      session: 'session-1',
      agent: { id: 'agent-1', kind: 'explore' },
    });
  });

  test('is read as a new file, which never replaces another one', () => {
    expect(editIn(read('create', { path: 'd/n.ts', file_text: 'x' }))?.edits).toEqual([
      { kind: 'replace', path: '/project/d/n.ts', oldText: '', newText: 'x', all: false },
    ]);
  });

  test('is read as an edit that takes the line end of whole lines when it leaves no text', () => {
    expect(editIn(read('edit', { path: '/project/a.ts', old_str: 'b', new_str: '' }))?.edits).toMatchObject([
      { takesLineEnd: 'wholeLines' },
    ]);
  });

  test('is read as a patch with all its files', () => {
    const text = [
      '*** Begin Patch',
      '*** Update File: a.ts',
      '*** Move to: d/b.ts',
      '@@',
      '-a',
      '+b',
      '*** Delete File: /project/c.ts',
      '*** End Patch',
    ].join('\n');
    expect(editIn(read('apply_patch', text))?.edits).toEqual([
      { kind: 'patch', folder: '/project', text, paths: ['/project/a.ts', '/project/d/b.ts', '/project/c.ts'] },
    ]);
  });

  test('is no edit when Copilot refuses it by itself, or the tool is another one', () => {
    expect(read('edit', { path: '/project/a.ts', new_str: 'B' })).toBeUndefined();
    expect(read('view', { path: '/project/a.ts' })).toBeUndefined();
    expect(copilotHook.read(edit, 'postToolUse')).toBeUndefined();
    expect(read('str_replace_editor', { command: 'view', path: '/project/a.ts' })).toBeUndefined();
  });

  test('is refused when an edit tool has an unknown input', () => {
    expect(() => read('edit', { file: 'a' })).toThrow('path');
    expect(() => read('str_replace_editor', { command: 'insert', path: '/project/a.ts' })).toThrow('no model');
  });
});

describe('the answer to GitHub Copilot CLI', () => {
  test('is empty without an opinion', () => {
    expect(copilotHook.answer(edit, { decision: 'none' }, 'preToolUse')).toEqual({ stdout: '', exitCode: 0 });
  });

  test('is a refusal with the words', () => {
    const { stdout, exitCode } = copilotHook.answer(edit, { decision: 'deny', words: 'No “x”.' }, 'preToolUse');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ permissionDecision: 'deny', permissionDecisionReason: 'No “x”.' });
  });

  test('is a refusal when a window lets Copilot write, which would not be what the user approved', () => {
    const { stdout } = copilotHook.answer(edit, { decision: 'allow', files: [] }, 'preToolUse');
    expect(JSON.parse(stdout)).toMatchObject({ permissionDecision: 'deny' });
  });
});
