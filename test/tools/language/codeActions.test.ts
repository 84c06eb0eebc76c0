import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Proposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { CodeAction, CodeActionCommand, CodeActionEffect } from '#language/refactorings.ts';
import { applyCodeAction } from '#tools/language/applyCodeAction.ts';
import { listCodeActions } from '#tools/language/listCodeActions.ts';
import { languageEdits, replacing } from '../../fakes/refactorings.ts';
import { ProposeRun } from '../edit/proposeRun.ts';
import { ToolRun } from '../workspace/toolRun.ts';

const text = 'let a = b;\n';
const edits = languageEdits([replacing('/w/a.ts', text, 'b', 'c')]);

function action(title: string, effect: CodeActionEffect, more: Partial<CodeAction> = {}): CodeAction {
  const command = effect.command && { command: effect.command.id };
  return { title, kind: 'quickfix', isPreferred: false, fixes: [], ...command, ...more, expand: async () => effect };
}

/** Returns a command of a code action that adds its id to `ran` when it runs. */
function commandNamed(id: string, ran: string[] = []): CodeActionCommand {
  return { id, title: 'Do it', arguments: [1], run: async () => void ran.push(id) };
}

/** Returns runs of list_code_actions and apply_code_action over one workspace, as the same caller. */
function scene(...actions: readonly CodeAction[]) {
  const run = new ProposeRun({ '/w/a.ts': text });
  const reader = new ToolRun({ '/w/a.ts': text });
  const { refactorings } = run;
  Object.assign(reader, { refactorings, files: run.files });
  refactorings.actions.push(...actions);
  const list = (more: object = {}) => reader.data(listCodeActions, { path: 'a.ts', firstLine: 1, ...more });
  const idOf = async (at = 0): Promise<string> => (await list()).actions[at]?.id ?? 'none';
  return {
    run,
    reader,
    refactorings,
    list,
    idOf,
    codeOf: (input: object) => run.codeOf(applyCodeAction, input),
    act: async (proposal: Proposal) => {
      if (proposal.kind !== 'action') throw new Error('No action is proposed');
      const ports = { refactorings, files: run.files, sourceControl: run.sourceControl };
      return applyCodeAction.act?.(proposal, ports, new AbortController().signal);
    },
  };
}

describe('list_code_actions', () => {
  it('passes the reason of the assistant on to the card', () => {
    expect(applyCodeAction.reason(applyCodeAction.input.parse({ id: 'ca-1', reason: 'the test fails' }))).toBe(
      'the test fails',
    );
  });

  it('lists what the lightbulb of the editor offers, in short form', async () => {
    const { list, reader, refactorings } = scene(
      action('Import b', { edits }, { isPreferred: true, fixes: ["Cannot find name 'b'."] }),
      action('Bare', { command: commandNamed('x.y') }, { kind: '' }),
    );
    const data = await list({ lastLine: 2, kinds: [] });
    expect(data.actions).toEqual([
      {
        id: expect.stringMatching(/^ca-[0-9a-f]{12}$/),
        title: 'Import b',
        kind: 'quickfix',
        preferred: true,
        fixes: ["Cannot find name 'b'."],
      },
      { id: expect.any(String), title: 'Bare', kind: '', runsCommand: 'x.y' },
    ]);
    expect(listCodeActions.render(data).text.replaceAll(/ca-\w+/g, 'ID')).toBe(
      `a.ts (version ${data.version}): 2 actions\nID Import b [quickfix, preferred] fixes: Cannot find name 'b'.\nID Bare [runs x.y]`,
    );
    expect(refactorings.asked).toEqual(['actions a.ts:1-2 ']);
    expect(reader.media).toEqual([]);
  });

  it('leaves out what cannot be applied as an edit: snippets that surround, menus and chats', async () => {
    const { list } = scene(
      action('Extract', { edits }, { kind: 'refactor.extract' }),
      action('Surround With: if', { edits }, { kind: 'refactor.surround.if' }),
      ...[
        'editor.action.surroundWithSnippet',
        'inlineChat.start',
        'vscode.editorChat.start',
        'github.copilot.chat.fix',
      ].map((id) => action(id, { command: commandNamed(id) })),
      action('Organize', { command: commandNamed('_typescript.organizeImports') }),
    );
    expect((await list()).actions.map(({ title }) => title)).toEqual(['Extract', 'Organize']);
  });

  it('filters by kind, and accepts the lines of the range in either order', async () => {
    const { list, refactorings } = scene(
      action('Fix', { edits }),
      action('Extract', { edits }, { kind: 'refactor.extract' }),
    );
    expect((await list({ firstLine: 3, lastLine: 1, kinds: ['refactor'] })).actions).toMatchObject([
      { title: 'Extract' },
    ]);
    expect(refactorings.asked).toEqual(['actions a.ts:1-3 refactor']);
  });

  it('counts the actions that do not fit', async () => {
    const { list, reader } = scene(...Array.from({ length: 50 }, (_, at) => action(`Action ${at}`, { edits })));
    reader.limits = { ...reader.limits, listBytes: 2000 };
    const { actions, moreActions } = await list();
    expect(actions.length).toBeLessThan(50);
    expect(moreActions).toBe(50 - actions.length);
  });
});

