import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { CallLimits, shippedCallLimits } from '#call/callLimits.ts';
import { type Call, callTool, type CoreDependencies } from '#call/callTool.ts';
import { readResource } from '#call/resourceRequests.ts';
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
import { fakePorts } from '../fakes/ports.ts';
import { FakePolicy, ruleOf } from '../fakes/rules.ts';
import { FakeSourceControl } from '../fakes/sourceControl.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

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
const sleep = defineTool({
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

const broken = defineTool({
  ...sleep,
  name: 'break_now',
  run: () => Promise.reject(new Error('secret detail')),
});

const lying = defineTool({
  ...sleep,
  name: 'lie_now',
  output: outputFromZod(z.object({ ok: z.literal(true) })),
  run: async () => JSON.parse('{"ok":"no"}'),
});

function setUp(extra: readonly Tool[] = []) {
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

async function textOf(outcome: ReturnType<ReturnType<typeof setUp>['call']>): Promise<string> {
  return JSON.stringify(await outcome);
}

describe('a call', () => {
  it('runs, answers in every block of the profile, and is recorded', async () => {
    const t = setUp();
    const outcome = await t.call('read_file', { path: 'a.ts' });
    expect(outcome).toMatchObject({
      kind: 'result',
      result: {
        content: [{ type: 'text' }, { type: 'resource', resource: { uri: 'file:///w/a.ts', text: 'one\ntwo\n' } }],
        structuredContent: { path: 'a.ts', text: 'one\ntwo\n' },
      },
    });
    expect(t.lastEnd()).toMatchObject({ outcome: 'ok', resources: [{ path: 'a.ts' }], decision: { effect: 'allow' } });
  });

  it('is refused when its start cannot be recorded', async () => {
    const t = setUp();
    t.auditLog.failure = new Error('disk full');
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).toContain('[unavailable]');
    expect(t.files.reads).toEqual([]);
    expect(await textOf(t.call('no_such_tool'))).toContain('[unavailable]');
  });

  it('does not run, and is recorded, when its tool is unknown or its arguments are invalid', async () => {
    const t = setUp();
    expect(await t.call('delete_everything')).toMatchObject({ kind: 'unknown_tool' });
    expect(t.lastEnd()?.outcome).toBe('unknown_tool');
    expect(await t.call('read_file', { path: 'a.ts', Path: 'b.ts' })).toMatchObject({ kind: 'invalid_arguments' });
    expect(t.lastEnd()?.outcome).toBe('invalid_arguments');
    expect(t.files.reads).toEqual([]);
  });

  it('answers workspace_unavailable without a folder, and works when one is opened', async () => {
    const t = setUp();
    const folders = t.workspace.folders();
    t.workspace.setFolders([]);
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).toContain('[workspace_unavailable]');
    expect(await textOf(t.call('get_workspace'))).not.toContain('isError');
    t.workspace.setFolders(folders);
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).not.toContain('isError');
  });

  it('P9: judges and records each folder of get_workspace without a look at the disk', async () => {
    const t = setUp();
    t.files.locate = () => Promise.reject(new Error('It was looked up.'));
    expect(await t.call('get_workspace')).toMatchObject({
      result: { structuredContent: { folders: [{ path: '.' }] } },
    });
    expect(t.lastEnd()?.resources).toEqual([{ path: '.', folder: 'w' }]);
    t.workspace.setFolders([folderAt('/home/u/.drawbridge', { name: 'state' })]);
    // The answer does not name the path of a folder that no tool may use.
    expect(await t.call('get_workspace')).toMatchObject({
      result: { structuredContent: { folders: [{ path: 'state' }] } },
    });
    expect(t.lastEnd()?.decision).toMatchObject({ effect: 'deny', step: 'hard_deny' });
  });

  it('A21: reads only single files in an untrusted workspace', async () => {
    const t = setUp();
    t.workspace.trusted = false;
    for (const [tool, args] of [
      ['read_file', { path: 'a.ts' }],
      ['read_files', { files: [{ path: 'a.ts' }] }],
      ['list_directory', {}],
      ['get_workspace', {}],
    ] as const) {
      expect(await textOf(t.call(tool, args)), tool).not.toContain('isError');
    }
    for (const [tool, args] of [
      ['search_code', { query: 'one' }],
      ['find_files', { query: 'a' }],
      ['apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] }],
    ] as const) {
      expect(await textOf(t.call(tool, args)), tool).toContain('[not_trusted]');
    }
    expect(t.approver.requests).toEqual([]);
  });

  it('does not run, says so and is recorded when the user turned off the tool', async () => {
    const catalog = new FakeCatalog(tools, resources);
    const t = setUp();
    const readFile = tools.find(({ name }) => name === 'read_file');
    if (readFile !== undefined) catalog.turnOff(readFile);
    const dependencies = { ...t.dependencies, catalog };
    const outcome = JSON.stringify(await callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies));
    expect(outcome).toContain('The user has turned this tool off.');
    expect(outcome).toContain('[unavailable]');
    expect(t.lastEnd()?.outcome).toBe('unavailable');
    expect(
      JSON.stringify(await callTool(t.callOf('read_files', { files: [{ path: 'a.ts' }] }), dependencies)),
    ).toContain('one');
  });

  it('ends at its time limit while the event loop goes on', async () => {
    const t = setUp([sleep]);
    const outcome = t.call('sleep_long');
    await running(t.clock);
    t.clock.advance(10_000);
    expect(await textOf(outcome)).toContain('[timeout]');
    expect(t.lastEnd()?.outcome).toBe('timeout');
  });

  it('ends when its caller cancels', async () => {
    const t = setUp([sleep]);
    const outcome = t.call('sleep_long');
    t.cancel.abort();
    expect(await textOf(outcome)).toContain('[cancelled]');
  });

  it('reports progress once a second, beginning after the first second', async () => {
    const t = setUp([sleep]);
    const messages: string[] = [];
    const outcome = t.call('sleep_long', {}, { progress: (message) => void messages.push(message) });
    await running(t.clock);
    t.clock.advance(3500);
    expect(messages).toHaveLength(3);
    t.cancel.abort();
    await outcome;
    expect(t.clock.pendingTimers).toBe(0);
  });

  it('logs its progress for the client, without arguments and results', async () => {
    const t = setUp([broken]);
    t.approver.request = async (request) => {
      request.onWaiting?.('a-1');
      return { status: 'declined', approvalId: 'a-1', displayed: true, files: [], next: 'Stop.' };
    };
    const remarks: [string, string][] = [];
    const log: Call['log'] = (level, message) => void remarks.push([level, message]);
    await t.call('read_file', { path: 'a.ts' }, { log });
    await t.call('break_now', {}, { log });
    await t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: 'ONE' }] }, { log });
    expect(remarks.map(([level]) => level)).toEqual(['debug', 'error', 'info', 'debug']);
    expect(remarks[2]?.[1]).toBe('The user is asked to decide about a-1.');
    expect(JSON.stringify(remarks)).not.toMatch(/secret detail|ONE/);
  });

  it('keeps the details of a bug in the log', async () => {
    const t = setUp([broken, lying]);
    const text = await textOf(t.call('break_now'));
    expect(text).toContain('[internal]');
    expect(text).not.toContain('secret detail');
    expect(t.lastEnd()).toMatchObject({ outcome: 'internal', error: new Error('secret detail') });
    expect(await textOf(t.call('lie_now'))).toContain('[internal]');
  });
});

