// npm run nightly [-- NAME...]: everything that is too long for `npm test`, one after the other, with every test in full size.
import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { repository } from './host/hostFolder.ts';

/** Names of npm scripts in the order in which they run. */
const scripts = ['test', 'conformance', 'test:threats', 'test:clients', 'bench', 'test:mutation'];

const { positionals } = parseArgs({ allowPositionals: true });
const unknown = positionals.filter((name) => !scripts.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`Nightly has no ${unknown.join(', ')}; it has: ${scripts.join(', ')}.\n`);
  process.exit(2);
}

const options: SpawnOptions = {
  cwd: repository,
  env: { ...process.env, DRAWBRIDGE_FULL: '1' },
  stdio: ['ignore', 'inherit', 'inherit'],
  shell: process.platform === 'win32', // npm is a script there
};
const rows: { script: string; seconds: number; result: 'passed' | 'failed' }[] = [];
for (const script of positionals.length === 0 ? scripts : positionals) {
  process.stdout.write(`=== npm run ${script}\n`);
  const begun = performance.now();
  const [code]: (number | null)[] = await once(spawn('npm', ['run', '--silent', script], options), 'close');
  const seconds = Math.round((performance.now() - begun) / 1000);
  rows.push({ script, seconds, result: code === 0 ? 'passed' : 'failed' });
}
console.table(rows);
const failed = rows.filter(({ result }) => result === 'failed').length;
process.exitCode = failed === 0 ? 0 : 1;
process.stdout.write(`${rows.length - failed} passed, ${failed} failed\n`);
