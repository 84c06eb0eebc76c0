// node test/clients/recordCopilotHooks.ts [NAME...]: records what the hooks of the real GitHub Copilot CLI get, for the tests of our hook program.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { repository } from '../host/hostFolder.ts';
import { type Run, startRun } from '../host/processes.ts';
import { copilotPackage, runCopilot } from './copilotRun.ts';
import { installClients } from './install.ts';
import { type Files, filesBelow, linesOf, writeFiles, writeRecording } from './recording.ts';
import { toldOf } from './scriptedModel.ts';

const recordings = join(repository, 'test/bridge/hook/recorded/copilot');

interface Call {
  readonly tool: string;
  readonly input: object;
}

interface Case {
  readonly files?: Files;
  /** Name and target of a link in the project. */
  readonly link?: readonly [name: string, target: string];
  /** One message each, or several calls in one message. Paths below `/project` become paths of the project. */
  readonly calls: readonly (Call | readonly Call[])[];
  readonly model?: string;
  /** The hooks of the session's moments are recorded too. */
  readonly hasMoments?: boolean;
}

const edit = (file: string, old_str: string, new_str: string): Call => ({
  tool: 'edit',
  input: { path: `/project/${file}`, old_str, new_str },
});
const create = (file: string, file_text: string): Call => ({
  tool: 'create',
  input: { path: `/project/${file}`, file_text },
});
/** A call of a model that is offered patches. */
const patch = (...lines: readonly string[]): Pick<Case, 'model' | 'calls'> => {
  const input = ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n');
  return { model: 'gpt-5.1-codex', calls: [{ tool: 'apply_patch', input: { input } }] };
};

