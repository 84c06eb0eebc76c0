import { afterAll, beforeAll, expect, test } from 'vitest';
import { startProxy, type Proxy } from '../../conformance/proxy.ts';
import { runScenario, runSuite, type ScoredRevision } from '../../conformance/suite.ts';
import { size } from '../../size.ts';
import { sharedDrawbridge } from '../shared.ts';

/** Scenarios that ask for nothing by name. */
const withoutFixtures: Readonly<Record<ScoredRevision, readonly string[]>> = {
  '2025-11-25': [
    'server-initialize',
    'logging-set-level',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'input-required-result-unsupported-methods',
    'http-header-validation',
  ],
};

let proxy: Proxy;

beforeAll(async () => {
  const drawbridge = await sharedDrawbridge({ 'a.txt': 'one\n' });
  const { endpoint, token } = await drawbridge.record();
  proxy = await startProxy(endpoint, token);
});

afterAll(() => proxy?.stop());

/**
 * The one scenario that is run; undefined: all of them. `test/conformance/conformance.test.ts` runs every scenario without an
 * editor; this one asks for what is a window's own, its tools.
 */
const only = size<string | undefined>({ quick: 'tools-list', full: undefined });

test.for(['2025-11-25', '2026-07-28'] as const)(
  'the official suite passes without fixtures in %s',
  async (revision) => {
    const scenarios = withoutFixtures[revision].filter((scenario) => only === undefined || scenario === only);
    const reports =
      only === undefined ? await runSuite(proxy.url, revision) : [await runScenario(proxy.url, revision, only)];
    const asked = reports.filter(({ scenario }) => scenarios.includes(scenario));
    expect(asked.map(({ scenario }) => scenario).toSorted()).toEqual(scenarios.toSorted());
    expect(asked.filter(({ failures, passed }) => failures.length > 0 || passed === 0)).toEqual([]);
  },
);
