import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CallEnd, CallStart } from '#audit/auditLog.ts';
import { FileAuditLog } from '#audit/fileAuditLog.ts';
import { Redactor } from '#audit/redactor.ts';
import type { StateFolder } from '#home/stateFolder.ts';
import { auditDecision } from '../fakes/auditDecision.ts';
import { FakeClock } from '../fakes/clock.ts';
import { temporaryState } from '../home/temporaryState.ts';

const start: CallStart = {
  tool: 'read_file',
  principal: { credential: 'window', connectionId: 'c'.repeat(64) },
  client: { name: 'claude-code', version: '2.1' },
  protocolVersion: '2025-11-25',
  arguments: { path: 'src/a.ts' },
};
const end: CallEnd = {
  outcome: 'ok',
  resources: [{ path: 'src/a.ts' }],
  decision: auditDecision(),
  durationMilliseconds: 1.23456,
  bytesOut: 42,
};

function openLog(state: StateFolder = temporaryState()) {
  const clock = new FakeClock(Date.UTC(2026, 10, 21, 23, 59, 59, 5));
  const redactor = new Redactor();
  const failures: unknown[] = [];
  const log = new FileAuditLog({
    state,
    windowId: 'window-1',
    instanceId: 'run-1',
    clock,
    redactor,
    onFailure: (error) => failures.push(error),
  });
  const file = join(state.audit, `2026-11-21-window-1-${clock.now()}.jsonl`);
  const text = (): string => readFileSync(file, 'utf8');
  const lines = (): Record<string, unknown>[] =>
    text()
      .split('\n')
      .slice(0, -1)
      .filter(Boolean)
      .map((line) => z.record(z.string(), z.unknown()).parse(JSON.parse(line)));
  return { log, clock, redactor, failures, state, file, text, lines };
}

describe('the record of a call', () => {
  test('has one line for the start and one line for the end', () => {
    const { log, clock, lines } = openLog();
    const record = log.begin(start);
    expect(lines()).toHaveLength(1);
    clock.advance(20);
    record.end(end);
    const chained = { prev: expect.stringMatching(/^[0-9a-f]{64}$/), hash: expect.stringMatching(/^[0-9a-f]{64}$/) };
    const base = { v: 2, windowId: 'window-1', instanceId: 'run-1', tool: 'read_file', ...chained };
    expect(lines()).toEqual([
      {
        ...base,
        seq: 1,
        ts: '2026-11-21T23:59:59.005Z',
        mono: expect.any(Number),
        event: 'call.received',
        client: { name: 'claude-code', version: '2.1', claimed: true },
        protocolVersion: '2025-11-25',
        credential: 'window',
        principal: expect.stringMatching(/^[0-9a-f]{16}$/),
        argsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
        argsPreview: '{"path":"src/a.ts"}',
      },
      {
        ...base,
        seq: 2,
        ts: '2026-11-21T23:59:59.025Z',
        mono: expect.any(Number),
        event: 'call.result',
        parentSeq: 1,
        resources: [{ path: 'src/a.ts' }],
        decision: auditDecision(),
        outcome: 'ok',
        durationMs: 1.235,
        bytesOut: 42,
      },
    ]);
  });

  test('is readable only by this user', () => {
    const { log, file, state } = openLog();
    log.event({ event: 'server.start' });
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect((statSync(state.audit).mode & 0o777).toString(8)).toBe('700');
  });

  test('holds the connection of a caller only as a hash', () => {
    const { log, text } = openLog();
    log.begin(start);
    expect(text()).not.toContain('cccccccc');
  });

  test('keeps the base fields when an event has fields of the same names', () => {
    const { log, lines } = openLog();
    log.event({
      event: 'apply',
      approvalId: 'a-1',
      seq: 99,
      ts: 'never',
      v: 9,
      prev: 'x',
      hash: 'x',
      files: [{ path: 'a' }],
    });
    expect(lines()).toMatchObject([{ v: 2, seq: 1, event: 'apply', approvalId: 'a-1', files: [{ path: 'a' }] }]);
    expect(lines()[0]?.['ts']).not.toBe('never');
  });
});

