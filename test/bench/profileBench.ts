import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as z from 'zod';
import { repository } from '../host/hostFolder.ts';
import { packageExtension } from '../host/packageExtension.ts';
import type { Window } from '../host/window.ts';
import { type BenchWindow, clientNames, openBenchWindow, startBenchHost, writeWorkspace } from './benchHost.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import type { Measurement } from './report.ts';
import { seededRandom, sourceLines } from './sourceText.ts';

/** Files of 200 lines, each of which is read in turn. */
const fileCount = 200;
/** Rows that are printed for a kind of call; the rest is summed up. */
const shownRows = 15;

interface Work {
  readonly name: string;
  readonly calls: number;
  readonly call: (client: McpClient, round: number) => ReturnType<McpClient['callTool']>;
}

const works: readonly Work[] = [
  { name: 'get_workspace', calls: 3000, call: (client) => client.callTool('get_workspace', {}) },
  {
    name: 'read_file of 200 lines',
    calls: 1500,
    call: (client, round) => client.callTool('read_file', { path: pathOf(round % fileCount) }),
  },
  {
    name: 'search_code with one hit',
    calls: 200,
    call: (client, round) => client.callTool('search_code', { query: `needle${round % fileCount}end` }),
  },
];

const cpuProfile = z.object({
  nodes: z.array(
    z.object({
      id: z.number(),
      callFrame: z.object({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
      children: z.array(z.number()).optional(),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
});

type CpuProfile = z.infer<typeof cpuProfile>;

/**
 * Shows where the processor time of a call goes in the extension host: one CPU profile for each kind of call, summed up by room of
 * `src`, by library and by what Node does for them. The package is built without minifying, so that lines have their files.
 */
export async function benchProfile(): Promise<Measurement[]> {
  const host = await startBenchHost(await packageExtension('development'));
  try {
    const random = seededRandom(fileCount);
    const files = Array.from({ length: fileCount }, (_, index): [string, string] => {
      return [pathOf(index), `// needle${index}end\n${sourceLines(random, 199).join('\n')}\n`];
    });
    const opened = await openBenchWindow(host, writeWorkspace(host, 'profile', files));
    const places = placesOfPackage();
    const rows: Measurement[] = [];
    for (const work of works) rows.push(...rowsOf(work, await profiled(opened, work), places));
    await opened.close();
    return rows;
  } finally {
    await host.stop();
  }
}

const pathOf = (index: number): string => `src/file-${index}.ts`;

/** Makes the calls of one client, one after the other, first without and then with the profiler. */
async function profiled({ window, server }: BenchWindow, { calls, call }: Work): Promise<CpuProfile> {
  const client = await connectMcp(server, '2025', clientNames.structured);
  const run = async (count: number): Promise<void> => {
    for (let round = 0; round < count; round += 1) (await call(client, round)).toolResult();
  };
  await run(Math.min(calls, 500));
  await startProfiler(window);
  await run(calls);
  const profile = await window.evaluateSource(`
    const { profile } = await state.profiler.post('Profiler.stop');
    state.profiler.disconnect();
    return profile;`);
  client.close();
  return cpuProfile.parse(profile);
}

async function startProfiler(window: Window): Promise<void> {
  await window.evaluateSource(`
    const { Session } = require('node:inspector/promises');
    state.profiler = new Session();
    state.profiler.connect();
    await state.profiler.post('Profiler.enable');
    await state.profiler.post('Profiler.setSamplingInterval', { interval: 200 });
    await state.profiler.post('Profiler.start');`);
}

/** Returns, for each file of the extension host by its name, where its lines come from. */
function placesOfPackage(): ReadonlyMap<string, readonly string[]> {
  const dist = join(repository, 'dist');
  const names = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const bundles = names.filter((name) => name.endsWith('.mjs') && !name.startsWith('package'));
  return new Map(bundles.map((name) => [basename(name), placesOf(readFileSync(join(dist, name), 'utf8'))] as const));
}

/** Returns, for each line of a bundle, the room of `src` or the library that it comes from; the bundler marks where a file begins. */
function placesOf(bundle: string): readonly string[] {
  let place = 'bundle';
  return bundle.split('\n').map((line) => {
    const [, file] = /^\s*\/\/ ((?:src|node_modules)\/\S+)$/.exec(line) ?? [];
    const [, library] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file ?? '') ?? [];
    if (library !== undefined) place = library;
    else if (file !== undefined) place = file.split('/').slice(0, 2).join('/');
    return place;
  });
}

function rowsOf(
  { name, calls }: Work,
  { nodes, samples, timeDeltas }: CpuProfile,
  places: ReadonlyMap<string, readonly string[]>,
) {
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const placeOf = (id: number): string | undefined => {
    const frame = frames.get(id);
    return frame && places.get(basename(frame.url))?.[frame.lineNumber];
  };
  /** The place in the bundle that runs, or that calls what runs. */
  const callerOf = (id: number | undefined): string | undefined => {
    if (id === undefined) return undefined;
    return placeOf(id) ?? callerOf(parents.get(id));
  };
  const titleOf = (id: number): string => {
    const place = placeOf(id);
    if (place !== undefined) return place;
    const { functionName = '', url = '' } = frames.get(id) ?? {};
    if (functionName.startsWith('(')) return functionName;
    const caller = callerOf(id);
    const what = url.startsWith('node:') ? url : url === '' ? `native ${functionName}` : basename(url);
    return caller === undefined ? what : `${what} for ${caller}`;
  };
  const times = new Map<string, number>();
  /** Milliseconds by function, of each row. */
  const functions = new Map<string, Map<string, number>>();
  samples.forEach((id, index) => {
    const [title, time] = [titleOf(id), (timeDeltas[index] ?? 0) / 1000];
    add(times, title, time);
    const within = functions.get(title) ?? new Map<string, number>();
    functions.set(title, within);
    add(within, frames.get(id)?.functionName ?? '', time);
  });
  times.delete('(idle)');
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  const sorted = largestFirst(times);
  const rest = sorted.slice(shownRows).reduce((sum, [, time]) => sum + time, 0);
  return [['all', total] as const, ...sorted.slice(0, shownRows), ['everything else', rest] as const].map(
    ([title, time]): Measurement => ({
      topic: `profile of ${name}`,
      what: title,
      value: (time * 1000) / calls,
      unit: 'µs',
      detail: `${((100 * time) / total).toFixed(1)} % of a call, ${calls} calls${mostly(functions.get(title))}`,
    }),
  );
}

function add(times: Map<string, number>, key: string, time: number): void {
  times.set(key, (times.get(key) ?? 0) + time);
}

const largestFirst = (times: ReadonlyMap<string, number>): readonly (readonly [string, number])[] =>
  [...times].toSorted(([, one], [, other]) => other - one);

/** Names the functions of a row that take most of its time. */
function mostly(functions: ReadonlyMap<string, number> | undefined): string {
  if (functions === undefined || functions.size < 2) return '';
  const total = [...functions.values()].reduce((sum, time) => sum + time, 0);
  const named = largestFirst(functions).slice(0, 6);
  return `; ${named.map(([name, time]) => `${name || 'anonymous'} ${Math.round((100 * time) / total)} %`).join(', ')}`;
}
