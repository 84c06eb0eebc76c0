// npm run bench [-- search read edit card clients calls language tasks footprint bridge day economy path]: measures the packaged extension inside a real VS Code,
// next to the cheapest thing that could do the same there; `bridge`, `day` and `economy` need no editor: the start of the program that
// assistants start, the questions of a day of work, and what twenty tasks cost a model. Prints a table and writes .bench/<time>.json.
import { join } from 'node:path';
import { repository } from '../host/hostFolder.ts';
import { packageExtension } from '../host/packageExtension.ts';
import { progress } from '../host/progress.ts';
import { startBenchHost } from './benchHost.ts';
import { benchBridge } from './bridgeBench.ts';
import { benchCalls } from './callsBench.ts';
import { benchCard } from './cardBench.ts';
import { benchClients } from './clientsBench.ts';
import { benchDay } from './dayBench.ts';
import { benchEconomy } from './economyBench.ts';
import { benchEdit } from './editBench.ts';
import { benchFootprint } from './footprintBench.ts';
import { benchLanguage } from './languageBench.ts';
import { benchPath } from './pathBench.ts';
import { benchRead } from './readBench.ts';
import { formatTable, type Measurement, writeJson } from './report.ts';
import { benchSearch } from './searchBench.ts';
import { benchTasks } from './tasksBench.ts';

const inSharedHost = {
  search: benchSearch,
  read: benchRead,
  edit: benchEdit,
  card: benchCard,
  clients: benchClients,
  calls: benchCalls,
  language: benchLanguage,
  tasks: benchTasks,
};
/** These need no packaged extension, or package one of their own. */
const withoutPackage = { day: benchDay, economy: benchEconomy, path: benchPath };
const names = [...Object.keys(inSharedHost), 'footprint', 'bridge', ...Object.keys(withoutPackage)];

const given = process.argv.slice(2);
const unknown = given.filter((name) => !names.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}; there are: ${names.join(', ')}.\n`);
  process.exit(2);
}
const isWanted = (name: string): boolean => given.length === 0 || given.includes(name);

const measurements: Measurement[] = [];
if (names.some((name) => !Object.hasOwn(withoutPackage, name) && isWanted(name))) await measurePackaged();
for (const [name, bench] of Object.entries(withoutPackage)) if (isWanted(name)) await measure(name, bench);
process.stdout.write(`\n${formatTable(measurements)}`);
process.stdout.write(`${writeJson(join(repository, '.bench'), measurements)}\n`);

async function measurePackaged(): Promise<void> {
  const drawbridge = await packageExtension();
  await measureInSharedHost(drawbridge);
  if (isWanted('footprint')) await measure('footprint', () => benchFootprint(drawbridge));
  if (isWanted('bridge')) await measure('bridge', benchBridge);
}

async function measureInSharedHost(drawbridge: string): Promise<void> {
  const wanted = Object.entries(inSharedHost).filter(([name]) => isWanted(name));
  if (wanted.length === 0) return;
  const host = await startBenchHost(drawbridge);
  try {
    for (const [name, bench] of wanted) await measure(name, () => bench(host));
  } finally {
    await host.stop();
  }
}

/** One that fails (a wrong answer is a failure too) takes no other with it, but the exit code. */
async function measure(name: string, bench: () => Promise<Measurement[]>): Promise<void> {
  progress(`bench ${name}`);
  try {
    measurements.push(...(await bench()));
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(
      `bench ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
  }
}
