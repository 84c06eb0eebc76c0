import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import * as z from 'zod';
import { decide, openApprovals } from '../e2e/approvalsPage.ts';
import { setSetting } from '../e2e/editor.ts';
import type { Host } from '../host/host.ts';
import { progress } from '../host/progress.ts';
import { until } from '../host/until.ts';
import type { Window } from '../host/window.ts';
import { size } from '../size.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import { memoryFunction } from './footprintBench.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { integer, type Random, seededRandom, sourceLines } from './sourceText.ts';
import { median, timed } from './statistics.ts';

/** The amounts of a whole day, of which each of the equal parts has its share. */
const day = size({
  quick: { calls: 1600, changes: 20, connects: 20 },
  full: { calls: 1_000_000, changes: 2000, connects: 250 },
});
const parts = 20;
/** Assistants that call at the same time. */
const clientCount = 8;
const fileCount = 400;

type MakeCall = (random: Random) => readonly [string, Readonly<Record<string, unknown>>];

/** The tools that the twenty tasks of `bench -- tasks` call, each as often as it stands here. */
const mix: readonly MakeCall[] = [
  ...repeated(9, (random) => ['read_file', { path: anyFile(random) }]),
  ...repeated(4, (random) => ['search_code', { query: `needle${integer(random, fileCount)}end` }]),
  ...repeated(2, (random) => ['find_files', { query: `file-${integer(random, fileCount)}` }]),
  ...repeated(2, (random) => ['get_outline', { path: anyFile(random) }]),
  ...repeated(1, (random) => ['list_directory', { path: `src/${integer(random, 10)}` }]),
  ...repeated(1, (random) => ['get_diagnostics', { paths: [anyFile(random)] }]),
  ...repeated(1, () => ['get_workspace', {}]),
];

/** The state of the extension host after a part of the day and a collection. */
const hostState = z.object({
  /** Bytes of the heap and of buffers outside it. */
  memory: z.number(),
  /** Open sockets, timers and processes by kind. */
  resources: z.record(z.string(), z.number()),
});

type HostState = z.infer<typeof hostState>;

/**
 * A day in a few minutes: calls of several assistants at once, approved changes, assistants that come and go, files that somebody else
 * changes, and settings. Memory must stay flat, calls as fast as in the morning, and nothing may be lost or left over.
 */
export async function benchSoak(host: Host): Promise<Measurement[]> {
  const random = seededRandom(fileCount);
  const folder = writeWorkspace(host, 'soak', workspaceFiles(random));
  const opened = await openBenchWindow(host, folder);
  try {
    const page = await openApprovals(opened.window);
    const setting = { opened, page, folder, random };
    const states: HostState[] = [];
    const latencies: number[][] = [];
    // The first part of the day does not count, because the language services of the editor start with its calls and stay.
    const lost = [...(await livePart(0, setting)).lost];
    const before = await stateOf(opened.window);
    for (let part = 1; part <= parts; part += 1) {
      const result = await livePart(part, setting);
      lost.push(...result.lost);
      latencies.push(result.milliseconds);
      states.push(await stateOf(opened.window));
      progress(`part ${part} of ${parts}: ${rounded((states.at(-1)?.memory ?? 0) / 2 ** 20)} MB`);
    }
    const isBack = async (): Promise<boolean> => leftOver(before, await stateOf(opened.window)).length === 0;
    await until(isBack, 'the sockets, timers and processes of the assistants to be gone', 60_000).catch(
      () => undefined,
    );
    return rowsOf({ before, after: await stateOf(opened.window), states, latencies, lost, home: host.home });
  } finally {
    await opened.close();
  }
}

interface Setting {
  readonly opened: BenchWindow;
  readonly page: Frame;
  readonly folder: string;
  readonly random: Random;
}

async function livePart(
  part: number,
  { opened, page, folder, random }: Setting,
): Promise<{ readonly milliseconds: number[]; readonly lost: readonly string[] }> {
  const milliseconds: number[] = [];
  const lost: string[] = [];
  const connect = (): Promise<McpClient> =>
    connectMcp(opened.server, part % 2 === 0 ? '2025' : '2026', clientNames.structured);
  const clients = await Promise.all(Array.from({ length: clientCount }, connect));
  const calls = Math.round(day.calls / parts / clientCount);
  await Promise.all(
    clients.map(async (client) => {
      for (let call = 0; call < calls; call += 1) {
        const [tool, input] = mix[integer(random, mix.length)]?.(random) ?? ['get_workspace', {}];
        const { milliseconds: taken, value } = await timed(() => client.callTool(tool, input));
        if (tool === 'read_file') milliseconds.push(taken);
        try {
          value.toolResult();
        } catch (error) {
          lost.push(`${tool} ${JSON.stringify(input)}: ${String(error)}`);
        }
      }
    }),
  );
  const paths = Array.from({ length: Math.round(day.changes / parts) }, (_, change) => pathOf(change));
  const [first] = clients;
  if (first === undefined) throw new Error('A part of the day has at least one assistant.');
  for (const path of paths) await changeByApproval(first, page, { path, version: part });
  for (const client of clients) await client.leave();
  for (let count = 0; count < day.connects / parts; count += 1) {
    const client = await connect();
    (await client.callTool('get_workspace', {})).toolResult();
    await client.leave();
  }
  // Another program changes files meanwhile.
  for (let count = 0; count < 10; count += 1) {
    writeFileSync(join(folder, anyFile(random)), textOf(random, integer(random, fileCount)));
  }
  await setSetting(opened.window, 'drawbridge.read.maxBytes', (2 + (part % 2)) * 1024 * 1024);
  return { milliseconds, lost };
}

