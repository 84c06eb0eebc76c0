/**
 * `npm run coverage [-- --last] [--save] [--compare file]`: which branches of each source file the unit tests take, by folder and by
 * room, compared with what `test/coverage.json` says. Fails when a room has fallen.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import * as z from 'zod';
import { roomNames, roomOf } from './rooms.ts';

const { values } = parseArgs({
  options: {
    /** Reads the figures of the last run. */
    last: { type: 'boolean', default: false },
    /** Saves the figures that later runs are compared with. */
    save: { type: 'boolean', default: false },
    compare: { type: 'string', default: 'test/coverage.json' },
  },
});

/** The folder that `vitest.config.ts` names. */
const folder = '.coverage';
/** Percentage points that a room may fall, because some branches are taken only when the machine is slow. */
const tolerance = 0.3;

const branches = z.object({ covered: z.int().min(0), total: z.int().min(0) });
/** The report of istanbul's `json-summary` reporter, by absolute path. */
const summarySchema = z.record(z.string(), z.looseObject({ branches }));
/** Figures by path relative to the repository, each with the room at the time of the run, because files move. */
const figuresSchema = z.record(z.string(), branches.extend({ room: z.string() }));
type Figures = z.infer<typeof figuresSchema>;
type Branches = z.infer<typeof branches>;

async function runTests(): Promise<void> {
  const vitest = await startVitest('test', [], {
    project: ['unit', 'unit-mocking'],
    watch: false,
    coverage: { enabled: true },
  });
  await vitest.close();
}

function lastFigures(): Figures {
  const summary = summarySchema.parse(JSON.parse(readFileSync(path.join(folder, 'coverage-summary.json'), 'utf8')));
  const files = Object.entries(summary)
    .filter(([file]) => file !== 'total')
    .map(([file, found]) => {
      const relative = path.relative('.', file).replaceAll('\\', '/');
      const { covered, total } = found.branches;
      return [relative, { room: roomOf(relative) ?? 'none', covered, total }] as const;
    });
  return Object.fromEntries(files.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

function sumsBy(figures: Figures, keyOf: (file: string, room: string) => string): ReadonlyMap<string, Branches> {
  const sums = new Map<string, Branches>();
  for (const [file, { room, covered, total }] of Object.entries(figures)) {
    const key = keyOf(file, room);
    const sum = sums.get(key) ?? { covered: 0, total: 0 };
    sums.set(key, { covered: sum.covered + covered, total: sum.total + total });
  }
  return sums;
}

function percentOf({ covered, total }: Branches): number {
  return total === 0 ? 100 : (100 * covered) / total;
}

function printed(sums: ReadonlyMap<string, Branches>, before: ReadonlyMap<string, Branches>): void {
  for (const [name, sum] of sums) {
    const earlier = before.get(name);
    const then = earlier === undefined ? '' : `  (was ${percentOf(earlier).toFixed(1)} %)`;
    console.log(
      `${name.padEnd(36)}${`${sum.covered} of ${sum.total}`.padStart(16)}${percentOf(sum).toFixed(1).padStart(8)} %${then}`,
    );
  }
}

function figuresOf(file: string): Figures {
  try {
    return figuresSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

const byRoom = (_file: string, room: string): string => room;
const byFolder = (file: string): string => path.posix.dirname(file);

if (!values.last) await runTests();
const now = lastFigures();
const before = figuresOf(values.compare);
writeFileSync(path.join(folder, 'branches.json'), `${JSON.stringify(now, undefined, 2)}\n`);
if (values.save) writeFileSync(values.compare, `${JSON.stringify(now, undefined, 2)}\n`);

console.log('Branches that the unit tests take, by folder:');
printed(sumsBy(now, byFolder), sumsBy(before, byFolder));
console.log('\nBy room:');
const [rooms, roomsBefore] = [sumsBy(now, byRoom), sumsBy(before, byRoom)];
printed(new Map([...rooms].toSorted(([a], [b]) => roomNames.indexOf(a) - roomNames.indexOf(b))), roomsBefore);
for (const [room, sum] of roomsBefore) {
  const [share, least] = [percentOf(rooms.get(room) ?? { covered: 0, total: 1 }), percentOf(sum) - tolerance];
  if (share >= least) continue;
  console.error(`The room ${room} has fallen from ${percentOf(sum).toFixed(1)} % to ${share.toFixed(1)} %.`);
  process.exitCode = 1;
}
