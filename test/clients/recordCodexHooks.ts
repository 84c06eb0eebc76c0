// node test/clients/recordCodexHooks.ts: records what the hooks of the real Codex get, and what it writes, for the tests of our hook.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import type { ApprovedFile } from '#base/nativeEdit.ts';
import { codexHook } from '#connect/hooks/codex.ts';
import { trustCodexHook } from '#connect/codexTrust.ts';
import { repository } from '../host/hostFolder.ts';
import { type Run, startRun } from '../host/processes.ts';
import { runCodexAppServer } from './codexAppServer.ts';
import { codexEnvironment, codexPackage, runCodex } from './codexRun.ts';
import { installClients } from './install.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import { type Files, filesBelow, linesOf, writeFiles, writeRecording } from './recording.ts';
import { type ResponsesRequest, toldOfResponses } from './scriptedResponsesModel.ts';

const recordings = join(repository, 'test/bridge/hook/recorded/codex');

interface Case {
  readonly files?: Files;
  /** The calls of each message. Paths below `/project` become paths of the project. */
  readonly messages: readonly (readonly ToolCall[])[];
  /** The files that the user approved, for which our hook answers; absent when it has no opinion. Paths are below `/project`. */
  readonly approved?: readonly ApprovedFile[];
  /** The calls are made by a subagent. */
  readonly isSubagent?: boolean;
  /** Codex is started as by an editor, and may write only after a question. */
  readonly isAsking?: boolean;
  /** The hooks of the session's moments are recorded too. */
  readonly hasMoments?: boolean;
}

const patch = (...lines: readonly string[]): ToolCall => ({
  tool: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});
const update = (file: string, ...lines: readonly string[]): ToolCall =>
  patch(`*** Update File: ${file}`, '@@', ...lines);
const shell = (cmd: string): ToolCall => ({ tool: 'exec_command', input: { cmd } });
const edited = (before: string, after: string, path = '/project/a.txt'): ApprovedFile => ({
  path,
  change: 'edit',
  texts: { before, after },
  isChanged: true,
});

/** The patch of the model is another one than the approved one. */
function exact(before: string, after: string): Case {
  return {
    files: { 'a.txt': before },
    messages: [[update('a.txt', '-no such line', '+x')]],
    approved: [edited(before, after)],
  };
}

const long = Array.from({ length: 150_000 }, (_, index) => `line ${index + 1}`).join('\n');

