import { describe, expect, test } from 'vitest';
import { type ApprovedFile, mostWaitSeconds, type NativeAnswer } from '#base/nativeEdit.ts';
import { opencodeHook } from '#connect/hooks/opencode.ts';
import { editIn } from './editIn.ts';

const inputOf = (tool: string, args: object, more: object = {}) => ({
  drawbridge: 'opencode',
  version: 1,
  event: 'before',
  sessionID: 'ses_1',
  messageID: 'msg_1',
  callID: 'call_1',
  tool,
  args,
  directory: '/w',
  ...more,
});
const edit = inputOf('edit', { filePath: 'd/a.ts', oldString: 'b', newString: 'B' });

describe('the input of our plugin for opencode', () => {
  test('is recognised, and others are not', () => {
    expect(opencodeHook.recognises(edit, '')).toBe(true);
    expect(opencodeHook.recognises({ ...edit, version: 2 }, '')).toBe(true);
    expect(opencodeHook.recognises({ hook_event_name: 'PreToolUse', tool_name: 'edit' }, '')).toBe(false);
  });

  test('is read with session, prompt, call and subagent, and a path from the folder of opencode', () => {
    const agent = { id: 'ses_2', kind: 'general' };
    expect(opencodeHook.read({ ...edit, agent }, '')).toEqual({
      event: 'before',
      assistant: 'opencode',
      session: 'ses_1',
      call: 'call_1',
      turn: 'msg_1',
      waitSeconds: mostWaitSeconds,
      agent,
      tool: 'edit',
      writesExactly: ['edit', 'create', 'changed', 'crlf', 'noFinalLineEnd', 'utf8bom', 'link'],
      edits: [{ kind: 'replace', path: '/w/d/a.ts', oldText: 'b', newText: 'B', all: false }],
    });
  });

  test('leaves an edit without an old text to the window when the file exists, because opencode refuses it', () => {
    const call = opencodeHook.read(inputOf('edit', { filePath: '/w/a.ts', oldString: '', newString: 'x' }), '');
    expect(editIn(call)?.writesExactly).not.toContain('edit');
    expect(editIn(call)?.writesExactly).toContain('create');
  });

  test('is read as a whole file', () => {
    const call = opencodeHook.read(inputOf('write', { filePath: '/x/a.ts', content: 'x\n' }, { event: 'after' }), '');
    expect(call).toMatchObject({ event: 'after', edits: [{ kind: 'write', path: '/x/a.ts', text: 'x\n' }] });
  });

  test('is read as a patch with the paths of all its files', () => {
    const text = '*** Begin Patch\n*** Update File: a.ts\n*** Move to: /x/b.ts\n@@\n-a\n+b\n*** End Patch';
    const call = opencodeHook.read(inputOf('apply_patch', { patchText: text }), '');
    expect(editIn(call)?.edits).toEqual([{ kind: 'patch', folder: '/w', text, paths: ['/w/a.ts', '/x/b.ts'] }]);
    expect(editIn(call)?.writesExactly).not.toContain('move');
  });

  test.each([
    ['of another version', { ...edit, version: 2 }],
    ['with other arguments', inputOf('edit', { path: 'a.ts' })],
    ['of another edit tool', inputOf('multiedit', { filePath: 'a.ts', edits: [] })],
  ])('is refused when it is one %s', (_which, given) => {
    expect(() => opencodeHook.read(given, '')).toThrow();
    const { stdout } = opencodeHook.answer(given, { decision: 'deny', words: 'No.' }, '');
    expect(JSON.parse(stdout)).toEqual({ decision: 'deny', words: 'No.' });
  });
});

describe('the answer to our plugin for opencode', () => {
  const answerTo = (given: object, answer: NativeAnswer): unknown => {
    const { stdout, exitCode } = opencodeHook.answer({ ...given }, answer, '');
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : JSON.parse(stdout);
  };
  const allow = (
    before: string,
    after: string,
    change: ApprovedFile['change'] = 'edit',
    words?: string,
  ): NativeAnswer => ({
    decision: 'allow',
    files: [{ path: '/w/a.ts', change, texts: { before, after }, isChanged: false }],
    words,
  });
  const argsTo = (args: object, answer: NativeAnswer): unknown => {
    const given = { filePath: '/w/a.ts', ...args };
    return answerTo(inputOf('edit', given), answer);
  };

  test('is empty without an opinion', () => {
    expect(answerTo(edit, { decision: 'none' })).toBeUndefined();
  });

  test('leaves an exact edit as it is', () => {
    expect(answerTo(edit, allow('a\r\nb\r\n', 'a\r\nB\r\n'))).toEqual({ decision: 'allow' });
    const all = { oldString: 'x', newString: 'y', replaceAll: true };
    expect(argsTo(all, allow('x\nx\n', 'y\ny\n'))).toEqual({ decision: 'allow' });
  });

  test('is the smallest exact edit when the user changed it, with words for the model', () => {
    const words = 'The user changed this edit.';
    expect(answerTo(edit, allow('a\r\nb\r\nc\r\n', 'a\r\nX\r\nc\r\n', 'edit', words))).toEqual({
      decision: 'allow',
      args: { oldString: 'b', newString: 'X', replaceAll: false },
      words,
    });
  });

  test('is an exact edit when opencode would read signs in the new text', () => {
    const all = { oldString: 'x', newString: 'a$&', replaceAll: true };
    expect(argsTo(all, allow('x\nx\n', 'a$&\na$&\n'))).toEqual({
      decision: 'allow',
      args: { oldString: 'x\nx', newString: 'a$&\na$&', replaceAll: false },
    });
  });

  test('is an exact edit when opencode would refuse the edit because occurrences overlap', () => {
    expect(argsTo({ oldString: 'aa', newString: 'b' }, allow('aaa\n', 'ba\n'))).toEqual({
      decision: 'allow',
      args: { oldString: 'aaa', newString: 'ba', replaceAll: false },
    });
  });

  test('is the whole text of a new or a whole file', () => {
    const created = allow('', 'new\r\n', 'create');
    const args = { oldString: '', newString: 'new\r\n' };
    expect(argsTo({ oldString: '', newString: 'n' }, created)).toEqual({ decision: 'allow', args });
    const write = inputOf('write', { filePath: '/w/a.ts', content: 'n' });
    expect(answerTo(write, allow('a\n', 'b\n'))).toEqual({ decision: 'allow', args: { content: 'b\n' } });
  });

  test('is a patch of the approved files', () => {
    const patch = inputOf('apply_patch', { patchText: '*** Begin Patch\n*** End Patch' });
    const patchText = '*** Begin Patch\n*** Update File: /w/a.ts\n@@\n-a\n+b\n*** End Patch';
    expect(answerTo(patch, allow('a\n', 'b\n'))).toEqual({ decision: 'allow', args: { patchText } });
  });

  test('refuses in words', () => {
    expect(answerTo(edit, { decision: 'deny', words: 'No.' })).toEqual({ decision: 'deny', words: 'No.' });
  });
});
