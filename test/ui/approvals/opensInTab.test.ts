import { expect, test } from 'vitest';
import { type OpenInTab, opensInTab } from '#ui/approvals/opensInTab.ts';
import { FakeApprovals, type FakeRequest, type FakeText } from '../../fakes/approvals.ts';

const small: FakeText = { path: 'a.ts', base: 'one\n', result: 'two\n' };
const long = 'line\n'.repeat(61);

test.each<[string, FakeRequest, readonly OpenInTab[]]>([
  ['a small edit', { files: [small] }, ['always']],
  [
    'five files',
    { files: Array.from({ length: 5 }, (_, index) => ({ ...small, path: `${index}.ts` })) },
    ['large', 'always'],
  ],
  ['61 lines', { files: [{ path: 'a.ts', change: 'create', result: long }] }, ['large', 'always']],
  ['a delete', { files: [{ ...small, change: 'delete' }] }, ['large', 'always']],
  ['a protected file', { files: [{ ...small, protectedBy: '**/.vscode' }] }, ['large', 'always']],
  ['a change that is over', { files: [{ ...small, change: 'delete' }], state: 'applied' }, []],
  ['an action', { action: { title: 'Fold', definition: 'editor.fold', paths: [], arguments: {}, remarks: [] } }, []],
])('opens %s in the tab when the setting says so', (_, request, expected) => {
  const approval = new FakeApprovals().add(request);
  expect((['never', 'large', 'always'] as const).filter((setting) => opensInTab(approval, setting))).toEqual(expected);
});
