import { expect, it } from 'vitest';
import { comparePairs } from './bench/pairs.ts';
import type { Measurement } from './bench/report.ts';

const measured = (what: string, unit: Measurement['unit'], value: number): Measurement => ({
  topic: 'calls',
  what,
  unit,
  value,
  detail: '',
});

it('divides the median of the newer package by that of the older one', () => {
  const older = [100, 10, 12].map((value) => [measured('p50', 'ms', value)]);
  const newer = [15, 24, 18].map((value) => [measured('p50', 'ms', value)]);
  const [row] = comparePairs(older, newer);
  expect(row).toMatchObject({ topic: 'calls', what: 'p50', unit: 'x', value: 1.5, target: { atMost: 1.1 } });
});

it('returns a ratio above 1 when a rate falls', () => {
  const [row] = comparePairs([[measured('rate', 'calls/s', 200)]], [[measured('rate', 'calls/s', 100)]]);
  expect(row?.value).toBe(2);
});

it('leaves out measurements that only one of the packages has', () => {
  const rows = comparePairs([[measured('gone', 'ms', 1)]], [[measured('new', 'ms', 1)]]);
  expect(rows).toEqual([]);
});
