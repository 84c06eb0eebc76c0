/** Sessions of assistants that mix edits, commands and programs, with faults: what the user did not approve is listed, and can be taken back. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import * as fc from 'fast-check';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { claudeCodeInput } from '../../bridge/claudeCode.ts';
import { size } from '../../size.ts';
import { clickButton, decide, openApprovals, readToEnd, waitingCards } from '../approvalsPage.ts';
import { type Drawbridge, until, type Window } from '../harness.ts';
import { sharedDrawbridge } from '../shared.ts';

/** Sessions that work at the same time, and the files that they share. */
const sessionsAtOnce = 2;
const filesAtOnce = 4;
const rounds = size({ quick: 1, full: 100 });

const anyStep = fc.record({
  session: fc.nat(sessionsAtOnce - 1),
  file: fc.nat(filesAtOnce - 1),
  does: fc.constantFrom('edit', 'edit', 'command', 'program', 'program', 'delete', 'other program', 'end of turn'),
  isApproved: fc.boolean(),
  /** `stopped`: the hook program is stopped while it waits. `lost`: the assistant dies before it reports what it did. */
  fault: fc.option(fc.constantFrom('stopped', 'lost', 'server restart'), { freq: 3, nil: undefined }),
});
type Step = (typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never) & object;

const seed = 20261127;
const plans = fc.sample(fc.array(anyStep, { minLength: 8, maxLength: 12 }), { numRuns: rounds, seed });

const output = z.object({
  hookSpecificOutput: z.object({
    permissionDecision: z.enum(['allow', 'deny']).optional(),
    updatedInput: z.object({ content: z.string() }).optional(),
  }),
});

let drawbridge: Drawbridge;
let window: Window;
let folder: string;
let page: Frame;
let calls = 0;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({ 'program.sh': `printf '%s\\n' "$2" > "$1"\n` });
  ({ window } = drawbridge);
  folder = drawbridge.folder ?? '';
  await guarded();
  page = await openApprovals(window);
});
afterAll(() => drawbridge?.window.command('drawbridge.keepAllOutside'));

async function guarded(): Promise<void> {
  const { windowId } = await drawbridge.record();
  const record = join(drawbridge.host.home, 'guards', windowId);
  await until(() => existsSync(record) && readFileSync(record, 'utf8').startsWith('open'), 'the window to guard');
}

interface Answer {
  readonly decision: 'allow' | 'deny' | 'none' | 'stopped';
  readonly content?: string;
}

interface Asked {
  readonly program: ChildProcess;
  readonly answer: Promise<Answer>;
  readonly isAnswered: () => boolean;
}

/** Starts the hook program by the launcher, as Claude Code does. */
function ask(input: string): Asked {
  const program = spawn(join(drawbridge.host.home, 'bin/drawbridge'), ['hook'], {
    cwd: folder,
    env: { SHELL: '/bin/bash' },
  });
  const closed = new Promise<number | null>((resolve) => program.once('close', resolve));
  program.stdin.end(input);
  let isAnswered = false;
  const answer = Promise.all([text(program.stdout), closed])
    .then(([stdout, status]) => answerOf(stdout, status))
    .finally(() => (isAnswered = true));
  return { program, answer, isAnswered: () => isAnswered };
}

function answerOf(stdout: string, status: number | null): Answer {
  if (status === null) return { decision: 'stopped' };
  if (status === 2) return { decision: 'deny' };
  if (stdout === '') return { decision: 'none' };
  const { permissionDecision, updatedInput } = output.parse(JSON.parse(stdout)).hookSpecificOutput;
  return { decision: permissionDecision ?? 'none', ...(updatedInput && { content: updatedInput.content }) };
}

/** What an assistant does by itself: its tool, and the work that it does when it may. */
interface Work {
  readonly tool: 'Write' | 'Bash';
  readonly input: Readonly<Record<string, string>>;
  /** @param content the text that Drawbridge lets it write */
  readonly run: (content: string | undefined) => void;
}

/** Makes a call of an assistant with its hooks. Returns true when it did its work. */
async function call(session: string, work: Work, { isApproved, fault }: Step): Promise<boolean> {
  const id = `toolu_session_${(calls += 1)}`;
  const inputOf = (event: 'PreToolUse' | 'PostToolUse'): string =>
    claudeCodeInput({ ...work, event, call: id, session, folder, prompt: `prompt-${session}` });
  const asked = ask(inputOf('PreToolUse'));
  await until(async () => asked.isAnswered() || (await waitingCards(page).count()) > 0, 'a card or an answer');
  if (!asked.isAnswered()) {
    if (fault === 'stopped') asked.program.kill();
    else if (isApproved) await approveCard();
    else await declineCard();
  }
  const { decision, content } = await asked.answer;
  await until(async () => (await waitingCards(page).count()) === 0, 'no card to wait');
  if (decision === 'deny' || decision === 'stopped') return false;
  work.run(content);
  if (fault !== 'lost') await ask(inputOf('PostToolUse')).answer;
  return true;
}

