import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import { Emitter } from '#base/event.ts';
import type { AppliedChange, ChangedFile } from '#changes/changes.ts';
import { ownPrincipal, type ChangeTexts, type RevertReport } from '#changes/appliedChanges.ts';
import { HistoryView } from '#ui/history/historyView.ts';
import { LateTree } from '#ui/lateTree.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor, userAnswers } from '../../fakes/editor/editor.ts';

beforeEach(() => {
  resetEditor();
});

const minute = 60_000;

function file(path: string, facts: Partial<ChangedFile> = {}): ChangedFile {
  return { index: 0, change: 'edit', path, uri: `file:///work/${path}`, addedLines: 2, removedLines: 1, ...facts };
}

interface Facts extends Partial<Omit<AppliedChange, 'files' | 'client'>> {
  readonly client?: string;
  readonly connectionId?: string;
  readonly files?: readonly ChangedFile[];
}

/** A history of changes, one a minute, the last one a minute ago. */
function scene(...given: Facts[]) {
  const clock = new FakeClock(new Date(2026, 10, 21, 15, 0).getTime());
  let changes: readonly AppliedChange[] = given.map(({ client = 'codex', connectionId = 'c-1', ...facts }, index) => ({
    id: `a-${index + 1}`,
    tool: 'apply_edit',
    principal: { credential: 'window', connectionId },
    client: client === '' ? undefined : { name: client, version: '1' },
    appliedAt: clock.now() - (given.length - index) * minute,
    state: 'applied',
    canRevert: facts.state !== 'reverted',
    ...facts,
    files: (facts.files ?? [file(`src/${index + 1}.ts`)]).map((each, position) => ({ ...each, index: position })),
  }));
  const changed = new Emitter<void>();
  const visible = new Emitter<vscode.TreeViewVisibilityChangeEvent>();
  const done: string[] = [];
  const texts = new Map<string, ChangeTexts>();
  const report: { -readonly [Key in keyof RevertReport]?: RevertReport[Key] } & { wait?: () => Promise<void> } = {};
  const treeView = {
    reveal: vi.fn<vscode.TreeView<vscode.TreeItem>['reveal']>(async () => undefined),
    selection: [] as vscode.TreeItem[],
    visible: false,
    onDidChangeVisibility: visible.event,
  };
  const kept = new Map<string, unknown>();
  const memento = {
    get: (key: string) => kept.get(key),
    update: async (key: string, value: unknown) => void kept.set(key, value),
  };
  const setState = (ids: readonly string[], state: AppliedChange['state']): void => {
    changes = changes.map((change) =>
      ids.includes(change.id) ? { ...change, state, canRevert: state === 'applied' } : change,
    );
    changed.fire();
  };
  const own = {
    list: () => changes.toReversed(),
    revert: async (ids: readonly string[], tell?: (steps: number) => void): Promise<RevertReport> => {
      done.push(`revert ${ids.join(' ')}`);
      await report.wait?.();
      tell?.(1);
      const { reverted = ids, asked = [], conflicts = [] } = report;
      setState(reverted, 'reverted');
      return { reverted, asked, conflicts };
    },
    redo: async (id: string) => {
      done.push(`redo ${id}`);
      setState([id], 'applied');
      return { status: 'redone' as const };
    },
    textsOfFile: async (id: string, index: number) => texts.get(`${id}/${index}`),
  };
  const tree = new LateTree();
  const make = () =>
    new HistoryView({
      treeView,
      tree,
      changes: own,
      onDidChange: changed.event,
      clock,
      memento,
      review: () => void done.push('review'),
    });
  const view = make();
  /** Returns rows as `label | description`; child rows are indented. */
  const rows = (parent?: vscode.TreeItem, indent = ''): string[] =>
    tree.getChildren(parent).flatMap((item) => {
      const { label, description } = item;
      const name = typeof label === 'string' ? label : '';
      const text = typeof description === 'string' ? `${name} | ${description}` : name;
      return [`${indent}${text}`, ...rows(item, `${indent}  `)];
    });
  const find = (label: string, parent?: vscode.TreeItem): vscode.TreeItem | undefined =>
    tree
      .getChildren(parent)
      .map((item) => (item.label === label ? item : find(label, item)))
      .find((item) => item !== undefined);
  const add = (change: AppliedChange): void => {
    changes = [...changes, change];
    changed.fire();
  };
  return { clock, view, make, tree, treeView, visible, done, texts, report, rows, find, add, setState, list: own.list };
}

