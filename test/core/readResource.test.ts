import { describe, expect, it } from 'vitest';
import { CallLimits } from '../../src/core/callLimits.ts';
import type { CoreDependencies } from '../../src/core/callTool.ts';
import { UnaskedBudget } from '../../src/core/unaskedBudget.ts';
import { readResource } from '../../src/core/readResource.ts';
import { defaultProfile } from '../../src/core/resultProfile.ts';
import { FakeAuditLog } from '../fakes/auditLog.ts';
import { FakeChanges } from '../fakes/changes.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { FakeImports } from '../fakes/imports.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { FakeSearch } from '../fakes/search.ts';
import { FakeSourceControl } from '../fakes/sourceControl.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

function reader(nodes: Readonly<Record<string, FakeNode>>) {
  const auditLog = new FakeAuditLog();
  const workspace = new FakeWorkspace();
  const clock = new FakeClock();
  const policy = new FakePolicy();
  const dependencies: CoreDependencies = {
    catalog: { tools: [], version: 1 },
    ports: {
      changes: new FakeChanges(),
      files: new FakeFiles(nodes),
      imports: new FakeImports(),
      search: new FakeSearch(),
      sourceControl: new FakeSourceControl(),
      workspace,
    },
    approver: {
      request: () => Promise.reject(new Error('A read asks nobody')),
      permitRead: () => Promise.reject(new Error('A read asks nobody')),
      outcome: async () => undefined,
    },
    auditLog,
    clock,
    pathRules: { home: '/nowhere', privateFolders: [] },
    policy,
    limits: new CallLimits(),
    unasked: new UnaskedBudget(clock),
    profileFor: () => defaultProfile,
    caps: () => ({ readBytes: 100, maxResults: 10 }),
  };
  const call = {
    principal: { credential: 'window' },
    client: undefined,
    era: '2026' as const,
    protocolVersion: undefined,
    signal: new AbortController().signal,
  };
  return { auditLog, workspace, read: (uri: string) => readResource(uri, call, dependencies) };
}

describe('resources/read', () => {
  it('gives the whole text, without pages', async () => {
    const { read } = reader({ '/w/a.ts': 'x\n'.repeat(10_000) });
    expect(await read('file:///w/a.ts')).toEqual({
      kind: 'contents',
      contents: [
        { uri: 'file:///w/a.ts', mimeType: expect.stringContaining('typescript'), text: 'x\n'.repeat(10_000) },
      ],
    });
  });

  it('gives what is no text as base64', async () => {
    const { read } = reader({ '/w/a.png': Buffer.from([0x89, 0, 1]) });
    expect(await read('file:///w/a.png')).toEqual({
      kind: 'contents',
      contents: [{ uri: 'file:///w/a.png', mimeType: 'image/png', blob: 'iQAB' }],
    });
  });

  it.each([
    ['file:///w/.env', 'denied'],
    ['file:///w/.git/config', 'denied'],
    ['file:///etc/passwd', 'outside_workspace'],
    ['file:///w/gone', 'not_found'],
    ['file:///w/a%00', 'unsafe_path'],
    ['', 'unsafe_path'],
    ['file:///w/large', 'too_large'],
    ['file:///w/large.bin', 'too_large'],
  ])('P12 passes the gate of every read: %s is %s', async (uri, code) => {
    const { read } = reader({
      '/w/.env': 'secret',
      '/w/.git/config': 'secret',
      '/w/large': 'x'.repeat(2 * 1024 * 1024 + 1),
      '/w/large.bin': Buffer.alloc(1024 * 1024 + 1),
    });
    expect(await read(uri)).toMatchObject({ kind: 'error', code });
  });

  it.each([
    'vscode://x/y',
    'http://127.0.0.1/',
    'command:x',
    'untitled:/x',
    'git:/w/a',
    'vscode-userdata:/User/settings.json',
  ])('P12 %s is no file', async (uri) => {
    expect(await reader({ '/w/a': 'x' }).read(uri)).toMatchObject({ kind: 'error', code: 'scheme_not_allowed' });
  });

  it('is recorded like any call, and not done when that fails', async () => {
    const { auditLog, read } = reader({ '/w/a': 'x' });
    await read('file:///w/a');
    expect(auditLog.calls).toMatchObject([
      {
        start: { tool: 'read_resource', arguments: { uri: 'file:///w/a' } },
        end: { outcome: 'ok', resources: [{ path: 'a' }] },
      },
    ]);
    auditLog.failure = new Error('disk full');
    expect(await read('file:///w/a')).toMatchObject({ kind: 'error', code: 'unavailable' });
  });

  it('works without trust, not without a folder', async () => {
    const { workspace, read } = reader({ '/w/a': 'x' });
    workspace.trusted = false;
    expect(await read('file:///w/a')).toMatchObject({ kind: 'contents' });
    workspace.setFolders([]);
    expect(await read('file:///w/a')).toMatchObject({ kind: 'error', code: 'workspace_unavailable' });
  });
});
