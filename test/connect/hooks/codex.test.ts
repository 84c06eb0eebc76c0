import { globSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { isMoment } from '#base/nativeCommand.ts';
import { type ApprovedFile, mostWaitSeconds, type NativeAnswer } from '#base/nativeEdit.ts';
import { claudeCodeHook } from '#connect/hooks/claudeCode.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import { droidHook } from '#connect/hooks/droid.ts';
import { type HookInput, UnreadableCommand } from '#connect/hooks/hookAdapter.ts';
import { qwenCodeHook } from '#connect/hooks/qwenCode.ts';
import { shellOf } from '#connect/hooks/shells.ts';
import { editIn } from './editIn.ts';

const approvedFile = z.object({
  path: z.string(),
  change: z.enum(['edit', 'create', 'delete']),
  texts: z.object({ before: z.string(), after: z.string() }),
  isChanged: z.boolean(),
});
const recording = z.object({
  approved: z.array(approvedFile).optional(),
  hooks: z.array(z.record(z.string(), z.unknown())),
  after: z.record(z.string(), z.string()),
});
const recordingsOf = (folder: string): readonly (readonly [string, z.infer<typeof recording>])[] =>
  globSync(`test/bridge/hook/recorded/${folder}/*.json`).map((file) => [
    basename(file, '.json'),
    recording.parse(JSON.parse(readFileSync(file, 'utf8'))),
  ]);
const recordings = new Map(recordingsOf('codex'));

/** The input of the hook at one event of a recording. */
function inputOf(name: string, event: 'PreToolUse' | 'PermissionRequest' | 'PostToolUse' = 'PreToolUse'): HookInput {
  const input = recordings.get(name)?.hooks.find((hook) => hook['hook_event_name'] === event);
  if (input === undefined) throw new Error(`No ${event} in ${name}`);
  return input;
}

/** The moments that the hooks of a recording tell, in order. */
function momentsIn(name: string): readonly string[] {
  const reports = (recordings.get(name)?.hooks ?? []).map((hook) => codexHook.read(hook, ''));
  return reports.flatMap((report) => (report !== undefined && isMoment(report) ? [report.event] : []));
}

describe('the input of a hook of Codex', () => {
  test('is told apart from that of Claude Code in every recording of both', () => {
    const inputs = (folder: string) => recordingsOf(folder).flatMap(([, { hooks }]) => hooks);
    const [codex, claude] = [inputs('codex'), inputs('claudeCode')];
    expect(Math.min(codex.length, claude.length)).toBeGreaterThan(40);
    expect(codex.filter((input) => !codexHook.recognises(input, '') || claudeCodeHook.recognises(input, ''))).toEqual(
      [],
    );
    expect(claude.filter((input) => codexHook.recognises(input, '') || !claudeCodeHook.recognises(input, ''))).toEqual(
      [],
    );
    expect(codex.filter((input) => [droidHook, qwenCodeHook].some((each) => each.recognises(input, '')))).toEqual([]);
    expect(codexHook.recognises({ ...inputOf('update'), hook_event_name: 'PreCompact' }, '')).toBe(false);
  });

  test('is recognised from a session that keeps no transcript', () => {
    expect(codexHook.recognises({ ...inputOf('update'), transcript_path: null, agent_id: null }, '')).toBe(true);
  });

  test('is read as a patch with the absolute paths of all its files', () => {
    expect(codexHook.read(inputOf('severalFiles'), '')).toEqual({
      event: 'before',
      assistant: 'Codex',
      session: '11111111-1111-4111-8111-111111111111',
      turn: '22222222-2222-4222-8222-222222222222',
      call: expect.stringMatching(/^call_/),
      isSerial: true,
      waitSeconds: mostWaitSeconds,
      tool: 'apply_patch',
      writesExactly: ['edit', 'create', 'several', 'changed', 'crlf', 'link'],
      edits: [
        {
          kind: 'patch',
          folder: '/project',
          text: expect.stringContaining('*** Move to: m.txt'),
          paths: ['n.txt', 'b.txt', 'a.txt', 'c.txt', 'm.txt'].map((name) => `/project/${name}`),
        },
      ],
    });
    expect(codexHook.read(inputOf('severalFiles', 'PostToolUse'), '')).toMatchObject({ event: 'after' });
  });

  test('names paths behind blanks, which Codex skips, and no line that the patch adds or removes', () => {
    const command =
      '*** Begin Patch\n  *** Add File: /x/a b.txt \n+*** Delete File: no\n-*** Move to: no\n*** End Patch';
    const call = codexHook.read({ ...inputOf('update'), tool_input: { command } }, '');
    expect(editIn(call)?.edits).toMatchObject([{ paths: ['/x/a b.txt'] }]);
  });

  test('is refused when it names no file, or one behind further blanks', () => {
    for (const name of ['*** Add File:  /x/a', '*** Add File: \t/x/a', '*** Add File:', '***  Add File: /x/a']) {
      const command = `*** Begin Patch\n${name}\n+a\n*** End Patch`;
      expect(() => codexHook.read({ ...inputOf('update'), tool_input: { command } }, '')).toThrow('file');
    }
  });

  test('names a file whose header has the line ends and blanks of Codex, not those of JavaScript', () => {
    const command = '*** Begin Patch\n\u0085*** Update File: a\u2028/../../x.txt\r\n-a\n*** End Patch';
    const call = codexHook.read({ ...inputOf('update'), tool_input: { command } }, '');
    expect(editIn(call)?.edits).toMatchObject([{ paths: [expect.stringMatching(/[\\/]x\.txt$/)] }]);
  });

  test('names the subagent that makes the edit', () => {
    const agent = { id: '33333333-3333-4333-8333-333333333333', kind: 'subagent' };
    expect(codexHook.read(inputOf('updateInSubagent'), '')).toMatchObject({ agent });
    expect(codexHook.read({ ...inputOf('updateInSubagent'), agent_type: 'review' }, '')).toMatchObject({
      agent: { ...agent, kind: 'review' },
    });
  });

  test('is a question about the approved patch, without the id of the call', () => {
    const call = codexHook.read(inputOf('question', 'PermissionRequest'), '');
    expect(call).toMatchObject({ event: 'question', edits: [{ paths: ['/project/a.txt'] }] });
    expect(call).not.toHaveProperty('call');
  });

  test('is read as a command of the shell of the user, in the folder that the call names', () => {
    const [, before, after] = recordings.get('commands')?.hooks ?? [];
    const command = { shell: shellOf(userInfo().shell ?? ''), text: 'cat a.txt', folder: '/project/d' };
    expect(codexHook.read(before ?? {}, '')).toEqual({
      event: 'before',
      assistant: 'Codex',
      session: '11111111-1111-4111-8111-111111111111',
      turn: '22222222-2222-4222-8222-222222222222',
      call: expect.stringMatching(/^call_/),
      waitSeconds: mostWaitSeconds,
      tool: 'Bash',
      command,
    });
    expect(codexHook.read(after ?? {}, '')).toMatchObject({ event: 'after', command });
    const patch = codexHook.read(inputOf('patchInShell'), '');
    expect(patch).toMatchObject({ command: { text: expect.stringMatching(/^apply/) } });
  });

  test('is nothing to answer when a command asks to leave the sandbox', () => {
    const question = inputOf('commandEscalated', 'PermissionRequest');
    expect(codexHook.read(question, '')).toBeUndefined();
    expect(codexHook.answer(question, { decision: 'allow', files: [] }, '')).toEqual({ stdout: '', exitCode: 0 });
  });

  test('is refused as a command when a command tool has an unknown input', () => {
    expect(() => codexHook.read({ ...inputOf('bash'), tool_input: { cmd: 'ls' } }, '')).toThrow(UnreadableCommand);
  });

  test('is read as the moments of a session, and the end of a subagent is none', () => {
    expect(momentsIn('commands')).toEqual(['sessionBegan', 'turnEnded', 'sessionEnded']);
    expect(momentsIn('commandInSubagent')).toEqual(['sessionBegan', 'turnEnded', 'sessionEnded']);
    const began = recordings.get('commands')?.hooks[0] ?? {};
    const session = expect.stringMatching(/^1111/);
    const moment = { event: 'sessionBegan', assistant: 'Codex', session, folder: '/project' };
    expect(codexHook.read(began, '')).toEqual(moment);
    expect(codexHook.recognises({ ...began, transcript_path: null }, '')).toBe(true);
    expect(claudeCodeHook.recognises({ ...began, transcript_path: null }, '')).toBe(false);
  });

  test('is refused when the edit tool has an unknown input', () => {
    expect(() => codexHook.read({ ...inputOf('update'), tool_input: { patch: '' } }, '')).toThrow('command');
  });
});

describe('the answer to Codex', () => {
  const record = z.record(z.string(), z.unknown());
  const answerTo = (input: HookInput, answer: NativeAnswer): unknown => {
    const { stdout, exitCode } = codexHook.answer(input, answer, '');
    expect(exitCode).toBe(0);
    return stdout === '' ? undefined : record.parse(JSON.parse(stdout))['hookSpecificOutput'];
  };
  const file = (before: string, after: string, more: Partial<ApprovedFile> = {}): ApprovedFile => ({
    path: '/project/a.txt',
    change: 'edit',
    texts: { before, after },
    isChanged: false,
    ...more,
  });
  const allow = (...files: readonly ApprovedFile[]): NativeAnswer => ({ decision: 'allow', files });
  const exact = [...recordings].flatMap(([name, { approved, ...rest }]) =>
    approved ? [{ name, approved, ...rest }] : [],
  );

  test.each(exact.map((each) => [each.name, each] as const))(
    'is the patch of the recording %s, by which the real Codex wrote exactly the approved bytes',
    (_, { approved, hooks, after }) => {
      const written = hooks.find((hook) => hook['hook_event_name'] === 'PostToolUse');
      expect(answerTo(inputOf('update'), { decision: 'allow', files: approved, words: 'Words.' })).toEqual({
        hookEventName: 'PreToolUse',
        permissionDecision: 'allow',
        updatedInput: written?.['tool_input'],
        additionalContext: 'Words.',
      });
      for (const { path, texts } of approved) expect(after[path.slice('/project/'.length)]).toBe(texts.after);
    },
  );

  test('names only a part of a text that is too long to be named as a whole', () => {
    const long = 'x\n'.repeat(600_000);
    expect(answerTo(inputOf('update'), allow(file(`${long}b\n`, `${long}B\n`)))).toMatchObject({
      updatedInput: { command: '*** Begin Patch\n*** Update File: /project/a.txt\n@@\n-b\n+B\n*** End Patch' },
    });
  });

  test.each([
    ['a missing final line end', file('a\nb', 'a\nB')],
    ['mixed line ends', file('a\r\nb\n', 'a\r\nB\n')],
    ['other line ends than before', file('a\n', 'a\r\n')],
    ['a deletion', file('a\n', '', { change: 'delete' })],
    ['a move', file('a\n', 'b\n', { movedTo: '/project/b.txt' })],
  ])('is a refusal for %s, which no patch of Codex writes exactly', (_, approved) => {
    expect(answerTo(inputOf('update'), allow(approved))).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('nothing was changed'),
    });
  });

  test('is its own patch for a call that passes as it is', () => {
    const input = inputOf('update');
    expect(answerTo(input, allow())).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: input['tool_input'],
    });
  });

  test('is empty without an opinion, and after the call', () => {
    expect(answerTo(inputOf('update'), { decision: 'none' })).toBeUndefined();
    expect(answerTo(inputOf('update', 'PostToolUse'), { decision: 'deny', words: 'No.' })).toBeUndefined();
  });

  test('tells the model news after a call, and nothing that it was told before', () => {
    const after = inputOf('update', 'PostToolUse');
    expect(codexHook.read(after, '')).toMatchObject({ reachesModel: true });
    expect(answerTo(after, { decision: 'none', words: 'Told before.' })).toBeUndefined();
    expect(answerTo(after, { decision: 'none', news: 'b.ts is back.' })).toEqual({
      hookEventName: 'PostToolUse',
      additionalContext: 'b.ts is back.',
    });
  });

  test('is a refusal with the words', () => {
    expect(answerTo(inputOf('update'), { decision: 'deny', words: 'No.' })).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'No.',
    });
  });

  test('answers its question with yes after an approval, and otherwise leaves it to the user', () => {
    const question = inputOf('question', 'PermissionRequest');
    const yes = { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } };
    expect(answerTo(question, { decision: 'allow', files: [] })).toEqual(yes);
    expect(answerTo(question, { decision: 'none' })).toBeUndefined();
    expect(answerTo(question, { decision: 'deny', words: 'No.' })).toBeUndefined();
  });
});
