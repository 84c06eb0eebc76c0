import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { argumentsDigest } from '#audit/argumentSummary.ts';
import type { CallStart } from '#audit/auditLog.ts';
import { readEarlierCalls } from '#audit/recentCalls.ts';
import { FileAuditLog } from '#audit/fileAuditLog.ts';
import { Redactor } from '#audit/redactor.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryState } from '../home/temporaryState.ts';

const end = { outcome: 'ok', resources: [{ path: 'src/a.ts' }], durationMilliseconds: 2, bytesOut: 3 };

function call(tool: string): CallStart {
  return {
    tool,
    principal: { credential: 'window' },
    client: { name: 'codex', version: '1' },
    protocolVersion: undefined,
    arguments: {},
  };
}

function window(windowId = 'w-1', state = temporaryState(), clock = new FakeClock()) {
  const run = (instanceId: string): FileAuditLog =>
    new FileAuditLog({ state, windowId, instanceId, clock, redactor: new Redactor(), onFailure: () => undefined });
  return { state, clock, run, read: () => readEarlierCalls(state.audit, windowId) };
}

describe('recent calls', () => {
  test('are listed while they run and when they have ended, newest first', () => {
    const log = window().run('r');
    const first = log.begin(call('read_file'));
    log.begin(call('search_code'));
    first.end({ ...end, approvalId: 'a-1' });
    expect(log.recentCalls.all).toMatchObject([
      { tool: 'search_code', outcome: undefined, client: 'codex', resources: [] },
      {
        tool: 'read_file',
        outcome: 'ok',
        approvalId: 'a-1',
        resources: [{ path: 'src/a.ts' }],
        durationMilliseconds: 2,
      },
    ]);
  });

  test('keep the arguments as the record has them, and the numbers of the result that the record does not have', async () => {
    const { run, read } = window();
    const log = run('r');
    const given = { query: 'formatMoney', newText: 'never kept', password: 'never kept' };
    log.begin({ ...call('search_code'), arguments: given }).end({ ...end, counts: { totalCount: 91 } });
    log.begin({ ...call('read_files'), arguments: { files: Array.from({ length: 20 }, () => 'a'.repeat(60)) } });
    const [long, search] = log.recentCalls.all;
    expect(search).toMatchObject({ arguments: { query: 'formatMoney' }, counts: { totalCount: 91 } });
    expect(JSON.stringify(search)).not.toContain('never kept');
    expect(long).not.toHaveProperty('arguments');
    const [, kept] = (await read()).all;
    expect(kept).toMatchObject({ arguments: { query: 'formatMoney' }, principal: search?.principal });
    expect(kept).not.toHaveProperty('counts');
  });

  test('tell sessions apart by their principal', () => {
    const log = window().run('r');
    for (const connectionId of ['one', 'two', 'one']) {
      log.begin({ ...call('read_file'), principal: { credential: 'window', connectionId } });
    }
    const [third, second, first] = log.recentCalls.all.map(({ principal }) => principal);
    expect([third === first, second === first]).toEqual([true, false]);
  });

  test('show the state of their approval when it changes after the call ended', () => {
    const log = window().run('r');
    log.begin(call('apply_edit')).end({ ...end, outcome: 'pending_approval', approvalId: 'a-1' });
    log.event({ event: 'approval.state', approvalId: 'a-1', state: 'displayed' });
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'pending_approval' }]);
    log.event({ event: 'approval.state', approvalId: 'a-1', state: 'applied' });
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'applied' }]);
    log.event({ event: 'approval.state', approvalId: 'a-2', state: 'declined' });
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'applied' }]);
  });

  test('F21: show the call of a change that a kill left half done, also after a reload, and no call that only looks like it', async () => {
    const { state, clock, run, read } = window();
    const killed = run('killed');
    for (const edits of [['one'], ['two'], ['two']]) killed.begin({ ...call('apply_edit'), arguments: { edits } });
    killed.begin({ ...call('create_file'), arguments: { edits: ['two'] } });
    killed.begin({ ...call('apply_edit'), arguments: { edits: ['two'] } }).end({ ...end, approvalId: 'a-other' });
    const recentCalls = await read();
    const log = new FileAuditLog({
      state,
      windowId: 'w-1',
      instanceId: 'next',
      clock,
      redactor: new Redactor(),
      onFailure: () => undefined,
      recentCalls,
    });
    const argsDigest = argumentsDigest({ edits: ['two'] });
    const told = { event: 'approval.state', approvalId: 'a-1', tool: 'apply_edit' } as const;
    log.event({ ...told, state: 'partly_applied', argsDigest });
    const closed = 'session_closed';
    for (const calls of [recentCalls, await read()]) {
      expect(calls.all.map(({ outcome }) => outcome)).toEqual(['ok', closed, 'partly_applied', closed, closed]);
    }
    log.event({ ...told, state: 'applied' });
    for (const calls of [recentCalls, await read()]) {
      expect(calls.all.map(({ outcome }) => outcome)).toEqual(['ok', closed, 'applied', closed, closed]);
    }
  });

  test('tell how long the user took to decide, also after a reload, and not how long others took', async () => {
    const { run, clock, read } = window();
    const log = run('r');
    const state = (approvalId: string, name: string, choice?: string): void =>
      log.event({ event: 'approval.state', approvalId, state: name, ...(choice !== undefined && { choice }) });
    const [asked, gone] = [log.begin(call('run_command')), log.begin(call('apply_edit'))];
    for (const id of ['a-1', 'a-2']) state(id, 'waiting');
    asked.waits('a-1', []);
    clock.advance(2000);
    state('a-1', 'approved', 'approve');
    expect(log.recentCalls.all[1]).toMatchObject({ waitedMilliseconds: 2000 });
    clock.advance(60_000);
    state('a-1', 'applied');
    state('a-2', 'withdrawn');
    asked.end({ ...end, outcome: 'applied', approvalId: 'a-1' });
    gone.end({ ...end, outcome: 'withdrawn', approvalId: 'a-2' });
    for (const calls of [log.recentCalls, await read()]) {
      const [withdrawn, applied] = calls.all;
      expect(applied).toMatchObject({ outcome: 'applied', waitedMilliseconds: 2000 });
      expect(withdrawn).not.toHaveProperty('waitedMilliseconds');
    }
  });

  test.each([
    ['applied', 'answer', 'answered'],
    ['declined', 'dismiss', 'dismissed'],
  ])('show a question that became %s by %s as %s when the answer came after the call', (state, choice, outcome) => {
    const log = window().run('r');
    log.begin(call('ask_user')).end({ ...end, outcome: 'pending_approval', approvalId: 'a-1' });
    log.event({ event: 'approval.state', approvalId: 'a-1', state, choice });
    expect(log.recentCalls.all).toMatchObject([{ outcome }]);
  });

  test('do not include routine requests of clients', () => {
    const { run, read } = window();
    const log = run('r');
    for (const tool of ['complete_argument', 'read_file', 'list_resources']) log.begin(call(tool)).end(end);
    expect(log.recentCalls.all).toMatchObject([{ tool: 'read_file' }]);
    return expect(read().then(({ all }) => all)).resolves.toMatchObject([{ tool: 'read_file' }]);
  });

  test('are at most 200', () => {
    const log = window().run('r');
    for (let count = 0; count < 250; count += 1) log.begin(call(`tool_${count}`)).end(end);
    expect(log.recentCalls.all).toHaveLength(200);
    expect(log.recentCalls.all[0]?.tool).toBe('tool_249');
    expect(log.recentCalls.all.at(-1)?.tool).toBe('tool_50');
  });

  test('fire an event at each change', () => {
    const log = window().run('r');
    let changes = 0;
    const subscription = log.recentCalls.onDidChange(() => (changes += 1));
    const record = log.begin(call('read_file'));
    record.end(end);
    expect(changes).toBe(2);
    subscription.dispose();
    log.begin(call('read_file'));
    expect(changes).toBe(2);
  });
});

