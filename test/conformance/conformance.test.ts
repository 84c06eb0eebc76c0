import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFixtureServer, type FixtureServer } from './server.ts';
import { runSuite, scoredFailures, scoredRevisions } from './suite.ts';

let server: FixtureServer;

beforeAll(async () => void (server = await startFixtureServer()));
afterAll(() => server.stop());

test.for(scoredRevisions)('the official suite finds no scored failure in %s', async (revision) => {
  const reports = await runSuite(server.url, revision);
  expect(scoredFailures(reports)).toEqual([]);
  expect(server.errors).toEqual([]);
});

test('the official suite fails every scenario for a server that does not answer', async () => {
  const reports = await runSuite('http://127.0.0.1:9/mcp', '2025-11-25');
  expect(reports.filter(({ failures }) => failures.length === 0)).toEqual([]);
});
