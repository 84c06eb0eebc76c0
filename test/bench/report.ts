import { mkdirSync, writeFileSync } from 'node:fs';
import { arch, cpus, platform, release } from 'node:os';
import { join } from 'node:path';

export type Unit =
  | 'x'
  | 'µs'
  | 'ms'
  | 'KB'
  | 'MB'
  | 'bytes'
  | 'calls/s'
  | 'answers'
  | 'clicks'
  | 'questions'
  | 'edits'
  | 'functions'
  | 'files';

/** One row of the table. */
export interface Measurement {
  readonly topic: string;
  readonly what: string;
  readonly value: number;
  readonly unit: Unit;
  /** The target; absent when the row is for information only. */
  readonly target?: { readonly atMost: number } | { readonly atLeast: number };
  /** How the value was measured. */
  readonly detail: string;
  /** Raw samples by contestant, for the JSON. */
  readonly samples?: Readonly<Record<string, readonly number[]>>;
}

/** Whether a measurement reaches its target; undefined without one. */
export function isMet({ value, target }: Measurement): boolean | undefined {
  if (target === undefined) return undefined;
  return 'atMost' in target ? value <= target.atMost : value >= target.atLeast;
}

/** Returns the table as text, with the number of targets that were met. */
export function formatTable(measurements: readonly Measurement[]): string {
  const head = ['', 'what', 'measured', 'target', '', 'how'];
  const rows = measurements.map((each, index) => {
    const isFirst = measurements[index - 1]?.topic !== each.topic;
    return [isFirst ? each.topic : '', each.what, measured(each), targetOf(each), verdict(each), each.detail];
  });
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const lines = [head, ...rows].map((row) => {
    return row
      .map((cell, column) => (column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd();
  });
  const judged = measurements.filter((each) => each.target !== undefined);
  return `${lines.join('\n')}\n\n${judged.filter(isMet).length} of ${judged.length} targets met\n`;
}

/** @returns the path of the JSON file that was written */
export function writeJson(folder: string, measurements: readonly Measurement[]): string {
  const time = new Date().toISOString();
  const machine = { platform: platform(), release: release(), arch: arch(), cpus: cpus().map(({ model }) => model) };
  const all = measurements.map((each) => ({ ...each, met: isMet(each) }));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${time.replaceAll(':', '-')}.json`);
  writeFileSync(path, `${JSON.stringify({ time, node: process.version, machine, measurements: all }, undefined, 1)}\n`);
  return path;
}

function measured({ value, unit }: Measurement): string {
  return unit === 'x' ? `${value.toFixed(2)}x` : `${rounded(value)} ${unit}`;
}

function targetOf({ target, unit }: Measurement): string {
  if (target === undefined) return '';
  const sign = 'atMost' in target ? '<=' : '>=';
  const bound = 'atMost' in target ? target.atMost : target.atLeast;
  return unit === 'x' ? `${sign} ${bound}x` : `${sign} ${bound} ${unit}`;
}

function verdict(measurement: Measurement): string {
  const met = isMet(measurement);
  return met === undefined ? '' : met ? 'met' : 'NOT MET';
}

/** Rounds to three significant digits. */
export function rounded(value: number): string {
  return value.toFixed(value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2);
}
