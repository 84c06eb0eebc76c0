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
const found = z.looseObject({ totalCount: z.int(), matches: z.array(z.unknown()), note: z.string().exactOptional() });

/** A process that was started in the extension host. */
export type Command = z.infer<typeof command>;

/** `search_code` against the very ripgrep command that it runs, its output read to the end and thrown away. */
export async function benchSearch(host: Host): Promise<Measurement[]> {
  const corpus = await writeCorpus(join(repository, '.bench/corpus'));
  const opened = await openBenchWindow(host, corpus.folder);
  try {
    const rare = await connectMcp(opened.server, '2025', clientNames.unknown);
    const frequent = await connectMcp(opened.server, '2025', clientNames.unpaged);
    const results = [
      await raceSearch(opened, rare, {
        what: 'rare literal',
        needles: corpus.rare,
        input: {},
        rounds: 21,
        atMost: 1.25,
      }),
      await raceSearch(opened, frequent, {
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

/** Says how one kind of search is measured. */
export interface SearchRace {
  readonly what: string;
  /** At least twice as many as there are rounds, with the warm-up. */
  readonly needles: readonly Needle[];
  /** Arguments of `search_code` beside the query. Without `maxResults`, all hits must fit on one page. */
  readonly input: { readonly maxResults?: number };
  readonly rounds: number;
  readonly warmUp?: number;
  readonly atMost: number;
}

/** Lets `search_code` and the ripgrep command that it runs take turns. Throws when an answer is wrong. */
export async function raceSearch(opened: BenchWindow, client: McpClient, plan: SearchRace): Promise<Measurement> {
  const { needles, input, rounds, atMost, what, warmUp = 3 } = plan;
  const floor = opened.connectFloor();
  const last = needles.at(-1);
  const only = await observeCommand(
    opened.window,
    () => search(client, last, input),
    (started) => started.arguments.includes(last?.text ?? ''),
  );
  const template = (query: string): Command => ({
    ...only,
    arguments: only.arguments.map((each) => (each === last?.text ? query : each)),
  });
  const apart = Math.floor(needles.length / 2);
  const samples = await takeTurns(
    {
      drawbridge: (round) => search(client, needles[round], input),
      ripgrep: (round) => runCommand(floor, template(needles[round + apart]?.text ?? '')),
    },
    rounds,
    warmUp,
  );
  floor.close();
  const [ours, raw] = [median(samples.drawbridge), median(samples.ripgrep)];
  const detail = `${rounded(ours)} ms, rg ${rounded(raw)} ms; ${rounds} queries each`;
  return { topic: 'search_code', what, value: ours / raw, unit: 'x', target: { atMost }, detail, samples };
}

async function search(client: McpClient, needle: Needle | undefined, input: SearchRace['input']): Promise<number> {
  if (needle === undefined) throw new Error('The corpus has too few needles.');
  const { milliseconds, value } = await timed(() => client.callTool('search_code', { query: needle.text, ...input }));
  const { totalCount, matches, note = '' } = found.parse(value.toolResult().structuredContent);
  const shown = Math.min(needle.hits, input.maxResults ?? needle.hits);
  if (totalCount !== needle.hits || matches.length !== shown) {
    throw new Error(
      `${needle.text}: ${matches.length} of ${totalCount} matches, but the corpus has ${needle.hits}. ${note}`,
    );
  }
  return milliseconds;
}

/** Measures a process of the extension host, its output read to the end, without the round trip that a tool needs. */
export async function runCommand(floor: Floor, started: Command): Promise<number> {
  const end = (await floor.ask('run', started)).as(commandEnd);
  if (end.bytes === 0) throw new Error(`${started.program} found nothing: ${started.arguments.join(' ')}`);
  return end.milliseconds;
}

/** Returns the one process of the wanted kind that a call starts, so that the comparison uses the same program and flags. */
export async function observeCommand(
  window: Window,
  call: () => Promise<unknown>,
  isWanted: (started: Command) => boolean,
): Promise<Command> {
  await window.evaluateSource(`
    const child = require('node:child_process');
    state.spawn = child.spawn;
    state.started = [];
    child.spawn = (program, given, options) => {
      state.started.push({ program, arguments: given, workingDirectory: String(options?.cwd) });
      return state.spawn(program, given, options);
    };
    // The package imports it as an ES module.
    require('node:module').syncBuiltinESMExports();`);
  await call();
  const started = z.array(command).parse(
    await window.evaluateSource(`
        require('node:child_process').spawn = state.spawn;
        require('node:module').syncBuiltinESMExports();
        return state.started;`),
  );
  const [only, ...others] = started.filter(isWanted);
  if (only === undefined || others.length > 0) throw new Error(`One call started ${JSON.stringify(started)}.`);
  return only;
}
