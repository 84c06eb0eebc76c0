import { join } from 'node:path';
import * as z from 'zod';
import { messageOf } from '#base/messageOf.ts';
import type { Host } from '../host/host.ts';
import { startRun } from '../host/processes.ts';
import { progress } from '../host/progress.ts';
import type { Window } from '../host/window.ts';
import { size } from '../size.ts';
import { type BenchWindow, benchWindowOf, clientNames, startBenchHost } from './benchHost.ts';
import {
  activationOverEmpty,
  emptyExtension,
  type Footprint,
  measureActivation,
  memoryOf,
  withoutActivationEvents,
} from './footprintBench.ts';
import { type LargeCorpus, writeLargeCorpus } from './largeCorpus.ts';
import { measureOutside } from './largeOutside.ts';
import { mostWatches, untilQuiet, watchesOf } from './largeProcesses.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { observeCommand, raceSearch, runCommand } from './searchBench.ts';
import { median, takeTurns, timed } from './statistics.ts';

/** Files of the corpus when the command line names no number. */
export const largeFileCount = size({ quick: 50_000, full: 500_000 });

const windows = 2;
/** One round takes up to a minute in the full size. */
const rounds = size({ quick: 5, full: 3 });
const warmUp = 1;

/** One Drawbridge in a workspace of very many files, each operation next to the cheapest program that does the same. */
export async function benchLarge(drawbridge: string, fileCount: number): Promise<Measurement[]> {
  const corpus = await writeLargeCorpus(fileCount);
  const run = startRun();
  try {
    const unpacked = await withoutActivationEvents(drawbridge, join(run.directory, 'drawbridge'));
    const host = await startBenchHost(unpacked, {
      extensions: [emptyExtension],
      settings: { 'drawbridge.start': 'manual' },
    });
    try {
      return (await measure(host, corpus)).map((row) => ({ ...row, topic: `${fileCount} files, ${row.topic}` }));
    } finally {
      await host.stop();
    }
  } finally {
    await run.stop();
  }
}

async function measure(host: Host, corpus: LargeCorpus): Promise<Measurement[]> {
  const found: Footprint[] = [];
  for (let turn = 1; ; turn += 1) {
    progress(`window ${turn} of ${windows}`);
    const window = await host.openWindow({ folder: corpus.folder });
    await untilQuiet(host);
    const before = { watches: watchesOf(host), memory: await memoryOf(window) };
    found.push(await measureActivation(window, turn % 2 === 0));
    if (turn === windows)
      return [activationOverEmpty('start', found), ...(await measureOpen(host, window, corpus, before))];
    await window.close();
  }
}

/** The editor holds this by itself, before Drawbridge is active. Memory is in bytes. */
interface Held {
  readonly watches: number;
  readonly memory: number;
}

/** @param before what the editor held before Drawbridge was activated */
async function measureOpen(host: Host, window: Window, corpus: LargeCorpus, before: Held): Promise<Measurement[]> {
  const opened = await benchWindowOf(host, window);
  const atRest = await memoryOf(window);
  const first = await timed(() => connectMcp(opened.server, '2025', clientNames.structured));
  const client = first.value;
  const firstCall = await timed(() => client.callTool('get_workspace', {}));
  firstCall.value.toolResult();
  const isWatched = before.watches >= corpus.folderCount;
  const rows: Measurement[] = [
    {
      topic: 'start',
      what: 'first tools/call, with the connection',
      value: first.milliseconds + firstCall.milliseconds,
      unit: 'ms',
      target: { atMost: 300 },
      detail: `get_workspace, ${rounded(firstCall.milliseconds)} ms without the connection`,
    },
  ];
  const parts: readonly (readonly [string, () => Promise<Measurement[]>])[] = [
    ['entries that a call touches', () => accesses(opened, client, corpus)],
    ['list_directory', () => listings(client, corpus)],
    ['find_files', () => files(opened, client, corpus)],
    ['search_code', () => searches(opened, corpus)],
    ['outside changes', () => measureOutside(opened, corpus, isWatched)],
  ];
  for (const [name, part] of parts) {
    progress(name);
    try {
      rows.push(...(await part()));
    } catch (error) {
      // The other rows of a long run are kept.
      rows.push(failed(name, error));
    }
  }
  client.close();
  await untilQuiet(host);
  return [
    ...rows,
    ...memory(before.memory, atRest, await memoryOf(window)),
    ...(await watching(host, window, corpus, before.watches)),
  ];
}

