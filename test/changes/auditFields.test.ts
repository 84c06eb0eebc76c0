import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { AuditEvent } from '#audit/auditLog.ts';
import type { FileOutcome } from '#changes/approver.ts';
import { appliedFiles } from '#changes/auditFields.ts';
import type { KeptChange } from '#changes/record.ts';
import { edit, setUp } from './queueSetUp.ts';

function recorded() {
  const events: AuditEvent[] = [];
  const t = setUp(undefined, undefined, { auditLog: { event: (event) => void events.push(event) } });
  const of = (event: AuditEvent['event'], state?: string): AuditEvent | undefined =>
    events.find((each) => each.event === event && (state === undefined || each['state'] === state));
  return { ...t, of };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('the audit fields of an approval', () => {
  test('hold the choice, the latency and the number of accepted hunks, but no words of the user', async () => {
    const t = recorded();
    const answer = t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.clock.advance(1000);
    t.approve();
    await answer;
    const { displayedAt = 0, decidedAt } = t.only();
    expect(t.of('approval.state', 'waiting')).not.toHaveProperty('choice');
    expect(t.of('approval.state', 'approved')).toMatchObject({
      choice: 'approve',
      displayedAt,
      decidedAt,
      latencyMs: (decidedAt ?? 0) - displayedAt,
      hunks: { total: 1, accepted: 1 },
      edited: false,
      feedbackLen: 0,
    });
  });

  test("count the characters of the user's message when the user declines", async () => {
    const t = recorded();
    const answer = t.ask([edit('a', 'old\n', 'new\n')]);
    t.show();
    t.queue.decline(t.only().id, { message: 'not so' });
    await answer;
    const declined = t.of('approval.state', 'declined');
    expect(declined).toMatchObject({ choice: 'decline', hunks: { total: 1, accepted: 0 }, feedbackLen: 6 });
    expect(JSON.stringify(declined)).not.toContain('not so');
  });

  test('hold the hashes of each text before and after an apply, never the texts', async () => {
    const t = recorded();
    const answer = t.ask([edit('a', 'old\n', 'new\nmore\n')]);
    t.show();
    t.approve();
    await answer;
    const apply = t.of('apply');
    expect(apply).toMatchObject({
      approvalId: t.only().id,
      files: [
        {
          path: 'a',
          change: 'edit',
          state: 'applied',
          before: { sha256: sha256('old\n') },
          after: { sha256: sha256('new\nmore\n') },
          linesAdded: 2,
          linesRemoved: 1,
          dirtyBefore: false,
        },
      ],
    });
    expect(JSON.stringify(apply)).not.toContain('more');
  });
});

describe('the audit fields of an apply', () => {
  const text = (name: string) => ({ sha256: name, encoding: 'utf8' });
  const usual = { uri: 'file:///w/a', included: true } as const;
  const editing: KeptChange = {
    ...usual,
    kind: 'edit',
    base: { ...text('before'), source: 'disk', unsaved: false, unifiedLineEnds: 0 },
    result: text('proposed'),
  };

  async function recordOf(kept: KeptChange | undefined, outcome: Partial<FileOutcome> = {}, unsaved = false) {
    const t = setUp();
    void t.ask([edit('a', 'old\n', 'new\n')]);
    const approval = t.only();
    const facts = {
      path: 'a',
      uri: 'file:///w/a',
      change: 'edit',
      state: 'applied',
      addedLines: 2,
      removedLines: 1,
    } as const;
    const files = approval.files.map((file) => ({ ...file, unsaved }));
    const [record] = appliedFiles({
      approval: { ...approval, files, outcomes: [{ ...facts, ...outcome }] },
      kept: kept === undefined ? [] : [kept],
    });
    return record;
  }

  const said = { path: 'a', change: 'edit', state: 'applied', linesAdded: 2, linesRemoved: 1, dirtyBefore: false };

  test('hash the text as saved, else as the user chose it, else as proposed', async () => {
    const hashes = (after: string) => ({ ...said, before: { sha256: 'before' }, after: { sha256: after } });
    expect(await recordOf(editing)).toEqual(hashes('proposed'));
    expect(await recordOf({ ...editing, chosen: text('chosen') })).toEqual(hashes('chosen'));
    expect(await recordOf({ ...editing, chosen: text('chosen'), after: text('saved') })).toEqual(hashes('saved'));
  });

  test('hold no hash after a change that was not applied or a delete, nor before a creation', async () => {
    expect(await recordOf(editing, { state: 'rolled_back' })).toEqual({
      ...said,
      state: 'rolled_back',
      before: { sha256: 'before' },
    });
    const deletion: Extract<KeptChange, { kind: 'delete' }> = {
      ...usual,
      kind: 'delete',
      isFolder: false,
      files: [],
      toTrash: false,
      recovery: 'unknown',
    };
    expect(await recordOf({ ...deletion, base: text('before') })).toEqual({ ...said, before: { sha256: 'before' } });
    expect(await recordOf(deletion)).toEqual(said);
    expect(await recordOf({ ...usual, kind: 'create', result: text('new') })).toEqual({
      ...said,
      after: { sha256: 'new' },
    });
  });

  test('hold the old path of a moved file and no hashes', async () => {
    const moving: KeptChange = { ...usual, kind: 'move', to: 'file:///w/b', isFolder: false, files: [] };
    expect(await recordOf(moving, { movedFrom: 'old/a' })).toEqual({ ...said, movedFrom: 'old/a' });
    expect(await recordOf(undefined)).toEqual(said);
  });

  test('say whether the file was saved, formatted, or had unsaved text before', async () => {
    expect(await recordOf(undefined, { saved: true })).toEqual({ ...said, saved: true, formatter: false });
    expect(await recordOf(undefined, { saved: true, changedOnSave: '-a' })).toMatchObject({ formatter: true });
    expect(await recordOf(undefined, {}, true)).toEqual({ ...said, dirtyBefore: true });
  });
});
