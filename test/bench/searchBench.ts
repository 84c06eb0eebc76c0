import { join } from 'node:path';
import * as z from 'zod';
import type { Host } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import type { Window } from '../host/window.ts';
import { type BenchWindow, clientNames, openBenchWindow } from './benchHost.ts';
import { type Needle, writeCorpus } from './corpus.ts';
import type { Floor } from './floor.ts';
import { connectMcp, type McpClient } from './mcpClient.ts';
import { type Measurement, rounded } from './report.ts';
import { median, takeTurns, timed } from './statistics.ts';

const command = z.object({ program: z.string(), arguments: z.array(z.string()), workingDirectory: z.string() });
const commandEnd = z.object({ milliseconds: z.number(), bytes: z.number(), code: z.literal(0) });
const found = z.looseObject({ totalCount: z.int(), matches: z.array(z.unknown()) });

type Command = z.infer<typeof command>;

/** `search_code` against the very ripgrep command that it runs, its output read to the end and thrown away. */
export async function benchSearch(host: Host): Promise<Measurement[]> {
  const corpus = await writeCorpus(join(repository, '.bench/corpus'));
  const opened = await openBenchWindow(host, corpus.folder);
  try {
    const rare = await connectMcp(opened.server, '2025', clientNames.unknown);
    const frequent = await connectMcp(opened.server, '2025', clientNames.unpaged);
    const results = [
      await race(opened, rare, { what: 'rare literal', needles: corpus.rare, input: {}, rounds: 21, atMost: 1.25 }),
      await race(opened, frequent, {
        what: '500 hits, no page limit',
        needles: corpus.frequent,
        input: { maxResults: 1000 },
        rounds: 15,
        atMost: 1.5,
      }),
    ];
    for (const client of [rare, frequent]) client.close();
    return results;
  } finally {
    await opened.close();
  }
}

interface Race {
  readonly what: string;
  readonly needles: readonly Needle[];
  readonly input: Readonly<Record<string, unknown>>;
  readonly rounds: number;
  readonly atMost: number;
}

async function race(opened: BenchWindow, client: McpClient, plan: Race): Promise<Measurement> {
  const { needles, input, rounds, atMost, what } = plan;
  const floor = opened.connectFloor();
  const template = await observeRipgrep(opened.window, client, needles.at(-1), input);
  const apart = Math.floor(needles.length / 2);
  const samples = await takeTurns(
    {
      drawbridge: (round) => search(client, needles[round], input),
      ripgrep: (round) => run(floor, template, needles[round + apart]),
    },
    rounds,
    3,
  );
  floor.close();
  const [ours, raw] = [median(samples.drawbridge), median(samples.ripgrep)];
  const detail = `${rounded(ours)} ms, rg ${rounded(raw)} ms; ${rounds} queries each`;
  return { topic: 'search_code', what, value: ours / raw, unit: 'x', target: { atMost }, detail, samples };
}

async function search(client: McpClient, needle: Needle | undefined, input: Race['input']): Promise<number> {
  if (needle === undefined) throw new Error('The corpus has too few needles.');
  const { milliseconds, value } = await timed(() => client.callTool('search_code', { query: needle.text, ...input }));
  const { totalCount, matches } = found.parse(value.toolResult().structuredContent);
  if (totalCount !== needle.hits || matches.length !== needle.hits) {
    throw new Error(`${needle.text}: ${matches.length} of ${totalCount} matches, but the corpus has ${needle.hits}.`);
  }
  return milliseconds;
}

/** Measures ripgrep in the extension host, without the round trip that `search_code` needs. */
async function run(floor: Floor, template: (query: string) => Command, needle: Needle | undefined): Promise<number> {
  if (needle === undefined) throw new Error('The corpus has too few needles.');
  const end = (await floor.ask('run', template(needle.text))).as(commandEnd);
  if (end.bytes === 0) throw new Error(`ripgrep found no ${needle.text}.`);
  return end.milliseconds;
}

/** Records the process that one search starts, so that the comparison uses the same program and flags. */
async function observeRipgrep(
  window: Window,
  client: McpClient,
  needle: Needle | undefined,
  input: Race['input'],
): Promise<(query: string) => Command> {
  const query = needle?.text ?? '';
  await window.evaluateSource(`
    const child = require('node:child_process');
    state.spawn = child.spawn;
    state.started = [];
    child.spawn = (program, given, options) => {
      state.started.push({ program, arguments: given, workingDirectory: String(options?.cwd) });
      return state.spawn(program, given, options);
    };`);
  await search(client, needle, input);
  const started = z
    .array(command)
    .parse(await window.evaluateSource(`require('node:child_process').spawn = state.spawn; return state.started;`));
  const [only, ...others] = started.filter((each) => each.arguments.includes(query));
  if (only === undefined || others.length > 0) throw new Error(`One search started ${JSON.stringify(started)}.`);
  return (other) => ({ ...only, arguments: only.arguments.map((each) => (each === query ? other : each)) });
}
