import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { resolveAddress } from '#call/resolve.ts';
import { tools } from '#tools/index.ts';
import { testCall } from '#ui/rules/testCall.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeFiles } from '../../fakes/files.ts';
import { nextTurn, openWindowPolicy } from './windowPolicy.ts';

beforeEach(() => resetEditor());

function open() {
  const setUp = openWindowPolicy();
  const policy = setUp.open();
  const shownRules: string[] = [];
  const situation = setUp.situation(policy);
  const files = new FakeFiles({ [join(setUp.folder.fsPath, 'src/a.ts')]: 'x' });
  const run = () =>
    testCall({
      situation,
      tools,
      resolve: (address, purpose) => resolveAddress(address, { ...situation, files, purpose }),
      showRule: async (id) => void shownRules.push(id),
    });
  return { ...setUp, run, shownRules };
}

test('F16: "Test a Call..." shows the decision and every step, and leads to the rule that decided', async () => {
  const { run, write, shownRules } = open();
  write('rules', [{ id: 'r-src', effect: 'deny', class: 'edit', paths: ['src/**'] }]);
  await nextTurn();
  editor.answers.push('apply_edit', 'src/a.ts', 'This call');
  await run();
  const steps = editor.shown.at(-1)?.choices ?? [];
  expect(steps[0]).toBe('$(circle-slash) This call is refused deny rule r-src (user)');
  expect(steps.at(-1)).toBe('$(arrow-right) Deny rules deny: deny rule r-src (user)');
  expect(shownRules).toEqual(['r-src']);
});

test('shows the rule that allows a call', async () => {
  const { run } = open();
  editor.answers.push('read_file', 'src/a.ts');
  await run();
  expect(editor.shown.at(-1)?.choices[0]).toMatch(/This call happens without asking default for read/);
});

test('explains why a path is impossible', async () => {
  const { run } = open();
  editor.answers.push('read_file', '/etc/passwd');
  await run();
  expect(editor.shown.at(-1)?.choices).toEqual(['$(circle-slash) This call is refused outside_workspace']);
});

test('refuses a secret file, as a call would be refused', async () => {
  const { run, folder } = open();
  editor.answers.push('read_file', join(folder.fsPath, '.env'));
  await run();
  expect(editor.shown.at(-1)?.choices[0]).toContain('is refused');
});

test('ends when the user dismisses it', async () => {
  const { run } = open();
  await run();
  editor.answers.push('read_file', undefined);
  await run();
  expect(editor.shown.map(({ kind }) => kind)).toEqual(['pick', 'pick', 'input']);
});
