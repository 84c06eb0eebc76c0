import * as z from 'zod';
import type { Host } from '../host/host.ts';
import { type BenchWindow, clientNames, openBenchWindow, writeWorkspace } from './benchHost.ts';
import type { Floor } from './floor.ts';
import { connectMcp, type Era, type McpAnswer, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { median, percentile, takeTurns, timed } from './statistics.ts';

const callsPerRound = 192;

/** Says how many calls are made, and how slow they may be. */
interface CallsPlan {
  /** Numbers of clients that call at the same time. */
  readonly clientCounts: readonly number[];
  readonly rounds: number;
  readonly warmUp: number;
  /** Compared with the SDK alone, which has no audit log, no policy and no authentication. */
  readonly atMost: number;
}

const wholePlan: CallsPlan = { clientCounts: [1, 8, 32], rounds: 31, warmUp: 12, atMost: 1.3 };

/** One way of calling a tool with a small answer. */
interface Caller {
  /** Resolves when the answer has arrived, unread, with what reads it: that throws when it is another than the wanted one. */
  call(): Promise<() => void>;
  close(): void;
}

/** The same small answer from Drawbridge, from the bare SDK and from a bare echo, side by side in one extension host. */
export async function benchCalls(host: Host, plan = wholePlan): Promise<Measurement[]> {
  const opened = await openBenchWindow(host, writeWorkspace(host, 'calls', [['a.ts', 'const a = 1;\n']]));
  try {
    const answer = await smallAnswer(opened);
    const results: Measurement[] = [];
    for (const clients of plan.clientCounts) results.push(...(await race(opened, clients, answer, plan)));
    return results;
  } finally {
    await opened.close();
  }
}

/** What `get_workspace` answers, which the rivals then answer too. */
async function smallAnswer(opened: BenchWindow): Promise<string> {
  const client = await connectMcp(opened.server, '2025', clientNames.unknown);
  const floor = opened.connectFloor();
  const answer = resultOf(await client.callTool('get_workspace', {}));
  (await floor.ask('answer', JSON.parse(answer))).as(z.object({ kept: z.literal(true) }));
  client.close();
  floor.close();
  return answer;
}

async function race(
  opened: BenchWindow,
  clients: number,
  wanted: string,
  { rounds, warmUp, atMost }: CallsPlan,
): Promise<Measurement[]> {
  const many = <T>(connect: () => Promise<T> | T): Promise<T[]> =>
    Promise.all(Array.from({ length: clients }, async () => connect()));
  const ours = (era: Era) => async () =>
    mcpCaller(await connectMcp(opened.server, era, clientNames.unknown), 'get_workspace', wanted);
  const bare = (era: Era) => async () => mcpCaller(await connectMcp(opened.bareSdk, era, 'bench'), 'answer', wanted);
  const contestants = {
    echo: await many(() => echoCaller(opened.connectFloor(), wanted)),
    sdk2025: await many(bare('2025')),
    sdk2026: await many(bare('2026')),
    ours2025: await many(ours('2025')),
    ours2026: await many(ours('2026')),
  };
  const latencies = { echo: [], sdk2025: [], sdk2026: [], ours2025: [], ours2026: [] } satisfies Record<
    string,
    number[]
  >;
  const turn = (name: keyof typeof contestants) => (round: number) =>
    callAll(contestants[name], round < warmUp ? [] : latencies[name]);
  const samples = await takeTurns(
    {
      echo: turn('echo'),
      sdk2025: turn('sdk2025'),
      sdk2026: turn('sdk2026'),
      ours2025: turn('ours2025'),
      ours2026: turn('ours2026'),
    },
    rounds,
    warmUp,
  );
  for (const each of Object.values(contestants).flat()) each.close();
  const speed = (name: keyof typeof samples): string =>
    `${rounded((callsPerRound * 1000) / median(samples[name]))} calls/s, p50 ${rounded(median(latencies[name]))} ms, ` +
    `p99 ${rounded(percentile(latencies[name], 0.99))} ms`;
  return (['2025', '2026'] as const).map((era) => ({
    topic: 'calls',
    what: `${clients} ${clients === 1 ? 'client' : 'clients'}, ${era} era`,
    value: median(samples[`ours${era}`]) / median(samples[`sdk${era}`]),
    unit: 'x',
    target: { atMost },
    detail: `ours ${speed(`ours${era}`)}; bare SDK ${speed(`sdk${era}`)}; bare echo ${speed('echo')}`,
    samples: { ours: samples[`ours${era}`], sdk: samples[`sdk${era}`], echo: samples.echo },
  }));
}

function mcpCaller(client: McpClient, tool: 'get_workspace' | 'answer', wanted: string): Caller {
  return {
    async call() {
      const answer = await client.callTool(tool, {});
      return () => check(resultOf(answer), wanted);
    },
    close: () => client.close(),
  };
}

/** The part that both eras have in common. */
function resultOf(answer: McpAnswer): string {
  const { content, structuredContent } = answer.toolResult();
  return JSON.stringify({ content, structuredContent });
}

function check(answer: string, wanted: string): void {
  if (answer !== wanted) throw new Error(`The answer was ${answer.slice(0, 300)} instead of ${wanted.slice(0, 300)}`);
}

function echoCaller(floor: Floor, wanted: string): Caller {
  const asked: unknown = JSON.parse(wanted);
  return {
    async call() {
      const echo = await floor.ask('echo', asked);
      return () => check(JSON.stringify(echo.as(z.looseObject({}))), wanted);
    },
    close: () => floor.close(),
  };
}

/** Shares the calls of a round among all callers, who work at the same time; gives the milliseconds of the whole round. */
async function callAll(callers: readonly Caller[], latencies: number[]): Promise<number> {
  const checks: (() => void)[] = [];
  const { milliseconds } = await timed(() =>
    Promise.all(
      callers.map(async (caller) => {
        for (let done = 0; done < callsPerRound / callers.length; done += 1) {
          const answered = await timed(() => caller.call());
          latencies.push(answered.milliseconds);
          checks.push(answered.value);
        }
      }),
    ),
  );
  for (const read of checks) read();
  return milliseconds;
}
