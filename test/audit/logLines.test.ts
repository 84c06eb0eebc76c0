import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import * as vscode from 'vscode';
import type { AuditDecision, AuditLog, CallEnd, CallStart } from '#audit/auditLog.ts';
import { describeTargets, escapeControl, formatCallLine, formatDuration, formatEventLine } from '#audit/logLines.ts';
import { Log, withLog } from '#audit/editor/log.ts';
import { Redactor } from '#audit/redactor.ts';
import { auditDecision } from '../fakes/auditDecision.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';

const start: CallStart = {
  tool: 'read_file',
  principal: { credential: 'window' },
  client: { name: 'claude-code', version: '2.1' },
  protocolVersion: undefined,
  arguments: { path: 'src/a.ts', note: 'words of the call' },
};
const end: CallEnd = {
  outcome: 'ok',
  resources: [{ path: 'src/a.ts' }],
  decision: auditDecision(),
  durationMilliseconds: 3.21,
  bytesOut: 1,
};

const { redact } = new Redactor();

describe('the line of a call', () => {
  test('contains client, tool, target, decision, outcome and duration', () => {
    expect(formatCallLine(start, end, redact)).toBe('claude-code 2.1 | read_file | src/a.ts | allow | ok | 3.2 ms');
    expect(
      formatCallLine(
        { ...start, client: undefined },
        { outcome: 'not_found', resources: [], durationMilliseconds: 65_000, bytesOut: 0 },
        redact,
      ),
    ).toBe('unnamed client | read_file | - | - | not_found | 65 s');
  });

  test('names the step and the rule when a call was asked for or refused', () => {
    const decided = (facts: Partial<AuditDecision>): string | undefined =>
      formatCallLine(start, { ...end, decision: auditDecision(facts) }, redact).split(' | ')[3];
    expect(decided({ effect: 'ask', step: 'ask_rule', ruleId: 'r-7f3a', scope: 'user' })).toBe(
      'asked: ask rule r-7f3a (user)',
    );
    expect(decided({ effect: 'ask', step: 'once_only' })).toBe('asked: once only');
    expect(decided({ effect: 'deny', step: 'hard_deny' })).toBe('denied: hard deny');
    expect(decided({ effect: 'allow', step: 'allow_rule', ruleId: 'r-1' })).toBe('allow');
  });

  test('H13 contains no part of a secret when the cut falls into the secret', () => {
    const secretly = new Redactor();
    secretly.add('a secret that is long enough');
    for (let before = 270; before < 300; before += 1) {
      const tool = `${'x '.repeat(before / 2)}a secret that is long enough`;
      expect(formatCallLine({ ...start, tool }, end, secretly.redact)).not.toContain('a secret');
    }
  });

  test('names the first target and counts the others', () => {
    expect(describeTargets([{ path: 'a' }, { path: 'b' }, { path: 'a' }, { outside: '12ab passwd' }])).toBe('a (+2)');
    expect(describeTargets([{ outside: '12ab passwd' }])).toBe('12ab passwd');
    expect(describeTargets([])).toBeUndefined();
  });

  test('A6 escapes control characters', () => {
    const name = 'a\u001B]8;;http://x\u0007b';
    expect(formatCallLine(start, { ...end, resources: [{ path: name }] }, redact)).toContain(
      String.raw`| a\x1b]8;;http://x\x07b |`,
    );
    expect(escapeControl('\u009B8m\u202Ertl\u200B\u2028\uFEFF\u{E0041}\uD800')).toBe(
      String.raw`\x9b8m\u{202e}rtl\u{200b}\u{2028}\u{feff}\u{e0041}\u{d800}`,
    );
    expect(escapeControl('plain ünïcode 日本 👍 src/a.ts')).toBe('plain ünïcode 日本 👍 src/a.ts');
  });

  test('H10 stays one line, and no field can pass for another', () => {
    const line = formatCallLine(
      { ...start, client: { name: 'x\r\n2026 [info] claude', version: '1 | edit | ok' }, tool: String.raw`a\nb` },
      end,
      redact,
    );
    expect(line).toBe(String.raw`x\r\n2026 [info] claude 1 \x7c edit \x7c ok | a\\nb | src/a.ts | allow | ok | 3.2 ms`);
  });

  test('is shorter than 2000 characters, whatever the client sends', () => {
    const long = 'x'.repeat(1e6);
    const line = formatCallLine(
      { ...start, client: { name: long, version: long }, tool: long },
      { ...end, outcome: long },
      redact,
    );
    expect(line.length).toBeLessThan(2000);
  });

  test('rounds durations', () => {
    expect([0.04, 0.36, 37.4, 999, 12_300, 119_000, 1_800_000].map(formatDuration)).toEqual([
      '0 ms',
      '0.4 ms',
      '37 ms',
      '999 ms',
      '12 s',
      '119 s',
      '30 min',
    ]);
  });

  test('contains only the plain values of an event', () => {
    expect(
      formatEventLine(
        { event: 'approval.state', approvalId: 'a-1', state: 'applied\n', files: [{ path: 'x' }] },
        redact,
      ),
    ).toBe(String.raw`approval.state | approvalId=a-1 | state=applied\n`);
    expect(formatEventLine({ event: 'export', lines: 3, chainEnd: 'ab'.repeat(32) }, redact)).toBe('export | lines=3');
  });
});

