import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CallResult } from '#audit/auditRecord.ts';
import { RecentCalls, type CallSummary } from '#audit/recentCalls.ts';
import { ActivityView, uriOf } from '#ui/activity/activityView.ts';
import { callItem } from '#ui/activity/callItem.ts';
import type { Rules } from '#policy/rules.ts';
import { LateTree } from '#ui/lateTree.ts';
import { FakeApprovals } from '../../fakes/approvals.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor, userAnswers } from '../../fakes/editor/editor.ts';
import { folderAt } from '../../fakes/workspace.ts';

beforeEach(() => {
  resetEditor();
});

const base = { v: 1, ts: '2026-11-21T14:02:11.000Z', mono: 0, windowId: 'w', instanceId: 'r' } as const;

function scene(root = '/work/shop') {
  const clock = new FakeClock();
  const recentCalls = new RecentCalls();
  const approvals = new FakeApprovals();
  const tree = new LateTree();
  const treeView = {
    badge: undefined as vscode.ViewBadge | undefined,
    message: '',
    selection: [] as vscode.TreeItem[],
    reveal: vi.fn<vscode.TreeView<vscode.TreeItem>['reveal']>(async () => undefined),
  };
  const openedOnce = { open: vi.fn<(realPath: string) => void>() };
  const rules = { add: vi.fn<Rules['add']>(async () => ({ id: 'r-1', scope: 'workspace' as const })) };
  const asked = { reviews: [] as string[], diffs: [] as string[], history: [] as string[] };
  const view = new ActivityView({
    treeView,
    tree,
    recentCalls,
    approvals,
    history: {
      has: (id) => id.startsWith('a-applied'),
      show: async (id) => void asked.history.push(id),
    },
    clock,
    folders: () => [folderAt(root)],
    openedOnce,
    rules,
    review: (id) => asked.reviews.push(id),
    openDiff: async (id) => void asked.diffs.push(id),
  });
  const record = (seq: number, facts: Partial<CallResult> = {}, client = 'codex'): string => {
    recentCalls.take({
      ...base,
      seq,
      event: 'call.received',
      tool: facts.tool ?? 'read_file',
      client: { name: client, version: '1', claimed: true },
      credential: 'window',
      principal: 'p',
      argsDigest: '',
      argsPreview: '',
    });
    recentCalls.take({
      ...base,
      seq: seq + 1,
      event: 'call.result',
      parentSeq: seq,
      tool: 'read_file',
      resources: [],
      outcome: 'ok',
      durationMs: 3.2,
      bytesOut: 1,
      ...facts,
    });
    return `r:${seq}`;
  };
  const call = (seq: number, path?: string, approvalId?: string): string =>
    record(seq, {
      ...(path !== undefined && { resources: [{ path }] }),
      ...(approvalId !== undefined && { approvalId }),
    });
  const rows = (): vscode.TreeItem[] => tree.getChildren().slice(1);
  return {
    clock,
    recentCalls,
    approvals,
    tree,
    treeView,
    openedOnce,
    rules,
    asked,
    view,
    call,
    record,
    rows,
    open: view.commands.openActivity,
  };
}

