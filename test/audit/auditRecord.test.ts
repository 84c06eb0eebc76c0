import { describe, expect, test } from 'vitest';
import * as vscode from 'vscode';
import { readFileSync } from 'node:fs';
import { readForExport, newCounts } from '#audit/exportedRecords.ts';
import type { AuditEvent } from '#audit/auditLog.ts';
import { auditRecord } from '#audit/auditRecord.ts';
import { Log, withLog } from '#audit/editor/log.ts';
import { auditDecision } from '../fakes/auditDecision.ts';
import { auditRun, call } from './auditRun.ts';
import { seededSecrets } from './seededSecrets.ts';

const sha256 = 'ab'.repeat(32);

/** One of each kind, as full as it can be. */
const events: readonly AuditEvent[] = [
  {
    event: 'policy.decision',
    decision: auditDecision({ effect: 'deny', step: 'deny_rule', ruleId: 'r-1', scope: 'user' }),
  },
  {
    event: 'approval.state',
    approvalId: 'a-1',
    state: 'approved',
    tool: 'apply_edit',
    proposalHash: sha256,
    displayedAt: 1,
    decidedAt: 3,
    latencyMs: 2,
    choice: 'approve',
    hunks: { total: 3, accepted: 2 },
    edited: false,
    feedbackLen: 0,
  },
  { event: 'approval.state', state: 'not_shown', error: 'x' },
  {
    event: 'apply',
    approvalId: 'a-1',
    journalId: 'j-1',
    files: [
      {
        path: 'src/a.ts',
        change: 'edit',
        state: 'applied',
        before: { sha256 },
        after: { sha256 },
        linesAdded: 1,
        linesRemoved: 2,
        formatter: false,
        saved: true,
        dirtyBefore: false,
      },
    ],
  },
  { event: 'revert', approvalId: 'a-1', direction: 'undo', outcome: 'undone' },
  { event: 'restriction', state: 'paused', client: 'codex' },
  {
    event: 'rule.change',
    change: 'add',
    ruleId: 'r-1',
    scope: 'user',
    after: { effect: 'deny', tools: ['read_file'] },
  },
  { event: 'mode.change', mode: 'readOnly', previous: 'manual', why: 'chosen' },
  { event: 'token.change', state: 'created', name: 'ci' },
  { event: 'guard.change', state: 'off', until: 1_790_000_000_000 },
  { event: 'guard.change', state: 'on' },
  { event: 'tool.unknown', assistant: 'Claude Code', tool: 'MultiEdit' },
  { event: 'auth.failure', more: 3 },
  { event: 'session.open' },
  { event: 'session.close' },
  { event: 'server.start', endpoint: 'http://127.0.0.1:1/mcp', version: '0.1.0' },
  { event: 'server.stop' },
  { event: 'redaction', tool: 'read_file', count: 2 },
  { event: 'export', range: 'all', lines: 3, redactions: { token: 1 }, chainEnd: sha256 },
  { event: 'records.deleted', files: 1, bytes: 2, history: false },
];

test('has a schema for every event, and redaction leaves events without secrets unchanged', () => {
  const { log, lines } = auditRun();
  for (const event of events) log.event(event);
  const parsed = lines().map((line) => auditRecord.parse(JSON.parse(line)));
  expect(parsed.map(({ v, seq }) => [v, seq])).toEqual(events.map((_, index) => [2, index + 1]));
  for (const [index, event] of events.entries()) expect(JSON.parse(lines()[index] ?? '')).toMatchObject(event);
});

test('records every known fact of a call', () => {
  const { log, lines } = auditRun();
  const decision = auditDecision({
    effect: 'ask',
    step: 'ask_rule',
    ruleId: 'r-7f3a',
    scope: 'user',
    explain: ['no deny'],
  });
  const resource = { path: 'a/.env', folder: 'a', realDiffers: true, inside: true, protected: true, secret: true };
  log.begin({ ...call, risk: 'read', requestId: '7', sessionId: 'ab12', remotePort: 40_000 }).end({
    outcome: 'denied',
    resources: [resource, { outside: '0123456789abcdef passwd' }],
    decision,
    journalId: 'j-1',
    durationMilliseconds: 1,
    bytesOut: 0,
  });
  const [received, result] = lines().map((line) => auditRecord.parse(JSON.parse(line)));
  expect(received).toMatchObject({ class: 'read', requestId: '7', sessionId: 'ab12', remotePort: 40_000 });
  expect(result).toMatchObject({
    decision,
    journalId: 'j-1',
    resources: [resource, { outside: '0123456789abcdef passwd' }],
  });
});

test('H13 redacts a known secret even in a field that Drawbridge fills itself', () => {
  const { log, redactor, path } = auditRun();
  redactor.add('a token in the wrong place');
  log.event({ event: 'restriction', state: 'a token in the wrong place', restrictionId: 'a token in the wrong place' });
  expect(readFileSync(path, 'utf8')).not.toContain('a token');
});

describe('A22: secrets of twelve shapes in arguments, content, names, events and errors', () => {
  test('appear in no record, log or export, but their fingerprints do', async () => {
    const { log, path, redactor, files } = auditRun();
    const shown: string[] = [];
    const write = (text: string | Error): void => void shown.push(String(text));
    const channel = { debug: write, info: write, warn: write, error: write, logLevel: vscode.LogLevel.Trace };
    const auditLog = withLog(log, new Log(channel, redactor), redactor);
    const error = new Error(seededSecrets.map(([, secret]) => secret).join('\nnext '));
    for (const [, secret] of seededSecrets) {
      auditLog
        .begin({
          ...call,
          tool: `tool ${secret}`,
          client: { name: `client ${secret}`, version: secret },
          protocolVersion: secret,
          requestId: secret,
          arguments: {
            query: secret,
            long: `${'x '.repeat(30)}${secret}`,
            list: [secret, { deep: secret }],
            password: secret,
            newText: secret,
            lines: `one\n${secret}`,
            [secret]: 1,
          },
        })
        .end({
          outcome: secret,
          resources: [],
          decision: auditDecision({ effect: 'deny', reason: secret, explain: [secret] }),
          durationMilliseconds: 1,
          bytesOut: 2,
          error,
        });
      auditLog.event({
        event: 'auth.failure',
        header: secret,
        nested: { again: [secret] },
        message: `failed: ${secret}`,
      });
    }
    const exported: string[] = [];
    const options = { since: 0, redactor: redactor.withFreshKey(), names: { paths: [], user: '' } };
    for await (const line of readForExport({ ...options, files: await files() }, newCounts())) exported.push(line);
    for (const text of [readFileSync(path, 'utf8'), shown.join('\n'), exported.join('\n')]) {
      expect(text.match(/\[redacted:[a-z_]+:[0-9a-f]{8}\]/g)?.length).toBeGreaterThan(seededSecrets.length);
      for (const [name, secret, mayStay = ''] of seededSecrets) {
        for (let at = 0; at + 12 <= secret.length; at += 1) {
          const part = secret.slice(at, at + 12);
          if (!mayStay.includes(part)) expect([name, text.includes(part)]).toEqual([name, false]);
        }
      }
    }
    expect([...redactor.counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(100);
  });
});
