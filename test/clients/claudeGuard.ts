/** Edits that the real Claude Code makes with its own tools, decided in the Approvals view of a real window. */
import { join } from 'node:path';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import { applyChange, planParts } from '#connect/configuration.ts';
import { decide } from '../e2e/approvalsPage.ts';
import { type PermissionMode, runClaude } from './claudeRun.ts';
import { crlf, decline, forty, type GuardCase, type GuardedAssistant, leaveOut } from './guardCases.ts';
import type { ToolCall } from './modelServer.ts';
import { toldOf } from './scriptedModel.ts';

const read = (path: string): ToolCall => ({ tool: 'Read', input: { file_path: path } });
const edit = (path: string, from: string, to: string): ToolCall => ({
  tool: 'Edit',
  input: { file_path: path, old_string: from, new_string: to, replace_all: false },
});
const write = (path: string, content: string): ToolCall => ({ tool: 'Write', input: { file_path: path, content } });

/** In `subagent`, the turns are those of a subagent, in the mode acceptEdits. */
type ClaudeMode = PermissionMode | 'subagent';

const modes: readonly ClaudeMode[] = ['acceptEdits'];

const cases: readonly GuardCase<ClaudeMode>[] = [
  {
    name: 'approved as a whole',
    files: { 'whole.txt': forty() },
    turns: (pathOf) => [[read(pathOf('whole.txt'))], [edit(pathOf('whole.txt'), 'line 3\n', 'LINE 3\n')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of whole\.txt/),
    after: { 'whole.txt': forty([3, 'LINE 3']) },
    told: /has been updated successfully/,
    modes: ['default', 'acceptEdits', 'auto', 'bypassPermissions', 'subagent'],
  },
  {
    name: 'approved in part',
    files: { 'part.txt': forty() },
    turns: (pathOf) => [
      [read(pathOf('part.txt'))],
      [write(pathOf('part.txt'), forty([3, 'LINE 3'], [36, 'LINE 36']))],
      'Done.',
    ],
    async decide(page) {
      await leaveOut(page, 36, 'part.txt');
      await decide(page, /^Approve .*part\.txt/);
    },
    after: { 'part.txt': forty([3, 'LINE 3']) },
    told: /The user changed this edit in VS Code before it was made.*-LINE 36/,
    modes,
  },
  {
    name: 'declined',
    files: { 'declined.txt': forty() },
    turns: (pathOf) => [[read(pathOf('declined.txt'))], [edit(pathOf('declined.txt'), 'line 3\n', 'X\n')], 'Done.'],
    decide: (page) => decline(page, 'declined.txt'),
    after: { 'declined.txt': forty() },
    told: /PreToolUse:Edit hook error: The user declined this edit/,
    modes,
  },
  {
    name: 'two edits of one message',
    files: { 'two.txt': forty() },
    turns: (pathOf) => [
      [read(pathOf('two.txt'))],
      [edit(pathOf('two.txt'), 'line 3\n', 'LINE 3\n'), edit(pathOf('two.txt'), 'line 36\n', 'LINE 36\n')],
      'Done.',
    ],
    async decide(page) {
      await decide(page, /^Approve edit of two\.txt/);
      await page.getByText('Edited two.txt').first().waitFor();
      await decide(page, /^Approve edit of two\.txt/);
    },
    after: { 'two.txt': forty([3, 'LINE 3'], [36, 'LINE 36']) },
    told: /updated successfully.*updated successfully/,
    modes,
  },
];

const cellsOf = (source: string): string =>
  `${JSON.stringify({ cells: [{ cell_type: 'markdown', id: 'c1', metadata: {}, source }], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

/** Cases in which Claude Code itself would write other bytes. */
const exactCases: readonly GuardCase<ClaudeMode>[] = [
  {
    name: 'approved in part, with CRLF',
    files: { 'crlf.txt': crlf(forty()) },
    turns: (pathOf) => [
      [read(pathOf('crlf.txt'))],
      [edit(pathOf('crlf.txt'), forty(), forty([3, 'LINE 3'], [20, 'LINE 20']))],
      'Done.',
    ],
    async decide(page) {
      await leaveOut(page, 20, 'crlf.txt');
      await decide(page, /^Approve .*crlf\.txt/);
    },
    after: { 'crlf.txt': crlf(forty([3, 'LINE 3'])) },
    told: /The user changed this edit/,
    modes,
  },
  {
    name: 'a deleted line',
    files: { 'line.txt': forty() },
    turns: (pathOf) => [[read(pathOf('line.txt'))], [edit(pathOf('line.txt'), 'line 17', '')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of line\.txt/),
    after: { 'line.txt': forty().replace('line 17\n', '') },
    told: /has been updated successfully/,
    modes,
  },
  {
    name: 'a notebook, which the window writes',
    files: { 'n.ipynb': cellsOf('# One') },
    turns: (pathOf) => [
      [read(pathOf('n.ipynb'))],
      [{ tool: 'ToolSearch', input: { query: 'select:NotebookEdit' } }],
      [{ tool: 'NotebookEdit', input: { notebook_path: pathOf('n.ipynb'), cell_id: 'c1', new_source: '# Two' } }],
      'Done.',
    ],
    decide: (page) => decide(page, /^Approve edit of n\.ipynb/),
    after: { 'n.ipynb': cellsOf('# Two') },
    told: /The user applied this edit in VS Code/,
    modes,
  },
  {
    name: 'mixed line ends, which the window writes',
    files: { 'mixed.txt': forty().replace('line 1\n', 'line 1\r\n') },
    turns: (pathOf) => [[read(pathOf('mixed.txt'))], [edit(pathOf('mixed.txt'), 'line 3\n', 'X\n')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of mixed\.txt/),
    after: { 'mixed.txt': forty([3, 'X']).replace('line 1\n', 'line 1\r\n') },
    told: /The user applied this edit in VS Code/,
    modes,
  },
];

export const guardedClaudeCode: GuardedAssistant<ClaudeMode> = {
  name: 'Claude Code',
  id: claudeCode.id,
  cases: [...cases, ...exactCases],
  oneEdit: { turns: (path) => [[read(path)], [edit(path, 'line 3\n', 'LINE 3\n')], 'Done.'], mode: 'acceptEdits' },
  commands: {
    call: (command) => ({ tool: 'Bash', input: { command, description: 'Runs a command' } }),
    mode: 'bypassPermissions',
  },
  async connect({ machine, home }) {
    const changes = await planParts(claudeCode, machine, { guard: true, permission: true });
    for (const change of changes) if (change.isChange) await applyChange(change, home);
  },
  async start(turns, mode, { run, userHome, folder, programs }) {
    const prompt = 'Edit as the subagent.';
    const input = { description: 'Edits', prompt, subagent_type: 'general-purpose' };
    const task = { program: join(programs, 'claude'), home: userHome, folder };
    const { output, requests } = await (mode === 'subagent'
      ? runClaude(
          {
            ...task,
            script: [[{ tool: 'Agent', input }], 'Waiting.'],
            subagents: { [prompt]: turns },
            permissionMode: 'acceptEdits',
          },
          run,
        )
      : runClaude({ ...task, script: turns, permissionMode: mode }, run));
    // The requests of a subagent and those of the main conversation come in no fixed order.
    return { output, told: (mode === 'subagent' ? requests : requests.slice(-1)).map(toldOf).join('\n') };
  },
};
