import { CallLimits } from '#call/callLimits.ts';
import { callTool, type Call, type CallOutcome, type CoreDependencies } from '#call/callTool.ts';
import type { ToolResult } from '#call/result.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import type { Tool } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { Approver } from '#changes/approver.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakeClock } from '../fakes/clock.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy } from '../fakes/rules.ts';

/** An approver that must not be asked. */
const neverAsked: Approver = {
  request: () => Promise.reject(new Error('No change was expected')),
  permitRead: () => Promise.reject(new Error('No question was expected')),
  outcome: () => Promise.reject(new Error('No question was expected')),
};

/** Runs calls through the whole pipeline, with the ports of a test. */
export class CallRun {
  readonly auditLog = new FakeAuditLog();
  readonly dependencies: CoreDependencies;

  constructor(tools: readonly Tool[], own: Parameters<typeof fakePorts>[0], approver: Approver = neverAsked) {
    const clock = new FakeClock();
    this.dependencies = {
      catalog: new FakeCatalog(tools),
      ports: fakePorts(own),
      sources: fakeSources({}),
      folderAccess: fakeFolderAccess(),
      approver,
      auditLog: this.auditLog,
      clock,
      pathRules: { home: '/home/u', privateFolders: [] },
      policy: new FakePolicy(),
      limits: new CallLimits(),
      unasked: new UnaskedBudget(clock),
      profileFor: () => defaultProfile,
      caps: () => ({ readBytes: 65_536, maxResults: 200 }),
    };
  }

  outcome(tool: string, args: unknown = {}, more: Partial<Call> = {}): Promise<CallOutcome> {
    const call: Call = {
      tool,
      arguments: args,
      principal: { credential: 'window' },
      client: { name: 'test', version: '1' },
      era: '2025',
      protocolVersion: '2025-11-25',
      signal: new AbortController().signal,
      ...more,
    };
    return callTool(call, this.dependencies);
  }

  /** Returns the result of a call that ends with a result. */
  async result(tool: string, args: unknown = {}, more: Partial<Call> = {}): Promise<ToolResult> {
    const outcome = await this.outcome(tool, args, more);
    if (outcome.kind !== 'result') throw new Error(`${tool} was answered with ${JSON.stringify(outcome)}`);
    return outcome.result;
  }
}