/** The names of the buttons that approve a change or a command. */
const approves = /^(Approve|Run)\b/;

async function approveCard(): Promise<void> {
  await readToEnd(page, approves);
  await decide(page, approves);
}

async function declineCard(): Promise<void> {
  const toggle = page.getByRole('button', { name: /^Decline… / });
  if ((await toggle.count()) > 0) await clickButton(page, /^Decline… /);
  await decide(page, /^Decline (?!and)/);
}

/** Tells of a moment of a session. */
async function tell(session: string, moment: 'SessionStart' | 'Stop' | 'SessionEnd'): Promise<void> {
  const base = z.looseObject({}).parse(JSON.parse(claudeCodeInput({ tool: 'Bash', input: {}, session, folder })));
  const { tool_name: _name, tool_input: _input, tool_use_id: _id, ...rest } = base;
  await ask(JSON.stringify({ ...rest, hook_event_name: moment, stop_hook_active: false })).answer;
}

const bytesOf = (name: string): string | undefined =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;

/** Runs a command of a shell in the folder, as an assistant does. */
function shell(command: string): void {
  spawnSync('/bin/bash', ['-c', command], { cwd: folder });
}

/** Undoes everything that the view lists. */
async function undoAll(): Promise<void> {
  let hasEnded = false;
  const undone = window.command('drawbridge.undoAllOutside').finally(() => (hasEnded = true));
  const dialog = window.page.locator('.monaco-dialog-box');
  await until(async () => hasEnded || (await dialog.isVisible()), 'the question of the undo');
  if (!hasEnded) await dialog.getByRole('button', { name: /^Undo \d+ Change/ }).click();
  await undone;
}

it.each(plans.map((plan, round) => ({ plan, round: round + 1 })))(
  'session after session, what nobody approved is listed and can be taken back, round $round',
  { timeout: 240_000 },
  async ({ plan, round }) => {
    const names = Array.from({ length: filesAtOnce }, (_, file) => `round-${round}-${file}.txt`);
    for (const name of names) writeFileSync(join(folder, name), `begin of ${name}\n`);
    const sessions = Array.from({ length: sessionsAtOnce }, (_, index) => `session-${round}-${index}`);
    for (const session of sessions) await tell(session, 'SessionStart');
    // The first command waits for the snapshot.
    await call(sessions[0] ?? '', { tool: 'Bash', input: { command: 'true' }, run: () => undefined }, noFault);
    /** The bytes that the user approved last, or those from before; both when nobody reported the approved write. */
    const reviewed = new Map<string, readonly (string | undefined)[]>(names.map((name) => [name, [bytesOf(name)]]));
    for (const [index, step] of plan.entries()) {
      const [name, session] = [names[step.file] ?? '', sessions[step.session] ?? ''];
      const wanted = `step ${index} of ${name}`;
      if (step.fault === 'server restart') {
        await window.command('drawbridge.restart');
        await guarded();
      }
      if (step.does === 'end of turn') await tell(session, 'Stop');
      else if (step.does === 'other program') writeFileSync(join(folder, name), `${wanted}\n`);
      else {
        const didWork = await call(session, workOf(step.does, name, wanted), step);
        if (didWork && step.does === 'edit') {
          const before = step.fault === 'lost' ? (reviewed.get(name) ?? []) : [];
          reviewed.set(name, [`${wanted}\n`, ...before]);
        }
      }
    }
    for (const session of sessions) await tell(session, 'Stop');
    await undoAll();
    await until(
      () => names.every((name) => reviewed.get(name)?.includes(bytesOf(name)) === true),
      'each file to hold what the user approved',
    ).catch(() => undefined);
    const wrong = names.filter((name) => reviewed.get(name)?.includes(bytesOf(name)) !== true);
    expect(wrong.map((name) => [name, bytesOf(name), reviewed.get(name)])).toEqual([]);
    for (const session of sessions) await tell(session, 'SessionEnd');
    for (const name of names) rmSync(join(folder, name), { force: true });
    await window.command('drawbridge.keepAllOutside');
  },
);

const noFault: Step = { session: 0, file: 0, does: 'program', isApproved: true, fault: undefined };

function workOf(does: 'edit' | 'command' | 'program' | 'delete', name: string, wanted: string): Work {
  if (does === 'edit') {
    const path = join(folder, name);
    const content = `${wanted}\n`;
    const input = { file_path: path, content };
    return { tool: 'Write', input, run: (allowed) => writeFileSync(path, allowed ?? content) };
  }
  const command = {
    command: `printf '${wanted}\\n' > ${name}`,
    program: `sh program.sh ${name} '${wanted}'`,
    delete: `rm -f ${name}`,
  }[does];
  return { tool: 'Bash', input: { command }, run: () => shell(command) };
}