const cases: Readonly<Record<string, Case>> = {
  edit: { files: { 'a.txt': 'one\ntwo\n' }, calls: [edit('a.txt', 'one', 'ONE')] },
  editTwoMatches: { files: { 'a.txt': 'x\nx\n' }, calls: [edit('a.txt', 'x', 'y')] },
  editCrlf: { files: { 'a.txt': 'one\r\ntwo\r\nthree\r\n' }, calls: [edit('a.txt', 'one\ntwo', 'ONE\nTWO\nNEW')] },
  editMixedLineEnds: {
    files: { 'a.txt': 'one\r\ntwo\nthree\nfour\n' },
    calls: [edit('a.txt', 'three', 'THREE\nNEW')],
  },
  editCurlyQuotes: {
    files: { 'a.txt': 'say “hi”, it’s me\nx\n' },
    calls: [edit('a.txt', 'say "hi", it\'s me', 'bye')],
  },
  editTabsForBlanks: { files: { 'a.txt': '\tone\n' }, calls: [edit('a.txt', '    one', '    ONE')] },
  editDollars: { files: { 'a.txt': 'one\ntwo\n' }, calls: [edit('a.txt', 'one', 'a$&b$1c$$d')] },
  editDeletesLine: { files: { 'a.txt': 'one\ntwo\nthree\n' }, calls: [edit('a.txt', 'two', '')] },
  editDeletesLineCrlf: { files: { 'a.txt': 'one\r\ntwo\r\nthree\r\n' }, calls: [edit('a.txt', 'two', '')] },
  editDeletesLastLine: { files: { 'a.txt': 'one\ntwo' }, calls: [edit('a.txt', 'two', '')] },
  editDeletesLineEnd: { files: { 'a.txt': 'one\ntwo\nthree\n' }, calls: [edit('a.txt', '\ntwo', '')] },
  editDeletesPart: { files: { 'a.txt': 'one;\ntwo\n' }, calls: [edit('a.txt', ';', '')] },
  editNoFinalNewline: { files: { 'a.txt': 'one\ntwo' }, calls: [edit('a.txt', 'two', 'TWO')] },
  editAddsFinalNewline: { files: { 'a.txt': 'one\ntwo' }, calls: [edit('a.txt', 'two', 'TWO\n')] },
  editAllText: { files: { 'a.txt': 'one\n' }, calls: [edit('a.txt', 'one\n', '')] },
  editBom: { files: { 'a.txt': '\uFEFFone\ntwo\n' }, calls: [edit('a.txt', 'one', 'ONE')] },
  editEmptyFile: { files: { 'a.txt': '' }, calls: [edit('a.txt', '', 'new\n')] },
  editWithoutOldText: {
    files: { 'a.txt': 'x\n' },
    calls: [{ tool: 'edit', input: { path: '/project/a.txt', new_str: 'y' } }],
  },
  editRelativePath: {
    files: { 'a.txt': 'x\n' },
    calls: [{ tool: 'edit', input: { path: 'a.txt', old_str: 'x', new_str: 'y' } }],
  },
  editLink: { files: { 'a.txt': 'x\n' }, link: ['l.txt', 'a.txt'], calls: [edit('l.txt', 'x', 'y')] },
  editTwice: {
    files: { 'a.txt': 'x\nb\n' },
    calls: [[edit('a.txt', 'x', 'y'), edit('a.txt', 'b', 'c'), create('b.txt', 'b\n')]],
  },
  editInSubagent: {
    files: { 'a.txt': 'x\n' },
    calls: [
      {
        tool: 'task',
        input: { agent_type: 'general-purpose', name: 'editor', description: 'Edits', prompt: 'Edit.', mode: 'sync' },
      },
      edit('a.txt', 'x', 'y'),
    ],
  },
  create: { calls: [create('n.txt', 'new\r\nfile')] },
  createEmpty: { calls: [create('n.txt', '')] },
  createInNewFolder: { calls: [create('d/n.txt', 'new\n')] },
  createOverwrites: { files: { 'a.txt': 'x\n' }, calls: [create('a.txt', 'y\n')] },
  patch: {
    files: { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' },
    ...patch(
      '*** Update File: a.txt',
      '*** Move to: d/z.txt',
      '@@',
      '-one',
      '+ONE',
      ' two',
      '*** Add File: n.txt',
      '+new',
      '*** Delete File: b.txt',
    ),
  },
  patchCrlf: {
    files: { 'a.txt': 'one\r\ntwo\r\n' },
    ...patch('*** Update File: a.txt', '@@', '-one', '+ONE', ' two'),
  },
  patchAbsolutePath: {
    files: { 'a.txt': 'one\ntwo\n' },
    ...patch('*** Update File: /project/a.txt', '@@', '-one', '+ONE', ' two'),
  },
  patchTrailingBlanks: {
    files: { 'a.txt': 'one  \ntwo\n' },
    ...patch('*** Update File: a.txt', '@@', '-one', '+ONE', ' two'),
  },
  bash: { calls: [{ tool: 'bash', input: { command: 'echo hi > n.txt', description: 'Writes a file' } }] },
  commands: {
    files: { 'd/a.txt': 'x\n' },
    calls: [
      { tool: 'bash', input: { command: 'cd d', description: 'Goes' } },
      { tool: 'bash', input: { command: 'cat a.txt', description: 'Reads' } },
      { tool: 'bash', input: { command: 'exit 3', description: 'Fails' } },
      { tool: 'bash', input: { command: 'cat', description: 'Waits', mode: 'async', shellId: 'one' } },
      { tool: 'write_bash', input: { shellId: 'one', input: 'typed{enter}', delay: 1 } },
    ],
    hasMoments: true,
  },
  commandInSubagent: {
    calls: [
      {
        tool: 'task',
        input: { agent_type: 'general-purpose', name: 'runner', description: 'Runs', prompt: 'Run.', mode: 'sync' },
      },
      { tool: 'bash', input: { command: 'true', description: 'Runs' } },
    ],
    hasMoments: true,
  },
};

const payload = z.looseObject({ sessionId: z.string() });
const events = ['preToolUse', 'permissionRequest', 'postToolUse', 'postToolUseFailure'] as const;
const moments = ['sessionStart', 'agentStop', 'sessionEnd'] as const;

const programs = await installClients([copilotPackage]);
const run = startRun();
const asked = process.argv.slice(2);
try {
  for (const [name, one] of Object.entries(cases)) {
    if (asked.length === 0 || asked.includes(name)) await record(name, one, run);
  }
} finally {
  await run.stop();
}

async function record(
  name: string,
  { files = {}, link, calls, model, hasMoments = false }: Case,
  inRun: Run,
): Promise<void> {
  const base = join(inRun.directory, name);
  const [folder, log] = [join(base, 'project'), join(base, 'hooks')];
  mkdirSync(folder, { recursive: true });
  writeFiles(folder, files);
  if (link !== undefined) symlinkSync(link[1], join(folder, link[0]));
  const hookOf = (event: string): object => ({
    type: 'command',
    // Hooks run at the same time, so that a line must be written at once.
    bash: `printf '%s %s\\n' ${event} "$(cat)" >> '${log}'`,
  });
  const script = calls.map((call) => ('tool' in call ? [call] : call).map((each) => inFolder(each, folder)));
  const { requests } = await runCopilot(
    {
      program: join(programs, copilotPackage.program),
      home: join(base, 'home'),
      folder,
      script: [...script, 'Done.'],
      hookFile: {
        version: 1,
        hooks: Object.fromEntries([...events, ...(hasMoments ? moments : [])].map((event) => [event, [hookOf(event)]])),
      },
      ...(model !== undefined && { model }),
      allowsAll: true,
    },
    inRun,
  );
  const hooks = linesOf(log).map((line) => {
    const [, event = '', json = ''] = /^(\w+) (.*)$/.exec(line.replaceAll(folder, '/project')) ?? [];
    const given = payload.parse(JSON.parse(json));
    const sessionId = '11111111-1111-4111-8111-111111111111';
    const ids = {
      sessionId,
      timestamp: 1_795_521_600_000,
      ...('transcriptPath' in given && {
        transcriptPath: `/home/user/.copilot/session-state/${sessionId}/events.jsonl`,
      }),
      ...('agentId' in given && { agentId: '22222222-2222-4222-8222-222222222222', parentAgentId: sessionId }),
    };
    return { event, input: { ...given, ...ids } };
  });
  const told = requests.slice(1).map((request): unknown =>
    JSON.parse(
      toldOf(request).replaceAll(folder, '/project'),
      // Marks for the cache of the model's service are no words.
      (key, value: unknown) => (key === 'cache_control' || key === 'tool_use_id' ? undefined : value),
    ),
  );
  await writeRecording(join(recordings, `${name}.json`), { files, link, hooks, after: filesBelow(folder), told });
  process.stdout.write(`${name}: ${hooks.map(({ event }) => event).join(' ')}\n`);
}

function inFolder({ tool, input }: Call, folder: string): Call {
  const text = JSON.stringify(input).replaceAll('"/project/', `"${folder}/`).replaceAll(' /project/', ` ${folder}/`);
  return { tool, input: z.looseObject({}).parse(JSON.parse(text)) };
}
