// npm run test:quick: types, lint, format of what changed, and the unit tests.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Count, nothing } from './count.ts';
import { repository } from './hostFolder.ts';
import { runProgram } from './jobs.ts';
import { nodeProgram, npmScript, vitest } from './programs.ts';

await runProgram([
  { name: 'check:types', cores: 1, run: () => npmScript('check:types') },
  { name: 'check:lint', cores: 1, run: () => npmScript('check:lint') },
  { name: 'format', cores: 1, run: formatOfChanges },
  { name: 'unit tests', cores: 2, run: () => vitest('unit', ['unit', 'unit-mocking']) },
]);

async function formatOfChanges(): Promise<Count> {
  const files = changedFiles();
  return files.length === 0
    ? nothing
    : nodeProgram('prettier/bin/prettier.cjs', '--check', '--log-level=warn', '--ignore-unknown', ...files);
}

/** Files that differ from where this branch left `main`, committed or not, or that git does not know yet. */
function changedFiles(): string[] {
  const names = [
    ...git('diff', '--name-only', '--diff-filter=d', '-z', branchPoint()),
    ...git('ls-files', '--others', '--exclude-standard', '-z'),
  ];
  return [...new Set(names)].filter((name) => existsSync(join(repository, name)));
}

/** HEAD where there is no `main` to compare with. */
function branchPoint(): string {
  try {
    return git('merge-base', 'main', 'HEAD').join('').trim();
  } catch {
    return 'HEAD';
  }
}

function git(...args: readonly string[]): string[] {
  const output = execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return output.split('\0').filter((name) => name !== '');
}