const cases: Readonly<Record<string, Case>> = {
  update: { files: { 'a.txt': 'one\ntwo\n' }, messages: [[update('a.txt', '-one', '+ONE', ' two')]] },
  updateAbsolutePath: { files: { 'a.txt': 'one\n' }, messages: [[update('/project/a.txt', '-one', '+ONE')]] },
  updateSeveralHunks: {
    files: { 'a.txt': 'a\nb\nc\nd\ne\n' },
    messages: [[update('a.txt', ' a', '-b', '+B', '@@', '-d', '+D', ' e')]],
  },
  updateAnchored: {
    files: { 'a.py': 'def one():\n    return 1\n\ndef two():\n    return 1\n' },
    messages: [[patch('*** Update File: a.py', '@@ def two():', '-    return 1', '+    return 2')]],
  },
  updateCurlyQuotes: {
    files: { 'a.txt': 'say “hi”, it’s me\nx\n' },
    messages: [[update('a.txt', '-say "hi", it\'s me', '+say "bye"', ' x')]],
  },
  updateTabsForBlanks: { files: { 'a.txt': 'a\n\tb\n' }, messages: [[update('a.txt', ' a', '-    b', '+    B')]] },
  updateTrailingBlanks: { files: { 'a.txt': 'a  \nb\n' }, messages: [[update('a.txt', ' a', '-b', '+B')]] },
  updateCrlf: { files: { 'a.txt': 'one\r\ntwo\r\n' }, messages: [[update('a.txt', '-one', '+ONE', '+NEW', ' two')]] },
  updateMixedLineEnds: {
    files: { 'a.txt': 'one\r\ntwo\nthree\n' },
    messages: [[update('a.txt', ' one', '-two', '+TWO', ' three')]],
  },
  updateTwoMatches: { files: { 'a.txt': 'x\nx\n' }, messages: [[update('a.txt', '-x', '+y')]] },
  updateDollars: { files: { 'a.txt': 'one\ntwo\n' }, messages: [[update('a.txt', '-one', '+a$&b$1c$$d', ' two')]] },
  updateNoFinalNewline: { files: { 'a.txt': 'one\ntwo' }, messages: [[update('a.txt', ' one', '-two', '+TWO')]] },
  updateUnicode: { files: { 'a.txt': 'naïve 👍\nx\n' }, messages: [[update('a.txt', ' naïve 👍', '-x', '+é\u2028z')]] },
  updateBom: { files: { 'a.txt': '\uFEFFone\ntwo\n' }, messages: [[update('a.txt', '-two', '+TWO')]] },
  updateOnlyAdds: { files: { 'a.txt': 'a\n' }, messages: [[update('a.txt', '+b')]] },
  updateEmptyFile: { files: { 'a.txt': '' }, messages: [[update('a.txt', '+new')]] },
  updateToEmpty: { files: { 'a.txt': 'one\n' }, messages: [[update('a.txt', '-one')]] },
  updateTwice: {
    files: { 'a.txt': 'x\nb\n' },
    messages: [[update('a.txt', '-x', '+y')], [update('a.txt', '-b', '+c')]],
  },
  twoCallsOfOneMessage: {
    files: { 'a.txt': 'x\nb\n' },
    messages: [[update('a.txt', '-x', '+y'), update('a.txt', '-b', '+c')]],
  },
  add: { messages: [[patch('*** Add File: d/n.txt', '+new', '+file')]] },
  addEmpty: { messages: [[patch('*** Add File: n.txt')]] },
  addOverwrites: { files: { 'a.txt': 'old\n' }, messages: [[patch('*** Add File: a.txt', '+new')]] },
  addOverCrlf: { files: { 'a.txt': 'old\r\nx\r\n' }, messages: [[patch('*** Add File: a.txt', '+new', '+x')]] },
  delete: { files: { 'a.txt': 'one\n', 'b.txt': 'b\n' }, messages: [[patch('*** Delete File: a.txt')]] },
  move: {
    files: { 'a.txt': 'one\ntwo\n' },
    messages: [[patch('*** Update File: a.txt', '*** Move to: d/b.txt', '@@', '-one', '+ONE', ' two')]],
  },
  severalFiles: {
    files: { 'a.txt': 'one\n', 'b.txt': 'b\n', 'c.txt': 'c\n' },
    messages: [
      [
        patch(
          '*** Add File: n.txt\n+new\n*** Delete File: b.txt\n*** Update File: a.txt\n@@\n-one\n+ONE',
          '*** Update File: c.txt\n*** Move to: m.txt\n@@\n-c\n+C',
        ),
      ],
    ],
  },
  noSuchText: { files: { 'a.txt': 'one\n' }, messages: [[update('a.txt', '-nothing', '+x')]] },
  updateInSubagent: { files: { 'a.txt': 'x\n' }, messages: [[update('a.txt', '-x', '+y')]], isSubagent: true },
  bash: { messages: [[shell('echo hi > n.txt')]] },
  commands: {
    files: { 'd/a.txt': 'x\n' },
    messages: [
      [{ tool: 'exec_command', input: { cmd: 'cat a.txt', workdir: 'd' } }],
      [shell('exit 3')],
      [{ tool: 'exec_command', input: { cmd: 'cat', tty: true, yield_time_ms: 500 } }],
      [{ tool: 'write_stdin', input: { session_id: '<session>', chars: 'typed\n', yield_time_ms: 500 } }],
    ],
    hasMoments: true,
  },
  commandEscalated: {
    messages: [
      [
        {
          tool: 'exec_command',
          input: { cmd: 'echo hi > n.txt', sandbox_permissions: 'require_escalated', justification: 'Why?' },
        },
      ],
    ],
    isAsking: true,
    hasMoments: true,
  },
  commandInSubagent: { messages: [[shell('true')]], isSubagent: true, hasMoments: true },
  patchInShell: {
    files: { 'a.txt': 'x\n' },
    messages: [
      [shell("apply_patch <<'EOF'\n*** Begin Patch\n*** Update File: a.txt\n@@\n-x\n+y\n*** End Patch\nEOF\n")],
    ],
  },
  question: {
    files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' },
    messages: [[patch('*** Update File: a.txt', '@@', '-one', '+ONE', '*** Update File: b.txt', '@@', '-x', '+y')]],
    approved: [edited('one\ntwo\n', 'ONE!\ntwo\n')],
    isAsking: true,
  },
  exactEdit: exact('one\ntwo\nthree\n', 'one\nTWO\nNEW\nthree\n'),
  exactTwins: exact('x\ny\nx\ny\n', 'x\ny\nx\nY\n'),
  exactCrlf: exact('one\r\n\r\ntwo\r\n', 'ONE\r\n\r\nNEW\r\ntwo\r\n'),
  exactToLf: exact('one\r\ntwo\r\n', 'ONE\ntwo\n'),
  exactFromEmpty: exact('', 'new\n\n'),
  exactToEmpty: exact('one\ntwo\n', ''),
  exactBlankLines: exact('a\n\n\nb\n\n', '\n\na\n \n\t\nb  \n\n\n'),
  exactMarkers: exact(
    '*** End of File\n@@\n+x\n-y\n\\ No newline\n',
    '*** End Patch\n@@ y\n*** Update File: z\n+x\n--y\n  \n',
  ),
  exactUnicode: exact('a\u00a0b “q”\nx\n', 'a b "q"\nx\u2028👍\u0085z\n'),
  exactDollars: exact('one\n', 'a$&b$1c$$d\n'),
  exactLong: exact(`${long}\n`, `${long.replace('line 75000\n', 'LINE\n\n')}\nend\n`),
  exactSeveral: {
    files: { 'a.txt': 'one\n', 'b c.txt': 'b\n' },
    messages: [[update('a.txt', '-one', '+x')]],
    approved: [
      edited('one\n', 'ONE\n'),
      edited('b\n', 'B\n', '/project/b c.txt'),
      { path: '/project/d/n.txt', change: 'create', texts: { before: '', after: 'new\n\nfile\n' }, isChanged: true },
      { path: '/project/empty.txt', change: 'create', texts: { before: '', after: '' }, isChanged: true },
    ],
  },
};