describe('after a reload', () => {
  test('lists the calls of earlier runs of this window in order', async () => {
    const { run, clock, read } = window();
    run('r-1').begin(call('one')).end(end);
    clock.advance(5000);
    const second = run('r-2');
    second.begin(call('two')).end(end);
    second.begin(call('three'));
    clock.advance(5000);
    run('r-3').event({ event: 'server.start' });
    expect((await read()).all).toMatchObject([
      { tool: 'three', outcome: 'session_closed' },
      { tool: 'two', outcome: 'ok' },
      { tool: 'one', outcome: 'ok' },
    ]);
  });

  test('does not list calls of other windows, even when their id begins with the same letters', async () => {
    const { state, read, clock } = window('w');
    window('w-1', state, clock).run('r').begin(call('other'));
    window('x', state, clock).run('r').begin(call('other'));
    expect((await read()).all).toEqual([]);
  });

  test('skips damaged lines and files', async () => {
    const { state, run, read, clock } = window();
    run('r-1').begin(call('one')).end(end);
    const [file] = readdirSync(state.audit);
    appendFileSync(join(state.audit, file ?? ''), 'not json\n{"v":2}\n\n{"v":1,"seq":3,"event":"call.rec');
    clock.advance(1);
    mkdirSync(join(state.audit, `2026-11-21-w-1-${clock.now()}.jsonl`));
    symlinkSync('/dev/zero', join(state.audit, `2026-11-21-w-1-${clock.now() + 1}.jsonl`));
    expect((await read()).all).toMatchObject([{ tool: 'one', outcome: 'ok' }]);
  });

  test('lists calls of version 1, which has no chain', async () => {
    const { state, read } = window();
    mkdirSync(state.audit, { recursive: true });
    const base = { v: 1, ts: '2026-11-20T00:00:00.000Z', mono: 1, windowId: 'w-1', instanceId: 'r-0', tool: 'one' };
    const lines = [
      {
        ...base,
        seq: 1,
        event: 'call.received',
        credential: 'window',
        principal: 'p',
        argsDigest: 'd',
        argsPreview: '{}',
      },
      {
        ...base,
        seq: 2,
        event: 'call.result',
        parentSeq: 1,
        resources: [],
        decision: { effect: 'allow', reason: 'default' },
        outcome: 'ok',
        durationMs: 1,
        bytesOut: 2,
      },
    ];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    writeFileSync(join(state.audit, '2026-11-20-w-1-1.jsonl'), `${text}\n`);
    expect((await read()).all).toMatchObject([{ tool: 'one', outcome: 'ok', decision: { effect: 'allow' } }]);
  });

  test('lists the calls of a run of several files in order', async () => {
    const { state, clock, read } = window();
    const log = new FileAuditLog({
      state,
      windowId: 'w-1',
      instanceId: 'r',
      clock,
      redactor: new Redactor(),
      onFailure: () => undefined,
      mostFileBytes: 1000,
    });
    for (const tool of ['one', 'two', 'three']) log.begin(call(tool)).end(end);
    expect(readdirSync(state.audit).length).toBeGreaterThan(1);
    expect((await read()).all.map(({ tool }) => tool)).toEqual(['three', 'two', 'one']);
  });

  test('reads only the end of a long file', async () => {
    const { state, run, read } = window();
    const log = run('r-1');
    log.begin(call('first')).end(end);
    const [file] = readdirSync(state.audit);
    appendFileSync(join(state.audit, file ?? ''), `${'x'.repeat(300 * 1024)}\n`);
    log.begin(call('last')).end(end);
    expect((await read()).all).toMatchObject([{ tool: 'last' }]);
  });

  test('lists nothing, without an error, when the folder is missing or names are unknown', async () => {
    const { state, read } = window();
    expect((await read()).all).toEqual([]);
    mkdirSync(state.audit, { recursive: true });
    writeFileSync(join(state.audit, 'w-1.jsonl'), '{}');
    expect((await read()).all).toEqual([]);
  });
});
