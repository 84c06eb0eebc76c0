import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ActionProposal, FileChange, Proposal } from '#base/proposal.ts';
import { recheckProposal } from '#call/recheck.ts';
import { resolveAddress } from '#call/resolve.ts';
import type { Tool } from '#call/tool.ts';
import type { RuleClass, RuleScope, ScopedRule } from '#policy/rules.ts';
import { applyEdit } from '#tools/edit/applyEdit.ts';
import { FakeFiles, pipe, type FakeNode } from '../fakes/files.ts';
import { FakePolicy } from '../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';
import { size } from '../size.ts';
import { recheckFromScratch } from './recheckReference.ts';

const principal = { credential: 'window' };
const pathRules = { home: '/home/u', privateFolders: ['/w/own'] };
const offered: readonly Tool[] = [applyEdit];
const day = 86_400_000;

interface World {
  readonly files: FakeFiles;
  readonly workspace: FakeWorkspace;
  readonly policy: FakePolicy;
  tools: readonly Tool[];
  isApproved: boolean;
  proposal: Proposal;
  readonly changes: readonly FileChange[];
  readonly action: ActionProposal;
}

/** The world as it was when the proposals were approved. */
async function approvedWorld(): Promise<World> {
  const files = new FakeFiles({
    '/w/src/a.ts': 'old\n',
    '/w/src/c.ts': 'c\n',
    '/w/lib/d.ts': 'd\n',
    '/w/other.ts': '',
    '/x/y.ts': '',
  });
  const workspace = new FakeWorkspace();
  const dependencies = { files, workspace, pathRules };
  const resolve = (address: string, purpose: 'change' | 'entry' | 'read') =>
    resolveAddress(address, { ...dependencies, purpose });
  const base = { text: 'old\n', encoding: 'utf8', source: 'disk', unsaved: false, unifiedLineEnds: 0 } as const;
  const result = { text: 'new\n', encoding: 'utf8' };
  const changes: readonly FileChange[] = [
    { kind: 'edit', path: await resolve('src/a.ts', 'change'), base, result },
    { kind: 'create', path: await resolve('lib/b.ts', 'change'), result },
    {
      kind: 'move',
      path: await resolve('src/c.ts', 'entry'),
      to: await resolve('lib/c.ts', 'entry'),
      isFolder: false,
      files: [],
    },
    {
      kind: 'delete',
      path: await resolve('lib/d.ts', 'entry'),
      isFolder: false,
      files: [],
      toTrash: false,
      recovery: 'committed',
    },
  ];
  const facts = { title: 'Fix All', definition: 'fixAll', arguments: [], remarks: [] };
  const action: ActionProposal = { kind: 'action', files: [], places: [await resolve('src/a.ts', 'read')], ...facts };
  const proposal: Proposal = { kind: 'changes', files: changes };
  const policy = new FakePolicy();
  return { files, workspace, policy, tools: offered, isApproved: true, proposal, changes, action };
}

const places = [
  '/w/src/a.ts',
  '/w/lib/b.ts',
  '/w/src/c.ts',
  '/w/lib/c.ts',
  '/w/lib/d.ts',
  '/w/src',
  '/w/lib',
  '/w/own/x',
];
const nodes: readonly FakeNode[] = ['text\n', { link: '/x/y.ts' }, { link: '/w/other.ts' }, { link: '/nowhere' }, pipe];
const globs = ['**', 'src/**', '!src/a.ts', 'lib/b.ts', '*.ts', 'own/**'];
const rule: fc.Arbitrary<ScopedRule> = fc
  .record({
    scope: fc.constantFrom<RuleScope>('workspace', 'user', 'repository', 'managed'),
    effect: fc.constantFrom('deny', 'ask', 'allow'),
    class: fc.option(fc.constantFrom<RuleClass>('read', 'edit', 'delete', 'execute'), { nil: undefined }),
    paths: fc.option(fc.subarray(globs, { minLength: 1 }), { nil: undefined }),
    expiresInDays: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    invalid: fc.constantFrom(undefined, undefined, 'not understood'),
  })
  .map(({ scope, effect, class: kind, paths, expiresInDays: days, invalid }) => ({
    scope,
    rule: {
      id: `r-${effect}`,
      effect,
      ...(kind && { class: kind }),
      ...(paths && { paths }),
      ...(days !== undefined && { expires: new Date(Date.UTC(2026, 0, 1) + days * day).toISOString() }),
    },
    ...((scope === 'workspace' || scope === 'repository') && { folder: '/w' }),
    ...(invalid !== undefined && { invalid }),
  }));

/** One change of an input between the approval and the apply. */
const worldChange: fc.Arbitrary<(world: World) => void> = fc.oneof(
  fc.constantFrom('manual', 'acceptEdits', 'readOnly', 'unattended').map((mode) => (world: World) => {
    world.policy.currentMode = mode;
  }),
  fc.array(rule, { maxLength: 3 }).map((rules) => (world: World) => world.policy.setRules(...rules)),
  fc.integer({ min: -3, max: 3 }).map((days) => (world: World) => {
    world.policy.time = Date.UTC(2026, 0, 1) + days * day;
  }),
  fc.boolean().map((trusted) => (world: World) => {
    world.workspace.trusted = trusted;
  }),
  fc.constantFrom(['/w'], ['/w'], ['/w', '/x'], ['/w/src'], []).map((paths) => (world: World) => {
    world.workspace.setFolders(paths.map((path) => folderAt(path)));
  }),
  fc.constantFrom(offered, offered, [{ ...applyEdit, risk: 'execute' } as const], []).map((tools) => (world: World) => {
    world.tools = tools;
  }),
  fc.boolean().map((isApproved) => (world: World) => {
    world.isApproved = isApproved;
  }),
  fc.subarray([0, 1, 2, 3]).map((selected) => (world: World) => {
    world.proposal = { kind: 'changes', files: world.changes.filter((_, index) => selected.includes(index)) };
  }),
  fc.constant((world: World) => {
    world.proposal = world.action;
  }),
  fc
    .tuple(fc.constantFrom(...places), fc.constantFrom<FakeNode | undefined>(undefined, ...nodes))
    .map(([place, node]) => (world: World) => {
      if (node === undefined) world.files.nodes.delete(place);
      else world.files.nodes.set(place, node);
    }),
  fc.tuple(fc.constantFrom(...places), fc.constantFrom(1n, 2n)).map(([place, device]) => (world: World) => {
    world.files.devices.set(place, device);
  }),
);

it('P5 P18: the recheck decides like one from scratch when any input changes after the approval', async () => {
  const ends = new Map<'applied' | 'refused', number>();
  await fc.assert(
    fc.asyncProperty(fc.array(worldChange, { minLength: 10, maxLength: 10 }), async (changes) => {
      const world = await approvedWorld();
      const { files, workspace, policy } = world;
      for (const change of changes) {
        change(world);
        const dependencies = { files, workspace, policy, pathRules, catalog: { tools: world.tools } };
        const args = ['apply_edit', world.proposal, principal, dependencies, world.isApproved] as const;
        const refusal = await recheckProposal(...args);
        expect(refusal).toBe(await recheckFromScratch(...args));
        const end = refusal === undefined ? 'applied' : 'refused';
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }
    }),
    { numRuns: size({ quick: 100, full: 1000 }) },
  );
  // Each end is common, so a recheck that always comes to the same end is noticed.
  expect(ends.get('applied')).toBeGreaterThan(100);
  expect(ends.get('refused')).toBeGreaterThan(100);
});
