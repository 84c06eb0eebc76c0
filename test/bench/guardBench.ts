import { join } from 'node:path';
import type { Host } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import { clientNames, openBenchWindow } from './benchHost.ts';
import { benchCalls } from './callsBench.ts';
import { writeCorpus } from './corpus.ts';
import { benchEdit } from './editBench.ts';
import { connectMcp } from './mcpClient.ts';
import { benchRead } from './readBench.ts';
import { isMet, type Measurement } from './report.ts';
import { raceSearch } from './searchBench.ts';

/**
 * The bars of the guard: about one and a half times the ratios that a shared machine with two cores measured in November 2026, which were
 * 2.7 for calls, 2.7 for read_file, 1.05 for search_code and 1.6 for an edit. A call that takes twice as long is above its bar, and what
 * other programs do meanwhile slows the floor too. They are no targets: those stand in the bench of each kind of call, and are lower.
 */
const bars = { calls: 4, read: 4, search: 1.7, edit: 2.5 };

/**
 * The ratios of the most frequent calls to the cheapest thing that could do the same, each the median of a few rounds. One that is above its
 * bar is measured again, because another program may have been in the way; the exit code of the process is 1 when it still is.
 */
export async function benchGuard(host: Host): Promise<Measurement[]> {
  const rows = [
    ...(await twice(() => benchCalls(host, { clientCounts: [8], rounds: 5, warmUp: 10, atMost: bars.calls }))),
    ...(await twice(() =>
      benchRead(host, [{ name: '200 lines', lines: 200, rounds: 60, warmUp: 40, atMost: bars.read }]),
    )),
    ...(await twice(() => search(host))),
    ...(await twice(() => benchEdit(host, { kinds: ['not open'], rounds: 5, warmUp: 2, atMost: bars.edit }))),
  ];
  for (const row of rows.filter((each) => isMet(each) === false)) {
    process.exitCode = 1;
    process.stderr.write(`${sentence(row)}\n`);
  }
  return rows.map((row) => ({ ...row, topic: `guard, ${row.topic}` }));
}

/** Returns the ratios that a bench judges; a second time when one of them is above its bar. */
async function twice(bench: () => Promise<Measurement[]>): Promise<Measurement[]> {
  const judged = (rows: readonly Measurement[]): Measurement[] =>
    rows.filter(({ unit, target }) => unit === 'x' && target !== undefined);
  const rows = judged(await bench());
  return rows.every((row) => isMet(row)) ? rows : judged(await bench());
}

async function search(host: Host): Promise<Measurement[]> {
  const corpus = await writeCorpus(join(repository, '.bench/corpus'));
  const opened = await openBenchWindow(host, corpus.folder);
  try {
    const client = await connectMcp(opened.server, '2025', clientNames.unknown);
    const plan = { what: 'rare literal', needles: corpus.rare, input: {}, rounds: 9, atMost: bars.search };
    const row = await raceSearch(opened, client, plan);
    client.close();
    return [row];
  } finally {
    await opened.close();
  }
}

function sentence({ topic, what, value, target, detail }: Measurement): string {
  const bar = target !== undefined && 'atMost' in target ? target.atMost : 0;
  return `${topic} (${what}) takes ${value.toFixed(2)} times as long as the floor, and may take ${bar} times as long: ${detail}.`;
}
