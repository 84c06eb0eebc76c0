/** `npm run test:mutation -- [--isolated] [group or source file...]`: mutates the sources and runs the tests of each group. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { groups, groupVariable } from './groups.ts';

const lowestScore = 85;
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { isolated: { type: 'boolean', default: false } },
});

const runner = values.isolated
  ? {
      testRunner: 'vitest',
      plugins: [import.meta.resolve('@stryker-mutator/vitest-runner')],
      vitest: { configFile: 'test/mutation/isolated.config.ts', related: false },
    }
  : { testRunner: 'warm', plugins: ['./test/mutation/runner.ts'] };

/** Returns the sources to mutate; none when the group was not requested. */
function sourcesFor(name: string, all: readonly string[]): readonly string[] {
  if (positionals.length === 0 || positionals.includes(name)) return all;
  return positionals.filter((file) => all.some((pattern) => path.matchesGlob(file.replace(/:.*$/, ''), pattern)));
}

type Results = Awaited<ReturnType<Stryker['runMutationTest']>>;

async function mutate(name: string, sources: readonly string[]): Promise<Results> {
  process.env[groupVariable] = name;
  return new Stryker({
    configFile: 'test/mutation/stryker.config.json',
    mutate: [...sources],
    ...runner,
    jsonReporter: { fileName: `.mutation/${name}.json` },
    htmlReporter: { fileName: `.mutation/${name}.html` },
  }).runMutationTest();
}

function report(name: string, results: Results): number {
  const count = (status: Results[number]['status']): number => results.filter((each) => each.status === status).length;
  const [killed, timeout, survived, notCovered] = [
    count('Killed'),
    count('Timeout'),
    count('Survived'),
    count('NoCoverage'),
  ];
  const tried = killed + timeout + survived + notCovered;
  const score = tried === 0 ? 100 : (100 * (killed + timeout)) / tried;
  for (const { status, fileName, location, mutatorName, replacement } of results) {
    if (status !== 'Survived' && status !== 'NoCoverage') continue;
    const place = `${path.relative('.', fileName)}:${location.start.line}`;
    console.log(`${status} ${place} ${mutatorName}: ${replacement?.replaceAll(/\s+/g, ' ').slice(0, 80) ?? ''}`);
  }
  console.log(
    `${name}: ${score.toFixed(1)} % of ${tried} mutants (${killed} killed, ${timeout} timed out, ${survived} survived, ${notCovered} not covered)\n`,
  );
  return score;
}

mkdirSync('.mutation', { recursive: true });
const scores: number[] = [];
for (const [name, { sources }] of Object.entries(groups)) {
  const wanted = sourcesFor(name, sources);
  if (wanted.length > 0) scores.push(report(name, await mutate(name, wanted)));
}
if (scores.length === 0) console.error(`Nothing to mutate. Groups: ${Object.keys(groups).join(', ')}.`);
process.exitCode = scores.length > 0 && scores.every((score) => score >= lowestScore) ? 0 : 1;
