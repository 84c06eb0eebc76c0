// npm run bench [-- search read edit card clients calls language tasks soak guard footprint bridge large day economy first page path profile snapshot]: measures the packaged extension inside a real VS Code,
// next to the cheapest thing that could do the same there; `bridge`, `day`, `economy` and `page` need no editor: the start of the program that
// assistants start, the questions of a day of work, and what twenty tasks cost a model. Prints a table and writes .bench/<time>.json.
// npm run bench -- large [--files=500000]: the same in a workspace of that many files, which is written into .bench once.
// npm run bench -- --against=old.vsix [--rounds=3] [search ...]: measures that older package and this one in turns, and prints ratios.
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
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
import { benchFirstEdit } from './firstEditBench.ts';
import { benchFootprint } from './footprintBench.ts';
import { benchGuard } from './guardBench.ts';
import { benchLanguage } from './languageBench.ts';
import { benchLarge, largeFileCount } from './largeBench.ts';
import { comparePairs } from './pairs.ts';
import { benchPage } from './pageBench.ts';
import { benchPath } from './pathBench.ts';
import { benchProfile } from './profileBench.ts';
import { benchRead } from './readBench.ts';
import { formatTable, type Measurement, writeJson } from './report.ts';
import { benchSearch } from './searchBench.ts';
import { benchSnapshot } from './snapshotBench.ts';
import { benchSoak } from './soakBench.ts';
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
  soak: benchSoak,
  guard: benchGuard,
};
/** These need no packaged extension, or package one of their own. */
const withoutPackage = {
  day: benchDay,
  economy: benchEconomy,
  first: benchFirstEdit,
  page: benchPage,
  path: benchPath,
  profile: benchProfile,
  snapshot: benchSnapshot,
};
const names = [...Object.keys(inSharedHost), 'footprint', 'bridge', 'large', ...Object.keys(withoutPackage)];

const { values: options, positionals: given } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    files: { type: 'string', default: String(largeFileCount) },
  },
});
const rounds = Number(options.rounds);
const fileCount = Number(options.files);
const unknown = given.filter((name) => !names.includes(name));
if (unknown.length > 0) refuse(`There is no bench ${unknown.join(', ')}; there are: ${names.join(', ')}.`);
if (![rounds, fileCount].every((count) => Number.isSafeInteger(count) && count > 0)) {
  refuse('--rounds and --files take whole numbers from 1.');
}
const isWanted = (name: string): boolean => given.length === 0 || given.includes(name);

const measurements =
  options.against === undefined ? await measureThis() : await measureAgainst(resolve(options.against));
process.stdout.write(`\n${formatTable(measurements)}`);
process.stdout.write(`${writeJson(join(repository, '.bench'), measurements)}\n`);

function refuse(problem: string): never {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}

async function measureThis(): Promise<Measurement[]> {
  const found: Measurement[] = [];
  if (names.some((name) => !Object.hasOwn(withoutPackage, name) && isWanted(name)))
    found.push(...(await measurePackaged()));
  for (const [name, bench] of Object.entries(withoutPackage))
    if (isWanted(name)) found.push(...(await measure(name, bench)));
  return found;
}

/** Measures two packages in turns, each in a VS Code of its own; the one that begins changes with each round. */
async function measureAgainst(older: string): Promise<Measurement[]> {
  const newer = await packageExtension();
  const measured = new Map<string, Measurement[][]>([
    [older, []],
    [newer, []],
  ]);
  for (let round = 0; round < rounds; round += 1) {
    for (const drawbridge of round % 2 === 0 ? [older, newer] : [newer, older]) {
      progress(`round ${round + 1} of ${rounds}: ${drawbridge === older ? 'older' : 'newer'} package`);
      measured.get(drawbridge)?.push(await measureInSharedHost(drawbridge));
    }
  }
  return comparePairs(measured.get(older) ?? [], measured.get(newer) ?? []);
}

async function measurePackaged(): Promise<Measurement[]> {
  const drawbridge = await packageExtension();
  const found = await measureInSharedHost(drawbridge);
  if (isWanted('footprint')) found.push(...(await measure('footprint', () => benchFootprint(drawbridge))));
  if (isWanted('bridge')) found.push(...(await measure('bridge', benchBridge)));
  if (isWanted('large')) found.push(...(await measure('large', () => benchLarge(drawbridge, fileCount))));
  return found;
}

async function measureInSharedHost(drawbridge: string): Promise<Measurement[]> {
  const wanted = Object.entries(inSharedHost).filter(([name]) => isWanted(name));
  if (wanted.length === 0) return [];
  const host = await startBenchHost(drawbridge);
  const found: Measurement[] = [];
  try {
    for (const [name, bench] of wanted) found.push(...(await measure(name, () => bench(host))));
  } finally {
    await host.stop();
  }
  return found;
}

/** Runs one bench. When it fails (a wrong answer is a failure too), the exit code says so and the other benches still run. */
async function measure(name: string, bench: () => Promise<Measurement[]>): Promise<Measurement[]> {
  progress(`bench ${name}`);
  try {
    return await bench();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(
      `bench ${name} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    );
    return [];
  }
}
