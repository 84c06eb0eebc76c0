import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EditsFixture, snapshot } from '../vscode/editsFixture.ts';
import { mixedChange, putMixedFiles } from './mixedChange.ts';
import { applyAtOnce, openQueue } from './realQueue.ts';

vi.mock('vscode', () => import('../fakes/editor.ts'));

const program = fileURLToPath(new URL('killedRun.ts', import.meta.url));
const bundleFolder = mkdtempSync(join(tmpdir(), 'drawbridge-killed-'));
const work = join(bundleFolder, 'work.mjs');

// In one file it starts several times as fast.
beforeAll(() =>
  build({
    entryPoints: [fileURLToPath(new URL('killedWork.ts', import.meta.url))],
    outfile: work,
    bundle: true,
    platform: 'node',
    format: 'esm',
    alias: { vscode: fileURLToPath(new URL('../fakes/editor.ts', import.meta.url)) },
    // What a CommonJS module of it expects.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url), __filename = import.meta.filename;",
    },
    logLevel: 'error',
  }),
);
afterAll(() => rmSync(bundleFolder, { recursive: true, force: true }));

/** A run in a process of its own; where it was killed, or `done`. */
function run(act: string, killAt: number): Promise<{ readonly root: string; readonly end: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ root: string; end: string }>();
  execFile(process.execPath, [program, work, act, String(killAt)], (error, stdout, stderr) => {
    const [root, end] = stdout.split('\n');
    const isKilled = error?.signal === 'SIGKILL';
    if (root && end && (isKilled || end === 'done')) resolve({ root, end });
    else reject(new Error(`${act} ${killAt} ended in another way: ${stdout}${stderr}`));
  });
  return promise;
}

/** Files and links; a folder without any is nothing that somebody made. */
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

/** Another run of the window finds everything before or after, or tells; and nothing is lost. */
async function expectRecovered(root: string, point: string, { before, after }: States): Promise<string> {
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
  // A file that is edited and moved may be half-way, which is told.
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
    expect(approval, point).toMatchObject({ state: 'failed' });
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
  return notices.length > 0 ? 'told' : (approval?.state ?? 'nothing');
}

describe.each(['apply', 'undo', 'redo'])('kill -9 in the middle of %s', (act) => {
  it('at each call that writes leaves every file before or after, or a notice, and no temporary file', async () => {
    const states = await expectedStates();
    const points: string[] = [];
    const ends = new Set<string>();
    let isDone = false;
    const worker = async (first: number): Promise<void> => {
      for (let killAt = first; !isDone; killAt += 2) {
        const { root, end } = await run(act, killAt);
        try {
          if (end === 'done') isDone = true;
          else {
            points.push(end);
            ends.add(await expectRecovered(root, `${act}, killed at ${killAt}, ${end}`, states));
          }
        } finally {
          rmSync(root, { recursive: true, force: true });
        }
      }
    };
    await Promise.all([worker(1), worker(2)]);
    for (const phase of ['write-ahead', 'between files', 'before commit']) {
      expect(points.filter((point) => point.startsWith(phase)).length, phase).toBeGreaterThan(0);
    }
    expect(ends, 'every way to end was met').toContain('told');
  }, 300_000);
});
