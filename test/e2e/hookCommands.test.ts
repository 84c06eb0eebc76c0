/** Commands that an assistant runs in its own shell: what writes asks before, and what changes is listed afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { claudeCodeInput, claudeCodeMoment } from '../bridge/claudeCode.ts';
import { clickButton, decide, openApprovals, readToEnd, waitingCards } from './approvalsPage.ts';
import { openPane } from './connectionsPane.ts';
import { setSetting } from './editor.ts';
import { type Drawbridge, until, type Window } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

let drawbridge: Drawbridge;
let window: Window;
let folder: string;
let calls = 0;
const lines = Array.from({ length: 20 }, (_, line) => `line ${line}\n`);

const output = z.object({
  hookSpecificOutput: z.object({
    permissionDecision: z.enum(['allow', 'deny']).optional(),
    permissionDecisionReason: z.string().optional(),
    additionalContext: z.string().optional(),
  }),
});

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({
    'kept.txt': 'one\n',
    'script.sh': 'echo changed > kept.txt\n',
    'parts.txt': lines.join(''),
    'copy.sh': 'cp changed.txt parts.txt\n',
    'quiet/silent.txt': 'one\n',
    'quiet.sh': 'echo changed > quiet/silent.txt\n',
    '.vscode/settings.json': '{ "files.watcherExclude": { "**/quiet/**": true } }\n',
  });
  ({ window } = drawbridge);
  folder = drawbridge.folder ?? '';
  const { windowId } = await drawbridge.record();
  const guard = join(drawbridge.host.home, 'guards', windowId);
  await until(() => existsSync(guard), 'the window to guard its folder');
});

/** Starts the hook program by the launcher, as Claude Code does. Returns what it prints. */
async function hook(input: string): Promise<string> {
  const child = spawn(join(drawbridge.host.home, 'bin/drawbridge'), ['hook'], {
    cwd: folder,
    env: { SHELL: '/bin/bash' },
  });
  onTestFinished(() => void child.kill());
  child.stdin.end(input);
  return text(child.stdout);
}

interface Run {
  /** Claude Code asks its own rules when the hook has no opinion. */
  readonly decision: 'allow' | 'deny' | 'none';
  readonly words: string;
}

/** Runs a command as Claude Code does in a mode that allows everything: the hook before it, the command, and the hook after it. */
async function run(command: string): Promise<Run> {
  const call = `toolu_command_${(calls += 1)}`;
  const inputOf = (event: 'PreToolUse' | 'PostToolUse'): string =>
    claudeCodeInput({ tool: 'Bash', input: { command }, event, call, session: 'commands', folder, prompt: call });
  const before = answerIn(await hook(inputOf('PreToolUse')));
  if (before.decision === 'deny') return before;
  spawnSync('/bin/bash', ['-c', command], { cwd: folder });
  const after = answerIn(await hook(inputOf('PostToolUse')));
  return { ...before, words: `${before.words}${after.words}` };
}

function answerIn(stdout: string): Run {
  if (stdout === '') return { decision: 'none', words: '' };
  const { permissionDecision, permissionDecisionReason, additionalContext } = output.parse(
    JSON.parse(stdout),
  ).hookSpecificOutput;
  return { decision: permissionDecision ?? 'none', words: permissionDecisionReason ?? additionalContext ?? '' };
}

/** Tells that Claude Code has finished its turn. */
const endTurn = (): Promise<string> => hook(claudeCodeMoment('Stop', 'commands', folder));

const pathOf = (name: string): string => join(folder, name);
const textOf = (name: string): string => readFileSync(pathOf(name), 'utf8');

async function outsideRow(name: RegExp): Promise<Locator> {
  const pane = await openPane(window, 'Changed Outside');
  const row = pane.getByRole('treeitem', { name }).first();
  await row.waitFor();
  return row;
}