describe('apply_code_action', () => {
  it('proposes the edits of an action', async () => {
    const { run, idOf } = scene(action('Fix', { edits }));
    expect(await run.propose(applyCodeAction, { id: await idOf() })).toMatchObject({
      kind: 'changes',
      files: [{ path: { path: 'a.ts' }, result: { text: 'let a = c;\n' } }],
    });
  });

  it('accepts an id only once', async () => {
    const { codeOf, idOf } = scene(action('Fix', { edits }));
    const id = await idOf();
    expect([await codeOf({ id }), await codeOf({ id }), await codeOf({ id: 'ca-000000000000' })]).toEqual([
      'proposed',
      'not_found',
      'not_found',
    ]);
  });

  it('accepts an id only from the assistant that listed the actions', async () => {
    const { codeOf, idOf, refactorings } = scene(action('Fix', { edits }));
    const offered = refactorings.offered(await idOf());
    if (offered === undefined) throw new Error('no offer');
    expect(await codeOf({ id: refactorings.offer({ ...offered, owner: 'somebody else' }) })).toBe('not_found');
  });

  it('refuses an id when the text changed after the listing, also when only the unsaved text changed', async () => {
    const { codeOf, idOf, run } = scene(action('Fix', { edits }));
    const id = await idOf();
    run.files.buffers.set('/w/a.ts', `${text}// typed\n`);
    expect([await codeOf({ id }), await codeOf({ id })]).toEqual(['stale_version', 'not_found']);
  });

  it('keeps a bounded number of offers', async () => {
    const { codeOf, idOf, refactorings } = scene(action('Fix', { edits }));
    const [oldest, newest] = [await idOf(), await idOf()];
    const offered = refactorings.offered(newest);
    if (offered === undefined) throw new Error('no offer');
    for (let at = 0; at < 499; at += 1) refactorings.offer(offered);
    expect([await codeOf({ id: oldest }), await codeOf({ id: newest })]).toEqual(['not_found', 'proposed']);
  });

  it('P17: refuses an action as a whole when it edits a file outside the workspace', async () => {
    const elsewhere = languageEdits([
      ...edits.texts,
      { address: '/home/u/.bashrc', offset: 0, length: 0, newText: 'x' },
    ]);
    const { run, idOf } = scene(action('Fix', { edits: elsewhere }));
    await expect(run.propose(applyCodeAction, { id: await idOf() })).rejects.toMatchObject({
      code: 'outside_workspace',
      message: expect.stringContaining('/home/u/.bashrc'),
    });
  });

  it('P17: never runs a command silently, and says how to request it', async () => {
    const ran: string[] = [];
    const command = commandNamed('x.record', ran);
    const { run, idOf, codeOf } = scene(action('Install', { command }), action('Fix and install', { edits, command }));
    const onlyCommand = await idOf();
    await expect(run.propose(applyCodeAction, { id: onlyCommand })).rejects.toMatchObject({
      code: 'no_match',
      hint: expect.stringContaining('runCommand'),
    });
    expect(await codeOf({ id: await idOf(1) })).toBe('proposed');
    expect(ran).toEqual([]);
  });

  it('proposes a command with the risk execute, and runs it once', async () => {
    const ran: string[] = [];
    const { run, idOf, act, codeOf } = scene(action('Install', { command: commandNamed('_x.record', ran) }));
    const id = await idOf();
    const { proposal, decision } = await run.judgedOfAnyKind(applyCodeAction, { id, runCommand: true });
    expect(proposal).toMatchObject({
      kind: 'action',
      title: 'Install (Do it)',
      definition: '_x.record',
      arguments: { arguments: [1] },
      places: [{ path: 'a.ts' }],
    });
    expect(decision).toMatchObject({ effect: 'ask', risk: 'execute' });
    expect(await codeOf({ id, runCommand: true })).toBe('not_found');
    expect(await act(proposal)).toEqual({ text: '' });
    await expect(act(proposal)).rejects.toBeInstanceOf(ToolError);
    expect(ran).toEqual(['_x.record']);
  });

  it('P17: does not run a command whose arguments changed after they were shown', async () => {
    const ran: string[] = [];
    const given = { path: 'a.ts' };
    const { run, idOf, act } = scene(
      action('Install', { command: { ...commandNamed('x.y', ran), arguments: [given] } }),
    );
    const { proposal } = await run.judgedOfAnyKind(applyCodeAction, { id: await idOf(), runCommand: true });
    const shown = structuredClone(proposal);
    given.path = '/etc/passwd';
    await expect(act(shown)).rejects.toMatchObject({ code: 'not_found' });
    expect(ran).toEqual([]);
  });

  it('accepts the id of a proposed command neither as an action nor for another command', async () => {
    const ran: string[] = [];
    const { run, idOf, act, codeOf } = scene(action('Install', { command: commandNamed('x.record', ran) }));
    const { proposal } = await run.judgedOfAnyKind(applyCodeAction, { id: await idOf(), runCommand: true });
    if (proposal.kind !== 'action') throw new Error('No action is proposed');
    const { codeAction } = z.object({ codeAction: z.string() }).loose().parse(proposal.arguments);
    expect(await codeOf({ id: codeAction })).toBe('not_found');
    await expect(act({ ...proposal, definition: 'x.other' })).rejects.toBeInstanceOf(ToolError);
    expect(ran).toEqual([]);
  });

  it.each(['drawbridge.approve', '_drawbridge.approve', 'workbench.action.terminal.sendSequence'])(
    'A2: refuses %s, whichever action carries it',
    async (id) => {
      const { idOf, codeOf } = scene(action('Innocent', { command: commandNamed(id) }));
      expect(await codeOf({ id: await idOf(), runCommand: true })).toBe('denied');
    },
  );

  it('reports no match when the action has nothing to apply or run', async () => {
    const { idOf, codeOf } = scene(action('Nothing', {}), action('Fix', { edits }));
    expect(await codeOf({ id: await idOf() })).toBe('no_match');
    expect(await codeOf({ id: await idOf(1), runCommand: true })).toBe('no_match');
  });
});