describe('the History tree', () => {
  test('lists changes by session, newest first, and the files of a change only where it has several', () => {
    const { rows } = scene(
      { client: 'Claude Code', connectionId: 'c-2' },
      { files: [file('src/cart.ts'), file('src/shop.ts', { addedLines: 12, removedLines: 2 })] },
      { state: 'reverted' },
    );
    expect(rows()).toEqual([
      'Codex: 2 files changed | Today, 2:58 PM · 1 undone',
      '  Edit 3.ts | src · +2 −1 · undone · 1 minute ago',
      '  Edit 2 files | +14 −3 · 2 minutes ago',
      '    cart.ts | src · +2 −1',
      '    shop.ts | src · +12 −2',
      'Claude Code: 1 file changed | Today, 2:57 PM',
      '  Edit 1.ts | src · +2 −1 · 3 minutes ago',
    ]);
  });

  test('F21: says of a change that a kill left half done how much of it was written', () => {
    const { rows, find } = scene({ proposedFiles: 3 });
    expect(rows()).toContain('  Edit 1.ts | src · +2 −1 · half done: 1 of 3 files · 1 minute ago');
    expect(find('Edit 1.ts')).toMatchObject({
      accessibilityInformation: { label: expect.stringContaining('Edit 1.ts, applied, half done: 1 of 3 files, ') },
    });
  });

  test('says of a session in short sentences what it changed, and nothing of ids', () => {
    const { find } = scene({}, { state: 'reverted' });
    expect(find('Codex: 1 file changed')).toMatchObject({
      tooltip:
        'Codex: 1 file changed\nFirst change: Today, 2:58 PM.\nThe assistant gives its name itself, and nobody verifies it.',
      accessibilityInformation: { label: 'Codex: 1 file changed, Today, 2:58 PM, 1 undone' },
      contextValue: 'session changed applied',
    });
    const { find: findUndone } = scene({ state: 'reverted' });
    expect(findUndone('Codex: everything undone')).toMatchObject({ contextValue: 'session' });
  });

  test('lists changes by day, and keeps that arrangement after a reload', () => {
    const { rows, view, make } = scene(
      { appliedAt: new Date(2026, 10, 3, 9).getTime() },
      { appliedAt: new Date(2026, 10, 20, 23, 59).getTime(), client: '' },
      {},
    );
    view.commands.arrangeHistoryByTime();
    const byTime = [
      'Today | 1 change',
      '  Edit 3.ts | src · +2 −1 · Codex · 1 minute ago',
      'Yesterday | 1 change',
      '  Edit 2.ts | src · +2 −1 · unnamed assistant · 15 hours ago',
      'Nov 3, 2026 | 1 change',
      '  Edit 1.ts | src · +2 −1 · Codex · 18 days ago',
    ];
    expect(rows()).toEqual(byTime);
    expect(editor.executed.at(-1)).toEqual(['setContext', 'drawbridge.historyByTime', true]);
    view.dispose();
    expect(rows()).toEqual([]);
    const again = make();
    expect(rows()).toEqual(byTime);
    again.commands.arrangeHistoryByAssistant();
    expect(rows()[0]).toMatch(/^Codex: 2 files changed \| /);
  });

  test('shows what was done to each file', () => {
    const { rows } = scene({
      files: [
        file('a.ts', { change: 'create', removedLines: 0 }),
        file('old.ts', { change: 'delete', addedLines: 0 }),
        file('x.ts', {
          change: 'move',
          addedLines: 0,
          removedLines: 0,
          movedTo: { path: 'lib/y.ts', uri: 'file:///work/lib/y.ts' },
        }),
      ],
    });
    expect(rows().slice(1)).toEqual([
      '  Change 3 files | +2 −1 · 1 minute ago',
      '    a.ts | created · +2',
      '    old.ts | deleted · −1',
      '    y.ts | lib · moved from x.ts',
    ]);
  });

  test('separates connections, and separates callers without one where they paused for hours', () => {
    const now = new Date(2026, 10, 21, 14).getTime();
    const shared = { principal: { credential: 'ci' } };
    const { rows } = scene(
      { ...shared, appliedAt: now - 9 * 60 * minute },
      { ...shared, appliedAt: now - 8 * 60 * minute },
      { connectionId: 'c-1', appliedAt: now - 7 * 60 * minute },
      { ...shared, appliedAt: now - 2 * 60 * minute },
      { connectionId: 'c-1', appliedAt: now },
    );
    expect(rows().filter((row) => /^\S/.test(row))).toEqual([
      'Codex: 2 files changed | Today, 7:00 AM',
      'Codex: 1 file changed | Today, 12:00 PM · token “ci”',
      'Codex: 2 files changed | Today, 5:00 AM · token “ci”',
    ]);
  });

  test('separates what the user undid by a card from an assistant that calls itself You', () => {
    const { rows } = scene({ client: 'You' }, { principal: ownPrincipal });
    expect(rows()).toEqual([
      'You: 1 file changed | Today, 2:59 PM',
      '  Edit 2.ts | src · +2 −1 · 1 minute ago',
      'You: 1 file changed | Today, 2:58 PM',
      '  Edit 1.ts | src · +2 −1 · 2 minutes ago',
    ]);
  });

  test('A5: shows hidden characters of client names and file names', () => {
    const { rows } = scene({ client: 'co\u202Edex', files: [file('a\u200Bb.ts')] });
    expect(rows().join('\n')).toMatch(/co<U\+202E>dex[^]*Edit a<U\+200B>b\.ts/);
  });

  test('follows changes, and is drawn at most once in 300 ms', () => {
    const { add, clock, list, rows, tree, view } = scene({});
    let draws = 0;
    tree.onDidChangeTreeData(() => (draws += 1));
    const [first] = list();
    for (let index = 0; index < 500; index += 1) if (first) add({ ...first, id: `b-${index}` });
    clock.advance(299);
    expect(draws).toBe(0);
    clock.advance(1);
    expect(draws).toBe(1);
    expect(rows()).toHaveLength(502);
    view.dispose();
    expect(clock.pendingTimers).toBe(0);
  });

  test('counts the minutes while it is visible', () => {
    const { clock, rows, tree, treeView, visible } = scene({});
    let draws = 0;
    tree.onDidChangeTreeData(() => (draws += 1));
    clock.advance(5 * minute);
    expect(draws).toBe(0);
    treeView.visible = true;
    visible.fire({ visible: true });
    clock.advance(2 * minute);
    expect(draws).toBe(2);
    expect(rows()[1]).toContain('8 minutes ago');
  });

  test('opens at a change for the keyboard', async () => {
    const { tree, treeView, view } = scene({}, {});
    expect([view.has('a-1'), view.has('a-9')]).toEqual([true, false]);
    await view.show('a-9');
    expect(treeView.reveal).not.toHaveBeenCalled();
    await view.show('a-1');
    const [item] = treeView.reveal.mock.calls[0] ?? [];
    expect(treeView.reveal).toHaveBeenCalledWith(expect.objectContaining({ id: 'change:a-1' }), {
      focus: true,
      select: true,
      expand: true,
    });
    const session = item && tree.getParent(item);
    expect(session?.label).toBe('Codex: 2 files changed');
    expect(session && tree.getParent(session)).toBeUndefined();
  });
});

