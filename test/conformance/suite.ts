import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import * as z from 'zod';

/** Revisions with requirements that the suite scores. */
export const scoredRevisions = ['2025-11-25', '2026-07-28'] as const;
export type ScoredRevision = (typeof scoredRevisions)[number];

export interface ScenarioReport {
  readonly scenario: string;
  /** The reason why the scenario is not scored; undefined when it is. */
  readonly unscored: string | undefined;
  readonly passed: number;
  /** The message of each failed check. */
  readonly failures: readonly string[];
  /** The message of each unmet "SHOULD". */
  readonly warnings: readonly string[];
}

const suite = dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json')));

const requirements = z.object({
  server: z.array(z.string()),
  not_scored: z.array(z.object({ scenario: z.string(), leg: z.string(), reason: z.string() })),
});

const checks = z.array(
  z.object({ id: z.string(), status: z.string(), description: z.string(), errorMessage: z.string().optional() }),
);

/**
 * Runs the official suite with what a revision requires of servers, unscored scenarios included.
 * @param url of an MCP endpoint that asks for no credentials
 */
export async function runSuite(url: string, revision: ScoredRevision): Promise<readonly ScenarioReport[]> {
  const { server, not_scored: notScored } = requirements.parse(
    parse(await readFile(join(suite, 'requirements', `${revision}.yaml`), 'utf8')),
  );
  return inTemporaryFolder(async (folder) => {
    const said = await runProgram(['server', '--url', url, '--requirements', revision, '--output-dir', folder]);
    const results = await readdir(folder);
    const report = (scenario: string, unscored?: string): Promise<ScenarioReport> =>
      reportOf(scenario, unscored, join(folder, folderOf(scenario, results) ?? ''), said);
    return Promise.all([
      ...server.map((scenario) => report(scenario)),
      ...notScored.filter(({ leg }) => leg === 'server').map(({ scenario, reason }) => report(scenario, reason)),
    ]);
  });
}

/**
 * Runs one scenario of the official suite at a revision, which starts faster than all that the revision requires.
 * @param url of an MCP endpoint that asks for no credentials
 */
export async function runScenario(url: string, revision: ScoredRevision, scenario: string): Promise<ScenarioReport> {
  return inTemporaryFolder(async (folder) => {
    const asked = ['--scenario', scenario, '--spec-version', revision];
    const said = await runProgram(['server', '--url', url, ...asked, '--output-dir', folder]);
    return reportOf(scenario, undefined, join(folder, folderOf(scenario, await readdir(folder)) ?? ''), said);
  });
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'drawbridge-conformance-'));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Returns the failed checks of scored scenarios, with the names of the scenarios. */
export function scoredFailures(reports: readonly ScenarioReport[]): readonly string[] {
  return reports
    .filter(({ unscored }) => unscored === undefined)
    .flatMap(({ scenario, failures }) => failures.map((failure) => `${scenario}: ${failure}`));
}

/** Returns the folder `server-<scenario>-<time>`; the name of one scenario may be the beginning of another's. */
function folderOf(scenario: string, results: readonly string[]): string | undefined {
  return results.find((name) => name.replace(/-\d{4}-\d\d-\d\dT.*$/, '') === `server-${scenario}`);
}

async function reportOf(
  scenario: string,
  unscored: string | undefined,
  folder: string,
  said: string,
): Promise<ScenarioReport> {
  const found = await readFile(join(folder, 'checks.json'), 'utf8').catch(() => undefined);
  if (found === undefined) return { scenario, unscored, passed: 0, failures: [`did not run: ${said}`], warnings: [] };
  const made = checks.parse(JSON.parse(found));
  const messages = (status: string): string[] =>
    made
      .filter((check) => check.status === status)
      .map(({ id, description, errorMessage }) => `[${id}] ${errorMessage ?? description}`);
  const passed = made.filter(({ status }) => status === 'SUCCESS').length;
  return { scenario, unscored, passed, failures: messages('FAILURE'), warnings: messages('WARNING') };
}

/** Returns the output, for scenarios without a result file; the exit code does not matter. */
function runProgram(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const program = join(suite, 'dist/index.js');
    execFile(process.execPath, [program, ...args], { maxBuffer: 2 ** 26 }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`.slice(-2000)),
    );
  });
}
