// node test/clients/recordClaudeHooks.ts [NAME...]: records what the hooks of the real Claude Code get, for the tests of our hook program.
import { join } from 'node:path';
import * as z from 'zod';
import { repository } from '../host/hostFolder.ts';
import { type Run, startRun } from '../host/processes.ts';
import { claudeCodePackage, type ClaudeTask, type PermissionMode, runClaude } from './claudeRun.ts';
import { installClients } from './install.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import { type Files, filesBelow, linesOf, writeFiles, writeRecording } from './recording.ts';
import { type ModelRequest, toldOf } from './scriptedModel.ts';

const recordings = join(repository, 'test/bridge/hook/recorded/claudeCode');

interface Case {
  readonly files?: Files;
  /** One message each. Paths below `/project` become paths of the project. */
  readonly calls: readonly ToolCall[];
  readonly permissionMode?: PermissionMode;
  readonly args?: readonly string[];
  /** The calls are made by a subagent. */
  readonly isSubagent?: boolean;
  /** The hooks of the session's moments are recorded too. */
  readonly hasMoments?: boolean;
}

const edit = (file: string, old_string: string, new_string: string, more: object = {}): ToolCall => ({
  tool: 'Edit',
  input: { file_path: `/project/${file}`, old_string, new_string, ...more },
});
const write = (file: string, content: string): ToolCall => ({
  tool: 'Write',
  input: { file_path: `/project/${file}`, content },
});
const read = (file: string): ToolCall => ({ tool: 'Read', input: { file_path: `/project/${file}` } });
const bash = (command: string): ToolCall => ({ tool: 'Bash', input: { command, description: 'Runs a command' } });
/** A deferred tool: its schema is loaded first, and the notebook is read first. */
const notebookEdit = (input: object): readonly ToolCall[] => [
  { tool: 'ToolSearch', input: { query: 'select:NotebookEdit' } },
  read('n.ipynb'),
  { tool: 'NotebookEdit', input: { notebook_path: '/project/n.ipynb', ...input } },
];

const notebook = `${JSON.stringify(
  {
    cells: [
      { cell_type: 'markdown', id: 'c1', metadata: {}, source: ['# Title\n', 'text'] },
      { cell_type: 'code', execution_count: 3, id: 'c2', metadata: {}, outputs: [], source: 'print(1)' },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  },
  null,
  1,
)}\n`;

const cases: Readonly<Record<string, Case>> = {
  edit: { files: { 'a.ts': 'one\ntwo\n' }, calls: [read('a.ts'), edit('a.ts', 'one', 'ONE')] },
  editUnread: { files: { 'a.ts': 'one\ntwo\n' }, calls: [edit('a.ts', 'one', 'ONE')] },
  editReplaceAll: {
    files: { 'a.ts': 'x\ny\nx\nx\n' },
    calls: [read('a.ts'), edit('a.ts', 'x', 'z', { replace_all: true })],
  },
  editTwoMatches: { files: { 'a.ts': 'x\nx\n' }, calls: [read('a.ts'), edit('a.ts', 'x', 'y')] },
  editCrlf: {
    files: { 'a.ts': 'one\r\ntwo\r\nthree\r\n' },
    calls: [read('a.ts'), edit('a.ts', 'one\ntwo', 'ONE\nTWO\nNEW')],
  },
  editMixedLineEnds: {
    files: { 'a.ts': 'one\r\ntwo\nthree\nfour\n' },
    calls: [read('a.ts'), edit('a.ts', 'three', 'THREE')],
  },
  editCurlyQuotes: {
    files: { 'a.ts': 'say “hi”, it’s me\nx\n' },
    calls: [read('a.ts'), edit('a.ts', 'say "hi", it\'s me', "say \"bye\", it's 'me'")],
  },
  editTrailingBlanks: {
    files: { 'a.ts': 'one\ntwo\n', 'a.md': 'one\ntwo\n' },
    calls: [read('a.ts'), read('a.md'), edit('a.ts', 'one', 'ONE  \nend\t'), edit('a.md', 'one', 'ONE  \nend\t')],
  },
  editDeletesLine: { files: { 'a.ts': 'one\ntwo\nthree\n' }, calls: [read('a.ts'), edit('a.ts', 'two', '')] },
  editDollars: { files: { 'a.ts': 'one\ntwo\n' }, calls: [read('a.ts'), edit('a.ts', 'one', 'a$&b$1c$$d')] },
  editNoFinalNewline: { files: { 'a.ts': 'one\ntwo' }, calls: [read('a.ts'), edit('a.ts', 'two', 'TWO')] },
  editBom: { files: { 'a.ts': '\uFEFFone\ntwo\n' }, calls: [read('a.ts'), edit('a.ts', 'one', 'ONE')] },
  editCreates: { calls: [edit('d/n.ts', '', 'new\nfile\n')] },
  editEmptyFile: { files: { 'a.ts': '' }, calls: [read('a.ts'), edit('a.ts', '', 'new\n')] },
  editTwice: {
    files: { 'a.ts': 'x\nb\n' },
    calls: [read('a.ts'), edit('a.ts', 'x', 'y'), edit('a.ts', 'b', 'c')],
  },
  editRelativePath: {
    files: { 'a.ts': 'x\n' },
    calls: [{ tool: 'Edit', input: { file_path: './d/../a.ts', old_string: 'x', new_string: 'y' } }],
  },
  editInSubagent: { files: { 'a.ts': 'x\n' }, calls: [edit('a.ts', 'x', 'y')], isSubagent: true },
  editBypass: { files: { 'a.ts': 'x\n' }, calls: [edit('a.ts', 'x', 'y')], permissionMode: 'bypassPermissions' },
  editPlan: { files: { 'a.ts': 'x\n' }, calls: [edit('a.ts', 'x', 'y')], permissionMode: 'plan' },
  writeCreates: { calls: [write('d/n.ts', 'new\nfile\n')] },
  writeOverwrites: { files: { 'a.ts': 'x\n' }, calls: [write('a.ts', 'y\n')] },
  writeOverCrlf: { files: { 'a.ts': 'x\r\ny\r\n' }, calls: [read('a.ts'), write('a.ts', 'q\nr\n')] },
  notebookReplace: { files: { 'n.ipynb': notebook }, calls: notebookEdit({ cell_id: 'c2', new_source: 'print(2)' }) },
  notebookInsert: {
    files: { 'n.ipynb': notebook },
    calls: notebookEdit({ cell_id: 'c1', cell_type: 'code', edit_mode: 'insert', new_source: 'a\nb\n' }),
  },
  notebookDelete: {
    files: { 'n.ipynb': notebook },
    calls: notebookEdit({ cell_id: 'c1', edit_mode: 'delete', new_source: '' }),
  },
  bash: { calls: [bash('echo hi > n.txt')], args: ['--allowedTools', 'Bash'] },
  commands: {
    files: { 'd/a.txt': 'x\n' },
    calls: [bash('cd d'), bash('cat a.txt'), bash('exit 3')],
    permissionMode: 'bypassPermissions',
    hasMoments: true,
  },
  commandUnsandboxed: {
    calls: [{ tool: 'Bash', input: { command: 'true', dangerouslyDisableSandbox: true } }],
    permissionMode: 'bypassPermissions',
  },
  commandInSubagent: {
    calls: [bash('true')],
    permissionMode: 'bypassPermissions',
    isSubagent: true,
    hasMoments: true,
  },
};