describe('the record of a call', () => {
  it('names the files of the call and their classes', async () => {
    const t = setUp();
    t.files.nodes.set('/w/.vscode/settings.json', '{}');
    t.files.nodes.set('/w/inner', { link: '/w/a.ts' });
    const resourcesOf = async (path: string) => {
      await t.call('read_file', { path });
      return t.lastEnd()?.resources;
    };
    expect(await resourcesOf('a.ts')).toEqual([{ path: 'a.ts', folder: 'w' }]);
    expect(await resourcesOf('.vscode/settings.json')).toEqual([
      { path: '.vscode/settings.json', folder: 'w', protected: true },
    ]);
    expect((await resourcesOf('inner'))?.[0]).toEqual({ path: 'inner', folder: 'w', realDiffers: true });
    expect(await resourcesOf('.env')).toEqual([{ path: '.env', folder: 'w', secret: true }]);
    expect(await resourcesOf('/etc/passwd')).toEqual([{ outside: expect.stringMatching(/^[0-9a-f]{16} passwd$/) }]);
    expect(await resourcesOf('a\u202eb')).toEqual([]);
  });

  it('has the duration, the size of the result and every step of the decision', async () => {
    const t = setUp([sleep]);
    const outcome = t.call('sleep_long');
    await running(t.clock);
    t.clock.advance(10_000);
    await outcome;
    expect(t.lastEnd()).toMatchObject({ outcome: 'timeout', durationMilliseconds: 10_000, bytesOut: 0 });
    expect(t.lastEnd()).not.toHaveProperty('error');
    expect(t.lastEnd()).not.toHaveProperty('approvalId');
    expect(t.lastEnd()?.decision?.explain).toContain('default - allow: default for read inside the workspace');
    await t.call('no_such_tool');
    expect(t.lastEnd()).toEqual({ outcome: 'unknown_tool', resources: [], durationMilliseconds: 0, bytesOut: 0 });
  });

  it('shortens the name of an unknown tool, and names the known ones', async () => {
    const t = setUp();
    const outcome = await t.call('x'.repeat(500));
    const message = outcome.kind === 'unknown_tool' ? outcome.message : '';
    expect(message).toContain(`"${'x'.repeat(100)}"`);
    expect(message).toContain('read_file, ');
  });
});

