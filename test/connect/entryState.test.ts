import { expect, test } from 'vitest';
import { isOurEntry, repairsOf } from '../../src/connect/entryState.ts';

test.each([
  [{ command: '/home/ada/.drawbridge/bin/drawbridge' }, true],
  [{ command: 'cmd.exe', args: ['/d', '/c', String.raw`C:\Users\Ada\.drawbridge\bin\drawbridge.cmd`] }, true],
  [{ command: ['/x/drawbridge'] }, true],
  [{ command: { path: '/x/drawbridge' } }, true],
  [{ transport: { type: 'stdio', command: '/x/drawbridge' } }, true],
  [{ cmd: '/x/drawbridge' }, true],
  [{ url: 'http://127.0.0.1:1234/mcp' }, true],
  [{ serverUrl: 'http://localhost:1234/mcp' }, true],
  [{ uri: 'http://[::1]:1234/mcp' }, true],
  [{ command: 'npx', args: ['-y', 'mcp-remote', 'http://127.0.0.1:1234/mcp'] }, true],
  [{ disabled: true }, true],
  [{ url: 'https://drawbridge.example.org/mcp' }, false],
  [{ url: 'http://127.0.0.1.example.org/mcp' }, false],
  [{ command: 'npx', args: ['drawbridge-mcp'] }, false],
  [null, false],
  ['drawbridge', false],
  [[], false],
])('%j is ours: %s', (entry, expected) => {
  expect(isOurEntry(entry)).toBe(expected);
});

const wanted = { type: 'stdio', command: '/new', args: [], env: {}, env_vars: ['DRAWBRIDGE_WINDOW'], enabled: true };

test('what the user set beside the launch is theirs, and no reason for a repair', () => {
  const entry = { ...wanted, env: { A: 'b' }, enabled: false, alwaysAllow: ['read_file'] };
  expect(repairsOf(entry, wanted)).toEqual([]);
  expect(repairsOf({ ...entry, env_vars: ['A', 'DRAWBRIDGE_WINDOW'] }, wanted)).toEqual([]);
});

test('a repair sets how it is started, adds what is missing, and takes out the connection of before', () => {
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
