import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Emitter } from '#base/event.ts';
import { systemClock } from '#base/clock.ts';
import { CallLimits } from '#call/callLimits.ts';
import type { CoreDependencies } from '#call/callTool.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { Approver } from '#changes/approver.ts';
import { createProduct } from '#main/product.ts';
import type { Product } from '#mcp/product.ts';
import { startServer } from '#mcp/server.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { serverOptions } from '../fakes/serverOptions.ts';
import { fixtureCatalog } from './catalog.ts';
import { startProxy } from './proxy.ts';

export interface FixtureServer {
  /** The endpoint, which needs no credentials. */
  readonly url: string;
  /** Internal errors, whose details clients do not get. */
  readonly errors: readonly unknown[];
  stop(): Promise<void>;
}

/** Starts the shipped server and call pipeline with the catalog that the conformance suite expects. */
export async function startFixtureServer(): Promise<FixtureServer> {
  const errors: unknown[] = [];
  const home = await mkdtemp(join(tmpdir(), 'drawbridge-'));
  const server = await startServer({
    ...serverOptions(fixtureProduct(), home),
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

/** No scenario needs the user. */
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
    folderAccess: fakeFolderAccess(),
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
  const nothing = new Emitter<void>().event;
  return createProduct('0.0.0', core, { onDidChangeResources: nothing, onDidChangeProfiles: nothing });
}