it('has an approval with its decision from the moment it waits for the user', async () => {
  const t = setUp();
  t.approver.request = async (request) => {
    request.onWaiting?.('a-7');
    expect(t.auditLog.calls.at(-1)?.waitsFor).toBe('a-7');
    return { status: 'declined', approvalId: 'a-7', displayed: true, files: [], next: 'Stop.' };
  };
  await t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] });
  expect(t.auditLog.events).toMatchObject([
    { event: 'policy.decision', approvalId: 'a-7', tool: 'apply_edit', decision: { effect: 'ask', step: 'default' } },
  ]);
  expect(t.lastEnd()).toMatchObject({ outcome: 'declined', approvalId: 'a-7' });
});

it('A16: gives the budget back when a change could not be applied', async () => {
  const t = setUp();
  t.policy.currentMode = 'acceptEdits';
  t.approver.request = () => Promise.reject(new ToolError('unavailable', 'The disk is full.', 'Wait.'));
  const text = await textOf(t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] }));
  expect(text).toContain('[unavailable]');
  const most = { files: 60, changedLines: 2000, deletedFiles: 0 };
  expect(t.dependencies.unasked.of({ credential: 'window' })(most)).toBeUndefined();
});

describe('the question before a read', () => {
  it('is not asked when no rule asks', async () => {
    const t = setUp();
    await t.call('search_code', { query: 'one' });
    await t.call('read_file', { path: 'a.ts' });
    expect(t.approver.reads).toEqual([]);
  });

  it('names the paths of the call and not the whole workspace, and counts a use of the rule', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', tools: ['read_file'] }));
    await t.call('read_file', { path: 'a.ts' });
    expect(t.approver.reads).toMatchObject([{ paths: ['a.ts'] }]);
    expect(t.policy.decided).toEqual([{ id: 'r-ask', scope: 'user' }]);
  });

  it('is not asked for a file that the change creates, but for one that exists', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['new.ts', 'a.ts'] }));
    await t.call('create_file', { path: 'new.ts', content: 'x' });
    expect(t.approver.reads).toEqual([]);
    await t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] });
    expect(t.approver.reads).toMatchObject([{ paths: ['a.ts'] }]);
  });
});

it('A16: refuses a caller that sends too many changes before anything is done', async () => {
  const t = setUp();
  const limits = { ...shippedCallLimits, changes: { perSecond: 1, burst: 1 } };
  const dependencies = { ...t.dependencies, limits: new CallLimits(limits) };
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };
  const send = () => textOf(callTool(t.callOf('apply_edit', edit), dependencies));
  expect(await send()).not.toContain('[rate_limited]');
  expect(await send()).toContain('[rate_limited]');
  expect(t.approver.requests).toHaveLength(1);
});