describe('a file of the History view', () => {
  const diff = (path: string, side: string) => ({
    scheme: 'drawbridge',
    authority: side,
    path: `/${path}`,
    query: 'a-1/0',
  });

  test('is shown before and after by a click', async () => {
    const { find, texts, view } = scene({});
    texts.set('a-1/0', { before: 'a', after: 'b', now: 'c' });
    const { command } = find('Edit 1.ts') ?? {};
    expect(command?.command).toBe('drawbridge.showChangeDiff');
    await view.commands.showChangeDiff(command?.arguments?.[0]);
    expect(editor.executed.slice(1)).toMatchObject([
      [
        'vscode.diff',
        diff('src/1.ts', 'before'),
        diff('src/1.ts', 'after'),
        '1.ts (changed by Codex)',
        { preview: true },
      ],
    ]);
  });

  test('is opened itself, where it is now, when it has no texts', async () => {
    const { find, view } = scene({
      files: [file('x.png', { change: 'move', movedTo: { path: 'y.png', uri: 'file:///work/y.png' } })],
    });
    editor.files.set('/work/y.png', Buffer.from(''));
    await view.commands.showChangeDiff(find('Move x.png → y.png'));
    await view.commands.openChangedFile(find('Move x.png → y.png'));
    expect(editor.executed.slice(1)).toMatchObject([
      ['vscode.open', { path: '/work/y.png' }],
      ['vscode.open', { path: '/work/y.png' }],
    ]);
  });

  test('is compared as the assistant left it with its present text', async () => {
    const { find, texts, treeView, view } = scene({});
    const { shown } = userAnswers();
    treeView.selection = [find('Edit 1.ts')].filter((item) => item !== undefined);
    await view.commands.compareWithNow();
    expect(shown).toMatchObject([{ message: 'This file does not have two versions to compare.' }]);
    texts.set('a-1/0', { before: 'a', after: 'b', now: 'c' });
    await view.commands.compareWithNow();
    expect(editor.executed.slice(1)).toMatchObject([
      [
        'vscode.diff',
        diff('src/1.ts', 'after'),
        { scheme: 'file', path: '/work/src/1.ts' },
        '1.ts (as Codex left it ↔ now)',
        {},
      ],
    ]);
  });

  test('is shown with the other files of its change in one editor', async () => {
    const { find, texts, view } = scene({ files: [file('a.ts'), file('b.png'), file('c.ts')] });
    texts.set('a-1/0', { before: 'a', after: 'b' });
    texts.set('a-1/2', { after: 'b' });
    await view.commands.showChangeDiff(find('Edit 3 files'));
    expect(editor.executed.slice(1)).toMatchObject([
      [
        'vscode.changes',
        'Codex: Edit 3 files',
        [
          [{ path: '/work/a.ts' }, { authority: 'before', query: 'a-1/0' }, { authority: 'after', query: 'a-1/0' }],
          [{ path: '/work/c.ts' }, { authority: 'before', query: 'a-1/2' }, { authority: 'after', query: 'a-1/2' }],
        ],
      ],
    ]);
  });
});

