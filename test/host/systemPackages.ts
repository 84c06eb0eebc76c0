import { execFileSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { progress } from './progress.ts';

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A program that must be on PATH, by any of its names, and the Debian package that brings it. */
interface Requirement {
  readonly programs: readonly string[];
  readonly debianPackage: string;
}

const browser: Requirement = { programs: browsers, debianPackage: 'chromium' };
const git: Requirement = { programs: ['git'], debianPackage: 'git' };
const compiler: readonly Requirement[] = [
  { programs: ['g++'], debianPackage: 'g++' },
  { programs: ['make'], debianPackage: 'make' },
  { programs: ['python3'], debianPackage: 'python3' },
];

/** Makes sure that Chromium and git are there. */
export function requireBrowserAndGit(): void {
  ensure([browser, git]);
}

/** Makes sure that native modules can be compiled. */
export function requireCompiler(): void {
  ensure(compiler);
}

/** Absolute path of the Chromium (or Chrome) to drive. */
export function browserProgram(): string {
  const found = browsers.map(findOnPath).find((path) => path !== undefined);
  if (found === undefined)
    throw new Error(`No Chromium found. Install it, or put one of ${browsers.join(', ')} on PATH.`);
  return found;
}

/** Absolute path of a program on PATH, or undefined. */
export function findOnPath(program: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, program))
    .find(isExecutable);
}

function ensure(requirements: readonly Requirement[]): void {
  const missing = requirements.filter(({ programs }) => !programs.some((program) => findOnPath(program)));
  if (missing.length === 0) return;
  const packages = missing.map(({ debianPackage }) => debianPackage);
  if (!canInstall()) {
    throw new Error(
      `Missing on this machine: ${packages.join(', ')}. Install ${packages.length === 1 ? 'it' : 'them'}` +
        ` (on Debian: sudo apt-get install --no-install-recommends ${packages.join(' ')}) and try again.`,
    );
  }
  aptGet('update');
  aptGet('install', '--yes', '--no-install-recommends', ...packages);
}

/** Only as root on Debian itself: Ubuntu's chromium package is a snap, which needs a running snapd. */
function canInstall(): boolean {
  try {
    return process.getuid?.() === 0 && /^ID="?debian"?$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

function aptGet(...args: string[]): void {
  progress(`apt-get ${args.join(' ')}`);
  try {
    execFileSync('apt-get', args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
  } catch (error) {
    const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    throw new Error(`apt-get ${args.join(' ')} failed:\n${output.trim()}`, { cause: error });
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
