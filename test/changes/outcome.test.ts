import { describe, expect, it } from 'vitest';
import type { Approval, ApprovalFile } from '#changes/approval.ts';
import { outcomeOf } from '#changes/outcome.ts';
import { edit, setUp } from './queueSetUp.ts';

/** Of a change of two files that waits. */
async function waiting(): Promise<Approval> {
  const t = setUp();
  void t.ask([edit('a', 'old\n', 'new\n'), edit('b', 'old\n', 'new\n')]);
  return t.only();
}

function withFiles(approval: Approval, change: (file: ApprovalFile, index: number) => ApprovalFile): Approval {
  return { ...approval, state: 'applied', files: approval.files.map(change) };
}

describe('the outcome for the model', () => {
  it('says until when a change waits, and not to send it again', async () => {
    const approval = await waiting();
    const outcome = outcomeOf({ ...approval, note: 'for the user' });
    expect(outcome).toMatchObject({ status: 'pending_approval', displayed: false });
    expect(outcome.expiresAt).toBe(new Date(approval.expiresAt).toISOString());
    expect(outcome.files).toMatchObject([{ path: 'a', state: 'not_applied' }, { path: 'b' }]);
    expect(JSON.stringify(outcome)).not.toContain('for the user');
    expect(outcomeOf({ ...approval, state: 'applying', displayedAt: 1 })).toMatchObject({
      status: 'pending_approval',
      displayed: true,
    });
  });

  it('says why a change ended, with the words of the user', async () => {
    const approval = await waiting();
    const outcome = outcomeOf({ ...approval, state: 'declined', note: 'it ended', userMessage: 'no' });
    expect(outcome).toMatchObject({ status: 'declined', userMessage: 'no', files: [{ reason: 'it ended' }, {}] });
    expect(outcome).not.toHaveProperty('expiresAt');
    expect(outcomeOf({ ...approval, state: 'failed' }).next).toContain('Read every file');
  });

  it('says whether all of a change was applied, and whether the user changed it', async () => {
    const approval = await waiting();
    const status = (change: Parameters<typeof withFiles>[1]) => outcomeOf(withFiles(approval, change)).status;
    expect(status((file) => file)).toBe('applied');
    expect(status((file, index) => ({ ...file, edited: index === 1 }))).toBe('applied_modified');
    expect(status((file, index) => ({ ...file, included: index === 1 }))).toBe('partially_applied');
    expect(status((file, index) => ({ ...file, includedHunks: index }))).toBe('partially_applied');
  });

  it('finding 18: says how many files a deleted folder had', async () => {
    const approval = withFiles(await waiting(), (file) => ({ ...file, change: 'delete', folderFiles: 12 }));
    expect(outcomeOf(approval).files[0]).toMatchObject({ change: 'delete', folderFiles: 12 });
  });

  it('finding 26: does not say that everything asked was applied when the tool left a part out', async () => {
    const approval = { ...(await waiting()), state: 'applied' as const, leftOut: '1 formatting edit left out.' };
    expect(outcomeOf(approval).next).toBe('1 formatting edit left out. Use the versions given here for further edits.');
  });

  it('says what the call did, and to ask, when the change was undone', async () => {
    const approval = { ...(await waiting()), state: 'undone' as const };
    expect(outcomeOf(approval)).toMatchObject({ status: 'applied', next: expect.stringContaining('undid') });
  });

  it('says to read again when a change is stale, or names the proposal that replaced it', async () => {
    const approval = { ...(await waiting()), state: 'stale' as const };
    expect(outcomeOf(approval).next).toContain('read the files again');
    expect(outcomeOf({ ...approval, replacedBy: 'a-2' })).toMatchObject({
      status: 'stale',
      replacedBy: 'a-2',
      next: expect.stringContaining('replacedBy'),
    });
    expect(outcomeOf({ ...approval, state: 'withdrawn', replacedBy: 'a-2' }).next).toContain('send the change again');
  });

  it('names files that the editor changed on save or did not save', async () => {
    const approval = await waiting();
    const file = {
      path: 'a',
      uri: 'file:///w/a',
      change: 'edit',
      state: 'applied',
      addedLines: 1,
      removedLines: 1,
    } as const;
    const formatted = { ...file, changedOnSave: '-a\n+b' };
    const next = (change: Parameters<typeof withFiles>[1], outcomes: Approval['outcomes'] = []) =>
      outcomeOf({ ...withFiles(approval, change), outcomes }).next;
    expect(next((each) => each, [file])).toMatch(/^Applied exactly/);
    expect(next((each) => each, [file, formatted])).toMatch(/^The editor changed some of it .* Use the versions/);
    expect(next((each) => each, [{ ...file, dirty: true }])).toContain('marked dirty');
    expect(next((each) => each, [file, { ...file, dirty: true }])).toContain('marked dirty');
    expect(next((each) => each, [{ ...file, dirty: false }])).not.toContain('marked dirty');
    const partial = next((each, index) => ({ ...each, included: index === 1 }), [formatted]);
    expect(partial).toMatch(/^The user left out a part of the change .* The editor changed some/);
    const modified = next((each) => ({ ...each, edited: true }), [formatted]);
    expect(modified).toMatch(/^The user edited the change before .* The editor changed some/);
  });

  it('says that a rule applied a change that nobody looked at, and not that the user approved it', async () => {
    const approval = withFiles(await waiting(), (file) => file);
    const allowed = { ...approval, judgement: { ...approval.judgement, effect: 'allow' } } as const;
    expect(outcomeOf(allowed).next).toMatch(/^Applied by rule: .* use these versions/);
    expect(outcomeOf({ ...allowed, displayedAt: 1 }).next).toMatch(/^Applied exactly as approved/);
  });
});
