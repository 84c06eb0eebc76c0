// npm test: every check and every test; the last line is `N passed, N failed`.
import { type Count, nothing } from './count.ts';
import { installServer } from './install.ts';
import { type Job, runProgram } from './jobs.ts';
import { packageExtension } from './packageExtension.ts';
import { stopLeftovers } from './processes.ts';
import { hostTests, npmScript, vitest } from './programs.ts';
import { requireBrowserAndGit } from './systemPackages.ts';

/** Vitest projects that need nothing but the sources, each with one worker: the host tests beside them have the other core. */
const projects = ['unit', 'unit-mocking'];

/** Two windows of VS Code share the cores with the unit tests, which may take longer there than the 15 s that they have alone. */
const patient = ['--testTimeout=60000', '--hookTimeout=60000'];

const jobs: readonly Job[] = [
  // The first two are what the longest job waits for. The installation waits for the network mostly.
  { name: 'test host', cores: 0.5, run: install },
  { name: 'package', cores: 1, run: packaged },
  // Two windows of VS Code side by side, which wait more than they work: together they take little more than one core.
  { name: 'host tests', cores: 1, needs: ['test host', 'package'], run: () => hostTests('host', ['e2e', 'shared']) },
  ...['check:types', 'check:lint', 'check:format', 'check:unused'].map((name) => ({
    name,
    cores: 1,
    run: () => npmScript(name),
  })),
  { name: 'pages tests', cores: 1, needs: ['test host'], run: () => vitest('pages', ['pages'], 1) },
  ...projects.map((project) => ({
    name: `${project} tests`,
    cores: 1,
    run: () => vitest(project, [project], 1, ...patient),
  })),
];

await runProgram(jobs);
await stopLeftovers();

async function install(): Promise<Count> {
  await stopLeftovers();
  if (process.env['DRAWBRIDGE_TEST_HOST_KIND'] !== 'desktop') {
    requireBrowserAndGit();
    await installServer();
  }
  return nothing;
}

async function packaged(): Promise<Count> {
  await packageExtension();
  return nothing;
}
