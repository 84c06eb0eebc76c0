import * as z from 'zod';
import type { Host } from '../host/host.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import type { Floor } from './floor.ts';
import { connectMcp, type Era, type McpAnswer, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { seededRandom, sourceLines } from './sourceText.ts';
import { median, takeTurns, timed } from './statistics.ts';

const clientCount = 16;
const callsEach = 12;
const rounds = 15;
const warmUp = 8;
/** Calls per second of the best rival that runs inside VS Code. */
const bestRival = 404;

interface Counts {
  foreign: number;
  errors: number;
}

/** Sixteen clients at once that all count their requests from 1, each asking for its own file. */
export async function benchClients(host: Host): Promise<Measurement[]> {
  const random = seededRandom(clientCount);
  const files = Array.from({ length: clientCount }, (_, at): [string, string] => {
    return [pathOf(at), `${[markOf(at), ...sourceLines(random, 40)].join('\n')}\n`];
  });
  const opened = await openBenchWindow(host, writeWorkspace(host, 'clients', files));
  try {
    const [clients2025, clients2026] = [await connectAll(opened, '2025'), await connectAll(opened, '2026')];
    const floors = Array.from({ length: clientCount }, () => opened.connectFloor());
    const counts: Record<Era, Counts> = { '2025': { foreign: 0, errors: 0 }, '2026': { foreign: 0, errors: 0 } };
    const samples = await takeTurns(
      {
        floor: () => floorRound(floors),
        era2025: () => mcpRound(clients2025, counts['2025']),
        era2026: () => mcpRound(clients2026, counts['2026']),
      },
      rounds,
      warmUp,
    );
    for (const each of [...clients2025, ...clients2026, ...floors]) each.close();
    return (['2025', '2026'] as const).flatMap((era) => rows(era, counts[era], samples[`era${era}`], samples.floor));
  } finally {
    await opened.close();
  }
}

function rows(era: Era, { foreign, errors }: Counts, ours: number[], floor: number[]): Measurement[] {
  const topic = `${clientCount} clients`;
  const detail = `bare echo ${rounded(perSecond(floor))} calls/s; best rival ${bestRival}; ${rounds} rounds of ${clientCount * callsEach} calls`;
  const target = { atLeast: 3 * bestRival };
  const samples = { milliseconds: ours, floor };
  const none = { unit: 'answers', target: { atMost: 0 }, detail: 'of all rounds, warm-up included' } as const;
  return [
    { topic, what: `${era} era`, value: perSecond(ours), unit: 'calls/s', target, detail, samples },
    { topic, what: `${era} era, foreign answers`, value: foreign, ...none },
    { topic, what: `${era} era, errors`, value: errors, ...none },
  ];
}

function perSecond(milliseconds: readonly number[]): number {
  return (clientCount * callsEach * 1000) / median(milliseconds);
}

function connectAll({ server }: BenchWindow, era: Era): Promise<McpClient[]> {
  return Promise.all(Array.from({ length: clientCount }, () => connectMcp(server, era, clientNames.structured)));
}

async function mcpRound(clients: readonly McpClient[], counts: Counts): Promise<number> {
  const { milliseconds } = await timed(() =>
    Promise.all(
      clients.map(async (client, at) => {
        for (let call = 0; call < callsEach; call += 1) {
          judge(await client.callTool('read_file', { path: pathOf(at) }), at, counts);
        }
      }),
    ),
  );
  return milliseconds;
}

function judge(answer: McpAnswer, at: number, counts: Counts): void {
  try {
    const text = String(answer.toolResult().structuredContent?.['text']);
    if (!text.startsWith(`${markOf(at)}\n`)) counts.foreign += 1;
  } catch {
    counts.errors += 1;
  }
}

async function floorRound(floors: readonly Floor[]): Promise<number> {
  const content = 'x'.repeat(1000);
  const { milliseconds } = await timed(() =>
    Promise.all(
      floors.map(async (floor) => {
        for (let call = 0; call < callsEach; call += 1) {
          (await floor.ask('echo', { content })).as(z.object({ content: z.literal(content) }));
        }
      }),
    ),
  );
  return milliseconds;
}

function pathOf(at: number): string {
  return `client-${at}.ts`;
}

function markOf(at: number): string {
  return `// The file of client ${at} and of no other.`;
}