const moments = ['SessionStart', 'Stop', 'SessionEnd'];
const tools = 'apply_patch|Bash|write_stdin|exec_command|shell';

const subagentSettings = ['-c', 'features.multi_agent_v2=true'];

const payload = z.looseObject({ hook_event_name: z.string() });
type Payload = z.infer<typeof payload>;

const programs = await installClients([codexPackage]);
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
  const [home, folder, log] = [join(base, 'home'), join(base, 'project'), join(base, 'hooks.jsonl')];
  writeFiles(folder, one.files ?? {});
  const answers = one.approved && answersTo(JSON.parse(inFolder(JSON.stringify(one.approved), folder)));
  const hooks = hooksWritingTo(log, base, one.hasMoments === true, answers);
  const program = join(programs, codexPackage.program);
  const script = scriptOf(one, folder);
  const task = { program, home, folder, ...script };
  const requests =
    one.isAsking === true
      ? await runAsking(task, hooks, one.approved !== undefined, inRun)
      : (
          await runCodex(
            { ...task, hooks, sandbox: 'danger-full-access', args: one.isSubagent === true ? subagentSettings : [] },
            inRun,
          )
        ).requests;
  const recording = {
    files: one.files ?? {},
    ...(one.approved && { approved: one.approved }),
    hooks: linesOf(log).map((line) => withoutMachine(line, base)),
    after: filesBelow(folder),
    told: one.isSubagent === true ? [] : requests.slice(1).map((request) => told(request, base)),
  };
  // A text of this length would fill the recording.
  if (name !== 'exactLong') await writeRecording(join(recordings, `${name}.json`), recording);
  const isExact = one.approved?.every(
    ({ path, texts }) => recording.after[path.slice('/project/'.length)] === texts.after,
  );
  process.stdout.write(`${name}: ${recording.hooks.map((hook) => hook.hook_event_name).join(' ')} ${isExact ?? ''}\n`);
}

