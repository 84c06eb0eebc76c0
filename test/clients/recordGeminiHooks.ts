// node test/clients/recordGeminiHooks.ts [NAME...]: records what the hooks of the real Gemini CLI get, for the tests of our hook program.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { NativeAnswer } from '#base/nativeEdit.ts';
import { geminiHook } from '#connect/hooks/gemini.ts';
import { repository } from '../host/hostFolder.ts';
import { type Run, startRun } from '../host/processes.ts';
import { geminiPackage, runGemini } from './geminiRun.ts';
import { installClients } from './install.ts';
import type { ToolCall } from './modelServer.ts';
import { type Files, filesBelow, linesOf, writeFiles, writeRecording } from './recording.ts';
import { toldOfGemini } from './scriptedGemini.ts';

const recordings = join(repository, 'test/bridge/hook/recorded/gemini');

interface Case {
  readonly files?: Files;
  /** Name and target of a link in the project. */
  readonly link?: readonly [name: string, target: string];
  /** One message each, or several calls in one message. Paths below `/project` become paths of the project. */
  readonly calls: readonly (ToolCall | readonly ToolCall[])[];
  /** The hooks of the session's moments are recorded too. */
  readonly hasMoments?: boolean;
}

const replace = (file: string, old_string: string, new_string: string, more: object = {}): ToolCall => ({
  tool: 'replace',
  input: { file_path: `/project/${file}`, old_string, new_string, instruction: 'Change it.', ...more },
});
const write = (file: string, content: string): ToolCall => ({
  tool: 'write_file',
  input: { file_path: `/project/${file}`, content },
});

const toolInput = z.object({ hookSpecificOutput: z.object({ tool_input: z.looseObject({}) }) });

/** The call with the input that our hook answers when a user approved this text. */
function approved(call: ToolCall, before: string, after: string): ToolCall {
  const path = '/project/a.txt';
  const answer: NativeAnswer = {
    decision: 'allow',
    files: [{ path, change: 'edit', texts: { before, after }, isChanged: true }],
  };
  const given = {
    hook_event_name: 'BeforeTool',
    session_id: 'session',
    cwd: '/project',
    tool_name: call.tool,
    tool_input: call.input,
  };
  const { stdout } = geminiHook.answer(given, answer, '');
  return { tool: call.tool, input: toolInput.parse(JSON.parse(stdout)).hookSpecificOutput.tool_input };
}
const exactReplace = (before: string, after: string): Case => ({
  files: { 'a.txt': before },
  calls: [approved(replace('a.txt', 'x', 'y', { allow_multiple: true }), before.replace('\uFEFF', ''), after)],
});