/** Entries of the file system that one call lists or looks at: a small number, however many files there are. */
async function accesses(opened: BenchWindow, client: McpClient, corpus: LargeCorpus): Promise<Measurement[]> {
  const [path = ''] = corpus.plainFiles;
  const calls = [
    ['get_workspace', {}],
    ['read_file', { path }],
    ['list_directory', { path: folderOf(path) }],
  ] as const;
  const rows: Measurement[] = [];
  for (const [tool, input] of calls) {
    const { listed, looked } = await countAccesses(opened.window, async () =>
      (await client.callTool(tool, input)).toolResult(),
    );
    rows.push({
      topic: 'tree',
      what: `entries that ${tool} touches`,
      value: listed + looked,
      unit: 'files',
      target: { atMost: 40 },
      detail: `${listed} folders listed, ${looked} entries looked at, by functions of Drawbridge in the extension host`,
    });
  }
  return rows;
}

const counts = z.object({ listed: z.int(), looked: z.int() });

async function countAccesses(window: Window, call: () => Promise<unknown>): Promise<z.infer<typeof counts>> {
  await window.evaluateSource(`
    const root = require('node:fs').realpathSync(vscode.extensions.getExtension('drawbridge.drawbridge').extensionPath);
    const kinds = { listed: /^(readdir|opendir)/, looked: /^(lstat|stat|access|realpath|readlink|open|exists)/ };
    state.counts = { listed: 0, looked: 0 };
    state.restore = [];
    for (const module of [require('node:fs'), require('node:fs/promises')]) {
      for (const [name, original] of Object.entries(module)) {
        const kind = Object.keys(kinds).find((each) => kinds[each].test(name));
        if (kind === undefined || typeof original !== 'function') continue;
        module[name] = Object.assign(function (...given) {
          if (new Error().stack.includes(root)) state.counts[kind] += 1;
          return original.apply(this, given);
        }, original);
        state.restore.push(() => (module[name] = original));
      }
    }
    require('node:module').syncBuiltinESMExports();`);
  await call();
  return counts.parse(
    await window.evaluateSource(`
      for (const back of state.restore) back();
      require('node:module').syncBuiltinESMExports();
      return state.counts;`),
  );
}

/** Lists a small folder, the largest one, and two levels of the workspace. */
async function listings(client: McpClient, { plainFiles, topFolders }: LargeCorpus): Promise<Measurement[]> {
  const plans = [
    ['a small folder', (round: number) => ({ path: folderOf(plainFiles[round] ?? '') }), 50],
    ['the largest folder', () => ({ path: 'packages', maxResults: 1000 }), 150],
    ['two levels of the workspace', () => ({ depth: 2 }), 150],
  ] as const;
  const rows: Measurement[] = [];
  for (const [what, inputOf, atMost] of plans) {
    const samples: number[] = [];
    for (let round = 0; round < warmUp + rounds; round += 1) {
      const input = inputOf(round);
      const { milliseconds, value } = await timed(() => client.callTool('list_directory', input));
      const { totalCount } = listed.parse(value.toolResult().structuredContent);
      const wanted = 'depth' in input || input.path === 'packages' ? topFolders : 1;
      if (totalCount < wanted) throw new Error(`list_directory of ${what} found ${totalCount} entries.`);
      if (round >= warmUp) samples.push(milliseconds);
    }
    rows.push({
      topic: 'list_directory',
      what,
      value: median(samples),
      unit: 'ms',
      target: { atMost },
      detail: `median of ${rounds}; the largest folder has ${topFolders} entries`,
      samples: { listing: samples },
    });
  }
  return rows;
}