describe('the Activity tree', () => {
  test('is empty before the view exists and after it was disposed', () => {
    const { tree, view, call } = scene();
    expect(new LateTree().getChildren()).toEqual([]);
    call(1, 'a.ts');
    call(3, 'b.ts');
    expect(tree.getChildren().map(({ label }) => label)).toEqual(['Assistants', 'read_file b.ts', 'read_file a.ts']);
    expect(tree.getChildren(tree.getChildren()[1])).toEqual([]);
    view.dispose();
    expect(tree.getChildren()).toEqual([]);
  });

  test('is drawn at most once in 300 ms, however many calls arrive', () => {
    const { tree, clock, call, view } = scene();
    let draws = 0;
    tree.onDidChangeTreeData(() => (draws += 1));
    for (let seq = 1; seq < 400; seq += 2) call(seq);
    clock.advance(299);
    expect(draws).toBe(0);
    clock.advance(1);
    expect(draws).toBe(1);
    call(401);
    view.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});

test('counts the waiting approvals in its badge', () => {
  const { view, treeView } = scene();
  view.showWaiting({ all: 1, questions: 0 });
  expect(treeView.badge).toEqual({ value: 1, tooltip: '1 approval waits' });
  view.showWaiting({ all: 3, questions: 0 });
  expect(treeView.badge).toEqual({ value: 3, tooltip: '3 approvals wait' });
  view.showWaiting({ all: 1, questions: 1 });
  expect(treeView.badge).toEqual({ value: 1, tooltip: '1 question waits' });
  view.showWaiting({ all: 2, questions: 1 });
  expect(treeView.badge).toEqual({ value: 2, tooltip: '2 requests wait' });
  view.showWaiting({ all: 0, questions: 0 });
  expect(treeView.badge).toBeUndefined();
});

test('is revealed without taking the keyboard', async () => {
  const { view, treeView, call } = scene();
  await view.revealWithoutFocus();
  expect(treeView.reveal).not.toHaveBeenCalled();
  call(1);
  await view.commands.filterActivity({ clients: ['nobody'] });
  await view.revealWithoutFocus();
  expect(treeView.reveal).toHaveBeenCalledWith(expect.objectContaining({ id: 'assistants' }), {
    focus: false,
    select: false,
  });
});

describe('a click on a row', () => {
  test('shows the card of an approval, or its change when the card has left the view', async () => {
    const { approvals, asked, call, open } = scene();
    approvals.add({ id: 'a-1', files: [{ path: 'a.ts', base: 'one', result: 'two' }] });
    approvals.get = (id) => (id === 'a-1' || id === 'a-2' ? approvals.all[0] : undefined);
    await open(call(1, 'a.ts', 'a-1'));
    await open(call(3, 'a.ts', 'a-2'));
    expect(asked).toEqual({ reviews: ['a-1'], diffs: ['a-2'], history: [] });
    expect(editor.executed).toEqual([]);
  });

  test('opens the file of a call, or shows its folder', async () => {
    const { call, open } = scene();
    editor.files.set('/work/shop/src/a.ts', Buffer.from(''));
    await open(call(1, 'src/a.ts', 'a-gone'));
    await open(call(3, 'src'));
    expect(editor.executed).toMatchObject([
      ['vscode.open', { scheme: 'file', path: '/work/shop/src/a.ts' }, { preview: true }],
      ['revealInExplorer', { path: '/work/shop/src' }],
    ]);
  });

  test('reports when there is nothing to open', async () => {
    const { call, open } = scene();
    await open(call(1));
    await open('r:99');
    expect(editor.shown).toMatchObject([{ message: 'This call has no file that can be opened.' }]);
  });

  test('opens no diff when the call changed no file', async () => {
    const { call, open, approvals, asked } = scene();
    const action = { title: 'Fold', definition: 'fold', arguments: [], paths: [], remarks: [] };
    approvals.add({ id: 'a-run', files: [], tool: 'run_command', risk: 'execute', action, state: 'applied' });
    vi.spyOn(approvals, 'all', 'get').mockReturnValue([]);
    await open(call(1, undefined, 'a-run'));
    expect(asked).toMatchObject({ reviews: [], diffs: [] });
    expect(editor.shown).toMatchObject([{ message: 'This call has no file that can be opened.' }]);
  });
});

describe('the Activity filter', () => {
  function filtered() {
    const made = scene();
    made.record(1, { resources: [{ path: 'src/Cart.ts' }] });
    made.record(3, { tool: 'search_code', resources: [{ path: 'src' }] }, 'Claude Code');
    made.record(5, { resources: [{ outside: 'ab12 passwd' }], outcome: 'outside_workspace' }, 'Claude Code');
    made.record(7, { tool: 'apply_edit', resources: [{ path: 'docs/a.md' }], outcome: 'declined' });
    return { ...made, ids: () => made.rows().map(({ id }) => id) };
  }
  const filter = async ({ view }: ReturnType<typeof scene>, ...answers: Parameters<typeof userAnswers>) => {
    const { shown } = userAnswers(...answers);
    await view.commands.filterActivity();
    return shown;
  };

  test('filters by assistant and shows how many calls each made', async () => {
    const made = filtered();
    const shown = await filter(made, 'Assistant', ['Claude Code']);
    expect(shown.map(({ choices }) => choices)).toEqual([
      ['Assistant all', 'Tool all', 'Outcome all', 'Path all'],
      ['codex 2 calls', 'Claude Code 2 calls'],
    ]);
    expect(made.ids()).toEqual(['r:5', 'r:3']);
    expect(made.treeView.message).toBe('Assistant: Claude Code · 2 of 4 calls');
    expect(editor.executed).toContainEqual(['setContext', 'drawbridge.activityFiltered', true]);
  });

  test('combines tool, outcome and path, and counts the calls that the other filters let through', async () => {
    const made = filtered();
    await filter(made, 'Assistant', ['codex']);
    const shown = await filter(made, 'Tool', ['read_file', 'apply_edit']);
    expect(shown[1]?.choices.toSorted()).toEqual(['apply_edit 1 call', 'read_file 1 call']);
    await filter(made, 'Outcome', ['declined', 'done']);
    expect(made.ids()).toEqual(['r:7', 'r:1']);
    await filter(made, 'Path', ' cart ');
    expect(made.ids()).toEqual(['r:1']);
    expect(made.treeView.message).toBe(
      'Assistant: codex · Tool: apply_edit, read_file · Outcome: declined, done · Path: cart · 1 of 4 calls',
    );
    await filter(made, 'Path', '');
    expect(made.ids()).toEqual(['r:7', 'r:1']);
  });

  test('finds paths outside the workspace by their names', async () => {
    const made = filtered();
    await filter(made, 'Path', 'PASSWD');
    expect(made.ids()).toEqual(['r:5']);
  });

  test('stays for new calls until it is cleared', async () => {
    const made = filtered();
    await filter(made, 'Tool', ['search_code']);
    made.record(9, { tool: 'search_code' });
    made.record(11);
    made.clock.advance(300);
    expect(made.ids()).toEqual(['r:9', 'r:3']);
    expect(made.treeView.message).toBe('Tool: search_code · 2 of 6 calls');
    const shown = await filter(made, '$(clear-all)');
    expect(shown[0]?.choices).toContain('$(clear-all) Clear Filter');
    expect(made.ids()).toHaveLength(6);
    expect(made.treeView.message).toBe('');
    expect(editor.executed.at(-1)).toEqual(['setContext', 'drawbridge.activityFiltered', false]);
  });

  test('stays when the user cancels, and shows all calls when nothing is selected', async () => {
    const made = filtered();
    await filter(made, 'Tool', ['search_code']);
    await filter(made, 'Tool');
    await filter(made);
    await filter(made, 'Path');
    expect(made.ids()).toEqual(['r:3']);
    await filter(made, 'Tool', []);
    expect(made.ids()).toHaveLength(4);
    await filter(made, 'Tool', ['search_code']);
    made.view.commands.clearActivityFilter();
    expect(made.ids()).toHaveLength(4);
  });

  test('A5: shows hidden characters of client names and no icons from them', async () => {
    const made = scene();
    made.record(1, {}, '$(pass) co\u202Edex');
    const shown = await filter(made, 'Assistant', ['\\$(pass) co<U+202E>dex']);
    expect(shown[1]?.choices).toEqual(['\\$(pass) co<U+202E>dex 1 call']);
    expect(made.treeView.message).toBe('Assistant: $(pass) co<U+202E>dex · 1 of 1 calls');
  });
});

describe('the summary of an assistant', () => {
  test('adds up calls, failures, questions, times and bytes', () => {
    const { record, tree } = scene();
    const asked = { effect: 'ask', reason: 'edit in Manual mode' } as const;
    for (let index = 0; index < 20; index += 1) record(index * 2 + 1, { durationMs: index + 1, bytesOut: 100 });
    record(51, { durationMs: 90_000, outcome: 'declined', approvalId: 'a-1', decision: asked });
    record(53, { outcome: 'not_found', durationMs: 1 }, 'Claude Code');
    record(55, { outcome: 'cancelled', durationMs: 1 }, 'Claude Code');
    const [group] = tree.getChildren();
    expect(group).toMatchObject({ id: 'assistants', collapsibleState: 1 });
    expect(tree.getChildren(group)).toMatchObject([
      { label: 'Claude Code', description: '2 calls · 1 failed or refused · median 1 ms, 95 % within 1 ms' },
      { label: 'codex', description: '21 calls · 1 failed or refused · median 10 ms, 95 % within 19 ms' },
    ]);
    const spoken = tree.getChildren(group)[1]?.accessibilityInformation?.label;
    expect(spoken).toContain('you were asked once');
    expect(spoken).toContain('2 KB handed back');
  });

  test('lists only the calls of an assistant that is clicked', async () => {
    const { record, tree, rows, view } = scene();
    record(1);
    record(3, {}, 'Claude Code');
    const { command } = tree.getChildren(tree.getChildren()[0])[1] ?? {};
    expect(command?.command).toBe('drawbridge.filterActivity');
    await view.commands.filterActivity(command?.arguments?.[0]);
    expect(rows().map(({ id }) => id)).toEqual(['r:1']);
  });
});

describe('the commands of a call', () => {
  const decision = {
    effect: 'ask' as const,
    step: 'ask_rule',
    reason: 'a rule asks',
    mode: 'manual',
    ruleId: 'r-7f3a',
    scope: 'user',
    explain: ['deny_rule: none', 'ask_rule: r-7f3a (user)'],
  };

  test('are offered only where they lead to something', () => {
    const { approvals, record, rows } = scene();
    approvals.add({ id: 'a-1', files: [{ path: 'a.ts', base: 'a\n', result: 'b\n' }] });
    approvals.add({ id: 'a-2', files: [{ path: 'a', change: 'move', to: 'b' }] });
    record(1);
    record(3, { decision: { effect: 'deny', reason: 'protected' } });
    record(5, { approvalId: 'a-1', decision });
    record(7, { approvalId: 'a-2' });
    record(9, { approvalId: 'a-applied-long-ago' });
    expect(rows().map(({ contextValue }) => contextValue)).toEqual([
      'call history',
      'call card',
      'call card diff rule asked',
      'call decided',
      'call',
    ]);
  });

  test('open the card, the diff, the rule and the history entry of the call', async () => {
    const { asked, record, rows, treeView, view } = scene();
    record(1, { approvalId: 'a-applied-1', decision });
    const [row] = rows();
    await view.commands.showCallCard(row);
    await view.commands.showCallDiff(row);
    await view.commands.showCallRule(row);
    treeView.selection = rows();
    await view.commands.showCallInHistory();
    expect(asked).toEqual({ reviews: ['a-applied-1'], diffs: ['a-applied-1'], history: ['a-applied-1'] });
    expect(editor.executed).toEqual([['drawbridge.showRule', 'r-7f3a']]);
  });

  test('show step by step why the user was asked', async () => {
    const { record, view } = scene();
    const { shown } = userAnswers('$(law)');
    await view.commands.explainCall(record(1, { tool: 'apply_edit', resources: [{ path: '$(x).ts' }], decision }));
    expect(shown).toMatchObject([
      {
        message: 'Why Was I Asked? apply_edit $(x).ts',
        choices: [
          'a rule asks mode manual',
          '$(law) Show rule r-7f3a user',
          'Checked in this order',
          '1. deny_rule: none',
          '2. ask_rule: r-7f3a (user)',
        ],
      },
    ]);
    expect(editor.executed).toEqual([['drawbridge.showRule', 'r-7f3a']]);
  });

  test('show the reason of a call from an earlier version, or that none was recorded', async () => {
    const { record, view } = scene();
    const { shown } = userAnswers();
    await view.commands.explainDecision(record(1, { decision: { effect: 'deny', reason: 'protected' } }));
    await view.commands.explainDecision(record(3));
    expect(shown).toMatchObject([
      { message: 'Why Was It Refused? read_file', choices: ['protected'] },
      { kind: 'information', message: 'The record of this call does not say how it was decided.' },
    ]);
  });

  test('copy the details of the call as text', async () => {
    const { record, view } = scene();
    const facts = { resources: [{ path: 'a\u200B.ts' }], decision, definition: 'fold' };
    await view.commands.copyCallDetails(record(1, facts));
    expect(editor.clipboard.split('\n')).toEqual([
      'call: r:1',
      expect.stringMatching(/^time: 2026-/),
      'assistant: codex',
      'tool: read_file',
      'action: fold',
      'path: a<U+200B>.ts',
      'decision: ask: a rule asks',
      'rule: r-7f3a, user',
      'step: deny_rule: none',
      'step: ask_rule: r-7f3a (user)',
      'outcome: done',
      'duration: 3.2 ms',
      'bytes: 1',
      '',
    ]);
  });
});

test('find a path in the folder whose name it begins with when there are several folders', () => {
  const folders = [folderAt('/work/shop'), folderAt('/work/api')];
  expect(uriOf('api/src/a b.ts', folders)?.path).toBe('/work/api/src/a b.ts');
  expect(uriOf('src/a.ts', folders)).toBeUndefined();
  expect(uriOf('src/a.ts', folders.slice(0, 1))?.path).toBe('/work/shop/src/a.ts');
  expect(uriOf('src/a.ts', [])).toBeUndefined();
});

describe('a row of the Activity view', () => {
  const call: CallSummary = {
    id: 'r:1',
    time: Date.parse('2026-11-21T14:02:11Z'),
    tool: 'apply_edit',
    client: 'codex',
    principal: 'p',
    resources: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }],
    outcome: 'applied',
    approvalId: 'a-1',
    durationMilliseconds: 12_345,
  };

  test('shows the tool, target, client, outcome and time', () => {
    expect(callItem(call)).toMatchObject({
      id: 'r:1',
      label: 'apply_edit src/a.ts (+1)',
      description: 'codex · applied · 12 s',
      iconPath: { id: 'pass-filled' },
      accessibilityInformation: { label: 'apply_edit, src/a.ts (+1), codex, applied, 12 s' },
      command: { command: 'drawbridge.openActivity', arguments: ['r:1'] },
      contextValue: 'call',
    });
    expect(callItem({ ...call, outcome: undefined }).description).toContain('waiting for you');
    const { approvalId: _approvalId, ...reading } = call;
    expect(callItem({ ...reading, outcome: undefined })).toMatchObject({ iconPath: { id: 'loading~spin' } });
    const command = { ...call, tool: 'run_command', resources: [], definition: 'editor.fold' };
    expect(callItem(command)).toMatchObject({
      label: 'run_command editor.fold',
      description: 'codex · done · 12 s',
    });
    expect(callItem({ ...command, definition: 'run_command' }).label).toBe('run_command');
    expect(callItem({ ...call, outcome: 'stale_version' })).toMatchObject({
      description: 'codex · stale version · 12 s',
    });
  });

  test('A5: shows hidden characters of what a client sent', () => {
    const item = callItem({ ...call, client: 'co\u202Edex\n', tool: 'x\u001B[8m', resources: [{ path: 'a\u200Bb' }] });
    expect(item.label).toBe('x<U+001B>[8m a<U+200B>b');
    expect(item.description).toContain('co<U+202E>dex  ·');
    expect(item.tooltip).toContain('a<U+200B>b');
  });
});