describe('text of clients', () => {
  test('H10 cannot end its line', () => {
    const { log, text, lines } = openLog();
    const forged = 'a\r\nX-Forged: 1\n{"v":1,"seq":7,"event":"call.result"}\u2028\u0085\n';
    log
      .begin({ ...start, tool: forged, client: { name: forged, version: forged }, arguments: { [forged]: forged } })
      .end({
        ...end,
        resources: [{ path: forged }],
      });
    expect(text().split('\n')).toHaveLength(3);
    expect(lines()[0]).toMatchObject({ tool: forged, client: { name: forged } });
  });

  test('is cut to a maximum length', () => {
    const { log, text } = openLog();
    const long = 'x'.repeat(100_000);
    log.begin({
      ...start,
      tool: long,
      client: { name: long, version: long },
      protocolVersion: long,
      arguments: { long },
    });
    expect(text().length).toBeLessThan(3000);
  });

  test('H13 never writes the token to disk, wherever a client puts it', () => {
    const { log, text, redactor } = openLog();
    const bytes = randomBytes(32);
    const token = bytes.toString('base64url');
    redactor.add(token);
    for (const secret of [token, Buffer.from(token).toString('base64'), bytes.toString('hex')]) {
      const padded = `${'y'.repeat(190)}${secret}`;
      log
        .begin({
          ...start,
          tool: padded,
          client: { name: padded, version: secret },
          protocolVersion: secret,
          arguments: { query: `${'z'.repeat(35)}${secret}${'z'.repeat(99)}`, [secret]: secret },
        })
        .end({ ...end, resources: [{ path: secret }], outcome: secret });
      log.event({ event: 'auth.failure', header: `Bearer ${secret}` });
      expect(text()).not.toContain(secret.slice(0, 8));
    }
  });
});

describe('a record that cannot be written', () => {
  /** Runs as root too, where permissions stop nobody: a file stands where the folder should be. */
  function blocked(state: StateFolder): void {
    mkdirSync(state.home, { recursive: true });
    writeFileSync(state.audit, '');
  }

  test('refuses the call and reports the failure once', () => {
    const { log, failures, state } = openLog();
    blocked(state);
    expect(() => log.begin(start)).toThrow();
    expect(() => log.begin(start)).toThrow();
    log.event({ event: 'server.start' });
    expect(failures).toHaveLength(1);
    expect(log.recentCalls.all).toEqual([]);
  });

  test('writes again when the disk recovers, and then reports the next failure', () => {
    const { log, failures, state, lines } = openLog();
    blocked(state);
    expect(() => log.begin(start)).toThrow();
    rmSync(state.audit);
    log.begin(start);
    expect(lines()).toHaveLength(1);
    rmSync(state.audit, { recursive: true });
    blocked(state);
    expect(() => log.begin(start)).toThrow();
    expect(failures).toHaveLength(2);
  });

  test('reports the failure of an end or an event without throwing', () => {
    const { log, failures, state } = openLog();
    const record = log.begin(start);
    rmSync(state.audit, { recursive: true });
    blocked(state);
    record.end(end);
    expect(failures).toHaveLength(1);
    expect(log.recentCalls.all).toMatchObject([{ outcome: 'ok' }]);
  });

  test('H12 does not follow a link in place of the file', () => {
    const { log, state, file } = openLog();
    const target = join(state.home, 'elsewhere');
    mkdirSync(state.audit, { recursive: true });
    writeFileSync(target, '');
    symlinkSync(target, file);
    expect(() => log.begin(start)).toThrow();
    expect(readFileSync(target, 'utf8')).toBe('');
  });
});

test('creates the file again when somebody removed it', () => {
  const { log, file, state, lines } = openLog();
  log.begin(start);
  rmSync(file);
  log.begin(start);
  expect(lines()).toMatchObject([{ seq: 2 }]);
  rmSync(state.home, { recursive: true });
  log.begin(start);
  expect(lines()).toMatchObject([{ seq: 3 }]);
});

test('makes a file private before it writes when others could read it', () => {
  const { log, file, state } = openLog();
  mkdirSync(state.audit, { recursive: true });
  writeFileSync(file, '');
  chmodSync(file, 0o666);
  log.begin(start);
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
});

test('refuses a window id that cannot be a file name', () => {
  const options = { clock: new FakeClock(), redactor: new Redactor(), onFailure: () => undefined };
  const state = temporaryState();
  expect(() => new FileAuditLog({ ...options, state, windowId: '../x', instanceId: 'i' })).toThrow(RangeError);
});

test('writes one file for each run of a window', () => {
  const state = temporaryState();
  openLog(state).log.begin(start);
  const second = openLog(state);
  second.clock.advance(1);
  const later = new FileAuditLog({
    state,
    windowId: 'window-1',
    instanceId: 'run-2',
    clock: second.clock,
    redactor: new Redactor(),
    onFailure: () => undefined,
  });
  later.begin(start);
  expect(readdirSync(state.audit)).toHaveLength(2);
});
