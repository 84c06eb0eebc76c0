import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isMoment } from '#base/nativeCommand.ts';
import { type ApprovedFile, mostWaitSeconds, type NativeAnswer } from '#base/nativeEdit.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import { UnreadableCommand } from '#connect/hooks/hookAdapter.ts';
import { editIn } from './editIn.ts';

const record = z.record(z.string(), z.unknown());
const given = (tool: string, toolInput: object, event: 'BeforeTool' | 'AfterTool' = 'BeforeTool') => ({
  session_id: 'session-1',
  transcript_path: '/home/user/.gemini/tmp/project/chats/session-1.jsonl',
  cwd: '/project',
  hook_event_name: event,
  timestamp: '2026-11-24T12:00:00.000Z',
  tool_name: tool,
  tool_input: toolInput,
});
const edit = { file_path: '/project/a.ts', old_string: 'b', new_string: 'B', instruction: 'Change it.' };
const replace = given('replace', edit);
const write = given('write_file', { file_path: 'a.ts', content: 'x\n' });

/** The moments that the hooks of a recording tell, in order. */
function momentsIn(name: string): readonly string[] {
  const file = readFileSync(`test/bridge/hook/recorded/gemini/${name}.json`, 'utf8');
  const { hooks } = z.object({ hooks: z.array(record) }).parse(JSON.parse(file));
  const reports = hooks.map((hook) => (geminiHook.recognises(hook, 'moment') ? geminiHook.read(hook, '') : undefined));
  return reports.flatMap((report) => (report !== undefined && isMoment(report) ? [report.event] : []));
}

describe('the input of a hook of Gemini CLI', () => {
  test('is recognised, and others are not', () => {
    expect(geminiHook.recognises(replace, '')).toBe(true);
    expect(geminiHook.recognises({ ...replace, hook_event_name: 'PreToolUse' }, '')).toBe(false);
    expect(geminiHook.recognises({ ...replace, hook_event_name: 'BeforeModel' }, '')).toBe(false);
  });

  test('is read as an edit or a whole file, with the session, and without a call or a turn', () => {
    expect(geminiHook.read(given('replace', { ...edit, allow_multiple: true }), '')).toEqual({
      event: 'before',
      assistant: 'Gemini CLI',
      session: 'session-1',
      waitSeconds: mostWaitSeconds,
      tool: 'replace',
      writesExactly: ['edit', 'changed', 'crlf', 'link', 'utf8bom'],
      edits: [{ kind: 'replace', path: '/project/a.ts', oldText: 'b', newText: 'B', all: true }],
    });
    expect(geminiHook.read(write, '')).toMatchObject({
      event: 'before',
      edits: [{ kind: 'write', path: '/project/a.ts', text: 'x\n', keepsCrlf: true }],
    });
    expect(geminiHook.read(given('replace', edit, 'AfterTool'), '')).toMatchObject({ event: 'after' });
  });

  test('names the file without the NUL characters that Gemini CLI drops', () => {
    const named = given('replace', { ...edit, file_path: '/project/\0a.ts' });
    expect(geminiHook.read(named, '')).toMatchObject({ edits: [{ path: '/project/a.ts' }] });
  });

  test('lets an edit without an old text only create a file, which is all that Gemini CLI does with it', () => {
    const call = geminiHook.read(given('replace', { ...edit, old_string: '' }), '');
    expect(editIn(call)?.writesExactly).not.toContain('edit');
  });

  test('is read as a command of bash, in the folder that the call names', () => {
    const call = given('run_shell_command', { command: 'ls', dir_path: 'd' });
    const command = { shell: process.platform === 'win32' ? 'powershell' : 'bash', text: 'ls', folder: '/project/d' };
    expect(geminiHook.read(call, '')).toEqual({
      event: 'before',
      assistant: 'Gemini CLI',
      session: 'session-1',
      waitSeconds: mostWaitSeconds,
      tool: 'run_shell_command',
      command,
    });
    const elsewhere = given('run_shell_command', { command: 'ls', dir_path: '/x' }, 'AfterTool');
    expect(geminiHook.read(elsewhere, '')).toMatchObject({ event: 'after', command: { folder: '/x' } });
    expect(geminiHook.read(given('run_shell_command', { command: 'ls' }), '')).toMatchObject({
      command: { folder: '/project' },
    });
    expect(() => geminiHook.read(given('run_shell_command', { cmd: 'ls' }), '')).toThrow(UnreadableCommand);
  });

  test('is read as the moments of a session in every recording, and those of Qwen Code are not', () => {
    for (const name of ['commands', 'commandInSubagent']) {
      expect(momentsIn(name)).toEqual(['sessionBegan', 'turnEnded', 'sessionEnded']);
    }
    const began = { ...replace, hook_event_name: 'SessionStart', tool_name: undefined };
    expect(geminiHook.recognises(began, 'moment')).toBe(true);
    expect(geminiHook.recognises({ ...began, transcript_path: '/home/user/.qwen/x/s.jsonl' }, 'moment')).toBe(false);
  });

  test('is no edit when the tool is another one', () => {
    expect(geminiHook.read(given('read_file', { file_path: 'a' }), '')).toBeUndefined();
    expect(geminiHook.read(given('mcp_drawbridge_apply_edit', {}), '')).toBeUndefined();
  });

  test('is refused when an edit tool has an unknown input', () => {
    expect(() => geminiHook.read(given('replace', { path: 'a' }), '')).toThrow('file_path');
  });
});

