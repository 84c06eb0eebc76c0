import { describe, expect, it } from 'vitest';
import type { ChangeOutcome, FileOutcome } from '#changes/approver.ts';
import { changeOutcomeSchema, renderOutcome } from '#tools/edit/changeOutcome.ts';
import { listedProblem } from '../listedSchema.ts';

const file: FileOutcome = {
  path: 'a.ts',
  uri: 'file:///w/a.ts',
  change: 'edit',
  state: 'applied',
  version: '0123456789abcdef',
  saved: true,
  lastModified: '2026-11-21T00:00:00.000Z',
  size: 10,
  addedLines: 1,
  removedLines: 2,
};

const outcome: ChangeOutcome = {
  status: 'applied',
  approvalId: 'a-1',
  displayed: true,
  files: [file],
  next: 'Go on.',
};

/** Returns an outcome as a client sees it: the data that fits the schema, the text and the links. */
function rendered(change: Partial<ChangeOutcome>) {
  const data = { ...outcome, ...change };
  changeOutcomeSchema.check(data);
  expect(listedProblem(changeOutcomeSchema.jsonSchema, data)).toBeUndefined();
  return renderOutcome(data);
}

describe('the outcome of a change', () => {
  it('finding 18: says how many files a deleted folder had', () => {
    const { version: _version, saved: _saved, size: _size, lastModified: _modified, ...facts } = file;
    const { text } = rendered({ files: [{ ...facts, path: 'deep', change: 'delete', folderFiles: 12 }] });
    expect(text).toContain('applied delete deep (12 files)');
  });

  it('renders every fact as short text', () => {
    const { text, links } = rendered({});
    expect(text).toBe('applied (a-1)\napplied edit a.ts (+1 -2, version 0123456789abcdef, saved)\nGo on.');
    expect(links).toEqual([
      { path: 'a.ts', uri: 'file:///w/a.ts', description: '+1 -2', size: 10, modified: Date.UTC(2026, 10, 21) },
    ]);
  });

  it('names the kind of every change and both paths of a move', () => {
    const { version: _version, saved: _saved, size: _size, ...bare } = file;
    const { text } = rendered({
      files: [
        { ...file, change: 'create', path: 'new.ts', removedLines: 0 },
        { ...bare, change: 'delete', path: 'old.ts', addedLines: 0 },
        { ...bare, change: 'move', path: 'to.ts', movedFrom: 'from.ts' },
      ],
    });
    expect(text.split('\n').slice(1, 4)).toEqual([
      'applied create new.ts (+1 -0, version 0123456789abcdef, saved)',
      'applied delete old.ts (+0 -2)',
      'applied move from.ts -> to.ts',
    ]);
  });

  it('links only to files that can be read', () => {
    const { size: _size, ...folder } = file;
    const { links } = rendered({
      files: [
        file,
        { ...file, change: 'delete', path: 'deleted' },
        { ...file, state: 'not_applied', path: 'untouched' },
        { ...folder, change: 'move', path: 'folder' },
        { ...file, size: 3 * 1024 * 1024, path: 'huge' },
        { ...file, change: 'move', path: 'moved' },
      ],
    });
    expect(links?.map(({ path, description }) => [path, description])).toEqual([
      ['a.ts', '+1 -2'],
      ['moved', 'moved'],
    ]);
  });

  it('A3 F4 shows which hunks the user left out or edited', () => {
    const { text } = rendered({
      status: 'partially_applied',
      files: [{ ...file, hunksApplied: 1, hunksProposed: 3, differenceFromProposal: '@@ -1 +1 @@\n-mine\n+theirs' }],
    });
    expect(text).toContain('1 of 3 hunks as proposed');
    expect(text).toContain('diff from your proposal to the applied text:\n@@ -1 +1 @@\n-mine\n+theirs');
  });

  it('shows the changes of a save and the files that were not saved', () => {
    const { saved: _saved, ...dirty } = file;
    const { text } = rendered({ files: [{ ...dirty, dirty: true, changedOnSave: '-a\n+b', reason: 'why' }] });
    expect(text).toContain('not saved: the user had unsaved text in it, why');
    expect(text).toContain('Changed by the editor on save:\n-a\n+b');
  });

  it('shows new and fixed problems, their counts, and whether they are final', () => {
    const problem = { path: 'a.ts', line: 3, severity: 'error', message: 'Wrong.', code: 'ts(2322)' } as const;
    const problems = { new: [problem], newCount: 4, fixedCount: 2, freshness: 'fresh' } as const;
    expect(rendered({ problems }).text).toContain(
      'Problems: 4 new, 2 fixed\nerror a.ts:3 Wrong. ts(2322)\n... and 3 more\n',
    );
    const settling = { new: [], newCount: 0, fixedCount: 0, freshness: 'settling' } as const;
    expect(rendered({ problems: settling }).text).toContain('0 new, 0 fixed so far; the language service');
  });

  it('shows the reason and the message of a decline', () => {
    const { text, links } = rendered({
      status: 'declined',
      files: [{ ...file, state: 'not_applied' }],
      reasonCode: 'too_broad',
      userMessage: 'Only the first function.',
    });
    expect(text).toContain('because the change is too broad (too_broad)');
    expect(text).toContain('The user says: Only the first function.');
    expect(links).toEqual([]);
  });

  it.each(['pending_approval', 'expired', 'withdrawn', 'superseded', 'stale'] as const)(
    'F8 says for %s whether the user saw the approval',
    (status) => {
      const files = [{ ...file, state: 'not_applied' } as const];
      expect(rendered({ status, files, displayed: false }).text).toContain('The user has not seen it.');
      expect(rendered({ status, files, displayed: true }).text).toContain('The user has seen it.');
    },
  );

  it('shows the output or failure of an action, and the answer to a question', () => {
    expect(rendered({ files: [], output: 'fixed' }).text).toBe('applied (a-1)\nOutput:\nfixed\nGo on.');
    expect(rendered({ files: [], output: 'broken', outputIsError: true }).text).toContain('Failure:\nbroken');
    expect(rendered({ status: 'answered', files: [], answer: 'tabs' }).text).toBe(
      'answered (a-1)\nThe user answers: tabs\nGo on.',
    );
    expect(rendered({ status: 'dismissed', files: [] }).text).toBe('dismissed (a-1)\nGo on.');
  });

  it('names the deadline of a decision, and the approval that replaced it', () => {
    const expiresAt = '2026-11-21T00:30:00.000Z';
    expect(rendered({ status: 'pending_approval', expiresAt }).text).toContain(`until ${expiresAt}`);
    expect(rendered({ status: 'superseded', replacedBy: 'a-2' }).text).toContain('a-2 replaced it');
  });

  it('throws when the outcome does not match the schema', () => {
    // @ts-expect-error No such status.
    expect(() => changeOutcomeSchema.check({ ...outcome, status: 'done' })).toThrow();
  });
});
