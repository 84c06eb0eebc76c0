/**
 * `npm run attack -- [--controls | --only-controls] [id...]`: runs the live attacks on the packaged extension in a real VS Code. With --controls,
 * each attack runs again on a build in which the defence of its row is switched off, and must succeed there: an attack that cannot
 * succeed proves nothing.
 */
import { parseArgs } from 'node:util';
import { sharedDrawbridge } from '../e2e/shared.ts';
import { progress } from '../host/progress.ts';
import { threatRows } from '../threats/threats.ts';
import { attacks } from './attacks.ts';
import { Copy, install } from './controls.ts';
import { attackSettings, targetOf, Tries, type Attack, type Line } from './target.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { controls: { type: 'boolean', default: false }, 'only-controls': { type: 'boolean', default: false } },
});

/** The longest that an attack may take. */
const mostMilliseconds = 480_000;

interface Result {
  readonly tries: number;
  readonly successes: readonly string[];
  /** The latest try that did not reach the aim. */
  readonly failed: string;
  /** Why the attack did not run to its end. */
  readonly problem?: string;
}

async function attempt(attack: Attack): Promise<Result> {
  const tries = new Tries();
  try {
    const drawbridge = await sharedDrawbridge({}, attackSettings);
    if (attack.isFresh === true) await drawbridge.window.reload();
    await Promise.race([attack.run(await targetOf(drawbridge), tries), tooLate()]);
    return { tries: tries.count, successes: tries.successes, failed: tries.failed };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { tries: tries.count, successes: tries.successes, failed: tries.failed, problem };
  }
}

/** Rejects when an attack takes so long that something hangs, as an answer that never comes without a defence. */
function tooLate(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error('It hangs.')), mostMilliseconds).unref();
  });
}

function linesOf({ id, control }: Attack): readonly Line[] {
  const row = threatRows().find((each) => each.id === id);
  return control ?? (row === undefined ? [] : [row.line]);
}

const unknown = positionals.filter((id) => !attacks.some((attack) => attack.id === id));
if (unknown.length > 0) throw new Error(`No attack has the id ${unknown.join(', ')}.`);
const isRoot = process.getuid?.() === 0;
const named = attacks.filter(({ id }) => positionals.length === 0 || positionals.includes(id));
const wanted = named.filter(({ needsRoot }) => isRoot || needsRoot !== true);
for (const { id } of named) {
  if (!wanted.some((attack) => attack.id === id)) progress(`${id} is left out: only root can act as another user`);
}

const results = new Map<string, Result>();
const controls = new Map<string, Result>();
const failures: string[] = [];

for (const attack of values['only-controls'] ? [] : wanted) {
  const result = await attempt(attack);
  results.set(attack.id, result);
  progress(`${attack.id} ${attack.name}: ${result.successes.length} of ${result.tries} tries reached it`);
  const problems = [
    ...result.successes.map((success) => `${attack.id} ${attack.name}: ${success}`),
    ...(result.problem === undefined ? [] : [`${attack.id} did not run to its end: ${result.problem}`]),
    ...(result.tries === 0 ? [`${attack.id} tried nothing`] : []),
  ];
  for (const problem of problems) progress(problem);
  failures.push(...problems);
}
if (values.controls || values['only-controls']) await runControls();

async function runControls(): Promise<void> {
  const copy = new Copy();
  // The next build is made while an attack runs.
  const build = (attack: Attack | undefined): Promise<string | Error> | undefined =>
    attack && copy.build(attack.id, linesOf(attack)).catch((error: unknown) => new Error(String(error)));
  try {
    let next = build(wanted[0]);
    for (const [index, attack] of wanted.entries()) {
      const built = await next;
      next = build(wanted[index + 1]);
      const result = typeof built === 'string' ? await runControl(attack, built) : failed(built);
      controls.set(attack.id, result);
      const [first = result.problem ?? 'nothing'] = result.successes;
      progress(`${attack.id} without its defence: ${result.successes.length} of ${result.tries}, first: ${first}`);
      if (result.successes.length > 0) continue;
      failures.push(
        `${attack.id} does not succeed without its defence: ${result.problem ?? `the latest try: ${result.failed}`}`,
      );
    }
    await next;
  } finally {
    copy.remove();
  }
}

function failed(error: unknown): Result {
  return {
    tries: 0,
    successes: [],
    failed: 'nothing',
    problem: error instanceof Error ? error.message : String(error),
  };
}

async function runControl(attack: Attack, built: string): Promise<Result> {
  try {
    await install(await sharedDrawbridge({}, attackSettings), built);
  } catch (error) {
    return failed(error);
  }
  return attempt(attack);
}

const cell = (text: string | number, width: number): string => String(text).slice(0, width).padEnd(width);
const row = (...[id, name, tries, successes, control]: readonly [string, string, string, string, string]): string =>
  `${cell(id, 4)} ${cell(name, 80)} ${tries.padStart(6)} ${successes.padStart(9)}  ${control}`;
const table = wanted.map(({ id, name }) => {
  const { tries = 0, successes = [] } = results.get(id) ?? {};
  const control = controls.get(id);
  const told =
    control === undefined ? '-' : control.successes.length > 0 ? `succeeds (${control.successes.length})` : 'FAILS';
  return row(id, name, String(tries), String(successes.length), told);
});
process.stdout.write(`${[row('id', 'attack', 'tries', 'successes', 'control'), ...table].join('\n')}\n`);
for (const failure of failures) process.stdout.write(`FAILED  ${failure}\n`);
const bad = wanted.filter(({ id }) => failures.some((failure) => failure.startsWith(`${id} `))).length;
process.stdout.write(`${wanted.length - bad} passed, ${bad} failed\n`);
process.exit(bad === 0 ? 0 : 1);