describe('the diff of a session', () => {
  const sides = (path: string, before: string, after: string) => [
    { path: `/work/${path}` },
    { authority: 'before', path: `/${path}`, query: before },
    { authority: 'after', path: `/${path}`, query: after },
  ];

  test('goes from the text before its first change to the text after its last, in one editor', async () => {
    const { find, texts, view } = scene(
      { files: [file('a.ts'), file('b.ts', { change: 'create' })] },
      { files: [file('a.ts')], client: 'Claude Code', connectionId: 'c-2' },
      { files: [file('a.ts')] },
      { files: [file('a.ts')], state: 'reverted' },
    );
    for (const [key, value] of Object.entries({
      'a-1/0': { before: '0', after: '1' },
      'a-1/1': { after: 'new' },
      'a-3/0': { before: '2', after: '3' },
      'a-4/0': { before: '3', after: '4' },
    })) {
      texts.set(key, value);
    }
    await view.commands.showSessionDiff(find('Codex: 2 files changed'));
    expect(editor.executed.slice(1)).toMatchObject([
      [
        'vscode.changes',
        'Codex: everything this session changed',
        [sides('a.ts', 'a-1/0', 'a-3/0'), sides('b.ts', 'a-1/1', 'a-1/1')],
      ],
    ]);
  });

  test('follows a file that was moved, and leaves out what a later change took back', async () => {
    const { find, texts, view } = scene(
      { files: [file('old/a.ts'), file('gone.ts', { change: 'create' })] },
      { files: [file('old', { change: 'move', movedTo: { path: 'new', uri: 'file:///work/new' } })] },
      { files: [file('new/a.ts'), file('gone.ts', { change: 'delete' })] },
    );
    texts.set('a-1/0', { before: '0', after: '1' });
    texts.set('a-1/1', { after: 'x' });
    texts.set('a-3/0', { before: '1', after: '2' });
    texts.set('a-3/1', { before: 'x' });
    view.commands.arrangeHistoryByTime();
    const [session] = view.sessions();
    await view.commands.showSessionDiff(session?.id);
    const [, before, after] = sides('new/a.ts', 'a-1/0', 'a-3/0');
    expect(editor.executed.at(-1)).toMatchObject([
      'vscode.diff',
      before,
      after,
      'Codex: everything this session changed',
      {},
    ]);
    expect(find('Codex: 2 files changed')).toBeUndefined();
  });

  test('says that nothing is left when the texts are gone', async () => {
    const { find, view } = scene({});
    const { shown } = userAnswers();
    await view.commands.showSessionDiff(find('Codex: 1 file changed'));
    expect(shown).toMatchObject([{ message: 'Nothing of this session is left to show as a diff.' }]);
  });
});

