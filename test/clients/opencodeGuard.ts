/** Edits that the real opencode makes with its own tools, decided in the Approvals view of a real window. */
import { join } from 'node:path';
import { opencode } from '#connect/assistants/opencode.ts';
import { clickButton, decide, openGroups, readToEnd } from '../e2e/approvalsPage.ts';
import {
  crlf,
  decline,
  forty,
  type GuardCase,
  type GuardedAssistant,
  type GuardSetting,
  leaveOut,
  setUpGuard,
} from './guardCases.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import { opencodePackage, runOpencode } from './opencodeRun.ts';
import { toldOf } from './scriptedModel.ts';

/** opencode offers `edit` and `write` to Claude's models, and `apply_patch` to those of OpenAI. */
type OpencodeModel = 'claude' | 'gpt-5';

const edit = (filePath: string, oldString: string, newString: string, more: object = {}): ToolCall => ({
  tool: 'edit',
  input: { filePath, oldString, newString, ...more },
});

const cases: readonly GuardCase<OpencodeModel>[] = [
  {
    name: 'approved as a whole',
    files: { 'whole.txt': forty() },
    turns: (pathOf) => [[edit(pathOf('whole.txt'), 'line 3\n', 'LINE 3\n')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of whole\.txt/),
    after: { 'whole.txt': forty([3, 'LINE 3']) },
    told: /Edit applied successfully/,
    modes: ['claude'],
  },
  {
    name: 'a new file',
    files: {},
    turns: (pathOf) => [[{ tool: 'write', input: { filePath: pathOf('new.txt'), content: 'new' } }], 'Done.'],
    decide: (page) => decide(page, /^Approve .*new\.txt/),
    after: { 'new.txt': 'new' },
    told: /Wrote file successfully/,
    modes: ['claude'],
  },
  {
    name: 'approved in part, with CRLF',
    files: { 'part.txt': crlf(forty()) },
    turns: (pathOf) => [[edit(pathOf('part.txt'), forty(), forty([3, 'LINE 3'], [36, 'LINE 36']))], 'Done.'],
    async decide(page) {
      await leaveOut(page, 36, 'part.txt');
      await decide(page, /^Approve .*part\.txt/);
    },
    after: { 'part.txt': crlf(forty([3, 'LINE 3'])) },
    told: /Edit applied successfully.*The user changed this edit in VS Code before it was made.*-LINE 36/,
    modes: ['claude'],
  },
  {
    name: 'declined',
    files: { 'declined.txt': forty() },
    turns: (pathOf) => [[edit(pathOf('declined.txt'), 'line 3\n', 'X\n')], 'Done.'],
    decide: (page) => decline(page, 'declined.txt'),
    after: { 'declined.txt': forty() },
    told: /The user declined this edit/,
    modes: ['claude'],
  },
  {
    name: 'two edits of one message, which wait at once',
    files: { 'one.txt': forty(), 'two.txt': forty() },
    turns: (pathOf) => [
      [edit(pathOf('one.txt'), 'line 3\n', 'LINE 3\n'), edit(pathOf('two.txt'), 'line 36\n', 'LINE 36\n')],
      'Done.',
    ],
    cards: 2,
    async decide(page) {
      await openGroups(page, 2);
      await decide(page, /^Approve edit of two\.txt/);
      await decide(page, /^Approve edit of one\.txt/);
    },
    after: { 'one.txt': forty([3, 'LINE 3']), 'two.txt': forty([36, 'LINE 36']) },
    told: /applied successfully.*applied successfully/,
    modes: ['claude'],
  },
  {
    name: 'mixed line ends, which the window writes',
    files: { 'mixed.txt': forty().replace('line 1\n', 'line 1\r\n') },
    turns: (pathOf) => [[edit(pathOf('mixed.txt'), 'line 3\n', 'X\n')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of mixed\.txt/),
    after: { 'mixed.txt': forty([3, 'X']).replace('line 1\n', 'line 1\r\n') },
    told: /The user applied this edit in VS Code/,
    modes: ['claude'],
  },
  {
    name: 'a patch of several files',
    files: { 'old.txt': crlf(forty()), 'gone.txt': 'gone\n' },
    turns: () => {
      const hunks = ['@@', '-line 3', '+LINE 3', ' line 4', '@@', '-line 36', '+LINE 36'];
      const files = ['*** Add File: added.txt', '+new', '*** Update File: old.txt', ...hunks];
      const lines = ['*** Begin Patch', ...files, '*** Delete File: gone.txt', '*** End Patch'];
      return [[{ tool: 'apply_patch', input: { patchText: lines.join('\n') } }], 'Done.'];
    },
    async decide(page) {
      await leaveOut(page, 36, 'old.txt');
      await readToEnd(page, /^Approve/);
      await clickButton(page, /^Approve/);
    },
    after: { 'old.txt': crlf(forty([3, 'LINE 3'])), 'added.txt': 'new\n', 'gone.txt': undefined },
    told: /Success\. Updated the following files.*The user changed this edit/,
    modes: ['gpt-5'],
  },
];

export const guardedOpencode: GuardedAssistant<OpencodeModel> = {
  name: 'opencode',
  id: opencode.id,
  cases,
  oneEdit: { turns: (path) => [[edit(path, 'line 3\n', 'LINE 3\n')], 'Done.'], mode: 'claude' },
  commands: {
    call: (command) => ({ tool: 'bash', input: { command, description: 'Runs a command' } }),
    mode: 'claude',
  },
  // Its first start installs a package of its own, which may take a minute.
  async connect(setting) {
    await setUpGuard(opencode, setting);
    await start(['Done.'], 'claude', setting);
  },
  async start(script, model, setting) {
    const { output, requests } = await start(script, model, setting);
    const last = requests.at(-1);
    return { output, told: last === undefined ? '' : toldOf(last) };
  },
};

function start(
  script: readonly Turn[],
  model: OpencodeModel,
  { run, userHome, folder, programs }: GuardSetting,
): ReturnType<typeof runOpencode> {
  const program = join(programs, opencodePackage.program);
  return runOpencode({ program, home: userHome, folder, script, ...(model !== 'claude' && { model }) }, run);
}
