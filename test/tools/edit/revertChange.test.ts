import { describe, expect, it } from 'vitest';
import { ToolError } from '#base/toolError.ts';
import type { Changes } from '#changes/changes.ts';
import { revertChange } from '#tools/edit/revertChange.ts';
import { create, edit, remove } from '../../changes/queueSetUp.ts';
import { ProposeRun } from './proposeRun.ts';

function runOver(inverse: Changes['inverse']): ProposeRun {
  const run = new ProposeRun({ '/w/a': 'new\n' });
  run.changes = { list: () => [], inverse };
  return run;
}

describe('revert_change', () => {
  it('proposes the undo, and asks for approval like any edit', async () => {
    const inverse = { kind: 'changes', files: [edit('a', 'new\n', 'old\n')], reverts: 'a-1' } as const;
    const { proposal, decision } = await runOver(async () => inverse).judged(revertChange, { approvalId: 'a-1' });
    expect(proposal).toEqual(inverse);
    expect(decision).toMatchObject({ effect: 'ask', risk: 'edit' });
  });

  it('P15 counts as a delete when it deletes a file, and names every path to the policy', async () => {
    const deletes = runOver(async () => ({ kind: 'changes', files: [remove('a', 'new\n')] }));
    expect((await deletes.judged(revertChange, { approvalId: 'a-1' })).decision.risk).toBe('delete');
    const secret = runOver(async () => ({ kind: 'changes', files: [create('.env', 'KEY=1\n')] }));
    expect(await secret.codeOf(revertChange, { approvalId: 'a-1' })).toBe('denied');
  });

  it('gives the reason when a change cannot be reverted', async () => {
    const run = runOver(() => Promise.reject(new ToolError('stale_version', 'Edited since.', 'Read it.')));
    expect(await run.codeOf(revertChange, { approvalId: 'a-1' })).toBe('stale_version');
  });
});
