import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import type { OpenEditor } from '#call/ports/editors.ts';
import type { AppliedChange } from '#changes/changes.ts';
import { followOffer } from '#main/offerChanges.ts';
import { FakeEditors } from '../fakes/editors.ts';
import { FakeWorkspace, folderAt } from '../fakes/workspace.ts';

let told: string[];
let editors: FakeEditors;
let workspace: FakeWorkspace;
let clients: Readonly<Record<string, { readonly text: boolean }>>;
let applied: readonly AppliedChange[];
const [approvalsChanged, policyChanged, settingsChanged] = [
  new Emitter<void>(),
  new Emitter<void>(),
  new Emitter<void>(),
];

beforeEach(() => {
  [told, clients, applied] = [[], {}, []];
  [editors, workspace] = [new FakeEditors(), new FakeWorkspace()];
  const offer = followOffer({
    changes: { list: () => applied, onDidChange: approvalsChanged.event },
    catalog: { refresh: () => void told.push('refresh') },
    editors,
    policy: { onDidChange: policyChanged.event },
    settings: { current: () => ({ clients }), onDidChange: settingsChanged.event },
    workspace,
  });
  onTestFinished(() => offer.dispose());
  offer.onDidChangeResources(() => void told.push('resources'));
  offer.onDidChangeProfiles(() => void told.push('profiles'));
  offer.onDidChangeChanges(() => void told.push('changes'));
});

const open = (name: string, isActive = false): OpenEditor => ({
  path: name,
  uri: `file:///w/${name}`,
  fsPath: `/w/${name}`,
  folder: folderAt('/w'),
  isActive,
  isDirty: false,
});

const change = (id: string, state: AppliedChange['state']): AppliedChange => ({
  id,
  tool: 'apply_edit',
  principal: { credential: 'window' },
  client: undefined,
  appliedAt: 1,
  state,
  canRevert: state === 'applied',
  files: [],
});

test('reports other resources when other files are open, not when another one of them is active', () => {
  editors.setOpen(open('a', true), open('b'));
  expect(told).toEqual(['resources']);
  editors.setOpen(open('b', true), { ...open('a'), isDirty: true });
  expect(told).toEqual(['resources']);
  editors.setOpen(open('b', true));
  expect(told).toEqual(['resources', 'resources']);
});

test('refreshes the catalog when a setting, the mode or trust changes', () => {
  settingsChanged.fire();
  policyChanged.fire();
  workspace.setFolders([]);
  expect(told).toEqual(['refresh', 'refresh', 'refresh']);
});

test('reports other profiles only when their setting changes', () => {
  settingsChanged.fire();
  clients = { codex: { text: true } };
  settingsChanged.fire();
  expect(told.filter((each) => each !== 'refresh')).toEqual(['profiles']);
});

test('changes are told when they are applied or reverted, not when a card waits', () => {
  approvalsChanged.fire();
  applied = [change('1', 'applied')];
  approvalsChanged.fire();
  approvalsChanged.fire();
  applied = [change('1', 'reverted')];
  approvalsChanged.fire();
  expect(told).toEqual(['changes', 'changes']);
});
