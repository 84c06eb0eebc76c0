// npm run conformance: runs the official suite against the shipped server with the fixtures of its scenarios.
import { startFixtureServer } from './server.ts';
import { runSuite, scoredFailures, scoredRevisions, type ScenarioReport } from './suite.ts';

const server = await startFixtureServer();
try {
  let failed = 0;
  for (const revision of scoredRevisions) {
    const reports = await runSuite(server.url, revision);
    print(revision, reports);
    failed += scoredFailures(reports).length;
  }
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  await server.stop();
}

function print(revision: string, reports: readonly ScenarioReport[]): void {
  process.stdout.write(`\nRequirements of ${revision}\n`);
  for (const report of reports) process.stdout.write(`${lines(report).join('\n')}\n`);
  const passed = reports.reduce((sum, report) => sum + (report.unscored === undefined ? report.passed : 0), 0);
  process.stdout.write(`Scored: ${passed} checks passed, ${scoredFailures(reports).length} failed.\n`);
}

function lines({ scenario, unscored, passed, failures, warnings }: ScenarioReport): readonly string[] {
  const mark = failures.length === 0 ? 'ok    ' : 'FAILED';
  const score = unscored === undefined ? '' : ` (not scored: ${unscored})`;
  return [
    `  ${mark}  ${scenario}: ${passed} passed, ${failures.length} failed${score}`,
    ...failures.map((failure) => `            failed: ${failure}`),
    ...warnings.map((warning) => `            should: ${warning}`),
  ];
}
