/** Windows and hook programs fail while assistants wait with edits of their own: no byte that nobody approved gets on the disk. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { claudeCodeInput } from '../../bridge/claudeCode.ts';
import { isNightlyOnly, size } from '../../size.ts';
import { clickButton, decide, openApprovals, waitingCards } from '../approvalsPage.ts';
import { type Drawbridge, startDrawbridge, until, type Window } from '../harness.ts';

/** Calls that wait during one fault, and how often each fault happens: 1,000 calls in full size. */
const callsOfFault = size({ quick: 3, full: 20 });
const rounds = size({ quick: 1, full: 10 });
/** Milliseconds within which a call has its answer after a fault, unless a card shows it: the wait for a window, and 5 s. */
const answerMilliseconds = 35_000;

const output = z.object({
  hookSpecificOutput: z.object({
    permissionDecision: z.enum(['allow', 'deny']),
    updatedInput: z.object({ content: z.string() }).optional(),
  }),
});

let drawbridge: Drawbridge;
let window: Window;
let folder: string;
let calls = 0;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: { 'a.txt': 'one\n' } });
  ({ window } = drawbridge);
  folder = drawbridge.folder ?? '';
  await guarded();
});
afterAll(() => drawbridge?.stop());

/** Waits until the window guards its folder. */
async function guarded(of: Window = window): Promise<void> {
  const { windowId } = await drawbridge.record(of);
  const record = join(drawbridge.host.home, 'guards', windowId);
  await until(
    () => existsSync(record) && readFileSync(record, 'utf8').startsWith('open'),
    'the window to guard its folder',
  );
}

type End = 'allowed' | 'refused' | 'not asked' | 'stopped';

/** A call of an assistant that writes when it may, and also when its hook says nothing or fails, as Claude Code does. */
interface AssistantCall {
  readonly name: string;
  readonly path: string;
  readonly wanted: string;
  readonly program: ChildProcess;
  readonly ended: Promise<End>;
  end?: End;
}

function startCall(name = `file-${(calls += 1)}.txt`): AssistantCall {
  const path = join(folder, name);
  const wanted = `wanted for ${name}\n`;
  const input = claudeCodeInput({
    tool: 'Write',
    input: { file_path: path, content: wanted },
    session: `session-${name}`,
    call: `toolu_${(calls += 1)}`,
    prompt: `prompt-${calls}`,
  });
  const program = spawn(join(drawbridge.host.home, 'bin/drawbridge'), ['hook'], { cwd: folder, env: {} });
  const closed = new Promise<number | null>((resolve) => program.once('close', resolve));
  program.stdin.end(input);
  const ended = Promise.all([text(program.stdout), closed]).then(([stdout, status]): End => {
    const end = endOf(stdout, status);
    const { updatedInput } = stdout === '' ? {} : output.parse(JSON.parse(stdout)).hookSpecificOutput;
    if (end === 'allowed' || end === 'not asked') writeFileSync(path, updatedInput?.content ?? wanted);
    return end;
  });
  const call: AssistantCall = { name, path, wanted, program, ended };
  void ended.then((end) => (call.end = end)).catch(() => (call.end = 'not asked'));
  return call;
}

function endOf(stdout: string, status: number | null): End {
  if (status === null) return 'stopped';
  if (status === 2) return 'refused';
  if (status !== 0 || stdout === '') return 'not asked';
  return output.parse(JSON.parse(stdout)).hookSpecificOutput.permissionDecision === 'allow' ? 'allowed' : 'refused';
}

async function waitForCards(page: Frame, waiting: readonly AssistantCall[]): Promise<void> {
  const open = waiting.filter(({ end }) => end === undefined);
  await until(async () => (await waitingCards(page).count()) >= open.length, `${open.length} cards`);
}

function escaped(name: string): string {
  return name.replaceAll('.', String.raw`\.`);
}

/** Approves every other waiting call and declines the rest. Returns the names of the approved ones. */
async function decideAll(page: Frame, waiting: readonly AssistantCall[]): Promise<ReadonlySet<string>> {
  const approved = new Set<string>();
  for (const [index, { name, ended, end }] of waiting.entries()) {
    if (end !== undefined) continue;
    const file = escaped(name);
    if (index % 2 === 0) {
      approved.add(name);
      await decide(page, new RegExp(`^Approve creation of ${file}`));
    } else {
      await clickButton(page, new RegExp(`^Decline… creation of ${file}`));
      await clickButton(page, new RegExp(`^Decline (?!and).*${file}`));
    }
    await ended;
  }
  return approved;
}

