import { beforeEach, expect, test, vi } from 'vitest';
import type { Principal } from '#base/principal.ts';
import { tools } from '#tools/index.ts';
import { ordinaryFile, tryCallOn } from '#ui/rules/toolDecisions.ts';
import { resetEditor } from '../../fakes/editor/editor.ts';
import { nextTurn, openWindowPolicy } from '../../ui/rules/windowPolicy.ts';

beforeEach(() => resetEditor());

const claude: Principal = { credential: 'window', connectionId: 'claude' };

function tool(name: string) {
  const found = tools.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}`);
  return found;
}

test('returns the rules of all scopes as one list, which is the same array until something changes', async () => {
  const { open, write } = openWindowPolicy();
  write('managed', [{ id: 'm', effect: 'deny', class: 'delete' }], { modesNotAllowed: ['unattended'] });
  write('repository', [{ id: 'r', effect: 'ask', class: 'edit' }]);
  write('rules', [{ id: 'u', effect: 'allow', class: 'edit', paths: ['src/**'] }]);
  const policy = open();
  await policy.file.add({ effect: 'allow', class: 'edit' }, { scope: 'session', principal: claude, client: undefined });
  const rules = policy.rules();
  expect(rules.map(({ scope }) => scope)).toEqual(['managed', 'repository', 'session', 'user']);
  await nextTurn();
  expect(policy.rules()).toBe(rules);
  policy.windowMode.set('unattended');
  expect(policy.mode()).toBe('manual');
  const listener = vi.fn<() => void>();
  policy.onDidChange(listener);
  write('repository', []);
  await nextTurn();
  expect(policy.rules()).toHaveLength(3);
  expect(listener).toHaveBeenCalled();
});

test('F19: applies the stricter rule, whatever its scope', async () => {
  const { open, write, situation } = openWindowPolicy();
  const policy = open();
  const decision = () => {
    const { effect, rule } = tryCallOn(ordinaryFile, tool('apply_edit'), situation(policy));
    return [effect, rule?.scope];
  };
  expect(decision()).toEqual(['ask', undefined]);
  write('rules', [{ id: 'u', effect: 'allow', class: 'edit' }]);
  await nextTurn();
  expect(decision()).toEqual(['allow', 'user']);
  write('repository', [{ id: 'r', effect: 'ask', class: 'edit' }]);
  await nextTurn();
  expect(decision()).toEqual(['ask', 'repository']);
  write('rules', [{ id: 'u', effect: 'deny', tools: ['apply_edit'] }]);
  await nextTurn();
  expect(decision()).toEqual(['deny', 'user']);
  write('managed', [{ id: 'm', effect: 'deny', class: 'edit' }]);
  await nextTurn();
  expect(decision()).toEqual(['deny', 'managed']);
});

test('allows nothing but reads that ask when the managed policy is broken', async () => {
  const { open, destroy, situation } = openWindowPolicy();
  const policy = open();
  policy.windowMode.set('acceptEdits');
  destroy('managed');
  await nextTurn();
  expect(policy.mode()).toBe('readOnly');
  expect(tryCallOn(ordinaryFile, tool('apply_edit'), situation(policy)).effect).toBe('deny');
  expect(tryCallOn(ordinaryFile, tool('read_file'), situation(policy)).effect).toBe('ask');
});

test('asks in Accept edits mode when the rules file is broken', async () => {
  const { open, destroy, situation } = openWindowPolicy();
  const policy = open();
  policy.windowMode.set('acceptEdits');
  expect(tryCallOn(ordinaryFile, tool('apply_edit'), situation(policy)).effect).toBe('allow');
  destroy('rules');
  await nextTurn();
  expect(tryCallOn(ordinaryFile, tool('apply_edit'), situation(policy)).effect).toBe('ask');
  expect(tryCallOn(ordinaryFile, tool('read_file'), situation(policy)).effect).toBe('allow');
});