async function runAsking(
  task: Parameters<typeof runCodexAppServer>[0],
  hooks: object,
  isAnswered: boolean,
  inRun: Run,
): Promise<readonly ResponsesRequest[]> {
  const file = join(task.home, '.codex/hooks.json');
  mkdirSync(join(task.home, '.codex'), { recursive: true });
  writeFileSync(file, JSON.stringify({ hooks }));
  const trust = await trustCodexHook(task.program, file, codexEnvironment(task.home, inRun));
  if (trust !== 'trusted') throw new Error(`Codex has our hook as ${trust}`);
  const { requests, questions } = await runCodexAppServer(task, inRun);
  if (isAnswered && questions.length > 0) throw new Error(`Codex asked: ${questions.join(', ')}`);
  return requests;
}

function scriptOf(one: Case, folder: string): { script: readonly Turn[]; subagents?: Record<string, readonly Turn[]> } {
  const messages = one.messages.map((calls) =>
    calls.map(({ tool, input }) => ({ tool, input: callInFolder(input, folder) })),
  );
  const turns: Turn[] = [...messages, 'Done.'];
  if (one.isSubagent !== true) return { script: turns };
  const prompt = 'Edit as the subagent.';
  const spawn: ToolCall = {
    tool: 'collaboration.spawn_agent',
    input: { task_name: 'edits', message: prompt, fork_turns: 'none' },
  };
  const wait: ToolCall = { tool: 'collaboration.wait_agent', input: { timeout_ms: 20_000 } };
  return { script: [[spawn], [wait], 'Done.'], subagents: { [prompt]: turns } };
}

function callInFolder(input: ToolCall['input'], folder: string): ToolCall['input'] {
  return typeof input === 'string' ? inFolder(input, folder) : input;
}

function inFolder(text: string, folder: string): string {
  return text.replaceAll('/project/', `${folder}/`);
}

/** Returns what our hook prints for each event when the user approved these files. */
function answersTo(files: readonly ApprovedFile[]): Readonly<Record<string, string>> {
  const printed = (event: string): string => {
    const stub = { hook_event_name: event, session_id: '', turn_id: '', model: '', cwd: '/', tool_name: 'apply_patch' };
    return codexHook.answer({ ...stub, tool_input: { command: '' } }, { decision: 'allow', files, words: 'Words.' }, '')
      .stdout;
  };
  return Object.fromEntries(['PreToolUse', 'PermissionRequest', 'PostToolUse'].map((event) => [event, printed(event)]));
}

/** Hooks that write down their input, one line of JSON, and print an answer. Their command looks like that of our launcher. */
function hooksWritingTo(
  log: string,
  base: string,
  hasMoments: boolean,
  answers: Readonly<Record<string, string>> = {},
): object {
  const group = (event: string): object[] => {
    const program = join(base, event, 'bin/drawbridge');
    const file = join(base, `${event}.json`);
    writeFiles(join(base, event), { 'bin/drawbridge': `(cat; echo) >> '${log}'; cat '${file}'\n` });
    writeFileSync(file, answers[event] ?? '');
    const hooks = [{ type: 'command', command: `sh ${program} hook`, timeout: 60 }];
    return [{ ...(moments.includes(event) ? {} : { matcher: tools }), hooks }];
  };
  const events = ['PreToolUse', 'PermissionRequest', 'PostToolUse', ...(hasMoments ? moments : [])];
  return Object.fromEntries(events.map((event) => [event, group(event)]));
}

/** Replaces what differs from machine to machine and from run to run. */
function withoutMachine(line: string, base: string): Payload {
  const session = '11111111-1111-4111-8111-111111111111';
  const hook = payload.parse(JSON.parse(line.replaceAll(`${base}/project`, '/project')));
  return {
    ...hook,
    session_id: session,
    ...('turn_id' in hook ? { turn_id: '22222222-2222-4222-8222-222222222222' } : {}),
    transcript_path: `/home/user/.codex/sessions/2026/01/01/rollout-2026-01-01T00-00-00-${session}.jsonl`,
    ...('agent_id' in hook ? { agent_id: '33333333-3333-4333-8333-333333333333' } : {}),
  };
}

/** Returns the messages that are new to the model, without the ids and times of this run. */
function told(request: ResponsesRequest, base: string): unknown {
  const text = toldOfResponses(request).replaceAll(`${base}/project`, '/project');
  const words = text.replaceAll(/(?:Chunk ID: \w+|Wall time: [\d.]+ seconds)\\n/g, '');
  return JSON.parse(words, (key, value: unknown) => (key === 'id' ? undefined : value));
}