describe('the answer to Gemini CLI', () => {
  const answerTo = (input: ReturnType<typeof given>, answer: NativeAnswer): unknown => {
    const { stdout, exitCode } = geminiHook.answer(input, answer, '');
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : record.parse(JSON.parse(stdout));
  };
  const allow = (before: string, after: string): NativeAnswer => {
    const file: ApprovedFile = { path: '/project/a.ts', texts: { before, after }, change: 'edit', isChanged: false };
    return { decision: 'allow', files: [file], words: 'Changed.' };
  };

  const none: NativeAnswer = { decision: 'none' };
  const toolInput = z.object({ tool_input: z.object({ file_path: z.string() }) });

  test('is empty without an opinion', () => {
    expect(answerTo(replace, none)).toBeUndefined();
    expect(answerTo(given('run_shell_command', { command: 'ls' }), { decision: 'none' })).toBeUndefined();
  });

  test('names the judged file when Gemini CLI would look for another one of that name', () => {
    const named = (file_path: string) => [given('replace', { ...edit, file_path }), given('write_file', { file_path })];
    const pathsIn = (file: string) =>
      named(file).map((call) => z.object({ hookSpecificOutput: toolInput }).safeParse(answerTo(call, none)).data);
    const exactly = (file_path: string) => ({ hookSpecificOutput: { tool_input: { file_path } } });
    expect(pathsIn('a.ts')).toEqual([exactly('/project/a.ts'), undefined]);
    expect(pathsIn('@a.ts')).toEqual([exactly('/project/@a.ts'), exactly('/project/@a.ts')]);
    expect(pathsIn('/project/a.ts')).toEqual([undefined, undefined]);
    const unseen = answerTo(given('replace', { ...edit, file_path: 'a.ts' }), { decision: 'allow', files: [] });
    expect(unseen).toMatchObject({ decision: 'allow', ...exactly('/project/a.ts') });
  });

  test('is a permission with the whole exact input, which replaces the whole text before', () => {
    const answer = allow('a\r\nb\r\n', 'a\r\n“B” é\r\n');
    expect(answerTo(given('replace', { ...edit, allow_multiple: true }), answer)).toEqual({
      decision: 'allow',
      hookSpecificOutput: {
        hookEventName: 'BeforeTool',
        tool_input: { ...edit, old_string: 'a\nb\n', new_string: 'a\n“B” é\n', allow_multiple: false },
      },
    });
    expect(answerTo(write, answer)).toMatchObject({
      hookSpecificOutput: { tool_input: { file_path: '/project/a.ts', content: 'a\r\n“B” é\r\n' } },
    });
  });

  test('gives a new file its line ends as they were approved', () => {
    expect(answerTo(given('replace', { ...edit, old_string: '' }), allow('', 'x\r\n'))).toMatchObject({
      hookSpecificOutput: { tool_input: { old_string: '', new_string: 'x\r\n' } },
    });
  });

  test('replaces only a part of a text that is too long to be named as a whole', () => {
    const long = 'x\n'.repeat(600_000);
    expect(answerTo(replace, allow(`${long}b\n`, `${long}B\n`))).toMatchObject({
      hookSpecificOutput: { tool_input: { old_string: 'b', new_string: 'B' } },
    });
  });

  test('is a refusal with the words', () => {
    expect(answerTo(replace, { decision: 'deny', words: 'No “x”.' })).toEqual({ decision: 'deny', reason: 'No “x”.' });
  });

  test('tells the model after the call what differs', () => {
    const after = given('replace', edit, 'AfterTool');
    expect(answerTo(after, { decision: 'none', words: 'The user changed it.' })).toEqual({
      hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'The user changed it.' },
    });
    expect(answerTo(after, { decision: 'none', words: 'It was changed.', news: 'b.ts is back.' })).toEqual({
      hookSpecificOutput: { hookEventName: 'AfterTool', additionalContext: 'It was changed.\nb.ts is back.' },
    });
    expect(geminiHook.read(after, '')).toMatchObject({ reachesModel: true });
    expect(answerTo(after, { decision: 'none' })).toBeUndefined();
    expect(answerTo(after, { decision: 'deny', words: 'No.' })).toBeUndefined();
  });

  const exact = globSync('test/bridge/hook/recorded/gemini/exact*.json');
  const texts = z.object({ 'a.txt': z.string() });
  const recorded = z.object({
    files: texts,
    hooks: z.array(z.looseObject({ tool_name: z.string(), tool_input: z.looseObject({ file_path: z.string() }) })),
    after: texts,
  });
  test.each(exact.map((file) => [basename(file, '.json'), file]))(
    'is the input with which the real program wrote exactly the approved text: %s',
    (_name, file) => {
      const { files, hooks, after } = recorded.parse(JSON.parse(readFileSync(file, 'utf8')));
      const [call] = hooks;
      const before = files['a.txt'].replace('\uFEFF', '');
      const asked = given(call?.tool_name ?? '', {
        ...call?.tool_input,
        old_string: 'x',
        new_string: 'y',
        content: 'z',
      });
      expect(answerTo(asked, allow(before, after['a.txt'].replace('\uFEFF', '')))).toMatchObject({
        hookSpecificOutput: { tool_input: call?.tool_input },
      });
      expect(after['a.txt']).not.toBe(files['a.txt']);
    },
  );
});
