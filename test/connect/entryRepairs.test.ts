import { describe, expect, test } from 'vitest';
import { isOurEntry, repairsOf } from '#connect/entryRepairs.ts';

test.each([
  [{ command: '/home/ada/.drawbridge/bin/drawbridge' }, true],
  [{ command: 'cmd.exe', args: ['/d', '/c', String.raw`C:\Users\Ada\.drawbridge\bin\drawbridge.cmd`] }, true],
  [{ command: ['/x/bin/drawbridge'] }, true],
  [{ command: { path: '/x/bin/drawbridge' } }, true],
  [{ transport: { type: 'stdio', command: '/x/bin/drawbridge' } }, true],
  [{ cmd: '/x/bin/drawbridge' }, true],
  [{ command: '~/.drawbridge/bin/drawbridge' }, true],
  [{ url: 'http://127.0.0.1:1234/mcp' }, true],
  [{ serverUrl: 'http://localhost:1234/mcp' }, true],
  [{ uri: 'http://[::1]:1234/mcp' }, true],
  [{ command: 'npx', args: ['-y', 'mcp-remote', 'http://127.0.0.1:1234/mcp'] }, true],
  [{ disabled: true }, true],
  [{ url: 'https://drawbridge.example.org/mcp' }, false],
  [{ url: 'http://127.0.0.1.example.org/mcp' }, false],
  [{ command: 'npx', args: ['drawbridge-mcp'] }, false],
  [{ command: 'npx', args: ['-y', '@castle/drawbridge'] }, false],
  [{ command: 'uvx', args: ['drawbridge'] }, false],
  [{ command: 'docker', args: ['run', '-i', 'ghcr.io/castle/bin/drawbridge'] }, false],
  [{ command: 'drawbridge' }, false],
  [{ command: '/opt/drawbridge' }, false],
  [null, false],
  ['drawbridge', false],
  [[], false],
])('recognises whether %j is ours: %s', (entry, expected) => {
  expect(isOurEntry(entry)).toBe(expected);
});

const wanted = { type: 'stdio', command: '/new', args: [], env: {}, env_vars: ['DRAWBRIDGE_WINDOW'], enabled: true };

test('keeps what the user set beside the launch, without a repair', () => {
  const entry = { ...wanted, env: { A: 'b' }, enabled: false, alwaysAllow: ['read_file'] };
  expect(repairsOf(entry, wanted)).toEqual([]);
  expect(repairsOf({ ...entry, env_vars: ['A', 'DRAWBRIDGE_WINDOW'] }, wanted)).toEqual([]);
  const remote = { name: 'B', source: 'remote' };
  expect(repairsOf({ ...entry, env_vars: [remote, 'DRAWBRIDGE_WINDOW'] }, wanted)).toEqual([]);
  const extended = [remote, 'DRAWBRIDGE_WINDOW'];
  expect(repairsOf({ ...entry, env_vars: [remote] }, wanted)).toEqual([
    { kind: 'set', key: 'env_vars', value: extended },
  ]);
});

test('repairs how an entry is started, adds what is missing, and removes the former connection', () => {
  const entry = { type: 'http', url: 'http://127.0.0.1:1/', headers: { a: 'b' }, env_vars: ['A'], enabled: false };
  expect(repairsOf(entry, wanted)).toEqual([
    { kind: 'remove', key: 'url' },
    { kind: 'remove', key: 'headers' },
    { kind: 'set', key: 'type', value: 'stdio' },
    { kind: 'set', key: 'command', value: '/new' },
    { kind: 'set', key: 'args', value: [] },
    { kind: 'set', key: 'env_vars', value: ['A', 'DRAWBRIDGE_WINDOW'] },
    { kind: 'set', key: 'env', value: {} },
  ]);
});

describe('options that the user gave the launcher', () => {
  const cmd = ['/d', '/c', String.raw`C:\new\bin\drawbridge.cmd`];
  const old = String.raw`C:\old\bin\drawbridge.cmd`;
  test.each([
    { start: { command: '/new/bin/drawbridge', args: [] }, before: { command: '/old/bin/drawbridge', args: [] } },
    { start: { cmd: '/new/bin/drawbridge', args: [] }, before: { cmd: '/old/bin/drawbridge', args: [] } },
    { start: { command: 'cmd.exe', args: cmd }, before: { command: 'cmd.exe', args: ['/d', '/c', old] } },
  ])('stay when the launch becomes $start', ({ start, before }) => {
    const withOptions = <T extends { args: string[] }>(entry: T) => ({
      ...entry,
      args: [...entry.args, '--folder', 'x'],
    });
    expect(repairsOf(withOptions(start), start)).toEqual([]);
    const repairs = repairsOf(withOptions(before), start);
    const repaired = Object.fromEntries(repairs.map((repair) => [repair.key, repair.kind === 'set' && repair.value]));
    expect({ ...withOptions(before), ...repaired }).toEqual(withOptions(start));
  });

  test('stay in a command that is a list', () => {
    const start = { command: ['/new/bin/drawbridge'] };
    expect(repairsOf({ command: ['/new/bin/drawbridge', '--folder', 'x'] }, start)).toEqual([]);
    expect(repairsOf({ command: ['/old/bin/drawbridge', '--folder', 'x'] }, start)).toEqual([
      { kind: 'set', key: 'command', value: ['/new/bin/drawbridge', '--folder', 'x'] },
    ]);
  });

  test('are not taken from another program', () => {
    const entry = { command: 'npx', args: ['mcp-remote', 'http://127.0.0.1:1/mcp'] };
    expect(repairsOf(entry, { command: '/new/bin/drawbridge', args: [] })).toContainEqual({
      kind: 'set',
      key: 'args',
      value: [],
    });
  });
});
