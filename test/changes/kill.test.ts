import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { alias } from '../fakes/editor/alias.ts';
import { DyingDisk } from './dyingDisk.ts';
import { EditsFixture, snapshot } from './editor/editsFixture.ts';
import { size } from '../size.ts';
import { applyAtOnce, openQueue } from './editor/realQueue.ts';
import { compileProgram } from './killedProgram.ts';
import { mixedChange, putMixedFiles } from './mixedChange.ts';

const bundleFolder = mkdtempSync(join(tmpdir(), 'drawbridge-killed-'));
const bundle = join(bundleFolder, 'killedWork.cjs');
let startProgram: ReturnType<typeof compileProgram>;

beforeAll(async () => {
  await build({
    entryPoints: [fileURLToPath(new URL('killedWork.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    alias,
    external: ['signal-exit'],
    logLevel: 'error',
  });
  startProgram = compileProgram(readFileSync(bundle, 'utf8'));
});
afterAll(() => rmSync(bundleFolder, { recursive: true, force: true }));

/** The folder of a run, and the point where the run was killed, or `done`. */
interface Run {
  readonly root: string;
  readonly end: string;
}

/** Runs the program in this process over a disk that fails from the n-th writing call on. */
async function runHere(act: string, killAt: number): Promise<Run & { readonly all: readonly string[] }> {
  const { promise: died, resolve: die } = Promise.withResolvers<string>();
  const disk = new DyingDisk(killAt, die);
  let root = '';
  const done = startProgram(disk)
    .carryOut(
      act,
      (folder) => (root = folder),
      () => disk.begin(),
    )
    .then(() => 'done');
  const end = await Promise.race([died, done]);
  await disk.end();
  return { root, end, all: disk.points };
}

/** Runs the program in a process of its own and kills that process. */
function runAndKill(act: string, killAt: number): Promise<Run> {
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const program = fileURLToPath(new URL('killedRun.ts', import.meta.url));
  execFile(process.execPath, [program, bundle, act, String(killAt)], (error, stdout, stderr) => {
    const [root, end] = stdout.split('\n');
    if (root && end && error?.signal === 'SIGKILL') resolve({ root, end });
    else reject(new Error(`${act} ${killAt} ended in another way: ${stdout}${stderr}`));
  });
  return promise;
}

/** Files and links; empty folders do not count. */
function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshot(folder)).filter(([, what]) => what !== 'folder'));
}

async function expectedStates() {
  const w = new EditsFixture();
  putMixedFiles(w);
  const before = filesIn(w.inside);
  await applyAtOnce(openQueue(w.inside, join(w.root, 'state')), await mixedChange(w));
  const after = filesIn(w.inside);
  w.remove();
  return { before, after };
}

type States = Awaited<ReturnType<typeof expectedStates>>;

/**
 * Expects the next run of the window to find every file in its old or new state, or to report it, and no text lost.
 * @param finishes the user finishes a half-done change before it is undone
 */
async function expectRecovered(
  root: string,
  point: string,
  { before, after }: States,
  finishes: boolean,
): Promise<string> {
  const inside = join(root, 'inside');
  const queue = openQueue(inside, join(root, 'state'));
  const notices = await queue.restore();
  await queue.settled();
  const now = filesIn(inside);
  const [approval] = queue.all;
  expect(
    Object.keys(now).filter((name) => name.includes('.drawbridge-')),
    point,
  ).toEqual([]);
  // A file that is edited and moved may be half done, which the notice reports.
  const [moved, movedTo] = ['moved.txt', 'elsewhere/moved.txt'];
  const halfWay = [before[moved], after[movedTo]];
  for (const [name, what] of Object.entries(now)) {
    const isHalfWay = notices.length > 0 && (name === moved || name === movedTo);
    expect([before[name], after[name], ...(isHalfWay ? halfWay : [])], `${point}: ${name}`).toContain(what);
  }
  if (notices.length === 0) {
    const state = approval?.state;
    expect(now, point).toEqual(state === 'applied' ? after : before);
    expect([undefined, 'applied', 'withdrawn', 'undone'], point).toContain(state);
  } else {
    expect(notices, point).toMatchObject([{ id: approval?.id }]);
    expect(['partly_applied', 'failed'], point).toContain(approval?.state);
  }
  if (finishes && approval?.state === 'partly_applied') {
    expect(await queue.settle(approval.id, 'finish'), point).toEqual({ status: 'redone' });
    // A file that is half moved holds neither text.
    if (queue.get(approval.id)?.state === 'applied') expect(filesIn(inside), point).toEqual(after);
    else expect(queue.get(approval.id)?.note, point).toContain('left alone');
  }
  if (approval?.canUndo === true) {
    expect(await queue.undo(approval.id), point).toEqual({ status: 'undone' });
    expect(filesIn(inside), point).toEqual(before);
  } else expect(now, point).toEqual(before);
  if (approval?.state === 'undone' && approval.canRedo) {
    expect(await queue.redo(approval.id), point).toEqual({ status: 'redone' });
    expect(filesIn(inside), point).toEqual(after);
  }
  await queue.settled();
  return notices.length > 0 ? 'reported' : (approval?.state ?? 'nothing');
}

describe.each(['apply', 'undo', 'redo'])('a process that is killed in the middle of %s', (act) => {
  let states: States;
  let points: readonly string[];

  beforeAll(async () => {
    states = await expectedStates();
    const { root, all } = await runHere(act, Infinity);
    rmSync(root, { recursive: true, force: true });
    points = all;
  });

  /** The outcome after a kill at the n-th writing call. */
  async function expectedEnd(run: typeof runAndKill, killAt: number): Promise<{ end: string; outcome: string }> {
    const { root, end } = await run(act, killAt);
    try {
      expect(end).not.toBe('done');
      const point = `${act}, killed at ${killAt}, ${end}`;
      return { end, outcome: await expectRecovered(root, point, states, killAt % 2 === 0) };
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  }

  it.each(['write-ahead', 'between files', 'before commit'])(
    'leaves every file in its old or new state, or a notice, and no temporary file, at %s writes',
    async (phase) => {
      const calls = points
        .flatMap((point, index) => (point.startsWith(phase) ? [index + 1] : []))
        .filter((_, index) => index % size({ quick: 3, full: 1 }) === 0);
      const outcomes = new Map<number, string>();
      for (const killAt of calls) outcomes.set(killAt, (await expectedEnd(runHere, killAt)).outcome);
      if (phase === 'between files') expect([...outcomes.values()], 'every kind of end occurred').toContain('reported');
      // A process that is really killed leaves the same.
      const middle = calls[Math.floor(calls.length / 2)] ?? 0;
      const { end, outcome } = await expectedEnd(runAndKill, middle);
      // The calls of one phase run concurrently, so their order can differ between runs.
      expect(end.startsWith(phase), end).toBe(true);
      expect(outcome).toBe(outcomes.get(middle));
    },
  );
});
