import type { Measurement, Unit } from './report.ts';
import { median } from './statistics.ts';

/** A measurement is no worse than this times the same measurement of the older package. */
const worstRatio = 1.1;

const moreIsBetter: readonly Unit[] = ['calls/s'];

/** All rounds of one package. */
export type Rounds = readonly (readonly Measurement[])[];

/**
 * Compares two packages that were measured in turns on the same machine: one row for each value that both have, the newer
 * package's median over the rounds divided by the older package's. Above 1 means worse, also where more is better.
 */
export function comparePairs(older: Rounds, newer: Rounds): Measurement[] {
  const before = samplesByName(older);
  return [...samplesByName(newer)].flatMap(([name, { topic, what, unit, values }]) => {
    const old = before.get(name);
    if (old === undefined) return [];
    const [was, is] = [median(old.values), median(values)];
    if (was === 0 || is === 0) return [];
    const value = moreIsBetter.includes(unit) ? was / is : is / was;
    const detail = `${was.toPrecision(3)} ${unit} before, ${is.toPrecision(3)} ${unit} now, ${values.length} rounds each`;
    const samples = { before: old.values, now: values };
    return [{ topic, what, value, unit: 'x', target: { atMost: worstRatio }, detail, samples }];
  });
}

interface Samples extends Pick<Measurement, 'topic' | 'what' | 'unit'> {
  readonly values: number[];
}

function samplesByName(rounds: Rounds): Map<string, Samples> {
  const byName = new Map<string, Samples>();
  for (const { topic, what, unit, value } of rounds.flat()) {
    const name = `${topic}: ${what}`;
    const samples = byName.get(name) ?? { topic, what, unit, values: [] };
    samples.values.push(value);
    byName.set(name, samples);
  }
  return byName;
}