const payload = z.looseObject({ hook_event_name: z.string() });
type Payload = z.infer<typeof payload>;

const programs = await installClients([claudeCodePackage]);
const run = startRun();
const asked = process.argv.slice(2);
try {
  for (const [name, one] of Object.entries(cases)) {
    if (asked.length === 0 || asked.includes(name)) await record(name, one, run);
  }
} finally {
  await run.stop();
}

async function record(name: string, one: Case, inRun: Run): Promise<void> {
  const base = join(inRun.directory, name);
  const folder = join(base, 'project');
  const log = join(base, 'hooks.jsonl');
  writeFiles(folder, one.files ?? {});
  const result = await runClaude(
    {
      program: join(programs, claudeCodePackage.program),
      home: join(base, 'home'),
      folder,
      ...scriptOf(one, folder),
      permissionMode: one.permissionMode ?? 'acceptEdits',
      settings: { hooks: hooksWritingTo(log, one.hasMoments === true) },
      args: one.args ?? [],
    },
    inRun,
  );
  const recording = {
    files: one.files ?? {},
    hooks: linesOf(log).map((line) => withoutMachine(line, base)),
    after: filesBelow(folder),
    // JSON of the messages after each call; of a subagent's conversation it would be its whole instructions.
    told: one.isSubagent === true ? [] : result.requests.slice(1).map((request) => told(request, folder)),
  };
  await writeRecording(join(recordings, `${name}.json`), recording);
  process.stdout.write(`${name}: ${recording.hooks.map((hook) => hook.hook_event_name).join(' ')}\n`);
}

function scriptOf(one: Case, folder: string): Pick<ClaudeTask, 'script' | 'subagents'> {
  const calls = one.calls.map(({ tool, input }) => ({
    tool,
    input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, inFolder(value, folder)])),
  }));
  const turns: Turn[] = [...calls.map((call) => [call]), 'Done.'];
  if (one.isSubagent !== true) return { script: turns };
  const prompt = 'Edit as the subagent.';
  const input = { description: 'Edits', prompt, subagent_type: 'general-purpose' };
  return { script: [[{ tool: 'Agent', input }], 'Waiting.'], subagents: { [prompt]: turns } };
}

function inFolder(value: unknown, folder: string): unknown {
  return typeof value === 'string' ? value.replace(/^\/project\//, `${folder}/`) : value;
}

/** Hooks that only write down their input; the input is one line of JSON. */
function hooksWritingTo(log: string, hasMoments: boolean): object {
  const hooks = [{ type: 'command', command: `(cat; echo) >> '${log}'` }];
  const ofTools = [{ matcher: 'Edit|Write|NotebookEdit|Bash', hooks }];
  const ofMoments = [{ hooks }];
  return {
    PreToolUse: ofTools,
    PostToolUse: ofTools,
    ...(hasMoments && {
      PostToolUseFailure: ofTools,
      SessionStart: ofMoments,
      Stop: ofMoments,
      SessionEnd: ofMoments,
    }),
  };
}

/** Replaces what differs from machine to machine and from run to run. */
function withoutMachine(line: string, base: string): Payload {
  const session = '11111111-1111-4111-8111-111111111111';
  const hook = payload.parse(JSON.parse(line.replaceAll(`${base}/project`, '/project')));
  return {
    ...hook,
    session_id: session,
    transcript_path: `/home/user/.claude/projects/-project/${session}.jsonl`,
    ...('prompt_id' in hook ? { prompt_id: '22222222-2222-4222-8222-222222222222' } : {}),
    ...('agent_id' in hook ? { agent_id: 'a1234567890abcdef' } : {}),
    ...('duration_ms' in hook ? { duration_ms: 1 } : {}),
  };
}

function told(request: ModelRequest, folder: string): unknown {
  const text = toldOf(request).replaceAll(folder, '/project');
  // Marks for the cache of the model's service are no words.
  return JSON.parse(text, (key, value: unknown) => (key === 'cache_control' ? undefined : value));
}