describe('a read of a secret file that was refused', () => {
  const refused = { decision: { effect: 'deny', reason: 'secret path **/.env' }, outcome: 'denied' } as const;
  const resources = [{ path: 'conf/.env', secret: true }];

  test('A36: offers to open the file, and no other call does', () => {
    const { record, rows } = scene();
    record(1, { ...refused, resources });
    record(3, { ...refused, resources, tool: 'apply_edit' });
    record(5, { ...refused, resources: [...resources, { path: '.env', secret: true }], tool: 'read_files' });
    record(7, { resources });
    expect(rows().map(({ contextValue }) => contextValue?.includes('closed'))).toEqual([false, false, false, true]);
  });

  test('A36: opens it for one read only when the user confirms', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-activity-')));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'conf'));
    writeFileSync(join(folder, 'conf', '.env'), '');
    const { record, openedOnce, view } = scene(folder);
    const call = record(1, { ...refused, resources });
    userAnswers(undefined);
    await view.commands.openClosedFileOnce(call);
    expect(openedOnce.open).not.toHaveBeenCalled();
    const { shown } = userAnswers('Open It Once');
    await view.commands.openClosedFileOnce(call);
    expect(shown).toMatchObject([{ kind: 'warning', message: 'Let an assistant read conf/.env once?' }]);
    expect(openedOnce.open).toHaveBeenCalledExactlyOnceWith(join(folder, 'conf', '.env'));
    rmSync(join(folder, 'conf'), { recursive: true });
    userAnswers('Open It Once');
    await view.commands.openClosedFileOnce(call);
    expect(openedOnce.open).toHaveBeenCalledOnce();
  });

  test('adds a rule that asks about exactly this file when the user confirms', async () => {
    const { record, rules, view } = scene();
    const call = record(1, { ...refused, resources: [{ path: '.env[1]', secret: true }] });
    userAnswers(undefined);
    await view.commands.openClosedFileAlways(call);
    expect(rules.add).not.toHaveBeenCalled();
    userAnswers('Add Rule');
    await view.commands.openClosedFileAlways(call);
    const rule = { effect: 'ask', class: 'read', paths: ['./.env[[]1]'] };
    expect(rules.add).toHaveBeenCalledExactlyOnceWith(rule, { scope: 'workspace', folder: '/work/shop' });
    rules.add.mockRejectedValueOnce(new Error('The disk is full.'));
    const { shown } = userAnswers('Add Rule');
    await view.commands.openClosedFileAlways(call);
    expect(shown.at(-1)).toMatchObject({ kind: 'error', message: 'The disk is full.' });
  });
});
