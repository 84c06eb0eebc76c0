import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import * as z from 'zod';
import { openPane } from '../e2e/connectionsPane.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import type { BenchWindow } from './benchHost.ts';
import { connectHttp } from './httpClient.ts';
import type { LargeCorpus } from './largeCorpus.ts';
import { type Measurement, rounded } from './report.ts';
import { median, timed } from './statistics.ts';

const topic = 'outside changes';
const changes = 5;
/** Milliseconds that a large tree may take to be looked at as a whole. */
const patience = 600_000;

/** A process of Git that Drawbridge has started; times in milliseconds since the epoch, `ended` is 0 while it runs. */
const gitRun = z.object({ arguments: z.array(z.string()), began: z.number(), ended: z.number() });

/** The extension host ran these since the watch began, and its event loop was blocked for so many milliseconds at most. */
const watched = z.object({ runs: z.array(gitRun), blocked: z.number() });

/**
 * The snapshot that a session begins with, and changes of another program until the user sees them, next to `git status` of the
 * same work tree.
 * @param isWatched whether the editor could watch all folders; otherwise changes are seen at the end of a turn
 */
export async function measureOutside(
  { window, server }: BenchWindow,
  corpus: LargeCorpus,
  isWatched: boolean,
): Promise<Measurement[]> {
  const http = connectHttp(Number(new URL(server.endpoint).port));
  const tell = async (event: 'sessionBegan' | 'turnEnded' | 'sessionEnded'): Promise<void> => {
    const moment = { event, assistant: 'claude-code', session: 'large', folder: corpus.folder };
    const { status, body } = await http.post(
      '/hook',
      { Authorization: `Bearer ${server.token}` },
      JSON.stringify(moment),
    );
    if (status !== 200) throw new Error(`The hook was answered ${status}: ${body}`);
  };
  const made: string[] = [];
  const change = (): void => {
    const path = join(corpus.folder, `outside-${made.length}.ts`);
    made.push(path);
    writeFileSync(path, 'export {};\n');
  };
  try {
    const status = await gitStatus(corpus.folder);
    const snapshot = await watchWork(window, () => tell('sessionBegan'));
    change();
    const first = await watchWork(window, () => tell('turnEnded'));
    await until(() => isListShown(window), 'the list of outside changes', patience);
    const pane = await openPane(window, 'Changed Outside');
    const atEnd: number[] = [];
    for (let count = 0; count < changes; count += 1) {
      change();
      atEnd.push(await timeUntilCounted(pane, made.length, () => tell('turnEnded')));
    }
    const byWatcher: number[] = [];
    for (let count = isWatched ? changes : 0; count > 0; count -= 1) {
      byWatcher.push(await timeUntilCounted(pane, made.length + 1, async () => change()));
    }
    await tell('sessionEnded');
    return [
      ratioRow('snapshot', snapshot.milliseconds, status, snapshotBar),
      blockRow('snapshot', snapshot.blocked),
      ratioRow('look at the end of a turn', first.milliseconds, status, lookBar),
      blockRow('look at the end of a turn', first.blocked),
      {
        topic,
        what: 'change until it is listed, end of a turn',
        value: median(atEnd) / status,
        unit: 'x',
        target: { atMost: lookBar },
        detail: `${rounded(median(atEnd))} ms, git status ${rounded(status)} ms; ${changes} new files`,
        samples: { atEnd },
      },
      ...(byWatcher.length === 0
        ? []
        : [
            {
              topic,
              what: 'change until it is listed, watched',
              value: median(byWatcher),
              unit: 'ms' as const,
              target: { atMost: 1000 },
              detail: `the watcher of the editor collects events before it tells them; ${changes} new files`,
              samples: { byWatcher },
            },
          ]),
    ];
  } finally {
    http.close();
    for (const path of made) rmSync(path, { force: true });
  }
}

/** A snapshot runs as much of Git as two looks at the work tree, and reads the sizes of all objects. */
const snapshotBar = 4;
const lookBar = 3;
/** Longer blocks make all calls of all assistants wait; long work is cut into slices of 20 ms. */
const mostBlocked = 100;

function ratioRow(what: string, milliseconds: number, status: number, atMost: number): Measurement {
  const detail = `${rounded(milliseconds)} ms, git status ${rounded(status)} ms`;
  return { topic, what, value: milliseconds / status, unit: 'x', target: { atMost }, detail };
}

function blockRow(what: string, blocked: number): Measurement {
  const detail = 'longest block of the event loop of the extension host meanwhile';
  return {
    topic,
    what: `calls wait for the ${what}`,
    value: blocked,
    unit: 'ms',
    target: { atMost: mostBlocked },
    detail,
  };
}

/** Returns the milliseconds of `git status`, the median of three runs after one that does not count. */
async function gitStatus(folder: string): Promise<number> {
  const environment = { ...process.env, GIT_OPTIONAL_LOCKS: '0' };
  const run = () => promisify(execFile)('git', ['status', '--porcelain'], { cwd: folder, env: environment });
  await run();
  const samples: number[] = [];
  for (let round = 0; round < 3; round += 1) samples.push((await timed(run)).milliseconds);
  return median(samples);
}

/** Runs `begin`, and waits until Drawbridge has asked Git for the branch, which it does last. */
async function watchWork(
  window: Window,
  begin: () => Promise<void>,
): Promise<{ readonly milliseconds: number; readonly blocked: number }> {
  await window.evaluateSource(`
    const child = require('node:child_process');
    state.spawn = child.spawn;
    state.runs = [];
    state.delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 5 });
    state.delay.enable();
    child.spawn = (program, given, options) => {
      const started = state.spawn(program, given, options);
      if (given.includes('core.hooksPath=/dev/null')) {
        const run = { arguments: given, began: Date.now(), ended: 0 };
        state.runs.push(run);
        started.once('close', () => (run.ended = Date.now()));
      }
      return started;
    };
    require('node:module').syncBuiltinESMExports();`);
  const began = Date.now();
  await begin();
  const seen = async (): Promise<z.infer<typeof watched>> =>
    watched.parse(await window.evaluateSource(`return { runs: state.runs, blocked: state.delay.max / 1e6 };`));
  const isLast = (run: z.infer<typeof gitRun>): boolean => run.arguments.includes('symbolic-ref') && run.ended > 0;
  const { runs, blocked } = await until(
    async () => {
      const now = await seen();
      return now.runs.some(isLast) ? now : undefined;
    },
    'the look at the work tree to end',
    patience,
  );
  await window.evaluateSource(`
    require('node:child_process').spawn = state.spawn;
    require('node:module').syncBuiltinESMExports();
    state.delay.disable();`);
  return { milliseconds: Math.max(...runs.filter(isLast).map(({ ended }) => ended)) - began, blocked };
}

/** The view cannot be brought up before it has a row. */
async function isListShown(window: Window): Promise<boolean> {
  await window.command('drawbridge.outside.focus');
  return (await window.page.getByRole('button', { name: /^Changed Outside/ }).count()) > 0;
}

/** Returns the milliseconds from the beginning until the list counts this many changes. */
async function timeUntilCounted(pane: Locator, count: number, begin: () => Promise<unknown>): Promise<number> {
  const { milliseconds } = await timed(async () => {
    await begin();
    await pane.getByText(`${count} changes`, { exact: true }).waitFor({ timeout: patience });
  });
  return milliseconds;
}