describe('a call that changes something', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }], reason: 'why' };

  it('asks the user with exactly what would change', async () => {
    const t = setUp();
    expect(await textOf(t.call('apply_edit', edit))).toContain('declined');
    expect(t.approver.requests).toMatchObject([
      {
        tool: 'apply_edit',
        reason: 'why',
        waitMilliseconds: defaultProfile.approvalSeconds * 1000,
        proposal: { files: [{ base: { text: 'one\ntwo\n' }, result: { text: '1\ntwo\n' } }] },
      },
    ]);
    expect(t.lastEnd()).toMatchObject({ outcome: 'declined', approvalId: 'a-1', decision: { effect: 'ask' } });
  });

  it('cline#13984: says so, and asks nobody, when the old text matches nothing', async () => {
    const t = setUp();
    const nothing = { edits: [{ path: 'a.ts', oldText: 'three', newText: '3' }] };
    expect(await textOf(t.call('apply_edit', nothing))).toContain('[no_match]');
    expect(t.approver.requests).toEqual([]);
    expect(t.lastEnd()?.outcome).toBe('no_match');
  });

  it('A26: takes no argument as consent', async () => {
    const t = setUp();
    for (const extra of [{ confirm: true }, { approved: true }, { inputResponses: {} }, { requestState: 'x' }]) {
      expect(await t.call('apply_edit', { ...edit, ...extra })).toMatchObject({ kind: 'invalid_arguments' });
    }
    expect(t.approver.requests).toEqual([]);
  });

  it('P3: is refused, with the target, when a link leads out of the workspace', async () => {
    const t = setUp();
    const text = await textOf(t.call('apply_edit', { edits: [{ path: 'link', oldText: 'x', newText: 'y' }] }));
    expect(text).toContain('[outside_workspace]');
    expect(text).toContain('/out/secret.txt');
    expect(t.approver.requests).toEqual([]);
  });

  it('is refused when it reads or changes a secret file', async () => {
    const t = setUp();
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('[denied]');
    expect(await textOf(t.call('apply_edit', { edits: [{ path: '.env', oldText: 'KEY', newText: 'K' }] }))).toContain(
      '[denied]',
    );
    expect(t.files.reads).toEqual([]);
  });
});

describe('mode and rules in a call', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };

  it('apply a change at once when a rule allows it, name the rule and count its use', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'allow', class: 'edit', paths: ['a.ts'] }));
    await t.call('apply_edit', edit);
    expect(t.approver.requests).toMatchObject([
      { judgement: { effect: 'allow', rule: { id: 'r-allow', scope: 'user' }, mode: 'manual' } },
    ]);
    expect(t.lastEnd()?.decision).toMatchObject({
      effect: 'allow',
      step: 'allow_rule',
      ruleId: 'r-allow',
      scope: 'user',
    });
    expect(t.policy.decided).toEqual([{ id: 'r-allow', scope: 'user' }]);
  });

  it('refuse a call before anything is read when a rule denies it, and record that', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'edit', paths: ['*.ts'] }));
    expect(await textOf(t.call('apply_edit', edit))).toContain('[denied]');
    expect(t.files.reads).toEqual([]);
    expect(t.lastEnd()?.decision).toMatchObject({ step: 'deny_rule', ruleId: 'r-deny', trusted: true, mode: 'manual' });
    expect(t.policy.decided).toEqual([{ id: 'r-deny', scope: 'user' }]);
  });

  it('ask the user once per call before a closed file is read', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('KEY=1');
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'], realPaths: ['/w/.env'], tool: 'read_file' }]);
    t.approver.permits = false;
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('[denied]');
    expect(t.files.reads).toHaveLength(1);
    expect(await textOf(t.call('search_code', { query: 'KEY' }))).not.toContain('.env');
  });

  it('F16: ask before a search whose tool a rule asks for, and then show its hits', async () => {
    const t = setUp();
    t.policy.setRules(ruleOf({ effect: 'ask', tools: ['list_directory', 'search_code'] }));
    expect(await textOf(t.call('list_directory', {}))).toContain('a.ts');
    await t.call('search_code', { query: 'one' });
    expect(t.approver.reads).toMatchObject([{ paths: ['w'] }, { paths: ['w'], realPaths: ['/w'] }]);
    t.approver.permits = false;
    expect(await textOf(t.call('search_code', { query: 'one' }))).toContain('[denied]');
  });

  it('ask again after many changes were applied without asking', async () => {
    const t = setUp();
    t.policy.currentMode = 'acceptEdits';
    const limits = new CallLimits({ ...shippedCallLimits, changes: { perSecond: 1000, burst: 1000 } });
    const dependencies = { ...t.dependencies, limits };
    for (let count = 0; count < 61; count += 1) await callTool(t.callOf('apply_edit', edit), dependencies);
    expect(t.approver.requests.filter(({ judgement }) => judgement.effect === 'allow')).toHaveLength(60);
    expect(t.approver.requests.at(-1)?.judgement).toMatchObject({ effect: 'ask' });
    expect(t.lastEnd()?.decision).toMatchObject({ step: 'limit', mode: 'acceptEdits' });
  });

  it('hide files from searches and lists when a rule denies reading them', async () => {
    const t = setUp();
    expect(await textOf(t.call('list_directory', {}))).toContain('a.ts');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['a.ts'] }));
    expect(await textOf(t.call('list_directory', {}))).not.toContain('a.ts');
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).toContain('[denied]');
  });
});

