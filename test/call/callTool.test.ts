import { describe, expect, it } from 'vitest';
import { type Call, callTool } from '#call/callTool.ts';
import { defaultProfile } from '#call/resultProfile.ts';
import { readResource } from '#call/resourceRequests.ts';
import { tools } from '#tools/index.ts';
import { resources } from '#tools/resources/index.ts';
import { FakeCatalog } from '../fakes/catalog.ts';
import type { FakeClock } from '../fakes/clock.ts';
import { ruleOf } from '../fakes/rules.ts';
import { folderAt } from '../fakes/workspace.ts';
import { broken, lying, setUp, sleep, textOf } from './callSetUp.ts';

describe('a call', () => {
  it('runs, returns every block of the profile, and is recorded', async () => {
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

  it('has one result profile from its limits to its result, also when a setting changes meanwhile', async () => {
    const t = setUp();
    const asked: unknown[] = [];
    const profileFor: typeof t.dependencies.profileFor = (client) => {
      asked.push(client);
      return { ...defaultProfile, structured: asked.length === 1 };
    };
    const outcome = await callTool(t.callOf('read_file', { path: 'a.ts' }), { ...t.dependencies, profileFor });
    expect(outcome).toMatchObject({ result: { structuredContent: { path: 'a.ts' } } });
    expect(asked).toHaveLength(1);
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

  it('returns workspace_unavailable without a folder, and works once a folder is open', async () => {
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

  it('finding 34: says that edits are not enabled, and reads, after trust was granted', async () => {
    const t = setUp();
    t.workspace.held = true;
    for (const [tool, args] of [
      ['read_file', { path: 'a.ts' }],
      ['search_code', { query: 'one' }],
      ['find_files', { query: 'a' }],
      ['get_diagnostics', { paths: ['a.ts'] }],
    ] as const) {
      expect(await textOf(t.call(tool, args)), tool).not.toContain('isError');
    }
    const refused = await textOf(t.call('apply_edit', { edits: [{ path: 'a.ts', oldText: 'one', newText: '1' }] }));
    expect(refused).toContain('has not enabled edits yet');
    expect(refused).toContain('Enable Edits');
    expect(refused).not.toContain('has not trusted');
    expect(refused).toContain('[not_trusted]');
    expect(t.approver.requests).toEqual([]);
  });

  it('is refused and recorded when the user turned off the tool', async () => {
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
