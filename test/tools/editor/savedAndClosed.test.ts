import { beforeEach, describe, expect, test } from 'vitest';
import type { ActionProposal } from '#base/proposal.ts';
import type { ActionResult } from '#base/toolError.ts';
import type { ProposingTool, ToolPorts } from '#call/tool.ts';
import { closeEditors } from '#tools/editor/closeEditors.ts';
import { saveFiles } from '#tools/editor/saveFiles.ts';
import { FakeEditorActions } from '../../fakes/editorActions.ts';
import { fakePorts } from '../../fakes/ports.ts';
import { ProposeRun } from '../edit/proposeRun.ts';
import { tabOf } from './window.ts';

let run: ProposeRun;
let editorActions: FakeEditorActions;

beforeEach(() => {
  run = new ProposeRun({ '/w/a.ts': 'a\n', '/w/b.ts': 'b\n', '/w/c.ts': 'c\n', '/w/.env': 'KEY=1\n' });
  editorActions = new FakeEditorActions();
  run.editorState.tabsShown = [
    tabOf('a.ts', { isDirty: true }),
    tabOf('b.ts'),
    tabOf('b.ts', { group: 2 }),
    tabOf('c.ts', { isPinned: true }),
    tabOf('.env', { isDirty: true }),
  ];
});

async function proposed<Input, Needs extends keyof ToolPorts>(
  tool: ProposingTool<Input, Needs>,
  input: unknown,
): Promise<ActionProposal> {
  const { proposal } = await run.judgedOfAnyKind(tool, input);
  if (proposal.kind !== 'action') throw new Error('This is no action');
  return proposal;
}

const act = <Input>(
  tool: ProposingTool<Input, 'editorActions' | 'editorState'>,
  proposal: ActionProposal,
): Promise<ActionResult> | undefined =>
  tool.act?.(proposal, fakePorts({ editorActions }), new AbortController().signal);

describe('save_files', () => {
  test('proposes every unsaved file that may be read, and asks for approval', async () => {
    const { proposal, decision } = await run.judgedOfAnyKind(saveFiles, {});
    expect(proposal).toMatchObject({
      kind: 'action',
      title: 'Save a.ts',
      definition: 'save_files',
      arguments: { paths: ['a.ts'] },
      places: [{ path: 'a.ts' }],
    });
    expect([decision.effect, decision.risk]).toEqual(['ask', 'edit']);
  });

  test('proposes only the unsaved ones of the given files, and fails when none is unsaved', async () => {
    expect((await proposed(saveFiles, { paths: ['b.ts', 'a.ts'] })).arguments).toEqual({ paths: ['a.ts'] });
    await expect(proposed(saveFiles, { paths: ['b.ts'] })).rejects.toThrow('None of these files has unsaved changes');
    await expect(proposed(saveFiles, { paths: ['.env'] })).rejects.toThrow('never read');
  });

  test('reports the result of each file', async () => {
    run.editorState.tabsShown = ['a.ts', 'b.ts', 'c.ts'].map((path) => tabOf(path, { isDirty: true }));
    const proposal = await proposed(saveFiles, {});
    expect(proposal.title).toBe('Save 3 files');
    editorActions.saves['a.ts'] = { state: 'saved', changedOnSave: true };
    editorActions.saves['b.ts'] = new Error('The disk is full');
    editorActions.saves['c.ts'] = { state: 'not_dirty', changedOnSave: false };
    expect(await act(saveFiles, proposal)).toEqual({
      text: [
        'a.ts: saved; the editor changed the text on save, so read it again',
        'b.ts: failed: The disk is full',
        'c.ts: had no unsaved changes',
      ].join('\n'),
      isError: true,
    });
  });
});

describe('close_editors', () => {
  test('proposes each file once, without pinned, unsaved and denied tabs', async () => {
    const proposal = await proposed(closeEditors, {});
    expect([proposal.title, proposal.arguments]).toEqual(['Close b.ts', { paths: ['b.ts'] }]);
    expect(await act(closeEditors, proposal)).toEqual({ text: 'b.ts: closed' });
  });

  test('refuses and names files with unsaved changes', async () => {
    await expect(proposed(closeEditors, { paths: ['b.ts', 'a.ts'] })).rejects.toThrow(
      'Unsaved changes would be lost: "a.ts". Nothing was closed.',
    );
  });

  test('keeps a tab open when it became unsaved after the proposal', async () => {
    const proposal = await proposed(closeEditors, { paths: ['b.ts', 'c.ts'] });
    editorActions.closes['b.ts'] = 'unsaved';
    expect(await act(closeEditors, proposal)).toEqual({
      text: 'b.ts: not closed: it has unsaved changes now\nc.ts: closed',
      isError: true,
    });
  });

  test('fails when no file has a tab', async () => {
    run.editorState.tabsShown = [];
    await expect(proposed(closeEditors, {})).rejects.toThrow('None of these files is open');
    await expect(proposed(closeEditors, { paths: ['b.ts'] })).rejects.toThrow('None of these files is open');
  });
});

test('finds a file by both paths when the folder was opened through a link', async () => {
  const folder = { name: 'w', uri: 'file:///link', fsPath: '/link', realPath: '/w' };
  run.editorState.tabsShown = [{ ...tabOf('a.ts', { isDirty: true }), folder, fsPath: '/link/a.ts' }];
  expect((await proposed(saveFiles, { paths: ['a.ts'] })).arguments).toEqual({ paths: ['a.ts'] });
});
