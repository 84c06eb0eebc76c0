// npm run nightly: what takes too long for `npm test`, one after the other; the last line is `N passed, N failed`.
import { type Job, runProgram } from './host/jobs.ts';
import { npmScript } from './host/programs.ts';

/** Names of npm scripts. */
const scripts = ['test:mutation'];

await runProgram(
  scripts.map((name): Job => ({ name, cores: 1, run: () => npmScript(name) })),
  1,
);