describe('Undo in the History view', () => {
  test('undoes one change without asking, and offers to redo it', async () => {
    const { done, find, view } = scene({});
    const { shown } = userAnswers();
    expect(find('Edit 1.ts')?.contextValue).toBe('change applied file');
    await view.commands.undoChange(find('Edit 1.ts'));
    expect(find('Edit 1.ts')?.contextValue).toBe('change undone file');
    await view.commands.redoChange(find('Edit 1.ts'));
    expect(find('Edit 1.ts')?.contextValue).toBe('change applied file');
    expect(done).toEqual(['revert a-1', 'redo a-1']);
    expect(shown).toEqual([]);
  });

  test('is not offered for a change whose texts were not kept', () => {
    const { find } = scene({ canRevert: false });
    expect(find('Edit 1.ts')?.contextValue).toBe('change file');
    expect(find('Codex: 1 file changed')?.contextValue).toBe('session changed');
  });

  test('asks before it undoes a session, and names how much', async () => {
    const { done, find, view } = scene({}, { client: 'Claude Code', connectionId: 'c-2' }, {}, { state: 'reverted' });
    const { shown } = userAnswers('Cancel', 'Undo 2 changes');
    await view.commands.undoSession(find('Codex: 2 files changed'));
    expect(done).toEqual([]);
    await view.commands.undoSession(find('Codex: 2 files changed'));
    expect(shown[0]).toMatchObject({
      kind: 'warning',
      modal: true,
      message: 'Undo 2 changes?',
      detail: expect.stringMatching(/^Codex: 2 changes in 2 files\n\nUndo never overwrites later edits/),
      choices: ['Undo 2 changes'],
    });
    expect(done).toEqual(['revert a-3 a-1']);
    expect(shown[2]).toMatchObject({ kind: 'information', message: '2 changes undone.', choices: ['Redo'] });
    await view.commands.undoSession(find('Codex: everything undone'));
    expect(shown.at(-1)?.message).toBe('None of these changes can be undone any more.');
  });

  test('undoes the changes of all assistants since a change, or only those of the selected one', async () => {
    const { done, find, view } = scene({}, {}, { client: 'Claude Code', connectionId: 'c-2' }, {});
    const { shown } = userAnswers('Undo All 3');
    await view.commands.undoSince(find('Edit 2.ts'));
    expect(shown[0]?.detail).toMatch(/^Codex: 2 changes in 2 files\nClaude Code: 1 change in 1 file\n/);
    expect(shown[0]?.choices).toEqual(['Undo All 3', 'Only the 2 by Codex']);
    expect(done).toEqual(['revert a-4 a-3 a-2']);
  });

  test('undoes only the changes of the selected assistant when the user chooses so', async () => {
    const { done, find, view } = scene({}, {}, { client: 'Claude Code', connectionId: 'c-2' }, {});
    userAnswers('Only the 2 by Codex');
    await view.commands.undoSince(find('Edit 2.ts'));
    expect(done).toEqual(['revert a-4 a-2']);
  });

  test('redoes several changes in the order in which they were made', async () => {
    const { done, find, view } = scene({}, {}, {});
    userAnswers('Undo 3 changes', 'Redo');
    await view.commands.undoSince(find('Edit 1.ts'));
    await vi.waitFor(() => expect(done).toEqual(['revert a-3 a-2 a-1', 'redo a-1', 'redo a-2', 'redo a-3']));
  });

  test('reports what waits for an answer and what cannot be undone, and shows the three texts of a conflict', async () => {
    const { done, find, report, texts, view } = scene({}, {}, {}, {});
    const conflicts = [{ id: 'a-1', fileIndex: 0, path: 'src/1.ts', reason: 'line 3 was edited since' }];
    Object.assign(report, { reverted: ['a-4', 'a-3'], asked: ['a-2'], conflicts });
    texts.set('a-1/0', { before: 'a', after: 'b', now: 'c' });
    const { shown } = userAnswers('Undo 4 changes', 'Show', '1.ts');
    await view.commands.undoSince(find('Edit 1.ts'));
    await vi.waitFor(() => expect(editor.executed.map(([id]) => id)).toContain('vscode.changes'));
    expect(shown.slice(1)).toMatchObject([
      {
        kind: 'warning',
        message: '2 changes undone, 1 waits for you in Approvals, 1 file was changed since and was not undone.',
        choices: ['Show', 'Review', 'Redo'],
      },
      { kind: 'pick', choices: ['1.ts src/1.ts'], items: [{ detail: 'line 3 was edited since' }] },
    ]);
    expect(editor.executed.at(-1)).toMatchObject([
      'vscode.changes',
      '1.ts: changed by Codex, and since then',
      [
        [{ authority: 'after' }, { authority: 'before' }, { authority: 'after' }],
        [{ scheme: 'file' }, { authority: 'after' }, { scheme: 'file' }],
      ],
    ]);
    expect(done).toEqual(['revert a-4 a-3 a-2 a-1']);
  });

  test('leads to the approval when the undo of one change waits for an answer', async () => {
    const { done, find, report, view } = scene({});
    Object.assign(report, { reverted: [], asked: ['a-1'] });
    userAnswers('Review');
    await view.commands.undoChange(find('Edit 1.ts'));
    await vi.waitFor(() => expect(done).toEqual(['revert a-1', 'review']));
  });

  test('explains why it failed, without links from foreign text', async () => {
    const { find, report, view } = scene({});
    const { shown } = userAnswers();
    Object.defineProperty(report, 'reverted', {
      get: () => {
        throw new Error('[x](command:y) cannot be read');
      },
    });
    await view.commands.undoChange(find('Edit 1.ts'));
    expect(shown).toMatchObject([{ kind: 'error', message: '[x] (command:y) cannot be read' }]);
  });

  test('shows progress when it takes longer than a second', async () => {
    const { clock, find, report, view } = scene({}, {});
    const { shown } = userAnswers('Undo 2 changes');
    const slow = Promise.withResolvers<void>();
    report.wait = () => slow.promise;
    const undoing = view.commands.undoSince(find('Edit 1.ts'));
    await vi.waitFor(() => expect(clock.pendingTimers).toBe(1));
    clock.advance(999);
    expect(shown).toHaveLength(1);
    clock.advance(1);
    slow.resolve();
    await undoing;
    expect(shown[1]).toEqual({ kind: 'progress', message: 'Undoing changes', choices: ['1 of 2'] });
    clock.advance(1000);
    expect(clock.pendingTimers).toBe(0);
  });

  test('does not begin before another undo has ended', async () => {
    const { done, find, view } = scene({}, {});
    const { shown } = userAnswers();
    await Promise.all([view.commands.undoChange(find('Edit 1.ts')), view.commands.undoChange(find('Edit 2.ts'))]);
    expect(done).toEqual(['revert a-1']);
    expect(shown).toMatchObject([{ message: 'Another undo is still running.' }]);
  });
});