describe('the commands of an assistant', () => {
  it('pass without a card when they only read', async () => {
    expect(await run('cat kept.txt')).toEqual({ decision: 'none', words: '' });
    expect(await waitingCards(await openApprovals(window)).count()).toBe(0);
  });

  it('wait for the user when they write, with the command, its parts and its files on the card', async () => {
    writeFileSync(pathOf('gone.txt'), 'gone\n');
    const asked = run('cat kept.txt && rm gone.txt');
    const page = await openApprovals(window);
    const card = page.locator('article').filter({ hasText: 'rm gone.txt' }).first();
    await card.getByText('changes files').first().waitFor();
    await card.getByText('gone.txt', { exact: true }).first().waitFor();
    expect(existsSync(pathOf('gone.txt'))).toBe(true);
    await window.screenshot('command-card');
    // The command deletes a file, so its card must have been on screen to its end, below what others left on the page.
    await readToEnd(page, /^Run: Run cat kept\.txt/);
    await decide(page, /^Run: Run cat kept\.txt/);
    expect(await asked).toMatchObject({ decision: 'allow' });
    expect(existsSync(pathOf('gone.txt'))).toBe(false);
  });

  it('are refused in the words of the user, and the same command in the same turn without a card', async () => {
    writeFileSync(pathOf('kept2.txt'), 'kept\n');
    const asked = run('rm kept2.txt');
    const page = await openApprovals(window);
    await clickButton(page, /^Decline… Run rm kept2\.txt/);
    await clickButton(page, /^Decline (?!and).*rm kept2\.txt/);
    const { decision, words } = await asked;
    expect(decision).toBe('deny');
    expect(words).toContain('The user declined this command');
    expect(existsSync(pathOf('kept2.txt'))).toBe(true);
  });

  it('pass when they run something, and the files that they change are listed below the command and can be taken back', async () => {
    writeFileSync(pathOf('kept.txt'), 'one\n');
    await endTurn();
    expect(await run('./run-it || sh script.sh')).toMatchObject({ decision: 'none' });
    expect(textOf('kept.txt')).toBe('changed\n');
    await outsideRow(/Claude Code: \.\/run-it/);
    const row = await outsideRow(/^kept\.txt/);
    await window.screenshot('outside-changes');
    await row.hover();
    await row.getByRole('button', { name: 'Undo' }).click();
    // The assistant is still in its turn, so the undo waits.
    await window.page.getByText('The undo waits until the assistant has finished its turn').first().waitFor();
    expect(textOf('kept.txt')).toBe('changed\n');
    await endTurn();
    await until(() => textOf('kept.txt') === 'one\n', 'the undo at the end of the turn');
    const { words } = await run('ls');
    expect(words).toContain('The user took back changes that were made outside Drawbridge: kept.txt');
  });

  it('change files of which the user can keep one part and undo another', async () => {
    const changed = lines.with(2, 'LINE 2\n').with(15, 'LINE 15\n').join('');
    writeFileSync(pathOf('changed.txt'), changed);
    await run('./run-it || sh copy.sh');
    await endTurn();
    const row = await outsideRow(/^parts\.txt/);
    await row.locator('.monaco-tl-twistie').click();
    const first = await outsideRow(/^parts\.txt, Line 3/);
    await window.screenshot('outside-parts');
    await first.hover();
    await first.getByRole('button', { name: 'Keep' }).click();
    await first.waitFor({ state: 'detached' });
    const second = await outsideRow(/^parts\.txt, Line 16/);
    await second.hover();
    await second.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor({ state: 'detached' });
    expect(textOf('parts.txt')).toBe(lines.with(2, 'LINE 2\n').join(''));
  });

  it('change files that VS Code does not report, and the view says so', async () => {
    const told = window.page.getByText('VS Code did not report a changed file');
    expect(await told.count()).toBe(0);
    await run('./run-it || sh quiet.sh');
    await endTurn();
    const row = await outsideRow(/silent\.txt/);
    await told.first().waitFor();
    await window.screenshot('outside-unreported');
    await row.hover();
    await row.getByRole('button', { name: 'Keep' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('ask at the level for all commands, and nothing asks when the user reviews afterwards', async () => {
    await setSetting(window, 'drawbridge.guard.levels', { 'Claude Code': 'everything' });
    const asked = run('./run-it');
    const page = await openApprovals(window);
    // The views below leave little room, so the command is scrolled to, as a user does.
    await page.locator('main [data-stop] .action').last().scrollIntoViewIfNeeded();
    await page.getByText('Command', { exact: true }).last().scrollIntoViewIfNeeded();
    await decide(page, /^Run: Run \.\/run-it/);
    expect(await asked).toMatchObject({ decision: 'allow' });
    await setSetting(window, 'drawbridge.guard.levels', { 'Claude Code': 'after' });
    expect(await run('rm script.sh')).toMatchObject({ decision: 'none' });
    const row = await outsideRow(/^script\.sh, deleted/);
    await row.hover();
    await row.getByRole('button', { name: 'Keep' }).click();
    await row.waitFor({ state: 'detached' });
    expect(existsSync(pathOf('script.sh'))).toBe(false);
  });
});