describe('a hostile caller', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] };
  const fast = new CallLimits({ ...shippedCallLimits, changes: { perSecond: 1000, burst: 1000 } });

  it('A16: gets no more changes without asking by sending all at once', async () => {
    const t = setUp();
    t.policy.currentMode = 'acceptEdits';
    const { promise, resolve } = Promise.withResolvers<void>();
    t.approver.applying = promise;
    const dependencies = { ...t.dependencies, limits: fast };
    const calls = Array.from({ length: 70 }, () => callTool(t.callOf('apply_edit', edit), dependencies));
    await t.approver.seen(70);
    resolve();
    await Promise.all(calls);
    expect(t.approver.requests.filter(({ judgement }) => judgement.effect === 'allow')).toHaveLength(60);
  });

  it('A16: uses up no budget by changes that were not applied', async () => {
    const t = setUp();
    t.policy.currentMode = 'acceptEdits';
    t.approver.unasked = 'stale';
    const dependencies = { ...t.dependencies, limits: fast };
    for (let count = 0; count < 61; count += 1) await callTool(t.callOf('apply_edit', edit), dependencies);
    expect(t.approver.requests.every(({ judgement }) => judgement.effect === 'allow')).toBe(true);
  });

  it('A8: learns nothing about a file that it may not read from a change that fails', async () => {
    const t = setUp();
    const guess = { edits: [{ path: 'a.ts', oldText: 'one\ntwx\n', newText: '1' }] };
    expect(await textOf(t.call('apply_edit', guess))).toContain('one');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['a.ts'] }));
    for (const [tool, args] of [
      ['apply_edit', guess],
      ['create_file', { path: 'a.ts', content: 'one\ntwo\n', overwrite: true }],
      ['delete_file', { path: 'a.ts' }],
      ['move_file', { path: 'a.ts', to: 'b.ts' }],
    ] as const) {
      expect(await textOf(t.call(tool, args)), tool).toContain('[denied]');
    }
    expect(t.files.reads).toEqual(['/w/a.ts']);
  });

  it('A8: reads no secret through a change before the user has allowed the read', async () => {
    const t = setUp();
    const guess = { edits: [{ path: '.env', oldText: 'KEY=2', newText: '1' }] };
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'edit', paths: ['.env'] }));
    expect(await textOf(t.call('apply_edit', guess))).toContain('[denied]');
    t.policy.setRules(ruleOf({ effect: 'ask', tools: ['apply_edit'], paths: ['.env'] }));
    t.approver.permits = false;
    expect(await textOf(t.call('apply_edit', guess))).toContain('[denied]');
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'], tool: 'apply_edit' }]);
    expect(t.files.reads).toEqual([]);
    t.approver.permits = true;
    expect(await textOf(t.call('apply_edit', guess))).toContain('KEY=1');
  });

  it('A8: moves no folder that contains a file which a rule forbids to read', async () => {
    const t = setUp();
    t.files.nodes.set('/w/docs/open.md', 'x').set('/w/docs/private/a.md', 'x');
    t.policy.setRules(ruleOf({ effect: 'deny', class: 'read', paths: ['docs/private/**'] }));
    expect(await textOf(t.call('move_file', { path: 'docs', to: 'moved' }))).toContain('[denied]');
    expect(t.approver.requests).toEqual([]);
  });

  it('A8: gets no secrets in a folder that the user allowed it to read', async () => {
    const t = setUp();
    t.policy.setRules(
      { ...ruleOf({ effect: 'ask', class: 'read' }), rule: { id: 'r-1', effect: 'ask', class: 'read' } },
      ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }),
    );
    await t.call('read_files', { files: [{ path: 'a.ts' }, { path: '.env' }] });
    expect(t.approver.reads.map(({ paths }) => paths)).toEqual([['w'], ['.env']]);
  });

  it('P3: has the user asked about the target of a link, by its own name', async () => {
    const t = setUp();
    t.files.nodes.set('/w/readme.txt', { link: '.env' });
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    await t.call('read_file', { path: 'readme.txt' });
    expect(t.approver.reads).toMatchObject([{ paths: ['.env'], realPaths: ['/w/.env'] }]);
  });

  it('H8: blocks no other call by reads that wait for the user', async () => {
    const t = setUp();
    const dependencies = { ...t.dependencies, limits: new CallLimits({ ...shippedCallLimits, running: 2 }) };
    t.policy.setRules(ruleOf({ effect: 'ask', class: 'read', paths: ['.env'] }));
    const { promise, resolve } = Promise.withResolvers<void>();
    t.approver.answered = promise;
    const waiting = [1, 2, 3].map(() => callTool(t.callOf('read_file', { path: '.env' }), dependencies));
    await t.approver.seen(3);
    expect(await textOf(callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies))).toContain('two');
    resolve();
    for (const outcome of waiting) expect(await textOf(outcome)).toContain('KEY=1');
    for (let count = 0; count < 3; count += 1) {
      expect(await textOf(callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies))).toContain('two');
    }
  });

  it('H8: blocks no other call by calls that wait for the outcome of an approval', async () => {
    const t = setUp();
    const limits = new CallLimits({ ...shippedCallLimits, running: 1, queuedOfPrincipal: 0 });
    const dependencies = { ...t.dependencies, limits };
    const { promise, resolve } = Promise.withResolvers<void>();
    t.approver.answered = promise;
    const waiting = callTool(t.callOf('get_approval', { approvalId: 'a-1' }), dependencies);
    expect(await textOf(callTool(t.callOf('read_file', { path: 'a.ts' }), dependencies))).toContain('two');
    resolve();
    expect(await textOf(waiting)).toContain('[not_found]');
  });

  it('deletes a committed file without asking in Unattended mode', async () => {
    const t = setUp();
    t.policy.currentMode = 'unattended';
    t.sourceControl.answer = 'committed';
    await t.call('delete_file', { path: 'a.ts' });
    expect(t.approver.requests).toMatchObject([{ judgement: { effect: 'allow' } }]);
  });
});

