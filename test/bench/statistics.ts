import { type Random, seededRandom } from './sourceText.ts';

/** The value below which the given share of the samples lies (nearest rank). Throws without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  if (value === undefined) throw new Error('There are no samples.');
  return value;
}

/** Throws without samples. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  if (upper === undefined || lower === undefined) throw new Error('There are no samples.');
  return (lower + upper) / 2;
}

/** How long something took, in milliseconds, with what came out of it. */
export interface Timed<T> {
  readonly milliseconds: number;
  readonly value: T;
}

export async function timed<T>(work: () => Promise<T>): Promise<Timed<T>> {
  const start = performance.now();
  const value = await work();
  return { milliseconds: performance.now() - start, value };
}

/** One way of doing the same thing; gives the milliseconds that turn `round` took. */
export type Contestant = (round: number) => Promise<number>;

/**
 * Lets contestants take turns in one run, in a random order each round, so that what the machine does besides, and what a
 * contestant leaves behind for the next one, hits all alike.
 * @param warmUp rounds at the beginning that do not count
 * @returns samples by contestant
 */
export async function takeTurns<Name extends string>(
  contestants: Readonly<Record<Name, Contestant>>,
  rounds: number,
  warmUp: number,
): Promise<Record<Name, number[]>>;
export async function takeTurns(
  contestants: Readonly<Record<string, Contestant>>,
  rounds: number,
  warmUp: number,
): Promise<Record<string, number[]>> {
  const random = seededRandom(rounds);
  const samples = Object.fromEntries(Object.keys(contestants).map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < warmUp + rounds; round += 1) {
    for (const [name, contestant] of shuffled(Object.entries(contestants), random)) {
      const milliseconds = await contestant(round);
      if (round >= warmUp) samples[name]?.push(milliseconds);
    }
  }
  return samples;
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
