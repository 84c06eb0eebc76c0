import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { CallLimits } from '#call/callLimits.ts';
import { callTool, type Call, type CallOutcome, type CoreDependencies } from '#call/callTool.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { defineTool, inputFromZod, outputFromZod, type Tool } from '#call/tool.ts';
import { UnaskedBudget } from '#call/unaskedBudget.ts';
import type { ApprovalRequest, Approver, ChangeOutcome, ReadRequest } from '#changes/approver.ts';
import { tools } from '#tools/index.ts';
import { resources } from '#tools/resources/index.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import { fakeSources } from '../fakes/changeSources.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { fakeFolderAccess } from '../fakes/folderAccess.ts';
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { FakeSourceControl } from '../fakes/sourceControl.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

class FakeApprover implements Approver {
  readonly requests: ApprovalRequest[] = [];
  /** The outcome of a change that is applied without asking, and the promise that it waits for. */
  unasked: ChangeOutcome['status'] = 'applied';
  applying: Promise<void> = Promise.resolve();

  async request(request: ApprovalRequest): Promise<ChangeOutcome> {
    this.requests.push(request);
    this.#tell();
    if (request.judgement.effect === 'allow') {
      await this.applying;
      return { status: this.unasked, approvalId: 'a-0', displayed: false, files: [], next: 'Go on.' };
    }
    return { status: 'declined', approvalId: 'a-1', displayed: true, files: [], userMessage: 'no', next: 'Stop.' };
  }

  readonly reads: ReadRequest[] = [];
  /** Whether the user allows a read. */
  permits = true;

  /** Resolves when the user answers. */
  answered: Promise<void> = Promise.resolve();

  async permitRead(request: ReadRequest): Promise<void> {
    this.reads.push(request);
    this.#tell();
    await this.answered;
    if (!this.permits) throw new ToolError('denied', 'The user said no.', 'Go on without it.');
  }

  async outcome(): Promise<undefined> {
    await this.answered;
    return undefined;
  }

  #waiters: (() => void)[] = [];

  /** Resolves when this number of requests and reads has come. */
  async seen(count: number): Promise<void> {
    while (this.requests.length + this.reads.length < count) {
      await new Promise<void>((resolve) => void this.#waiters.push(resolve));
    }
  }

  #tell(): void {
    for (const notify of this.#waiters.splice(0)) notify();
  }
}

/** A tool that ends when the test says so, or never. */
export const sleep = defineTool({
  name: 'sleep_long',
  title: 'Sleep',
  toolset: 'workspace',
  risk: 'read',
  needs: [],
  description: 'Sleeps.',
  input: inputFromZod(z.strictObject({})),
  output: outputFromZod(z.object({ ok: z.boolean() })),
  targets: () => [],
  run: (_input, _context, signal) =>
    new Promise<{ ok: boolean }>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped'))),
    ),
  render: () => ({ text: '' }),
});

/** A tool with a bug. */
export const broken = defineTool({
  ...sleep,
  name: 'break_now',
  run: () => Promise.reject(new Error('secret detail')),
});

/** A tool whose data does not match its output schema. */
export const lying = defineTool({
  ...sleep,
  name: 'lie_now',
  output: outputFromZod(z.object({ ok: z.literal(true) })),
  run: async () => JSON.parse('{"ok":"no"}'),
});

/** A window without an editor, whose calls run through the whole pipeline. */
export function setUp(extra: readonly Tool[] = []) {
  const clock = new FakeClock();
  const auditLog = new FakeAuditLog();
  const approver = new FakeApprover();
  const workspace = new FakeWorkspace();
  const policy = new FakePolicy();
  const sourceControl = new FakeSourceControl();
  const files = new FakeFiles({
    '/w/a.ts': 'one\ntwo\n',
    '/w/.env': 'KEY=1\n',
    '/out/secret.txt': 'x',
    '/w/link': { link: '/out/secret.txt' },
  });
  const dependencies: CoreDependencies = {
    catalog: new FakeCatalog([...tools, ...extra], resources),
    ports: fakePorts({ files, workspace, sourceControl }),
    sources: fakeSources({}),
    folderAccess: fakeFolderAccess(),
    approver,
    auditLog,
    clock,
    pathRules: { home: '/home/u', privateFolders: ['/home/u/.drawbridge'] },
    policy,
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  const cancel = new AbortController();
  const callOf = (tool: string, args: unknown = {}, more: Partial<Call> = {}): Call => ({
    tool,
    arguments: args,
    principal: { credential: 'window' },
    client: { name: 'test', version: '1' },
    era: '2025',
    protocolVersion: '2025-11-25',
    signal: cancel.signal,
    ...more,
  });
  const call = (...parameters: Parameters<typeof callOf>) => callTool(callOf(...parameters), dependencies);
  const lastEnd = () => auditLog.calls.at(-1)?.end;
  return {
    clock,
    auditLog,
    approver,
    policy,
    sourceControl,
    workspace,
    files,
    dependencies,
    cancel,
    call,
    callOf,
    lastEnd,
  };
}

/** Returns the outcome of a call as JSON. */
export async function textOf(outcome: Promise<CallOutcome>): Promise<string> {
  return JSON.stringify(await outcome);
}
