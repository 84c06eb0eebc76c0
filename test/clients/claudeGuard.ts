/** Edits that the real Claude Code makes with its own tools, decided in the Approvals view of a real window. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { applyChange, planSettings } from '#connect/configuration.ts';
import { claudeCode } from '#connect/assistants/claudeCode.ts';
import type { Machine } from '#connect/assistant.ts';
import { clickButton, decide, openApprovals, waitingCards } from '../e2e/approvalsPage.ts';
import type { Run } from '../host/processes.ts';
import { progress } from '../host/progress.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import { type PermissionMode, runClaude } from './claudeRun.ts';
import type { ToolCall, Turn } from './modelServer.ts';
import { toldOf } from './scriptedModel.ts';

export interface GuardSetting {
  readonly window: Window;
  readonly run: Run;
  readonly userHome: string;
  readonly machine: Machine;
  /** The state folder. */
  readonly home: string;
  /** The folder that is open in the window. */
  readonly folder: string;
  /** The folder of the installed programs. */
  readonly programs: string;
}

interface GuardCase {
  readonly name: string;
  /** The texts of the files before, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly turns: (pathOf: (name: string) => string) => readonly Turn[];
  /** Decides about the cards; the number of cards that are seen is counted. */
  readonly decide: (page: Frame) => Promise<void>;
  readonly after: Readonly<Record<string, string>>;
  /** Words that the model must be told, in its last request. */
  readonly told: RegExp;
}

const forty = (...changes: readonly [line: number, text: string][]): string => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  for (const [line, changed] of changes) lines[line - 1] = changed;
  return `${lines.join('\n')}\n`;
};
const read = (path: string): ToolCall => ({ tool: 'Read', input: { file_path: path } });
const edit = (path: string, from: string, to: string): ToolCall => ({
  tool: 'Edit',
  input: { file_path: path, old_string: from, new_string: to, replace_all: false },
});
const write = (path: string, content: string): ToolCall => ({ tool: 'Write', input: { file_path: path, content } });

const modes = ['default', 'acceptEdits', 'bypassPermissions'] as const;

const cases: readonly GuardCase[] = [
  {
    name: 'approved as a whole',
    files: { 'whole.txt': forty() },
    turns: (pathOf) => [[read(pathOf('whole.txt'))], [edit(pathOf('whole.txt'), 'line 3\n', 'LINE 3\n')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of whole\.txt/),
    after: { 'whole.txt': forty([3, 'LINE 3']) },
    told: /has been updated successfully/,
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
      await page.getByRole('checkbox', { name: /^Include line 36 of part\.txt/ }).click();
      await decide(page, /^Approve .*part\.txt/);
    },
    after: { 'part.txt': forty([3, 'LINE 3']) },
    told: /The user changed this edit in VS Code before it was made.*-LINE 36/,
  },
  {
    name: 'declined',
    files: { 'declined.txt': forty() },
    turns: (pathOf) => [[read(pathOf('declined.txt'))], [edit(pathOf('declined.txt'), 'line 3\n', 'X\n')], 'Done.'],
    async decide(page) {
      await clickButton(page, /^Decline… .*declined\.txt/);
      await clickButton(page, /^Decline (?!and).*declined\.txt/);
    },
    after: { 'declined.txt': forty() },
    told: /PreToolUse:Edit hook error: The user declined this edit/,
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
  },
];

const crlf = (lf: string): string => lf.replaceAll('\n', '\r\n');
const cellsOf = (source: string): string =>
  `${JSON.stringify({ cells: [{ cell_type: 'markdown', id: 'c1', metadata: {}, source }], metadata: {}, nbformat: 4, nbformat_minor: 5 }, undefined, 1)}\n`;

/** Cases in which Claude Code itself would write other bytes. */
const exactCases: readonly GuardCase[] = [
  {
    name: 'approved in part, with CRLF',
    files: { 'crlf.txt': crlf(forty()) },
    turns: (pathOf) => [
      [read(pathOf('crlf.txt'))],
      [edit(pathOf('crlf.txt'), forty(), forty([3, 'LINE 3'], [20, 'LINE 20']))],
      'Done.',
    ],
    async decide(page) {
      await page.getByRole('checkbox', { name: /^Include line 20 of crlf\.txt/ }).click();
      await decide(page, /^Approve .*crlf\.txt/);
    },
    after: { 'crlf.txt': crlf(forty([3, 'LINE 3'])) },
    told: /The user changed this edit/,
  },
  {
    name: 'a deleted line',
    files: { 'line.txt': forty() },
    turns: (pathOf) => [[read(pathOf('line.txt'))], [edit(pathOf('line.txt'), 'line 17', '')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of line\.txt/),
    after: { 'line.txt': forty().replace('line 17\n', '') },
    told: /has been updated successfully/,
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
  },
  {
    name: 'mixed line ends, which the window writes',
    files: { 'mixed.txt': forty().replace('line 1\n', 'line 1\r\n') },
    turns: (pathOf) => [[read(pathOf('mixed.txt'))], [edit(pathOf('mixed.txt'), 'line 3\n', 'X\n')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of mixed\.txt/),
    after: { 'mixed.txt': forty([3, 'X']).replace('line 1\n', 'line 1\r\n') },
    told: /The user applied this edit in VS Code/,
  },
];

/** Returns what went wrong, by case and permission mode; nothing when all is well. */
export async function guardClaudeCode(setting: GuardSetting): Promise<readonly string[]> {
  await applyChange(await planSettings(claudeCode, setting.machine, new Set(['guard', 'permission'])), setting.home);
  const problems: string[] = [];
  for (const [index, each] of [...cases, ...exactCases].entries()) {
    const chosen = index === 0 ? modes : modes.slice(1, 2);
    for (const mode of chosen) {
      progress(`Claude Code, guarded: ${each.name} (${mode})`);
      const problem = await tryCase(each, mode, setting).catch((error: unknown) => String(error));
      if (problem !== undefined) problems.push(`${each.name} (${mode}): ${problem}`);
    }
  }
  return problems;
}

async function tryCase(
  { files, turns, decide: decideCards, after, told }: GuardCase,
  permissionMode: PermissionMode,
  { window, run, userHome, folder, programs }: GuardSetting,
): Promise<string | undefined> {
  const pathOf = (name: string): string => join(folder, name);
  for (const [name, content] of Object.entries(files)) writeFileSync(pathOf(name), content);
  const task = { program: join(programs, 'claude'), home: userHome, folder, script: turns(pathOf), permissionMode };
  const running = runClaude(task, run);
  let hasEnded = false;
  void running.finally(() => (hasEnded = true)).catch(() => undefined);
  const page = await openApprovals(window);
  await until(async () => hasEnded || (await waitingCards(page).count()) === 1, 'one card', 30_000);
  if (hasEnded) return `it ended without a card: ${(await running).output.slice(0, 1000)}`;
  await decideCards(page);
  const { requests } = await running;
  for (const [name, wanted] of Object.entries(after)) {
    if (readFileSync(pathOf(name), 'utf8') !== wanted) return `${name} is not as it was approved`;
  }
  const last = requests.at(-1);
  const words = last === undefined ? '' : toldOf(last);
  if (!told.test(words)) return `the model was told something else: ${words.slice(0, 2000)}`;
  return (await waitingCards(page).count()) === 0 ? undefined : 'a card still waits';
}
