import { appendFileSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
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

  test('say what became of their approval after the call was answered', () => {
    const log = window().run('r');
    log.begin(call('apply_edit')).end({ ...end, outcome: 'pending_approval', approvalId: 'a-1' });
    log.event({ event: 'approval.state', approvalId: 'a-1', state: 'displayed' });
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'pending_approval' }]);
    log.event({ event: 'approval.state', approvalId: 'a-1', state: 'applied' });
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'applied' }]);
    log.event({ event: 'approval.state', approvalId: 'a-2', state: 'declined' });
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'applied' }]);
  });

  test.each([
    ['applied', 'answer', 'answered'],
    ['declined', 'dismiss', 'dismissed'],
  ])(
    'say of a question that became %s that it was %s, also when that came after the call',
    (state, choice, outcome) => {
      const log = window().run('r');
      log.begin(call('ask_user')).end({ ...end, outcome: 'pending_approval', approvalId: 'a-1' });
      log.event({ event: 'approval.state', approvalId: 'a-1', state, choice });
      expect(log.recentCalls.all).toMatchObject([{ outcome }]);
    },
  );

  test('are those of assistants, not what clients ask for at every letter that is typed', () => {
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

  test('tell their views', () => {
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
  test('the calls of earlier runs of this window are there, in order', async () => {
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

  test('those of other windows are not, even when an id begins like ours', async () => {
    const { state, read, clock } = window('w');
    window('w-1', state, clock).run('r').begin(call('other'));
    window('x', state, clock).run('r').begin(call('other'));
    expect((await read()).all).toEqual([]);
  });

  test('damaged lines and files are left out', async () => {
    const { state, run, read, clock } = window();
    run('r-1').begin(call('one')).end(end);
    const [file] = readdirSync(state.audit);
    appendFileSync(join(state.audit, file ?? ''), 'not json\n{"v":2}\n\n{"v":1,"seq":3,"event":"call.rec');
    clock.advance(1);
    mkdirSync(join(state.audit, `2026-11-21-w-1-${clock.now()}.jsonl`));
    symlinkSync('/dev/zero', join(state.audit, `2026-11-21-w-1-${clock.now() + 1}.jsonl`));
    expect((await read()).all).toMatchObject([{ tool: 'one', outcome: 'ok' }]);
  });

  test('the calls of a version before the chain are there too', async () => {
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

  test('those of a run of several files are in order', async () => {
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

  test('only the end of a long file is read', async () => {
    const { state, run, read } = window();
    const log = run('r-1');
    log.begin(call('first')).end(end);
    const [file] = readdirSync(state.audit);
    appendFileSync(join(state.audit, file ?? ''), `${'x'.repeat(300 * 1024)}\n`);
    log.begin(call('last')).end(end);
    expect((await read()).all).toMatchObject([{ tool: 'last' }]);
  });

  test('without a folder or with strange names there is nothing, and no error', async () => {
    const { state, read } = window();
    expect((await read()).all).toEqual([]);
    mkdirSync(state.audit, { recursive: true });
    writeFileSync(join(state.audit, 'w-1.jsonl'), '{}');
    expect((await read()).all).toEqual([]);
  });
});
