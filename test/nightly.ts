// npm run nightly [-- NAME...]: runs every check that is too long for `npm test`, one after the other, with tests in full size.
import { parseArgs } from 'node:util';
import { type Job, runProgram } from './host/jobs.ts';
import { npmScript } from './host/programs.ts';

/** Names of npm scripts in the order in which they run. The first one packages what the others need. */
const scripts = [
  'test',
  'test:nightly',
  'conformance',
  'test:threats',
  'attack',
  'test:clients',
  'bench',
  'test:mutation',
];

/** Arguments of scripts that do more at night. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = { attack: ['--controls'] };

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !scripts.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Nightly has no ${unknown.join(', ')}; it has: ${scripts.join(', ')}.\n`);
  process.exit(2);
}

process.env['DRAWBRIDGE_FULL'] = '1';
await runProgram(
  (positionals.length === 0 ? scripts : positionals).map((name): Job => ({
    name,
    cores: 1,
    run: () => npmScript(name, argumentsOf[name]),
  })),
  1,
);
