// node test/clients/recordOpencodeHooks.ts [CASE...]: records what the hook program gets from the real opencode by our plugin.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import * as z from 'zod';
import { opencodePlugin } from '#connect/assistants/opencodePlugin.ts';
import { repository } from '../host/hostFolder.ts';
import { type Run, startRun } from '../host/processes.ts';
import { installClients } from './install.ts';
import { opencodePackage, runOpencode } from './opencodeRun.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import { toldOf } from './scriptedModel.ts';

const recordings = join(repository, 'test/bridge/hook/recorded/opencode');

interface Case {
  /** Text of each file by its path in the project; UTF-16 for a name that begins so. */
  readonly files?: Readonly<Record<string, string>>;
  /** The target of each link by its path. */
  readonly links?: Readonly<Record<string, string>>;
  /** Messages of the model. Paths below `/project` become paths of the project. */
  readonly calls: readonly (ToolCall | readonly ToolCall[])[];
  readonly model?: string;
  readonly configuration?: object;
  /** The calls are made by a subagent. */
  readonly isSubagent?: boolean;
}

const edit = (file: string, oldString: string, newString: string, more: object = {}): ToolCall => ({
  tool: 'edit',
  input: { filePath: `/project/${file}`, oldString, newString, ...more },
});
const write = (file: string, content: string): ToolCall => ({
  tool: 'write',
  input: { filePath: `/project/${file}`, content },
});
const patch = (...lines: readonly string[]): ToolCall => ({
  tool: 'apply_patch',
  input: { patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') },
});
const model = 'gpt-5';

const cases: Readonly<Record<string, Case>> = {
  edit: { files: { 'a.ts': 'one\ntwo\n' }, calls: [edit('a.ts', 'one', 'ONE')] },
  editReplaceAll: { files: { 'a.ts': 'x\ny\nx\nx\n' }, calls: [edit('a.ts', 'x', 'z', { replaceAll: true })] },
  editReplaceAllDollars: { files: { 'a.ts': 'x\nx\n' }, calls: [edit('a.ts', 'x', 'a$&b', { replaceAll: true })] },
  editTwoMatches: { files: { 'a.ts': 'x\nx\n' }, calls: [edit('a.ts', 'x', 'y')] },
  editCrlf: { files: { 'a.ts': 'one\r\ntwo\r\nthree\r\n' }, calls: [edit('a.ts', 'one\ntwo', 'ONE\nTWO\nNEW')] },
  editMixedLineEnds: { files: { 'a.ts': 'one\r\ntwo\nthree\n' }, calls: [edit('a.ts', 'three', 'THREE\nNEW')] },
  editCurlyQuotes: { files: { 'a.ts': 'say “hi”, it’s me\nx\n' }, calls: [edit('a.ts', 'say "hi", it\'s me', 'bye')] },
  editTabsForBlanks: { files: { 'a.ts': '\tone\ntwo\n' }, calls: [edit('a.ts', '    one', '    ONE')] },
  editTrailingBlanks: { files: { 'a.ts': 'one\ntwo\n' }, calls: [edit('a.ts', 'one', 'ONE  \nend\t')] },
  editDeletesLine: { files: { 'a.ts': 'one\ntwo\nthree\n' }, calls: [edit('a.ts', 'two', '')] },
  editDollars: { files: { 'a.ts': 'one\ntwo\n' }, calls: [edit('a.ts', 'one', 'a$&b$1c$$d')] },
  editNoFinalNewline: { files: { 'a.ts': 'one\ntwo' }, calls: [edit('a.ts', 'two', 'TWO')] },
  editBom: { files: { 'a.ts': '\uFEFFone\ntwo\n' }, calls: [edit('a.ts', 'one', 'ONE')] },
  editUtf16: { files: { 'utf16.ts': 'one\ntwo\n' }, calls: [edit('utf16.ts', 'one', 'ONE')] },
  editCreates: { calls: [edit('d/n.ts', '', 'new\nfile\n')] },
  editEmptyFile: { files: { 'a.ts': '' }, calls: [edit('a.ts', '', 'new\n')] },
  editTwice: { files: { 'a.ts': 'x\nb\n' }, calls: [[edit('a.ts', 'x', 'y'), edit('a.ts', 'b', 'c')]] },
  editRelativePath: {
    files: { 'a.ts': 'x\n' },
    calls: [{ tool: 'edit', input: { filePath: './d/../a.ts', oldString: 'x', newString: 'y' } }],
  },
  editLink: { files: { 'a.ts': 'x\n' }, links: { 'l.ts': 'a.ts' }, calls: [edit('l.ts', 'x', 'y')] },
  editFormatted: {
    files: { 'a.ts': 'x\n' },
    calls: [edit('a.ts', 'x', 'y')],
    configuration: {
      formatter: { upper: { command: ['/bin/sh', '-c', 'echo formatted >>"$0"', '$FILE'], extensions: ['.ts'] } },
    },
  },
  editInSubagent: { files: { 'a.ts': 'x\n' }, calls: [edit('a.ts', 'x', 'y')], isSubagent: true },
  writeCreates: { calls: [write('d/n.ts', 'new\nfile\n')] },
  writeOverwrites: { files: { 'a.ts': 'x\n' }, calls: [write('a.ts', 'y\n')] },
  writeOverCrlf: { files: { 'a.ts': 'x\r\ny\r\n' }, calls: [write('a.ts', 'q\nr\n')] },
  writeOverBom: { files: { 'a.ts': '\uFEFFx\n' }, calls: [write('a.ts', 'y\n')] },
  patch: {
    model,
    files: { 'a.ts': 'one\ntwo\n' },
    calls: [patch('*** Update File: a.ts', '@@', '-one', '+ONE', ' two')],
  },
  patchSeveral: {
    model,
    files: { 'a.ts': 'one\ntwo\n', 'b.ts': 'x\ny\n', 'c.ts': 'gone\n' },
    calls: [
      patch(
        '*** Add File: d/n.ts',
        '+new',
        '+file',
        '*** Update File: /project/a.ts',
        '@@',
        ' one',
        '-two',
        '+TWO',
        '*** Update File: b.ts',
        '*** Move to: d/m.ts',
        '@@',
        '-x',
        '+X',
        '*** Delete File: c.ts',
      ),
    ],
  },
  patchCrlf: {
    model,
    files: { 'a.ts': 'one\r\ntwo\r\nthree\r\n' },
    calls: [patch('*** Update File: a.ts', '@@', ' one', '-two', '+TWO')],
  },
  patchNoFinalNewline: {
    model,
    files: { 'a.ts': 'one\ntwo' },
    calls: [patch('*** Update File: a.ts', '@@', ' one', '-two', '+TWO')],
  },
  patchCurlyQuotes: {
    model,
    files: { 'a.ts': 'say “hi”\nx\n' },
    calls: [patch('*** Update File: a.ts', '@@', '-say "hi"', '+bye')],
  },
  bash: { calls: [{ tool: 'bash', input: { command: 'echo hi > n.txt', description: 'Writes a file' } }] },
  commands: {
    files: { 'd/a.txt': 'x\n' },
    configuration: { shell: '/bin/bash' },
    calls: [
      { tool: 'bash', input: { command: 'true', description: 'Does nothing' } },
      { tool: 'bash', input: { command: 'cat a.txt', workdir: 'd', description: 'Reads' } },
      { tool: 'bash', input: { command: 'exit 3', description: 'Fails' } },
    ],
  },
  commandInSubagent: {
    calls: [{ tool: 'bash', input: { command: 'true', description: 'Runs' } }],
    isSubagent: true,
  },
};

const payload = z.looseObject({ drawbridge: z.literal('opencode'), event: z.string() });

const programs = await installClients([opencodePackage]);
const run = startRun();
const asked = process.argv.slice(2);
try {
  for (const [name, one] of Object.entries(cases))
    if (asked.length === 0 || asked.includes(name)) await record(name, one, run);
} finally {
  await run.stop();
}

async function record(name: string, one: Case, inRun: Run): Promise<void> {
  const base = join(inRun.directory, name);
  const folder = join(base, 'project');
  const log = join(base, 'hooks.jsonl');
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(one.files ?? {})) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text, encodingOf(path));
  }
  for (const [path, target] of Object.entries(one.links ?? {})) symlinkSync(target, join(folder, path));
  const result = await runOpencode(
    {
      program: join(programs, opencodePackage.program),
      // All runs share this folder, because opencode installs a package of its own into it.
      home: join(inRun.directory, 'home'),
      folder,
      ...scriptOf(one, folder),
      ...(one.model !== undefined && { model: one.model }),
      ...(one.configuration !== undefined && { configuration: one.configuration }),
      plugin: opencodePlugin({ command: launcherWritingTo(log, base), args: [] }),
    },
    inRun,
  );
  const lines = existsSync(log)
    ? readFileSync(log, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
  const recording = {
    files: one.files ?? {},
    links: one.links ?? {},
    hooks: lines.map((line) => withoutMachine(line, base)),
    after: filesBelow(folder),
    // JSON of the messages after each call; of a subagent's conversation it would be its whole instructions.
    told:
      one.isSubagent === true
        ? []
        : result.requests
            .slice(1)
            .map((request) =>
              JSON.parse(toldOf(request).replaceAll(folder, '/project').replaceAll(folder.slice(1), 'project'), words),
            ),
  };
  mkdirSync(recordings, { recursive: true });
  const file = join(recordings, `${name}.json`);
  rmSync(file, { force: true });
  // A byte order mark is invisible in the file unless it is escaped.
  const json = JSON.stringify(recording).replaceAll('\uFEFF', '\\uFEFF');
  writeFileSync(file, await format(json, { ...(await resolveConfig(file)), parser: 'json' }));
  process.stdout.write(`${name}: ${recording.hooks.map((hook) => hook.event).join(' ')}\n`);
}