async function changeByApproval(
  client: McpClient,
  page: Frame,
  { path, version }: { readonly path: string; readonly version: number },
): Promise<void> {
  const asked = client.callTool('create_file', {
    path: `made/${path}`,
    content: `export const version = ${version};\n`,
    overwrite: true,
    reason: 'A change of the day.',
  });
  await decide(page, /^Approve/);
  const { structuredContent } = (await asked).toolResult();
  z.looseObject({ status: z.literal('applied') }).parse(structuredContent);
}

/** Returns the state after two collections. */
async function stateOf(window: Window): Promise<HostState> {
  return hostState.parse(
    await window.evaluateSource(`
      ${memoryFunction}
      const bytes = await memory();
      const resources = Object.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
      const counts = Object.entries(resources).map(([kind, all]) => [kind, all.length]);
      return { memory: bytes, resources: Object.fromEntries(counts) };`),
  );
}

/** The kinds of resources that an assistant must take with it when it leaves. */
const taken: ReadonlySet<string> = new Set(['TCPSocketWrap', 'ProcessWrap', 'PipeWrap', 'FSReqCallback']);

function leftOver(before: HostState, after: HostState): readonly string[] {
  return Object.entries(after.resources).flatMap(([kind, count]) => {
    const more = count - (before.resources[kind] ?? 0);
    return taken.has(kind) && more > 0 ? [`${more} ${kind}`] : [];
  });
}

interface Day {
  readonly before: HostState;
  readonly after: HostState;
  readonly states: readonly HostState[];
  readonly latencies: readonly (readonly number[])[];
  readonly lost: readonly string[];
  readonly home: string;
}

function rowsOf({ before, after, states, latencies, lost, home }: Day): Measurement[] {
  const topic = `soak of ${day.calls} calls`;
  const memory = states.map((state) => state.memory / 2 ** 20);
  const { growth, noise } = growthOf(memory.slice(parts / 2));
  const tenth = parts / 10;
  const [morning, evening] = [latencies.slice(0, tenth).flat(), latencies.slice(-tenth).flat()];
  const left = leftOver(before, after);
  const audit = join(home, 'audit');
  const recordBytes = readdirSync(audit).reduce((sum, name) => sum + statSync(join(audit, name)).size, 0);
  return [
    {
      topic,
      what: 'calls lost or failed',
      value: lost.length,
      unit: 'answers',
      target: { atMost: 0 },
      detail: lost[0] ?? `${day.changes} approved changes and ${day.connects} connections besides`,
    },
    {
      topic,
      what: 'memory gained in the second half',
      value: growth,
      unit: 'MB',
      target: { atMost: noise },
      detail: `heap and external after a collection, ${memory.map(rounded).join(' ')} MB; the target is the noise`,
      samples: { memory },
    },
    {
      topic,
      what: 'a read at the end against the beginning',
      value: median(evening) / median(morning),
      unit: 'x',
      target: { atMost: 1.1 },
      detail: `last and first tenth: ${rounded(median(evening))} and ${rounded(median(morning))} ms`,
    },
    {
      topic,
      what: 'sockets, processes and reads left',
      value: left.length,
      unit: 'answers',
      target: { atMost: 0 },
      detail: left.join(', ') || 'none, after all assistants have left',
    },
    { topic, what: 'record', value: recordBytes / 2 ** 20, unit: 'MB', detail: 'all files of the record' },
  ];
}

/**
 * Returns what a line through the values gains from the first to the last, and twice the standard error of that gain, which is at least
 * one megabyte: a collection leaves that much by chance.
 */
function growthOf(values: readonly number[]): { readonly growth: number; readonly noise: number } {
  const count = values.length;
  const middle = (count - 1) / 2;
  const mean = values.reduce((sum, value) => sum + value, 0) / count;
  const spread = values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  const slope = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0) / spread;
  const residual = values.reduce((sum, value, at) => sum + (value - mean - slope * (at - middle)) ** 2, 0);
  const error = Math.sqrt(residual / (count - 2) / spread);
  return { growth: slope * (count - 1), noise: Number(Math.max(1, 2 * error * (count - 1)).toFixed(1)) };
}

function repeated(count: number, makeCall: MakeCall): readonly MakeCall[] {
  return Array.from({ length: count }, () => makeCall);
}

function pathOf(index: number): string {
  return `src/${index % 10}/file-${index}.ts`;
}

function anyFile(random: Random): string {
  return pathOf(integer(random, fileCount));
}

function textOf(random: Random, index: number): string {
  return `// needle${index}end\n${sourceLines(random, 100).join('\n')}\n`;
}

function workspaceFiles(random: Random): (readonly [string, string])[] {
  return Array.from({ length: fileCount }, (_, index) => [pathOf(index), textOf(random, index)] as const);
}