class FakeChannel {
  readonly lines: string[] = [];
  logLevel: vscode.LogLevel = vscode.LogLevel.Info;
  debug = (text: string): void => void this.lines.push(`debug ${text}`);
  info = (text: string): void => void this.lines.push(`info ${text}`);
  warn = (text: string): void => void this.lines.push(`warn ${text}`);
  error = (text: string | Error): void => void this.lines.push(`error ${String(text)}`);
}

function makeLog(inner: AuditLog = new FakeAuditLog()) {
  const channel = new FakeChannel();
  const redactor = new Redactor();
  const log = new Log(channel, redactor);
  return { channel, redactor, log, auditLog: withLog(inner, log, redactor) };
}

describe('the log', () => {
  test('writes a line for each call and event, and passes both on', () => {
    const inner = new FakeAuditLog();
    const { channel, auditLog } = makeLog(inner);
    auditLog.begin(start).end(end);
    auditLog.event({ event: 'server.start' });
    auditLog.event({ event: 'auth.failure' });
    expect(channel.lines).toEqual([
      'info claude-code 2.1 | read_file | src/a.ts | allow | ok | 3.2 ms',
      'info server.start',
      'warn auth.failure',
    ]);
    expect(inner.calls).toEqual([{ start, end }]);
    expect(inner.events.map(({ event }) => event)).toEqual(['server.start', 'auth.failure']);
  });

  test('A6: keeps a hash of Drawbridge readable in its own line, and redacts known secrets there', () => {
    const { channel, redactor, log } = makeLog();
    const hash = createHash('sha256').update('tools').digest('hex');
    redactor.add('a known secret of a test');
    log.infoWithHash(`SHA-256 ${hash}, a known secret of a test`);
    log.info(`SHA-256 ${hash}`);
    expect(channel.lines[0]).toMatch(new RegExp(`^info SHA-256 ${hash}, \\[redacted:token:[0-9a-f]{8}\\]$`));
    expect(channel.lines[1]).toMatch(/^info SHA-256 \[redacted:random:/);
  });

  test('writes routine requests only at level Debug, or when they failed', () => {
    const { channel, auditLog } = makeLog();
    const routine = { ...start, tool: 'complete_argument' };
    auditLog.begin(routine).end(end);
    expect(channel.lines).toEqual([]);
    auditLog.begin(routine).end({ ...end, outcome: 'denied' });
    channel.logLevel = vscode.LogLevel.Debug;
    auditLog.begin(routine).end(end);
    expect(channel.lines.map((line) => line.split(' ')[0])).toEqual(['info', 'debug', 'debug']);
  });

  test('writes arguments only at level Debug or Trace', () => {
    const { channel, auditLog } = makeLog();
    const { Off, Trace, Debug, Info, Error: ErrorLevel } = vscode.LogLevel;
    for (const [level, seen] of [
      [Off, false],
      [Trace, true],
      [Debug, true],
      [Info, false],
      [ErrorLevel, false],
    ] as const) {
      channel.lines.length = 0;
      channel.logLevel = level;
      auditLog.begin(start);
      expect(channel.lines.some((line) => line.includes('words of the call'))).toBe(seen);
    }
  });

  test('writes an internal error with its stack and cause, escaped', () => {
    const { channel, auditLog } = makeLog();
    const bug = new TypeError('x is \u001B[8m not a function', { cause: new Error('the cause') });
    auditLog.begin(start).end({ ...end, outcome: 'internal', error: bug });
    expect(channel.lines[1]).toMatch(
      /^error A bug in Drawbridge ended a call of read_file\nTypeError: x is \\x1b\[8m not/,
    );
    expect(channel.lines[1]).toMatch(/\n {4}at .*logLines\.test\.ts/);
    expect(channel.lines[1]).toContain('\n  caused by Error: the cause');
  });

  test('refuses a call that cannot be recorded, and writes the reason', () => {
    const inner = new FakeAuditLog();
    inner.failure = new Error('no space left');
    const { channel, auditLog } = makeLog(inner);
    expect(() => auditLog.begin(start)).toThrow('no space left');
    expect(channel.lines[0]).toMatch(/^error Refused a call of read_file.*\nError: no space left/);
  });

  test('A22: writes no line of a private key that an error contains', () => {
    const { channel, log } = makeLog();
    const body = ['MIIEvQIBADANBgkqhkiG', '9w0BAQEFAASCBKcwggSj', 'AgEAAoIBAQC7VJTUt9Us'];
    const key = ['-----BEGIN PRIVATE KEY-----', ...body, '-----END PRIVATE KEY-----'].join('\n');
    log.error('It failed', new Error(`Cannot use ${key}`));
    for (const line of body) expect(channel.lines.join('\n')).not.toContain(line);
  });

  test('H13 never writes the token', () => {
    const { channel, redactor, auditLog, log } = makeLog();
    const token = 'Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6';
    redactor.add(token);
    channel.logLevel = vscode.LogLevel.Trace;
    auditLog
      .begin({ ...start, tool: token, client: { name: token, version: token }, arguments: { [token]: token } })
      .end({ ...end, outcome: token, resources: [{ path: token }], error: new Error(token) });
    auditLog.event({ event: 'auth.failure', header: token });
    log.info(token);
    log.warn(token);
    expect(channel.lines).toHaveLength(6);
    expect(channel.lines.join('\n')).not.toContain(token.slice(0, 8));
  });
});
