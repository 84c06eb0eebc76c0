import { describe, expect, test } from 'vitest';
import type { Approval } from '#changes/approval.ts';
import { groupsOf } from '#ui/approvals/pageData.ts';
import { groupView, needsOwnDecision } from '#ui/page/words/groupText.ts';
import { restrictionText } from '#ui/page/words/pageText.ts';
import { FakeApprovals, type FakeText } from '../../../fakes/approvals.ts';
import { drawnCard, t } from './drawnCard.ts';

const edit: FakeText = { path: 'src/a.ts', base: 'one\n', result: 'two\n' };

function together(...files: FakeText[]): { approvals: FakeApprovals; open: () => readonly Approval[] } {
  const approvals = new FakeApprovals();
  for (const [index, file] of files.entries()) approvals.add({ id: `a${index}`, groupId: 'g', files: [file] });
  return { approvals, open: () => approvals.all.filter(({ state }) => state === 'waiting') };
}

describe('groups', () => {
  test('contain two or more approvals that arrived together', () => {
    const { approvals, open } = together(edit, edit);
    approvals.add({ id: 'alone', files: [edit] });
    expect(groupsOf(open(), () => false)).toEqual([{ id: 'g', ids: ['a0', 'a1'], batch: ['a0', 'a1'] }]);
    approvals.change('a0', { state: 'declined' });
    expect(groupsOf(open(), () => false)).toEqual([]);
  });

  test.each([
    ['a delete', { path: 'src/b.ts', base: 'one\n', change: 'delete' }],
    ['a file replaced as a whole', { ...edit, overwrites: true }],
    ['a protected file', { ...edit, protectedBy: '**/.vscode/**' }],
  ] as const)('leave out %s, which needs a decision of its own', (_, file) => {
    const { open } = together(edit, edit, file);
    expect(groupsOf(open(), () => false)[0]).toMatchObject({ ids: ['a0', 'a1', 'a2'], batch: ['a0', 'a1'] });
    expect(open().map(needsOwnDecision)).toEqual([false, false, true]);
  });

  test('leave out an approval that is being applied or has nothing selected', () => {
    const { approvals, open } = together(edit, edit, edit, { path: 'new.ts', result: '', change: 'create' });
    approvals.selectFile('a0', 0, false);
    approvals.selectHunk('a1', 0, 0, false);
    expect(groupsOf(open(), () => false)[0]?.batch).toEqual(['a2', 'a3']);
    approvals.change('a2', { state: 'applying' });
    expect(groupsOf(approvals.all, () => false)[0]).toMatchObject({ ids: ['a0', 'a1', 'a2', 'a3'], batch: ['a3'] });
  });
});

test('the words of a group name the assistant and the numbers, and say how many need a decision of their own', async () => {
  const files = [edit];
  const members = await Promise.all(['a', 'b', 'c'].map((id) => drawnCard({ id, files })));
  expect(groupView({ batch: ['a', 'b', 'c'] }, members, t)).toEqual({
    headline: '3 changes from Claude Code',
    approveAll: { text: 'Approve all (3)', label: 'Approve all (3): changes from Claude Code' },
    declineAll: { text: 'Decline all (3)', label: 'Decline all (3): requests from Claude Code' },
  });
  expect(groupView({ batch: ['a', 'b'] }, members, t).rest).toBe(
    '2 of 3; each of the others needs a separate decision.',
  );
  expect(groupView({ batch: ['a'] }, members, t).rest).toBe('Each needs a separate decision.');
});

describe('restrictions', () => {
  const client = { name: 'Claude Code', version: '2' };

  test('A16: name the assistant and what it may not do, and leave the time to the page', () => {
    expect(restrictionText({ id: 'r', kind: 'paused', client }, t)).toEqual({
      id: 'r',
      text: ['Claude Code is paused: it can read, but cannot change anything.'],
      lift: { text: 'Resume', label: 'Resume Claude Code' },
    });
    const path = 'src/{2}\0.ts';
    expect(restrictionText({ id: 'r', kind: 'declined_repeatedly', client, path, until: 5 }, t).text).toEqual([
      'Edits of src/{2}<U+0000>.ts by Claude Code are declined automatically until ',
      { time: 5 },
      ' (you declined three times).',
    ]);
    const action = 'editor.action.fixAll';
    expect(restrictionText({ id: 'r', kind: 'declined_repeatedly', client, action, until: 5 }, t)).toEqual({
      id: 'r',
      text: [
        'editor.action.fixAll by Claude Code is declined automatically until ',
        { time: 5 },
        ' (you declined it twice).',
      ],
      lift: { text: 'Allow again', label: 'Allow again: editor.action.fixAll by Claude Code' },
    });
    expect(restrictionText({ id: 'r', kind: 'paused', client: undefined }, t).lift.label).toBe(
      'Resume Unknown assistant',
    );
  });
});
