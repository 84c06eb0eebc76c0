import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { codexHookEntries } from '#connect/assistants/codex.ts';
import { readCodexTrust, trustCodexHook } from '#connect/codexTrust.ts';

/** A program that answers as the app server of Codex 0.169.0 does; the hooks stand in a file. */
const appServer = `
const { readFileSync, writeFileSync, appendFileSync } = require('node:fs');
const { createInterface } = require('node:readline');
const [list, log] = process.env.FILES.split(',');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  appendFileSync(log, line + '\\n');
  if (id === undefined) return;
  const hooks = JSON.parse(readFileSync(list, 'utf8'));
  if (method === 'config/batchWrite') {
    const { value } = params.edits[0];
    const trusted = hooks.map((hook) => (hook.key in value ? { ...hook, enabled: true, trustStatus: 'trusted' } : hook));
    writeFileSync(list, JSON.stringify(trusted));
  }
  const data = [{ cwd: '/', hooks, warnings: process.env.WARNING ? [process.env.WARNING] : [], errors: [] }];
  console.log('{"method":"configWarning"}');
  console.log(JSON.stringify({ id, result: method === 'hooks/list' ? { data } : {} }));
});
`;

describe('the trust of Codex in our hooks', () => {
  let folder: string;
  let program: string;
  let file: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'codex-trust-'));
    [program, file] = [join(folder, 'codex'), join(folder, 'hooks.json')];
    writeFileSync(program, `#!${process.execPath}\n${appServer}`);
    chmodSync(program, 0o755);
    writeFileSync(file, '{}');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const hook = (trustStatus: string, more: object = {}) => ({
    key: 'ours',
    command: '/home/user/.drawbridge/bin/drawbridge hook',
    sourcePath: file,
    enabled: true,
    currentHash: 'sha256:1',
    trustStatus,
    ...more,
  });
  const [list, log] = ['hooks-list', 'log'];
  const started = (hooks: readonly object[], more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => {
    writeFileSync(join(folder, list), JSON.stringify(hooks));
    writeFileSync(join(folder, log), '');
    return { ...more, FILES: [list, log].map((name) => join(folder, name)).join(',') };
  };
  const read = (...hooks: readonly object[]) => readCodexTrust(program, file, started(hooks));

  test('is the trust of our least trusted hook when the file has several', async () => {
    expect(await read(hook('trusted'), hook('trusted'))).toBe('trusted');
    expect(await read(hook('trusted'), hook('untrusted'))).toBe('untrusted');
    expect(await read(hook('untrusted'), hook('modified'))).toBe('modified');
    expect(await read(hook('trusted'), hook('trusted', { enabled: false }))).toBe('untrusted');
  });

  test('is absent when only other files have our hooks', async () => {
    const elsewhere = hook('trusted', { sourcePath: join(folder, 'project/hooks.json') });
    expect(await read(hook('trusted', { command: 'lint' }), elsewhere)).toBe('absent');
  });

  test('is unknown when Codex cannot be started, is another program, or cannot read its settings', async () => {
    expect(await readCodexTrust(join(folder, 'nowhere'), file, {})).toBe('unknown');
    const other = join(folder, 'other');
    writeFileSync(other, '#!/bin/sh\necho hello\n');
    chmodSync(other, 0o755);
    expect(await readCodexTrust(other, file, {})).toBe('unknown');
    expect(await readCodexTrust(program, file, started([], { WARNING: 'failed to parse' }))).toBe('unknown');
  });

  test('is written for our hooks only when the file has other hooks too', async () => {
    const hooks = [
      hook('modified'),
      hook('trusted', { key: 'off', enabled: false }),
      hook('untrusted', { key: 'x', command: 'lint' }),
    ];
    expect(await trustCodexHook(program, file, started(hooks))).toBe('trusted');
    const edits = [
      {
        keyPath: 'hooks.state',
        value: { ours: { trusted_hash: 'sha256:1' }, off: { trusted_hash: 'sha256:1', enabled: true } },
        mergeStrategy: 'upsert',
      },
    ];
    const written = readFileSync(join(folder, log), 'utf8');
    expect(written).toContain(JSON.stringify({ edits, reloadUserConfig: true }));
  });

  test('is not written when Codex trusts our hooks already or has none of them', async () => {
    expect(await trustCodexHook(program, file, started([hook('trusted')]))).toBe('trusted');
    expect(readFileSync(join(folder, log), 'utf8')).not.toContain('batchWrite');
    expect(await trustCodexHook(program, file, started([]))).toBe('absent');
    expect(readFileSync(join(folder, log), 'utf8')).not.toContain('batchWrite');
  });
});

test('Codex hooks do not change, because Codex asks the user to trust each change', () => {
  const matcher = 'apply_patch|Edit|Write|Bash|shell|shell_command|exec_command|write_stdin';
  const group = (timeout: number) => ({
    matcher,
    hooks: [{ type: 'command', command: '/d/bin/drawbridge hook', timeout }],
  });
  const moment = { hooks: [{ type: 'command', command: '/d/bin/drawbridge hook moment', timeout: 60 }] };
  expect(codexHookEntries('/d/bin/drawbridge')).toEqual({
    PreToolUse: group(2_592_000),
    PermissionRequest: group(60),
    PostToolUse: group(60),
    SessionStart: moment,
    Stop: moment,
    SessionEnd: moment,
  });
});