describe('resources/read', () => {
  const request = {
    principal: { credential: 'window' },
    client: undefined,
    era: '2025',
    protocolVersion: undefined,
  } as const;

  it('passes the same gate as read_file and is recorded', async () => {
    const t = setUp();
    const read = (uri: string) => readResource(uri, { ...request, signal: t.cancel.signal }, t.dependencies);
    expect(await read('file:///w/a.ts')).toMatchObject({ kind: 'contents', contents: [{ text: 'one\ntwo\n' }] });
    expect(t.lastEnd()?.outcome).toBe('ok');
    expect(await read('file:///w/.env')).toMatchObject({ kind: 'error', code: 'denied' });
    expect(await read('file:///out/secret.txt')).toMatchObject({ kind: 'error', code: 'outside_workspace' });
    expect(await read('http://x/')).toMatchObject({ kind: 'error', code: 'scheme_not_allowed' });
    t.policy.setRules(ruleOf({ effect: 'deny', tools: ['read_file'], paths: ['a.ts'] }));
    expect(await read('file:///w/a.ts')).toMatchObject({ kind: 'error', code: 'denied' });
  });
});

/** Waits until the call has set its first timer. */
async function running(clock: FakeClock): Promise<void> {
  while (clock.pendingTimers === 0) await Promise.resolve();
}