const listed = z.looseObject({ totalCount: z.int() });

const foundFiles = z.looseObject({ files: z.array(z.looseObject({ path: z.string() })) });

/** Finds a file by a part of its path, against the very ripgrep command that lists all files for it. */
async function files(opened: BenchWindow, client: McpClient, { plainFiles }: LargeCorpus): Promise<Measurement[]> {
  const find = async (path: string): Promise<number> => {
    const query = folderOf(path).split('/').at(-1) ?? '';
    const { milliseconds, value } = await timed(() => client.callTool('find_files', { query }));
    const found = foundFiles.parse(value.toolResult().structuredContent).files;
    if (!found.some((each) => each.path === path)) throw new Error(`find_files found no ${path}.`);
    return milliseconds;
  };
  const [first = ''] = plainFiles;
  const started = await observeCommand(
    opened.window,
    () => find(first),
    (each) => each.arguments.includes('--files'),
  );
  const floor = opened.connectFloor();
  const samples = await takeTurns(
    {
      drawbridge: (round) => find(plainFiles[round] ?? first),
      ripgrep: () => runCommand(floor, started),
    },
    rounds,
    warmUp,
  );
  floor.close();
  const [ours, raw] = [median(samples.drawbridge), median(samples.ripgrep)];
  const row: Measurement = {
    topic: 'find_files',
    what: 'by a part of the path',
    value: ours / raw,
    unit: 'x',
    target: { atMost: 1.25 },
    detail: `${rounded(ours)} ms, rg --files ${rounded(raw)} ms; ${rounds} queries each`,
    samples,
  };
  return [row];
}

async function searches(opened: BenchWindow, { needles }: LargeCorpus): Promise<Measurement[]> {
  const client = await connectMcp(opened.server, '2025', clientNames.unpaged);
  const rows: Measurement[] = [];
  for (const [hits, ofKind] of needles) {
    const what = `${hits} ${hits === 1 ? 'hit' : 'hits'}`;
    const plan = { what, needles: ofKind, input: { maxResults: 1000 }, rounds, warmUp, atMost: 1.05 };
    rows.push(await raceSearch(opened, client, plan));
  }
  client.close();
  return rows;
}

/** Returns the row of a part that could not be measured, which misses its target. */
function failed(topic: string, error: unknown): Measurement {
  return {
    topic,
    what: 'not measured',
    value: Infinity,
    unit: 'x',
    target: { atMost: 1 },
    detail: messageOf(error),
  };
}

function memory(before: number, atRest: number, after: number): Measurement[] {
  const row = (what: string, bytes: number, atMost: number): Measurement => ({
    topic: 'memory',
    what,
    value: bytes / 2 ** 20,
    unit: 'MB',
    target: { atMost },
    detail: `heap and external of the extension host after a collection; ${rounded(before / 2 ** 20)} MB before Drawbridge`,
  });
  return [row('at rest, added by Drawbridge', atRest - before, 30), row('gained by all calls', after - atRest, 20)];
}

async function watching(host: Host, window: Window, corpus: LargeCorpus, before: number): Promise<Measurement[]> {
  const limit = mostWatches();
  const now = watchesOf(host);
  const topic = 'watches';
  const words = await window.page.getByText(/Unable to watch for file changes/).count();
  return [
    {
      topic,
      what: 'watches that Drawbridge adds',
      value: Math.max(0, now - before),
      unit: 'files',
      target: { atMost: 20 },
      detail: `${now} of all processes of the editor; the tree has ${corpus.folderCount} folders, this user may watch ${limit}`,
    },
    ...(before >= corpus.folderCount
      ? []
      : [
          {
            topic,
            what: 'sentences that say that files are not watched',
            value: words,
            unit: 'answers' as const,
            target: { atLeast: 1 },
            detail: 'notifications of the editor, which watches for all extensions',
          },
        ]),
  ];
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'));
}