function encodingOf(path: string): 'utf16le' | 'utf8' {
  return path.startsWith('utf16') ? 'utf16le' : 'utf8';
}

function scriptOf(one: Case, folder: string): { script: readonly Turn[]; subagents?: Record<string, readonly Turn[]> } {
  const messages = one.calls.map((calls) =>
    [calls].flat().map(({ tool, input }) => ({
      tool,
      input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, inFolder(value, folder)])),
    })),
  );
  const turns: Turn[] = [...messages, 'Done.'];
  if (one.isSubagent !== true) return { script: turns };
  const prompt = 'Edit as the subagent.';
  const input = { description: 'Edits', prompt, subagent_type: 'general' };
  return { script: [[{ tool: 'task', input }], 'Done.'], subagents: { [prompt]: turns } };
}

function inFolder(value: unknown, folder: string): unknown {
  return typeof value === 'string' ? value.replaceAll('/project/', `${folder}/`) : value;
}

/** Writes a launcher that only writes down its input, which is one line of JSON. */
function launcherWritingTo(log: string, base: string): string {
  mkdirSync(join(base, 'state/bin'), { recursive: true });
  const launcher = join(base, 'state/bin/drawbridge');
  writeFileSync(launcher, `#!/bin/sh\nread -r line\nprintf '%s\\n' "$line" >>'${log}'\n`);
  chmodSync(launcher, 0o755);
  return launcher;
}

/** Replaces what differs from machine to machine and from run to run. */
function withoutMachine(line: string, base: string): z.infer<typeof payload> {
  const hook = payload.parse(JSON.parse(line.replaceAll(`${base}/project`, '/project')));
  return {
    ...hook,
    sessionID: 'ses_1',
    ...('messageID' in hook ? { messageID: 'msg_1' } : {}),
    ...('agent' in hook
      ? { agent: { id: 'ses_2', kind: z.object({ kind: z.string() }).parse(hook['agent']).kind } }
      : {}),
  };
}

/** Leaves out the marks for the cache of the model's service, which are no words. */
function words(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}

function filesBelow(folder: string): Readonly<Record<string, string>> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    paths
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path), encodingOf(path))]),
  );
}
