import { join } from 'node:path';
import * as z from 'zod';
import type { Host } from '../host/host.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import type { Floor } from './floor.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { seededRandom, sourceLines } from './sourceText.ts';
import { median, percentile, takeTurns, timed } from './statistics.ts';

/** Files of one size, each of which is read once. */
interface ReadSize {
  readonly name: string;
  readonly lines: number;
  readonly rounds: number;
  readonly warmUp: number;
  readonly atMost: number;
}

const allSizes: readonly ReadSize[] = [
  { name: '200 lines', lines: 200, rounds: 200, warmUp: 100, atMost: 2 },
  // A longer file comes in parts.
  { name: '1,000 lines', lines: 1000, rounds: 80, warmUp: 30, atMost: 1.6 },
];

/** `read_file` of files that are not open against a bare handler that reads the same files. */
export async function benchRead(host: Host, sizes = allSizes): Promise<Measurement[]> {
  const files = new Map(sizes.flatMap((size) => filesOf(size)));
  const folder = writeWorkspace(host, 'read', files);
  const opened = await openBenchWindow(host, folder);
  try {
    const results: Measurement[] = [];
    for (const size of sizes) results.push(...(await race(opened, folder, files, size)));
    return results;
  } finally {
    await opened.close();
  }
}

function filesOf(size: ReadSize): (readonly [string, string])[] {
  const random = seededRandom(size.lines);
  return Array.from({ length: size.rounds + size.warmUp }, (_, round) => {
    return [pathOf(size, round), `${sourceLines(random, size.lines).join('\n')}\n`];
  });
}

function pathOf({ lines }: ReadSize, round: number): string {
  return `${lines}/file-${round}.ts`;
}

async function race(
  opened: BenchWindow,
  folder: string,
  files: ReadonlyMap<string, string>,
  size: ReadSize,
): Promise<Measurement[]> {
  const { server } = opened;
  const clients = {
    structured2025: await connectMcp(server, '2025', clientNames.structured),
    structured2026: await connectMcp(server, '2026', clientNames.structured),
    text2025: await connectMcp(server, '2025', clientNames.text),
    everything2025: await connectMcp(server, '2025', clientNames.unknown),
  };
  const floor = opened.connectFloor();
  const read = (client: McpClient) => (round: number) => readOurs(client, pathOf(size, round), files, size);
  const samples = await takeTurns(
    {
      floor: (round) => readFloor(floor, join(folder, pathOf(size, round)), files.get(pathOf(size, round))),
      structured2025: read(clients.structured2025),
      structured2026: read(clients.structured2026),
      text2025: read(clients.text2025),
      everything2025: read(clients.everything2025),
    },
    size.rounds,
    size.warmUp,
  );
  for (const each of [floor, ...Object.values(clients)]) each.close();
  const row = (profile: keyof typeof clients, what: string, isJudged: boolean): Measurement => ({
    topic: 'read_file',
    what: `${size.name}, ${what}`,
    value: median(samples[profile]) / median(samples.floor),
    unit: 'x',
    ...(isJudged ? { target: { atMost: size.atMost } } : {}),
    detail: `p50 ${rounded(median(samples[profile]))} ms, floor ${rounded(median(samples.floor))} ms; p99 ${rounded(percentile(samples[profile], 0.99))}, ${rounded(percentile(samples.floor, 0.99))} ms; ${size.rounds} files`,
    samples: { [profile]: samples[profile], floor: samples.floor },
  });
  return [
    row('structured2025', 'structured only, 2025 era', true),
    row('structured2026', 'structured only, 2026 era', true),
    row('text2025', 'text only (numbered lines), 2025 era', false),
    row('everything2025', 'all blocks (unknown client), 2025 era', false),
  ];
}

/** Returns the content in the form of the client's profile. */
async function readOurs(
  client: McpClient,
  path: string,
  files: ReadonlyMap<string, string>,
  { lines }: ReadSize,
): Promise<number> {
  const { milliseconds, value } = await timed(() => client.callTool('read_file', { path, lastLine: lines + 1 }));
  const { structuredContent, content } = value.toolResult();
  const wanted = files.get(path) ?? '';
  const isWhole =
    structuredContent === undefined
      ? wanted.split('\n').every((line) => content[0]?.text?.includes(line))
      : structuredContent['text'] === wanted;
  if (!isWhole) throw new Error(`read_file did not give the whole of ${path}: ${content[0]?.text?.slice(0, 300)}`);
  return milliseconds;
}

async function readFloor(floor: Floor, path: string, wanted: string | undefined): Promise<number> {
  const { milliseconds, value } = await timed(() => floor.ask('read', { path }));
  if (value.as(z.object({ text: z.string() })).text !== wanted) throw new Error(`The floor misread ${path}.`);
  return milliseconds;
}
