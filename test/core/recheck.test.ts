import { expect, it } from 'vitest';
import { recheckProposal } from '../../src/core/recheck.ts';
import { resolveAddress } from '../../src/core/resolve.ts';
import type { ChangesProposal } from '../../src/ports/proposal.ts';
import { tools } from '../../src/tools/index.ts';
import { FakeFiles, type FakeNode } from '../fakes/files.ts';
import { FakeWorkspace } from '../fakes/workspace.ts';

async function setUp(nodes: Readonly<Record<string, FakeNode>> = { '/w/src/a.ts': 'old\n' }) {
  const files = new FakeFiles(nodes);
  const workspace = new FakeWorkspace();
  const pathRules = { home: '/home/u', privateFolders: [] };
  const dependencies = { files, workspace, pathRules, purpose: 'change' as const, catalog: { tools, version: 1 } };
  const path = await resolveAddress('src/a.ts', dependencies);
  const base = { text: 'old\n', encoding: 'utf8', source: 'disk', unsaved: false, unifiedLineEnds: 0 } as const;
  const proposal: ChangesProposal = {
    kind: 'changes',
    files: [{ kind: 'edit', path, base, result: { text: 'new\n', encoding: 'utf8' } }],
  };
  return { files, workspace, recheck: () => recheckProposal('apply_edit', proposal, dependencies) };
}

it('lets what is still as it was proposed through', async () => {
  expect(await (await setUp()).recheck()).toBeUndefined();
});

it('P5 refuses a path that leads elsewhere by now', async () => {
  const t = await setUp();
  t.files.nodes.delete('/w/src/a.ts');
  t.files.nodes.set('/w/src/a.ts', { link: '/w/other.ts' });
  t.files.nodes.set('/w/other.ts', 'old\n');
  expect(await t.recheck()).toContain('leads to another file');
});

it('P18 refuses what is in no folder of the workspace any more, nor what is not trusted any more', async () => {
  const t = await setUp();
  t.workspace.trusted = false;
  expect(await t.recheck()).toContain('not trusted');
  t.workspace.setFolders([]);
  expect(await t.recheck()).toBeDefined();
});
