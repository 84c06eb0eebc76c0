import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { hookProbe } from '#connect/hooks/hookAdapter.ts';
import { writeGuard } from '#home/windowGuard.ts';
import { startTestServer, temporaryFolder } from '../mcp/fixture.ts';
import { claudeCodeInput } from './claudeCode.ts';
import { openHookWindow } from './hookWindow.ts';

type Input = string | ((folder: string) => string);

/**
 * Runs the hook program in a folder that a window guards, or that nobody guards.
 * @param event the event in the command line
 * @param place the folder it runs in, beside the guarded one
 */
async function run(input: Input, isGuarded = true, event = '', place = 'project') {
  const root = realpathSync(await temporaryFolder());
  const [home, folder] = [join(root, 'home'), join(root, 'project')];
  const cwd = join(root, place);
  for (const each of new Set([folder, cwd])) mkdirSync(each, { recursive: true });
  if (isGuarded) await writeGuard(home, { windowId: 'one', state: 'open', folders: [folder] });
  const env = { DRAWBRIDGE_HOME: home };
  const child = spawn(process.execPath, [resolve('src/bridge/hook.ts'), 'hook', event], { cwd, env });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  child.stdin.end(typeof input === 'string' ? input : input(folder));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, status };
}

function windowOf(folder: string) {
  return {
    windowId: 'one',
    folders: [{ name: 'project', path: folder, uri: `file://${folder}` }],
    trusted: true,
    extensionVersion: '0.0.0',
    editor: { name: 'Editor', version: '1.0.0' },
    focusedAt: 0,
  };
}

const passes = { stdout: '', stderr: '', status: 0 };
const unknownEdit = claudeCodeInput({ tool: 'Edit', input: { path: 'a.ts' } });

