import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CallLimits } from '../../src/core/callLimits.ts';
import { callTool, type CoreDependencies } from '../../src/core/callTool.ts';
import { complete } from '../../src/core/complete.ts';
import { getPrompt } from '../../src/core/getPrompt.ts';
import { listResources } from '../../src/core/listResources.ts';
import { readResource } from '../../src/core/readResource.ts';
import { defaultProfile } from '../../src/core/resultProfile.ts';
import { UnaskedBudget } from '../../src/core/unaskedBudget.ts';
import { watchResource } from '../../src/core/watchResource.ts';
import { Emitter } from '../../src/ports/event.ts';
import type { Approver } from '../../src/ports/approver.ts';
import { makeSecret } from '../../src/server/auth.ts';
import { serverInfo } from '../../src/server/capabilities.ts';
import type { Product } from '../../src/server/product.ts';
import { startServer } from '../../src/server/server.ts';
import { systemClock } from '../../src/server/systemClock.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { fakePorts } from '../fakes/ports.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { fixtureCatalog } from './catalog.ts';
import { startProxy } from './proxy.ts';

export interface FixtureServer {
  /** Asks for no credentials. */
  readonly url: string;
  /** Bugs of ours that clients are not told of. */
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

/** The shipped server and the shipped life of a call, with the catalog that the conformance suite expects. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const errors: unknown[] = [];
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-'));
  const server = await startServer({
    token: makeSecret(),
    product: fixtureProduct(),
    clock: systemClock,
    drawbridgeHome: home,
    window: () => ({
      windowId: 'conformance',
      folders: [{ name: 'w', path: '/w', uri: 'file:///w' }],
      trusted: true,
      extensionVersion: '0.0.0',
      editor: { name: 'Editor', version: '1.0.0' },
      focusedAt: 0,
    }),
    namedTokens: () => [],
    onNamedTokenUsed: () => undefined,
    onSession: () => undefined,
    isAwaited: () => false,
    httpPort: async () => undefined,
    onAuthenticationFailure: () => undefined,
    onForwarded: () => undefined,
    onError: (error) => void errors.push(error),
  });
  const proxy = await startProxy(server.endpoint, server.token);
  return {
    url: proxy.url,
    errors,
    async stop() {
      proxy.stop();
      await server.stop();
      await rm(home, { recursive: true });
    },
  };
}

/** No scenario has anything for the human. */
const approver: Approver = {
  request: () => Promise.reject(new Error('A fixture asked for a change.')),
  permitRead: () => Promise.reject(new Error('A fixture asked to read.')),
  outcome: async () => undefined,
};

function fixtureProduct(): Product {
  const catalog = fixtureCatalog();
  const core: CoreDependencies = {
    catalog,
    ports: fakePorts({}),
    sources: fakeSources({}),
    approver,
    auditLog: new FakeAuditLog(),
    clock: systemClock,
    pathRules: { home: '/home/u', privateFolders: [] },
    policy: new FakePolicy(),
    limits: new CallLimits(),
    unasked: new UnaskedBudget(systemClock),
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  return {
    serverInfo: serverInfo('0.0.0'),
    instructions: 'Call what a scenario calls.',
    catalog,
    profileFor: core.profileFor,
    callTool: (call) => callTool(call, core),
    listResources: (cursor, call) => listResources(cursor, call, core),
    readResource: (uri, call) => readResource(uri, call, core),
    watchResource: (uri, call, changed) => watchResource(uri, call, changed, core),
    getPrompt: (name, given, call) => getPrompt(name, given, call, core),
    complete: (request, call) => complete(request, call, core),
    onDidChangeResources: new Emitter<void>().event,
    onDidChangeProfiles: new Emitter<void>().event,
  };
}
