import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { callTool, type Call, type CoreDependencies } from '../../src/core/callTool.ts';
import { readResource } from '../../src/core/readResource.ts';
import { defaultProfile } from '../../src/core/resultProfile.ts';
import { defineTool, inputFromZod, outputFromZod, type Tool } from '../../src/core/tool.ts';
import type { ApprovalRequest, Approver, ChangeOutcome } from '../../src/ports/approver.ts';
import { tools } from '../../src/tools/index.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles } from '../fakes/files.ts';
import { FakeImports } from '../fakes/imports.ts';
import { FakeSearch } from '../fakes/search.ts';
import { FakeSourceControl } from '../fakes/sourceControl.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

class FakeApprover implements Approver {
  readonly requests: ApprovalRequest[] = [];

  async request(request: ApprovalRequest): Promise<ChangeOutcome> {
    this.requests.push(request);
    return { status: 'declined', approvalId: 'a-1', displayed: true, files: [], userMessage: 'no', next: 'Stop.' };
  }

  async outcome(): Promise<undefined> {
    return undefined;
  }
}

/** Ends when it is told to, or never. */
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
  const files = new FakeFiles({
    '/w/a.ts': 'one\ntwo\n',
    '/w/.env': 'KEY=1\n',
    '/out/secret.txt': 'x',
    '/w/link': { link: '/out/secret.txt' },
  });
  const dependencies: CoreDependencies = {
    catalog: { tools: [...tools, ...extra], version: 1 },
    ports: {
      files,
      workspace,
      imports: new FakeImports(),
      search: new FakeSearch(),
      sourceControl: new FakeSourceControl(),
    },
    approver,
    auditLog,
    clock,
    pathRules: { home: '/home/u', privateFolders: ['/home/u/.drawbridge'] },
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 65_536, maxResults: 200 }),
  };
  const cancel = new AbortController();
  const call = (tool: string, args: unknown = {}, more: Partial<Call> = {}) =>
    callTool(
      {
        tool,
        arguments: args,
        principal: { credential: 'window' },
        client: { name: 'test', version: '1' },
        era: '2025',
        protocolVersion: '2025-11-25',
        signal: cancel.signal,
        ...more,
      },
      dependencies,
    );
  const lastEnd = () => auditLog.calls.at(-1)?.end;
  return { clock, auditLog, approver, workspace, files, dependencies, cancel, call, lastEnd };
}

async function textOf(outcome: ReturnType<ReturnType<typeof setUp>['call']>): Promise<string> {
  return JSON.stringify(await outcome);
}

describe('a call', () => {
  it('runs, answers in every block of the profile, and is on record', async () => {
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

  it('of an unknown tool or with bad arguments never runs and is on record', async () => {
    const t = setUp();
    expect(await t.call('delete_everything')).toMatchObject({ kind: 'unknown_tool' });
    expect(t.lastEnd()?.outcome).toBe('unknown_tool');
    expect(await t.call('read_file', { path: 'a.ts', Path: 'b.ts' })).toMatchObject({ kind: 'invalid_arguments' });
    expect(t.lastEnd()?.outcome).toBe('invalid_arguments');
    expect(t.files.reads).toEqual([]);
  });

  it('without a folder answers workspace_unavailable, and works when one appears', async () => {
    const t = setUp();
    const folders = t.workspace.folders();
    t.workspace.setFolders([]);
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).toContain('[workspace_unavailable]');
    expect(await textOf(t.call('get_workspace'))).not.toContain('isError');
    t.workspace.setFolders(folders);
    expect(await textOf(t.call('read_file', { path: 'a.ts' }))).not.toContain('isError');
  });

  it('A21 in an untrusted workspace reads single files and no more', async () => {
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

  it('ends at its own limit while the event loop goes on', async () => {
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

  it('tells of progress once a second, from its first second on', async () => {
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

  it('that meets a bug of ours says so and keeps the details to the log', async () => {
    const t = setUp([broken, lying]);
    const text = await textOf(t.call('break_now'));
    expect(text).toContain('[internal]');
    expect(text).not.toContain('secret detail');
    expect(t.lastEnd()).toMatchObject({ outcome: 'internal', error: new Error('secret detail') });
    expect(await textOf(t.call('lie_now'))).toContain('[internal]');
  });
});

describe('a call that changes something', () => {
  const edit = { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }], reason: 'why' };

  it('asks the human with exactly what would change', async () => {
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

  it('A26 takes no argument as consent', async () => {
    const t = setUp();
    for (const extra of [{ confirm: true }, { approved: true }, { inputResponses: {} }, { requestState: 'x' }]) {
      expect(await t.call('apply_edit', { ...edit, ...extra })).toMatchObject({ kind: 'invalid_arguments' });
    }
    expect(t.approver.requests).toEqual([]);
  });

  it('P3 is refused through a link that leads out, and names where it leads', async () => {
    const t = setUp();
    const text = await textOf(t.call('apply_edit', { edits: [{ path: 'link', oldText: 'x', newText: 'y' }] }));
    expect(text).toContain('[outside_workspace]');
    expect(text).toContain('/out/secret.txt');
    expect(t.approver.requests).toEqual([]);
  });

  it('is refused for a secret file, read or write', async () => {
    const t = setUp();
    expect(await textOf(t.call('read_file', { path: '.env' }))).toContain('[denied]');
    expect(await textOf(t.call('apply_edit', { edits: [{ path: '.env', oldText: 'KEY', newText: 'K' }] }))).toContain(
      '[denied]',
    );
    expect(t.files.reads).toEqual([]);
  });
});

describe('resources/read', () => {
  const request = {
    principal: { credential: 'window' },
    client: undefined,
    era: '2025',
    protocolVersion: undefined,
  } as const;

  it('passes the same gate as read_file and is on record', async () => {
    const t = setUp();
    const read = (uri: string) => readResource(uri, { ...request, signal: t.cancel.signal }, t.dependencies);
    expect(await read('file:///w/a.ts')).toMatchObject({ kind: 'contents', contents: [{ text: 'one\ntwo\n' }] });
    expect(t.lastEnd()?.outcome).toBe('ok');
    expect(await read('file:///w/.env')).toMatchObject({ kind: 'error', code: 'denied' });
    expect(await read('file:///out/secret.txt')).toMatchObject({ kind: 'error', code: 'outside_workspace' });
    expect(await read('http://x/')).toMatchObject({ kind: 'error', code: 'scheme_not_allowed' });
  });
});

/** The call has come as far as its first timer. */
async function running(clock: FakeClock): Promise<void> {
  while (clock.pendingTimers === 0) await Promise.resolve();
}