/** Checks the disk: a file exists only when the user approved it, and then has exactly the approved bytes. */
function expectReviewed(all: readonly AssistantCall[], approved: ReadonlySet<string>): void {
  const unreviewed = all.filter(({ path, name }) => existsSync(path) && !approved.has(name)).map(({ name }) => name);
  expect(unreviewed).toEqual([]);
  for (const { path, wanted } of all.filter(({ name }) => approved.has(name))) {
    expect(readFileSync(path, 'utf8')).toBe(wanted);
  }
}

/** Starts calls, waits for their cards, and lets the fault happen. */
async function callsWithFault(fault: (waiting: readonly AssistantCall[]) => Promise<void>): Promise<AssistantCall[]> {
  const started = Array.from({ length: callsOfFault }, () => startCall());
  await waitForCards(await openApprovals(window), started);
  await fault(started);
  return started;
}

/** Waits for the answers to calls of which no card is shown any more. */
async function answered(all: readonly AssistantCall[]): Promise<void> {
  await until(() => all.every(({ end }) => end !== undefined), 'an answer to each call', answerMilliseconds);
}

describe.each(Array.from({ length: rounds }, (_, round) => round + 1))('edits of an assistant, round %i', (_round) => {
  it('G3: are asked about again when the window reloads, and written only when the user approves', async () => {
    const waiting = await callsWithFault(() => window.reload());
    await guarded();
    const page = await openApprovals(window);
    await waitForCards(page, waiting);
    expectReviewed(waiting, await decideAll(page, waiting));
    expect(waiting.map(({ end }) => end)).not.toContain('not asked');
  });

  it('G3: are asked about again when the extension host is killed, and written only when the user approves', async () => {
    const waiting = await callsWithFault(async () => {
      const killed = window.extensionHostPid;
      process.kill(killed, 'SIGKILL');
      await until(async () => (await window.evaluate(() => process.pid)) !== killed, 'a new extension host');
    });
    await guarded();
    const page = await openApprovals(window);
    await waitForCards(page, waiting);
    expectReviewed(waiting, await decideAll(page, waiting));
    expect(waiting.map(({ end }) => end)).not.toContain('not asked');
  });

  it('are refused when the user stops Drawbridge while their cards wait, and pass only after that', async () => {
    const waiting = await callsWithFault(async () => void (await window.command('drawbridge.stop')));
    await answered(waiting);
    expectReviewed(waiting, new Set());
    expect(new Set(waiting.map(({ end }) => end))).toEqual(new Set(['refused']));
    const later = startCall();
    expect(await later.ended).toBe('not asked');
    rmSync(later.path);
    await window.command('drawbridge.start');
    await guarded();
  });

  it('lose their cards and are not written when their hook programs are stopped', async () => {
    const waiting = await callsWithFault(async (all) => {
      for (const { program } of all) program.kill();
    });
    await answered(waiting);
    const page = await openApprovals(window);
    await until(async () => (await waitingCards(page).count()) === 0, 'no card to wait');
    expect(new Set(waiting.map(({ end }) => end))).toEqual(new Set(['stopped']));
    expectReviewed(waiting, new Set());
    // The user is asked about the next call of the same session as about any other.
    const next = startCall(waiting[0]?.name);
    await waitForCards(page, [next]);
    expectReviewed([next], await decideAll(page, [next]));
  });

  it('are refused when their folder is renamed while their cards wait', async () => {
    const elsewhere = `${folder}-renamed`;
    const waiting = await callsWithFault(async () => renameSync(folder, elsewhere));
    try {
      const page = await openApprovals(window);
      for (const { name, ended } of waiting) {
        // A card may also be outdated already, because its folder is gone.
        const approved = decide(page, new RegExp(`^Approve creation of ${escaped(name)}`)).catch(() => ended);
        await Promise.race([approved, ended]);
      }
      await answered(waiting);
      expect(existsSync(folder)).toBe(false);
    } finally {
      renameSync(elsewhere, folder);
    }
    expectReviewed(waiting, new Set());
    expect(new Set(waiting.map(({ end }) => end))).toEqual(new Set(['refused']));
  });

  it.skipIf(isNightlyOnly)(
    'need no answer of a window that was closed when another one guards the folder',
    async () => {
      const second = await drawbridge.host.openWindow({ folder });
      await guarded(second);
      const started = Array.from({ length: callsOfFault }, () => startCall());
      const page = await openApprovals(window);
      // Each call asks one window after the other.
      await until(async () => {
        const pages = [page, await openApprovals(second)];
        const counts = await Promise.all(pages.map((each) => waitingCards(each).count()));
        return counts.reduce((sum, count) => sum + count, 0) >= started.length;
      }, 'a card of each call in one of the windows');
      await second.close();
      await waitForCards(page, started);
      expectReviewed(started, await decideAll(page, started));
      expect(started.map(({ end }) => end)).not.toContain('not asked');
    },
  );
});
