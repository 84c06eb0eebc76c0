import { describe, expect, it } from 'vitest';
import { InvalidArgumentsError } from '#base/toolError.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { listChanges } from '#tools/edit/listChanges.ts';
import { FakeChanges } from '../../fakes/changes.ts';
import { ToolRun } from '../workspace/toolRun.ts';

const time = Date.UTC(2026, 10, 21, 10);

function file(path: string, more: Partial<ChangedFile> = {}): ChangedFile {
  return { index: 0, change: 'edit', path, uri: `file:///w/${path}`, addedLines: 2, removedLines: 1, ...more };
}

function change(id: string, facts: Partial<AppliedChange> = {}): AppliedChange {
  return {
    id,
    tool: 'apply_edit',
    principal: { credential: 'window' },
    client: { name: 'Claude Code', version: '2' },
    appliedAt: time,
    state: 'applied',
    canRevert: true,
    files: [file('src/a.ts')],
    ...facts,
  };
}

function runOver(...changes: readonly AppliedChange[]): ToolRun {
  const run = new ToolRun({ '/w/src/a.ts': 'x', '/w/.env': 'KEY=1' });
  run.changes = new FakeChanges(...changes.map((each) => ({ change: each })));
  return run;
}

const others = { principal: { credential: 'window', connectionId: 'c2' }, client: { name: 'Codex', version: '1' } };

describe('list_changes', () => {
  it('lists each change with its assistant, files and time, and whether it can be reverted', async () => {
    const moved = file('src/b.ts', { change: 'move', movedTo: { path: 'lib/b.ts', uri: 'file:///w/lib/b.ts' } });
    const run = runOver(
      change('a-2', { ...others, files: [moved], canRevert: false }),
      change('a-1', { state: 'reverted' }),
    );
    const { text } = await run.rendering(listChanges, {});
    expect(text.split('\n')).toEqual([
      '2 changes',
      'a-2 2026-11-21T10:00:00.000Z Codex apply_edit: applied, cannot be reverted',
      '  move src/b.ts -> lib/b.ts',
      'a-1 2026-11-21T10:00:00.000Z you apply_edit: reverted',
      '  edit src/a.ts +2 -1',
    ]);
    expect((await run.data(listChanges, {})).changes).toMatchObject([
      { approvalId: 'a-2', mine: false, assistant: 'Codex', fileCount: 1 },
      { approvalId: 'a-1', mine: true, state: 'reverted' },
    ]);
  });

  it('says partly_applied and how many files are written when a kill left a change half done', async () => {
    const run = runOver(change('a-1', { proposedFiles: 3 }));
    const { text } = await run.rendering(listChanges, {});
    expect(text).toContain('a-1 2026-11-21T10:00:00.000Z you apply_edit: partly_applied (1 of 3 files)\n');
    expect((await run.data(listChanges, {})).changes).toMatchObject([
      { state: 'partly_applied', fileCount: 1, proposedFileCount: 3 },
    ]);
  });

  it('filters by the changes of the caller and by file or folder, including moves from and to that path', async () => {
    const moved = file('src/b.ts', { change: 'move', movedTo: { path: 'lib/b.ts', uri: 'file:///w/lib/b.ts' } });
    const run = runOver(
      change('a-3', others),
      change('a-2', { files: [moved] }),
      change('a-1', { files: [file('srcs/c')] }),
    );
    const idsOf = async (input: object) =>
      (await run.data(listChanges, input)).changes.map(({ approvalId }) => approvalId);
    expect(await idsOf({ onlyMine: true })).toEqual(['a-2', 'a-1']);
    expect(await idsOf({ path: 'src' })).toEqual(['a-3', 'a-2']);
    expect(await idsOf({ path: 'lib/b.ts' })).toEqual(['a-2']);
    expect(await idsOf({ path: 'src/a.ts', onlyMine: true })).toEqual([]);
  });

  it('pages without gaps when a new change arrives between pages', async () => {
    const all = Array.from({ length: 5 }, (_, n) => change(`a-${5 - n}`, { appliedAt: time - Math.floor(n / 2) }));
    const run = runOver(...all);
    run.limits = { ...run.limits, maxResults: 2 };
    const first = await run.data(listChanges, {});
    expect(first).toMatchObject({ totalCount: 5, truncated: true });
    run.changes = new FakeChanges(
      { change: change('a-9', { appliedAt: time + 1 }) },
      ...all.map((each) => ({ change: each })),
    );
    const second = await run.data(listChanges, { cursor: first.nextCursor });
    const third = await run.data(listChanges, { cursor: second.nextCursor });
    const ids = [first, second, third].flatMap(({ changes }) => changes.map(({ approvalId }) => approvalId));
    expect(ids).toEqual(['a-5', 'a-4', 'a-3', 'a-2', 'a-1']);
    expect(third.nextCursor).toBeUndefined();
    await expect(run.data(listChanges, { onlyMine: true, cursor: first.nextCursor })).rejects.toThrow(
      InvalidArgumentsError,
    );
  });

  it('names the first 20 files of a change, and omits files that may not be read', async () => {
    const many = Array.from({ length: 30 }, (_, n) => file(`src/${n}.ts`));
    const run = runOver(change('a-2', { files: many }), change('a-1', { files: [file('.env')] }));
    const data = await run.data(listChanges, {});
    expect(data).toMatchObject({ totalCount: 1, changes: [{ approvalId: 'a-2', fileCount: 30 }] });
    expect(data.changes[0]?.files).toHaveLength(20);
    expect(listChanges.render(data).text).toContain('... and 10 more files');
    await expect(run.data(listChanges, { path: '.env' })).rejects.toThrow();
  });
});