describe('the hook program', () => {
  test.each(['', 'not JSON', '[]', '{"hookEventName":"PreToolUse"}'])(
    'has no opinion about the input %j, which no known assistant writes',
    async (input) => expect(await run(input)).toEqual(passes),
  );

  test('has no opinion about an unknown tool that may edit, also when its window does not answer', async () => {
    const input = claudeCodeInput({ tool: 'Edit', input: {} }).replace('"Edit"', '"RenameFile"');
    expect(await run(input)).toEqual(passes);
  });

  test('changes nothing about an edit of Gemini CLI while no folder is guarded', async () => {
    const input = { hook_event_name: 'BeforeTool', session_id: 's', cwd: '/', tool_name: 'replace' };
    const edit = { file_path: 'none/a.ts', old_string: 'a', new_string: 'b' };
    expect(await run(JSON.stringify({ ...input, tool_input: edit }), false)).toEqual(passes);
  });

  test('answers the probe of Doctor', async () => {
    expect(await run(JSON.stringify({ [hookProbe]: true }))).toEqual({ ...passes, stdout: hookProbe });
  });

  test('G3: refuses in words an edit that it cannot read in a guarded folder, and has no opinion elsewhere', async () => {
    const { status, stdout, stderr } = await run(unknownEdit);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout)).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('does not know this kind of edit of Claude Code'),
      },
    });
    expect(await run(unknownEdit, false)).toEqual(passes);
  });

  test('recognises an input of Qwen Code, which also has the shape of one of Claude Code', async () => {
    const input = { ...z.looseObject({}).parse(JSON.parse(unknownEdit)), timestamp: '2026-11-24T15:08:00.428Z' };
    const { stdout } = await run(JSON.stringify({ ...input, tool_name: 'edit' }));
    expect(stdout).toContain('does not know this kind of edit of Qwen Code');
  });

  test('takes an input of Claude Code for its own when it has a timestamp too', async () => {
    const input = { ...z.looseObject({}).parse(JSON.parse(unknownEdit)), timestamp: '2026-11-24T15:08:00.428Z' };
    const { stdout } = await run(JSON.stringify(input));
    expect(stdout).toContain('does not know this kind of edit of Claude Code');
  });

  test('G3: refuses an edit that it cannot read and that names a file in a guarded folder elsewhere', async () => {
    const input = (folder: string) => claudeCodeInput({ tool: 'Edit', input: { path: `${folder}/a.ts` } });
    expect((await run(input, true, '', 'elsewhere')).stdout).toContain('deny');
    expect((await run((folder) => input(`${folder}-2`), true, '', 'elsewhere')).stdout).toBe('');
  });

  test('G3: refuses a patch in whose text it finds no name of a file', async () => {
    const codex = { hook_event_name: 'PreToolUse', session_id: 's', turn_id: 't', model: 'm', cwd: '/project' };
    const command = '*** Begin Patch\n***  Update File: a.ts\n*** End Patch';
    const { stdout } = await run(JSON.stringify({ ...codex, tool_name: 'apply_patch', tool_input: { command } }));
    expect(stdout).toContain('does not know this kind of edit of Codex');
  });

  test('recognises Codex by its input, and refuses a patch of an unknown shape in words', async () => {
    const input = { hook_event_name: 'PreToolUse', session_id: 's', turn_id: 't', model: 'm', cwd: '/project' };
    const { status, stdout } = await run(JSON.stringify({ ...input, tool_name: 'apply_patch', tool_input: {} }));
    expect(status).toBe(0);
    expect(stdout).toContain('does not know this kind of edit of Codex');
  });

  test('G3: refuses unknown edits of Gemini CLI and GitHub Copilot CLI in the form that each expects', async () => {
    const gemini = { hook_event_name: 'BeforeTool', session_id: 's', cwd: '/', tool_name: 'replace', tool_input: {} };
    const copilot = { sessionId: 's', cwd: '/', toolName: 'edit', toolArgs: {} };
    const [ofGemini, ofCopilot] = await Promise.all([
      run(JSON.stringify(gemini)),
      run(JSON.stringify(copilot), true, 'preToolUse'),
    ]);
    expect([ofGemini.status, ofGemini.stderr, ofCopilot.status, ofCopilot.stderr]).toEqual([0, '', 0, '']);
    expect(JSON.parse(ofGemini.stdout)).toEqual({
      decision: 'deny',
      reason: expect.stringContaining('this kind of edit of Gemini CLI'),
    });
    expect(JSON.parse(ofCopilot.stdout)).toEqual({
      permissionDecision: 'deny',
      permissionDecisionReason: expect.stringContaining('this kind of edit of GitHub Copilot CLI'),
    });
  });

  test('G3: refuses a command that it cannot read in a guarded folder or above one, and has no opinion elsewhere', async () => {
    const input = claudeCodeInput({ tool: 'Edit', input: { cmd: 'ls' } }).replace('"Edit"', '"Bash"');
    const words = 'does not know this kind of command of Claude Code, so it was not run';
    expect((await run(input)).stdout).toContain(words);
    expect((await run(input, true, '', '.')).stdout).toContain(words);
    expect(await run(input, true, '', 'elsewhere')).toEqual(passes);
  });

  test('asks about a command, tells a moment, and prints nothing for it whatever the window answers', async () => {
    const root = realpathSync(await temporaryFolder());
    const [home, folder] = [join(root, 'home'), join(root, 'project')];
    mkdirSync(folder);
    const { told } = await openHookWindow(home, 'one', [folder], { decision: 'deny', words: 'No.' });
    const start = async (input: string, ...args: readonly string[]) => {
      const options = { cwd: folder, env: { DRAWBRIDGE_HOME: home } };
      const child = spawn(process.execPath, [resolve('src/bridge/hook.ts'), 'hook', ...args], options);
      child.stdin.end(input.replaceAll('"/project"', JSON.stringify(folder)));
      const ended = new Promise<number | null>((done) => child.once('close', done));
      return [await text(child.stdout), await text(child.stderr), await ended];
    };
    const command = claudeCodeInput({ tool: 'Edit', input: { command: 'rm a' } }).replace('"Edit"', '"Bash"');
    const [stdout] = await start(command);
    expect(stdout).toContain('"permissionDecisionReason":"No."');
    const stop = { hook_event_name: 'Stop', session_id: 's', transcript_path: '/x/s.jsonl', cwd: folder };
    expect(await start(JSON.stringify(stop), 'moment')).toEqual(['', '', 0]);
    const agentStop = { sessionId: 's', cwd: folder, stopReason: 'end_turn' };
    expect(await start(JSON.stringify(agentStop), 'moment', 'agentStop')).toEqual(['', '', 0]);
    expect(told).toMatchObject([
      { event: 'before', command: { text: 'rm a', folder } },
      { event: 'turnEnded', assistant: 'Claude Code', session: 's', folder },
      { event: 'turnEnded', assistant: 'GitHub Copilot CLI', session: 's', folder },
    ]);
  });

  test.each(['', 'not JSON', '{"hook_event_name":"Stop"}'])(
    'prints nothing for the hook of a moment whose input is %j',
    async (input) => expect(await run(input, true, 'moment')).toEqual(passes),
  );

  test('reports an edit tool of a program that no adapter recognises, and has no opinion about it', async () => {
    const root = realpathSync(await temporaryFolder());
    const [home, folder] = [join(root, 'home'), join(root, 'project')];
    mkdirSync(folder);
    const reports: unknown[] = [];
    await startTestServer({
      drawbridgeHome: home,
      window: () => windowOf(folder),
      onUnknownTool: (report) => void reports.push(report),
    });
    await writeGuard(home, { windowId: 'one', state: 'open', folders: [folder] });
    const env = { DRAWBRIDGE_HOME: home };
    for (const tool of ['editFiles', 'fetch']) {
      const child = spawn(process.execPath, [resolve('src/bridge/hook.ts'), 'hook'], { cwd: folder, env });
      child.stdin.end(JSON.stringify({ hookEventName: 'PreToolUse', tool_name: tool, tool_input: {} }));
      expect(await text(child.stdout)).toBe('');
    }
    expect(reports).toEqual([
      { event: 'unknown', assistant: 'A program that Drawbridge does not recognise', tool: 'editFiles' },
    ]);
  });

  test.skipIf(process.platform === 'win32').each([
    ['its assistant', '"$0" "$1" <"$2"; wait'],
    [
      'the assistant that started the launcher',
      'DRAWBRIDGE_PARENT=$$ /bin/sh -c \'"$0" "$1" <"$2"; wait\' "$0" "$1" "$2"; wait',
    ],
  ])('ends, and withdraws its question, when %s is killed', async (_what, script) => {
    const root = realpathSync(await temporaryFolder());
    const [home, folder, input] = [join(root, 'home'), join(root, 'project'), join(root, 'input')];
    mkdirSync(folder);
    writeFileSync(input, claudeCodeInput({ tool: 'Write', input: { file_path: join(folder, 'a.ts'), content: 'x' } }));
    const asked = Promise.withResolvers<AbortSignal>();
    await startTestServer({
      drawbridgeHome: home,
      window: () => windowOf(folder),
      answerHook(_call, signal) {
        asked.resolve(signal);
        return new Promise(() => undefined);
      },
    });
    await writeGuard(home, { windowId: 'one', state: 'open', folders: [folder] });
    const args = ['-c', script, process.execPath, resolve('src/bridge/hook.ts'), input];
    const assistant = spawn('/bin/sh', args, { cwd: folder, env: { DRAWBRIDGE_HOME: home } });
    const signal = await asked.promise;
    const withdrawn = new Promise<boolean>((done) => signal.addEventListener('abort', () => done(true)));
    assistant.kill('SIGKILL');
    expect(await withdrawn).toBe(true);
  });
});
