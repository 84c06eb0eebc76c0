/** Edits that the real Codex makes with its own tool, decided in the Approvals view of a real window. */
import { join } from 'node:path';
import { codex, codexHookFile } from '#connect/assistants/codex.ts';
import { trustCodexHook } from '#connect/codexTrust.ts';
import { decide, readToEnd } from '../e2e/approvalsPage.ts';
import { runCodexAppServer } from './codexAppServer.ts';
import { codexEnvironment, codexPackage, runCodex } from './codexRun.ts';
import { crlf, decline, forty, type GuardCase, type GuardedAssistant, leaveOut, setUpGuard } from './guardCases.ts';
import type { ToolCall } from './modelServer.ts';
import { type ResponsesRequest, toldOfResponses } from './scriptedResponsesModel.ts';

/** `exec`: Codex asks nothing. `app server`: as editors start it, in a sandbox that allows no writing without a question. */
type CodexMode = 'exec' | 'app server';

const patch = (...lines: readonly string[]): ToolCall => ({
  tool: 'apply_patch',
  input: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'),
});
/** Replaces lines of `forty`, each by itself in capital letters. */
const capitals = (name: string, ...lines: readonly number[]): ToolCall =>
  patch(`*** Update File: ${name}`, ...lines.flatMap((line) => ['@@', `-line ${line}`, `+LINE ${line}`]));

const cases: readonly GuardCase<CodexMode>[] = [
  {
    name: 'approved as a whole',
    files: { 'whole.txt': forty() },
    turns: () => [[capitals('whole.txt', 3)], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of whole\.txt/),
    after: { 'whole.txt': forty([3, 'LINE 3']) },
    told: /Success\. Updated the following files/,
    modes: ['exec', 'app server'],
  },
  {
    name: 'approved in part',
    files: { 'part.txt': forty() },
    turns: () => [[capitals('part.txt', 3, 36)], 'Done.'],
    async decide(page) {
      await leaveOut(page, 36, 'part.txt');
      await decide(page, /^Approve .*part\.txt/);
    },
    after: { 'part.txt': forty([3, 'LINE 3']) },
    told: /The user changed this edit in VS Code before it was made.*-LINE 36.*Success/,
    modes: ['exec', 'app server'],
  },
  {
    name: 'declined',
    files: { 'declined.txt': forty() },
    turns: () => [[capitals('declined.txt', 3)], 'Done.'],
    decide: (page) => decline(page, 'declined.txt'),
    after: { 'declined.txt': forty() },
    told: /blocked by PreToolUse hook: The user declined this edit/,
    modes: ['exec', 'app server'],
  },
  {
    name: 'two patches of one message',
    files: { 'two.txt': forty() },
    turns: () => [[capitals('two.txt', 3), capitals('two.txt', 36)], 'Done.'],
    async decide(page) {
      await decide(page, /^Approve edit of two\.txt/);
      await page.getByText('Edited two.txt').first().waitFor();
      await decide(page, /^Approve edit of two\.txt/);
    },
    after: { 'two.txt': forty([3, 'LINE 3'], [36, 'LINE 36']) },
    told: /Success.*Success/,
    modes: ['exec'],
  },
  {
    name: 'approved in part, with CRLF',
    files: { 'crlf.txt': crlf(forty()) },
    turns: () => [[capitals('crlf.txt', 3, 20)], 'Done.'],
    async decide(page) {
      await leaveOut(page, 20, 'crlf.txt');
      await decide(page, /^Approve .*crlf\.txt/);
    },
    after: { 'crlf.txt': crlf(forty([3, 'LINE 3'])) },
    told: /The user changed this edit/,
    modes: ['exec'],
  },
  {
    name: 'several files',
    files: { 'one.txt': forty(), 'other.txt': forty() },
    turns: () => [
      [
        patch(
          '*** Update File: one.txt\n@@\n-line 3\n+LINE 3',
          '*** Add File: deep/new.txt\n+new',
          '*** Update File: other.txt\n@@\n-line 4\n+LINE 4',
        ),
      ],
      'Done.',
    ],
    decide: (page) => decide(page, /^Approve /),
    after: { 'one.txt': forty([3, 'LINE 3']), 'deep/new.txt': 'new\n', 'other.txt': forty([4, 'LINE 4']) },
    told: /A \S*deep\/new\.txt\\nM \S*one\.txt\\nM \S*other\.txt/,
    modes: ['exec', 'app server'],
  },
  {
    name: 'a deletion and a move, which the window makes',
    files: { 'gone.txt': 'gone\n', 'from.txt': forty() },
    turns: () => [
      [patch('*** Delete File: gone.txt', '*** Update File: from.txt\n*** Move to: to.txt\n@@\n-line 3\n+LINE 3')],
      'Done.',
    ],
    async decide(page) {
      await readToEnd(page, /^Approve /);
      await decide(page, /^Approve /);
    },
    after: { 'gone.txt': undefined, 'from.txt': undefined, 'to.txt': forty([3, 'LINE 3']) },
    told: /blocked by PreToolUse hook: The user applied this edit in VS Code/,
    modes: ['exec'],
  },
  {
    name: 'a missing final line end, which the window keeps',
    files: { 'end.txt': 'one\ntwo' },
    turns: () => [[patch('*** Update File: end.txt', '@@', '-one', '+ONE', ' two')], 'Done.'],
    decide: (page) => decide(page, /^Approve edit of end\.txt/),
    after: { 'end.txt': 'ONE\ntwo' },
    told: /The user applied this edit in VS Code/,
    modes: ['exec'],
  },
];

export const guardedCodex: GuardedAssistant<CodexMode> = {
  name: 'Codex',
  id: codex.id,
  cases,
  oneEdit: { turns: () => [[capitals('fault.txt', 3)], 'Done.'], mode: 'exec' },
  commands: { call: (cmd) => ({ tool: 'exec_command', input: { cmd } }), mode: 'exec' },
  async connect(setting) {
    const { machine, userHome, programs, run } = setting;
    await setUpGuard(codex, setting);
    const file = codexHookFile(machine);
    const trust = await trustCodexHook(join(programs, codexPackage.program), file, codexEnvironment(userHome, run));
    if (trust !== 'trusted') throw new Error(`After the trust was written, Codex has our hooks as ${trust}`);
  },
  async start(script, mode, { run, userHome, folder, programs }) {
    const task = { program: join(programs, codexPackage.program), home: userHome, folder, script };
    if (mode === 'exec') {
      const { output, errors, requests } = await runCodex({ ...task, sandbox: 'danger-full-access' }, run);
      return { output: `${output}\n${errors}`, told: toldIn(requests) };
    }
    const { requests, questions } = await runCodexAppServer(task, run);
    return { output: '', told: questions.length > 0 ? `Codex asked: ${questions.join(', ')}` : toldIn(requests) };
  },
};

function toldIn(requests: readonly ResponsesRequest[]): string {
  const last = requests.at(-1);
  return last === undefined ? '' : toldOfResponses(last);
}