const cases: Readonly<Record<string, Case>> = {
  replace: { files: { 'a.txt': 'one\ntwo\n' }, calls: [replace('a.txt', 'one', 'ONE')] },
  replaceAll: { files: { 'a.txt': 'x\ny\nx\nx\n' }, calls: [replace('a.txt', 'x', 'z', { allow_multiple: true })] },
  replaceTwoMatches: { files: { 'a.txt': 'x\nx\n' }, calls: [replace('a.txt', 'x', 'y')] },
  replaceCrlf: {
    files: { 'a.txt': 'one\r\ntwo\r\nthree\r\n' },
    calls: [replace('a.txt', 'one\ntwo', 'ONE\nTWO\nNEW')],
  },
  replaceMixedLineEnds: { files: { 'a.txt': 'one\r\ntwo\nthree\n' }, calls: [replace('a.txt', 'three', 'THREE')] },
  replaceCurlyQuotes: {
    files: { 'a.json': '"say “hi”, it’s me"\n' },
    calls: [replace('a.json', 'say "hi", it\'s me', 'bye')],
  },
  replaceTabsForBlanks: { files: { 'a.txt': '\tone\n' }, calls: [replace('a.txt', '    one', '    ONE')] },
  replaceDollars: { files: { 'a.txt': 'one\ntwo\n' }, calls: [replace('a.txt', 'one', 'a$&b$1c$$d')] },
  replaceDeletesLine: { files: { 'a.txt': 'one\ntwo\nthree\n' }, calls: [replace('a.txt', 'two', '')] },
  replaceNoFinalNewline: { files: { 'a.txt': 'one\ntwo' }, calls: [replace('a.txt', 'two', 'TWO')] },
  replaceAddsFinalNewline: { files: { 'a.txt': 'one\ntwo' }, calls: [replace('a.txt', 'two', 'TWO\n')] },
  replaceDropsFinalNewline: { files: { 'a.txt': 'one\ntwo\n' }, calls: [replace('a.txt', 'two\n', 'TWO')] },
  replaceAllText: { files: { 'a.txt': 'one\n' }, calls: [replace('a.txt', 'one\n', '')] },
  replaceBom: { files: { 'a.txt': '\uFEFFone\ntwo\n' }, calls: [replace('a.txt', 'one', 'ONE')] },
  replaceCreates: { calls: [replace('d/n.txt', '', 'new\r\nfile')] },
  replaceEmptyFile: { files: { 'a.txt': '' }, calls: [replace('a.txt', '', 'new\n')] },
  replaceRelative: {
    files: { 'a.txt': 'x\n' },
    calls: [{ tool: 'replace', input: { file_path: 'a.txt', old_string: 'x', new_string: 'y', instruction: 'i' } }],
  },
  replaceElsewhere: {
    files: { 'd/a.txt': 'x\n' },
    calls: [{ tool: 'replace', input: { file_path: 'a.txt', old_string: 'x', new_string: 'y', instruction: 'i' } }],
  },
  replaceLink: { files: { 'a.txt': 'x\n' }, link: ['l.txt', 'a.txt'], calls: [replace('l.txt', 'x', 'y')] },
  replaceTwice: {
    files: { 'a.txt': 'x\nb\n' },
    calls: [[replace('a.txt', 'x', 'y'), replace('a.txt', 'b', 'c'), write('b.txt', 'b\n')]],
  },
  replaceInSubagent: {
    files: { 'a.txt': 'x\n' },
    calls: [
      { tool: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'Edit.' } },
      replace('a.txt', 'x', 'y'),
      { tool: 'complete_task', input: { result: 'Done.' } },
    ],
  },
  writeCreates: { calls: [write('d/n.txt', 'new\nfile\n')] },
  writeOverwrites: { files: { 'a.txt': 'x\n' }, calls: [write('a.txt', 'y')] },
  writeOverCrlf: { files: { 'a.txt': 'x\r\ny\r\n' }, calls: [write('a.txt', 'q\nr\n')] },
  writeOverBom: { files: { 'a.txt': '\uFEFFx\n' }, calls: [write('a.txt', 'y\n')] },
  writeCrlfOverLf: { files: { 'a.txt': 'x\n' }, calls: [write('a.txt', 'q\r\nr\r\n')] },
  writeAtSign: { calls: [{ tool: 'write_file', input: { file_path: '@a.txt', content: 'x\n' } }] },
  exactReplace: exactReplace('one\n“two”\none\n', 'one\n"TWO" $& é\none\n'),
  exactCrlf: exactReplace('one\r\ntwo\r\n', 'ONE\r\ntwo\r\n'),
  exactBom: exactReplace('\uFEFFone\ntwo\n', 'ONE\ntwo\n'),
  exactBlankLines: exactReplace('\n\none\n\n\n', '\n\n\none\n\n\n\n'),
  exactOverCrlf: {
    files: { 'a.txt': 'x\r\ny\r\n' },
    calls: [approved(write('a.txt', 'q\n'), 'x\r\ny\r\n', 'q\r\ny\r\n')],
  },
  shell: { calls: [{ tool: 'run_shell_command', input: { command: 'echo hi > n.txt' } }] },
  commands: {
    files: { 'd/a.txt': 'x\n' },
    calls: [
      { tool: 'run_shell_command', input: { command: 'cat a.txt', dir_path: 'd' } },
      { tool: 'run_shell_command', input: { command: 'exit 3' } },
    ],
    hasMoments: true,
  },
  commandInSubagent: {
    calls: [
      { tool: 'invoke_agent', input: { agent_name: 'generalist', prompt: 'Run.' } },
      { tool: 'run_shell_command', input: { command: 'true' } },
      { tool: 'complete_task', input: { result: 'Done.' } },
    ],
    hasMoments: true,
  },
};

const payload = z.looseObject({ hook_event_name: z.string() });

const programs = await installClients([geminiPackage]);
const run = startRun();
const asked = process.argv.slice(2);
try {
  for (const [name, one] of Object.entries(cases)) {
    if (asked.length === 0 || asked.includes(name)) await record(name, one, run);
  }
} finally {
  await run.stop();
}

async function record(name: string, { files = {}, link, calls, hasMoments = false }: Case, inRun: Run): Promise<void> {
  const base = join(inRun.directory, name);
  const [folder, log] = [join(base, 'project'), join(base, 'hooks.jsonl')];
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  if (link !== undefined) symlinkSync(link[1], join(folder, link[0]));
  const entry = [
    {
      matcher: '^(replace|write_file|run_shell_command)$',
      hooks: [{ type: 'command', command: `(cat; echo) >> '${log}'` }],
    },
  ];
  const ofMoment = entry.map(({ hooks: commands }) => ({ hooks: commands }));
  const script = calls.map((call) => ('tool' in call ? [call] : call).map((each) => inFolder(each, folder)));
  const { requests } = await runGemini(
    {
      program: join(programs, geminiPackage.program),
      home: join(base, 'home'),
      folder,
      script: [...script, 'Done.'],
      hooks: {
        BeforeTool: entry,
        AfterTool: entry,
        ...(hasMoments && { SessionStart: ofMoment, AfterAgent: ofMoment, SessionEnd: ofMoment }),
      },
      approvalMode: 'yolo',
    },
    inRun,
  );
  const hooks = linesOf(log).map((line) => ({
    ...payload.parse(JSON.parse(line.replaceAll(folder, '/project'))),
    session_id: '11111111-1111-4111-8111-111111111111',
    transcript_path: '/home/user/.gemini/tmp/project/chats/session-11111111.jsonl',
    timestamp: '2026-11-24T12:00:00.000Z',
  }));
  const told: unknown = JSON.parse(JSON.stringify(requests.slice(1).map(toldOfGemini)).replaceAll(folder, '/project'));
  await writeRecording(join(recordings, `${name}.json`), { files, link, hooks, after: filesBelow(folder), told });
  process.stdout.write(`${name}: ${hooks.map((hook) => hook.hook_event_name).join(' ')}\n`);
}

function inFolder({ tool, input }: ToolCall, folder: string): ToolCall {
  const value: unknown = JSON.parse(JSON.stringify(input).replaceAll('"/project/', `"${folder}/`));
  return { tool, input: z.looseObject({}).parse(value) };
}
