import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import type { CallReceived, CallResult } from '#audit/auditRecord.ts';
import { RecentCalls, type CallSummary } from '#audit/recentCalls.ts';
import { ActivityView, uriOf } from '#ui/activity/activityView.ts';
import { callItem } from '#ui/activity/callItem.ts';
import { picture, sparkline } from '#ui/activity/callsOverTime.ts';
import type { Rules } from '#policy/rules.ts';
import type { Session } from '#ui/history/grouping.ts';
import { LateTree } from '#ui/lateTree.ts';
import { withKinds } from '#call/toolKinds.ts';
import { nativeUnseenEdit } from '#tools/edit/nativeUnseenEdit.ts';
import { judgedTools } from '#tools/index.ts';
import { FakeApprovals, type FakeRequest } from '../../fakes/approvals.ts';
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
  const sessions: Session[] = [];
  const asked = { reviews: [] as string[], diffs: [] as string[], history: [] as string[] };
  const view = new ActivityView({
    treeView,
    tree,
    recentCalls,
    approvals,
    history: {
      has: (id) => id.startsWith('a-applied'),
      sessions: () => sessions,
      show: async (id) => void asked.history.push(id),
    },
    clock,
    folders: () => [folderAt(root)],
    openedOnce,
    rules,
    review: (id) => asked.reviews.push(id),
    openDiff: async (id) => void asked.diffs.push(id),
  });
  const record = (
    seq: number,
    facts: Partial<CallResult> & Partial<Pick<CallReceived, 'principal'>> = {},
    client = 'codex',
  ): string => {
    recentCalls.take({
      ...base,
      seq,
      event: 'call.received',
      tool: facts.tool ?? 'read_file',
      client: { name: client, version: '1', claimed: true },
      credential: 'window',
      principal: facts.principal ?? 'p',
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
  /** Asks the user, who decides some milliseconds later. */
  const decide = (approvalId: string, state: string, milliseconds: number): void => {
    const known = { ...base, seq: 0, event: 'approval.state', approvalId } as const;
    recentCalls.take({ ...known, state: 'waiting' });
    const ts = new Date(Date.parse(base.ts) + milliseconds).toISOString();
    recentCalls.take({ ...known, ts, state, choice: state === 'approved' ? 'approve' : 'decline' });
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
    sessions,
    asked,
    view,
    call,
    decide,
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
    expect(tree.getChildren().map(({ label }) => label)).toEqual(['Sessions', 'Read b.ts', 'Read a.ts']);
    expect(tree.getChildren(tree.getChildren()[1])).toEqual([]);
    view.dispose();
    expect(tree.getChildren()).toEqual([]);
  });

  test('draws its rows 300 ms after a call, and at most once in two seconds', () => {
    const { tree, clock, call, view } = scene();
    let draws = 0;
    tree.onDidChangeTreeData(() => (draws += 1));
    for (let seq = 1; seq < 11; seq += 2) call(seq);
    clock.advance(299);
    expect(draws).toBe(0);
    clock.advance(1);
    expect(draws).toBe(1);
    call(401);
    clock.advance(1999);
    expect(draws).toBe(1);
    clock.advance(1);
    expect(draws).toBe(2);
    call(403);
    view.dispose();
    expect(clock.pendingTimers).toBe(0);
  });

  test('draws its rows every five seconds while more calls arrive than can be read, and sooner again afterwards', () => {
    const { tree, clock, call } = scene();
    const draws: number[] = [];
    tree.onDidChangeTreeData(() => draws.push(clock.monotonic()));
    const began = clock.monotonic();
    for (let seq = 1; seq < 1000; seq += 2) {
      call(seq);
      clock.advance(20);
    }
    clock.advance(5000);
    call(1001);
    clock.advance(2000);
    call(1003);
    clock.advance(2000);
    expect(draws.map((time) => time - began)).toEqual([300, 5300, 10_300, 15_300, 17_300]);
  });

  test('draws fifteen calls each time, and the others when the user opens their row', () => {
    const { tree, call } = scene();
    for (let seq = 1; seq < 30; seq += 2) call(seq, `${seq}.ts`);
    expect(tree.getChildren()).toHaveLength(16);
    for (let seq = 31; seq < 35; seq += 2) call(seq, `${seq}.ts`);
    const rows = tree.getChildren();
    expect(rows).toHaveLength(17);
    expect(rows[16]).toMatchObject({ label: 'Earlier Calls', description: '2', collapsibleState: 1 });
    expect(tree.getChildren(rows[16]).map(({ label }) => label)).toEqual(['Read 3.ts', 'Read 1.ts']);
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
  expect(treeView.reveal).toHaveBeenCalledWith(expect.objectContaining({ id: 'sessions' }), {
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
      ['Codex 2 calls', 'Claude Code 2 calls'],
    ]);
    expect(made.ids()).toEqual(['r:5', 'r:3']);
    expect(made.treeView.message).toBe('Assistant: Claude Code · 2 of 4 calls');
    expect(editor.executed).toContainEqual(['setContext', 'drawbridge.activityFiltered', true]);
  });

  test('combines tool, outcome and path, and counts the calls that the other filters let through', async () => {
    const made = filtered();
    await filter(made, 'Assistant', ['Codex']);
    const shown = await filter(made, 'Tool', ['read_file', 'apply_edit']);
    expect(shown[1]?.choices.toSorted()).toEqual(['apply_edit 1 call', 'read_file 1 call']);
    await filter(made, 'Outcome', ['declined', 'done']);
    expect(made.ids()).toEqual(['r:7', 'r:1']);
    await filter(made, 'Path', ' cart ');
    expect(made.ids()).toEqual(['r:1']);
    expect(made.treeView.message).toBe(
      'Assistant: Codex · Tool: apply_edit, read_file · Outcome: declined, done · Path: cart · 1 of 4 calls',
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

describe('the summary of a session', () => {
  const asked = { effect: 'ask', reason: 'edit in Manual mode' } as const;
  const sessionRows = ({ tree }: ReturnType<typeof scene>): vscode.TreeItem[] =>
    tree.getChildren(tree.getChildren()[0]);
  const tooltipOf = (item: vscode.TreeItem | undefined): string => {
    const tooltip = item?.tooltip;
    return typeof tooltip === 'object' ? tooltip.value.replaceAll('&nbsp;', ' ') : '';
  };

  test('says what was changed, declined, read and sent, and how long the user took', () => {
    const made = scene();
    const { decide, record, sessions } = made;
    for (let index = 0; index < 20; index += 1) record(index * 2 + 1, { durationMs: index + 1, bytesOut: 500 });
    record(51, { tool: 'search_code', bytesOut: 2000 });
    record(53, { tool: 'apply_edit', outcome: 'declined', approvalId: 'a-1', decision: asked, bytesOut: 0 });
    record(55, { tool: 'apply_edit', outcome: 'applied', approvalId: 'a-2', decision: asked, bytesOut: 0 });
    record(57, { outcome: 'applied', approvalId: 'a-2', decision: asked, bytesOut: 0 });
    decide('a-1', 'declined', 90_000);
    decide('a-2', 'approved', 90_000);
    const file = {
      index: 0,
      change: 'edit',
      path: 'a.ts',
      uri: 'file:///a.ts',
      addedLines: 1,
      removedLines: 1,
    } as const;
    const principal = { credential: 'window' };
    const change = { id: 'a-2', tool: 'apply_edit', principal, client: undefined, appliedAt: 0, canRevert: true };
    const changes = [{ ...change, state: 'applied' as const, files: [file, { ...file, uri: 'file:///b.ts' }] }];
    sessions.push({ id: 'session:1', client: 'codex', principal, startedAt: 0, changes, isNewest: true });
    const [row, ...others] = sessionRows(made);
    expect(row).toMatchObject({
      id: 'session:1',
      label: 'Codex: 2 files changed, 1 declined, 10 KB read',
      description: 'you took 3 min · ~3,000 tokens sent · 24 calls',
      contextValue: 'session changed',
    });
    expect(others).toEqual([]);
    expect(row?.accessibilityInformation?.label).toContain('21 done, 2 approved, 1 refused');
    expect(tooltipOf(row)).toMatch(
      /You were asked 3 times\.[^]*Half of its calls took at most 10 ms, 95 % at most 19 ms\./,
    );
  });

  test('has a row for each session of an assistant, and counts its calls when it neither changed nor read', () => {
    const made = scene();
    made.record(1, { principal: 'one', tool: 'get_workspace' });
    made.record(3, { principal: 'two', outcome: 'not_found', bytesOut: 0 });
    made.record(5, { principal: 'two', outcome: 'cancelled', bytesOut: 0 });
    expect(made.tree.getChildren()[0]).toMatchObject({ id: 'sessions', collapsibleState: 2, description: '3 calls' });
    expect(sessionRows(made)).toMatchObject([
      { label: 'Codex: 2 calls', description: '~0 tokens sent', contextValue: 'session' },
      { label: 'Codex: 1 call', description: '~1 tokens sent' },
    ]);
    expect(tooltipOf(sessionRows(made)[0])).toContain('2 calls, the last one at 2:02:11 PM; 1 failed or refused.');
  });

  test('shows the last three sessions, and the others below one row', () => {
    const made = scene();
    for (const [index, principal] of ['one', 'two', 'three', 'four', 'five'].entries()) {
      made.record(2 * index + 1, { principal, tool: 'get_workspace' });
    }
    const rows = sessionRows(made);
    const ids = (items: readonly { id?: unknown }[]) => items.map(({ id }) => id);
    expect(ids(rows)).toEqual([
      expect.stringContaining('five'),
      expect.stringContaining('four'),
      expect.stringContaining('three'),
      'earlierSessions',
    ]);
    expect(rows[3]).toMatchObject({ label: 'Earlier Sessions', description: '2', collapsibleState: 1 });
    expect(ids(made.tree.getChildren(rows[3]))).toEqual([
      expect.stringContaining('two'),
      expect.stringContaining('one'),
    ]);
  });

  test('shows the calls over time by how they ended, in colours of the theme and as a table', () => {
    const made = scene();
    made.record(1);
    made.record(3, { outcome: 'denied' });
    made.record(5, { outcome: 'pending_approval', approvalId: 'a-1', decision: asked });
    const [row] = made.tree.getChildren();
    expect(row?.accessibilityInformation?.label).toBe('Sessions, 3 calls, 1 done, 1 refused, 1 open');
    const [head, , line] = tooltipOf(row)
      .split('\n')
      .filter((each) => each.startsWith('|'));
    expect(head).toBe('| From | Done █ | Refused ▒ | Open □ | Calls |');
    expect(line).toMatch(
      /^\| .* \| 1 \| 1 \| 1 \| <span style="color:var\(--vscode-charts-green\);">█<\/span><span [^>]*yellow\);">▒<\/span><span [^>]*>□<\/span> \|$/,
    );
  });

  test('lists only the calls of an assistant that is clicked', async () => {
    const made = scene();
    made.record(1);
    made.record(3, {}, 'claude-code');
    const { command } = sessionRows(made)[1] ?? {};
    expect(command?.command).toBe('drawbridge.filterActivity');
    await made.view.commands.filterActivity(command?.arguments?.[0]);
    expect(made.rows().map(({ id }) => id)).toEqual(['r:1']);
  });

  test('A5: shows hidden characters of client names and no links from them', () => {
    const made = scene();
    made.record(1, {}, '[x](command:y) \u202E<b>');
    const tooltip = tooltipOf(sessionRows(made)[0]);
    expect(tooltip).not.toContain('](command:');
    expect(tooltip).toContain(String.raw`&lt;U\+202E\>&lt;b\>`);
  });
});

describe('the picture of calls over time', () => {
  const at = (minutes: number, outcome = 'ok'): CallSummary => ({
    id: `r:${minutes}`,
    time: minutes * 60_000,
    tool: 'read_file',
    client: 'codex',
    principal: 'p',
    resources: [],
    outcome,
  });

  test('has at most eleven spans of equal length, the empty ones included', () => {
    expect(sparkline([])).toBe('');
    expect(sparkline([at(0)])).toBe('');
    expect(sparkline([at(0), at(9), at(9), at(9)])).toBe('▄▁▁▁▁▁▁▁▁█');
    expect(sparkline([at(0), at(60 * 24 * 25)])).toMatch(/^.▁+█$/);
    expect(sparkline([at(0), at(60 * 24 * 25)]).length).toBeLessThanOrEqual(11);
  });

  test('keeps its bars short however many calls there are', () => {
    const [, , line = ''] = picture(Array.from({ length: 200 }, () => at(1))).split('\n');
    expect(line).toContain('| 200 |');
    expect(line.split('█').length - 1).toBeLessThanOrEqual(16);
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
        message: 'Why Was I Asked? Edit $(x).ts',
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
      { message: 'Why Was It Refused? Read something', choices: ['protected'] },
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
      'assistant: Codex',
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

  const approvalOf = (facts: FakeRequest) => new FakeApprovals().add({ id: 'a-1', ...facts });
  const asked = { effect: 'ask', reason: 'edit in Manual mode' } as const;
  const labelOf = (facts: Partial<CallSummary>, approval?: FakeRequest): unknown =>
    callItem({ ...call, ...facts }, [], approval && approvalOf(approval)).label;

  test('says what the call did, who decided, and the time of the user apart from that of the work', () => {
    expect(callItem({ ...call, decision: asked, waitedMilliseconds: 120_000 })).toMatchObject({
      id: 'r:1',
      label: 'Edited a.ts and b.ts: approved after 2 min',
      description: expect.stringMatching(/^Codex · \d+:\d\d [AP]M$/),
      tooltip: expect.stringMatching(
        /^Edited a\.ts and b\.ts: [^]*Codex called apply_edit on [^]*\nYou took 2 min to decide\.\nsrc/,
      ),
      iconPath: { id: 'pass-filled' },
      accessibilityInformation: {
        label: expect.stringMatching(/^Edited a\.ts and b\.ts: approved after 2 min, Codex, \d+:\d\d [AP]M$/),
      },
      command: { command: 'drawbridge.openActivity', arguments: ['r:1'] },
      contextValue: 'call',
    });
    const { approvalId: _approvalId, ...reading } = call;
    const read = { ...reading, tool: 'read_file', outcome: 'ok', resources: [{ path: 'src/cart.ts' }] };
    expect(callItem(read).description).toMatch(/^Codex · .* · 12 s$/);
    expect(callItem({ ...reading, outcome: undefined })).toMatchObject({ iconPath: { id: 'loading~spin' } });
  });

  test.each<[string, Partial<CallSummary>, FakeRequest?]>([
    ['Edit a.ts and b.ts: waiting for you', { outcome: undefined }],
    ['Edit a.ts and b.ts: declined after 10 s', { outcome: 'declined', waitedMilliseconds: 10_000 }],
    ['Edited a.ts and b.ts: approved', { decision: asked }],
    ['Edited a.ts and b.ts: applied', {}],
    ['Edited a.ts and b.ts: undone', { outcome: 'undone', decision: asked }],
    ['Edit a.ts and b.ts: half done', { outcome: 'partly_applied', decision: asked }],
    ['Edited a.ts and b.ts: approved in part', { outcome: 'partially_applied', decision: asked }],
    ['Edited a.ts and b.ts: allowed by the mode', { decision: { effect: 'allow', reason: 'default' } }],
    ['Edited a.ts and b.ts: allowed by a rule', { decision: { effect: 'allow', reason: 'r', ruleId: 'r-1' } }],
    ['Edit a.ts and b.ts: the file had changed', { outcome: 'stale_version' }],
    ['Edit a.ts and b.ts: too many pending', { outcome: 'too_many_pending' }],
    [
      'Created new.ts: approved',
      { resources: [{ path: 'new.ts' }], decision: asked },
      { files: [{ path: 'new.ts', change: 'create', result: '' }] },
    ],
    [
      'Searched for “formatMoney”: 91 matches',
      { tool: 'search_code', outcome: 'ok', arguments: { query: 'formatMoney' }, counts: { totalCount: 91 } },
    ],
    ['Searched for something', { tool: 'search_code', outcome: 'ok' }],
    [
      'Searched for “const a long text …”: 1 match',
      {
        tool: 'search_code',
        outcome: 'ok',
        arguments: { query: { len: 99, head: 'const a long text ' } },
        counts: { totalCount: 1 },
      },
    ],
    [
      'Read cart.ts 1-20',
      {
        tool: 'read_file',
        outcome: 'ok',
        resources: [{ path: 'src/cart.ts' }],
        counts: { firstLine: 1, lastLine: 20, totalLines: 90 },
      },
    ],
    [
      'Read cart.ts: all 20 lines',
      {
        tool: 'read_file',
        outcome: 'ok',
        resources: [{ path: 'cart.ts' }],
        counts: { firstLine: 1, lastLine: 20, totalLines: 20 },
      },
    ],
    [
      'Read cart.ts: you allowed it',
      { tool: 'read_file', outcome: 'ok', resources: [{ path: 'cart.ts' }], decision: asked },
    ],
    [
      'Read cart.ts: you did not allow it',
      { tool: 'read_file', outcome: 'denied', resources: [{ path: 'cart.ts' }], decision: asked },
    ],
    ['Read cart.ts: not found', { tool: 'read_file', outcome: 'not_found', resources: [{ path: 'cart.ts' }] }],
    [
      'Refused: .env is a secret file',
      { tool: 'read_file', outcome: 'denied', resources: [{ path: 'conf/.env', secret: true }] },
    ],
    [
      'Refused: passwd is outside the workspace',
      { tool: 'read_file', outcome: 'outside_workspace', resources: [{ outside: 'ab12 passwd' }] },
    ],
    [
      'Refused by a rule: Edit a.ts and b.ts',
      { outcome: 'denied', decision: { effect: 'deny', reason: 'r', step: 'deny_rule' } },
    ],
    [
      'Refused in Read-only mode: Edit a.ts and b.ts',
      { outcome: 'denied', decision: { effect: 'deny', reason: 'r', step: 'mode' } },
    ],
    [
      'Asked for problems of the workspace: 2 errors, 1 warning',
      {
        tool: 'get_diagnostics',
        outcome: 'ok',
        resources: [{ path: '.' }, { path: 'a.ts' }],
        counts: { errorCount: 2, warningCount: 1 },
      },
    ],
    [
      'Asked for problems of a.ts: no errors or warnings',
      {
        tool: 'get_diagnostics',
        outcome: 'ok',
        resources: [{ path: 'a.ts' }],
        counts: { errorCount: 0, warningCount: 0 },
      },
    ],
    [
      'Renamed “a” to “b”: 91 places in 1 file, approved',
      { tool: 'rename_symbol', decision: asked },
      {
        purpose: { kind: 'rename_symbol', from: 'a', to: 'b', places: 91 },
        files: [{ path: 'a.ts', base: 'a', result: 'b' }],
      },
    ],
    [
      'Asked you “Which port?”: answered',
      { tool: 'ask_user', outcome: 'answered', arguments: { question: 'Which port?' } },
    ],
    [
      'Looked for implementations of “Cart”: 2 places',
      {
        tool: 'find_references',
        outcome: 'ok',
        arguments: { symbol: 'Cart', relation: 'implementations' },
        counts: { totalCount: 2 },
      },
    ],
    [
      'Ran the command editor.foldAll: approved',
      { tool: 'run_command', resources: [], definition: 'editor.foldAll', decision: asked },
    ],
    [
      'Edit cart.ts and shop.ts: waiting for you',
      {
        outcome: undefined,
        resources: [],
        arguments: { edits: [{ path: 'src/cart.ts' }, { path: 'shop.ts' }] },
      },
    ],
    [
      'Ask for problems of the workspace: waiting for you',
      { tool: 'get_diagnostics', outcome: undefined, resources: [], arguments: { paths: ['.'] } },
    ],
    [
      'Read a.ts: 1 could not be read',
      { tool: 'read_files', outcome: 'ok', resources: [{ path: 'a.ts' }], counts: { files: 1, failed: 1 } },
    ],
    ['Used the tool weather report: done', { tool: 'relay_weather_report', resources: [], definition: 'weather 0123' }],
    [
      'Asked for the tool no such, which does not exist: unknown tool',
      { tool: 'no_such', outcome: 'unknown_tool', resources: [] },
    ],
    [
      'Read a.ts and 2 other files',
      {
        tool: 'read_files',
        outcome: 'ok',
        resources: [{ path: 'a.ts' }, { path: 'b.ts' }, { path: 'b.ts' }, { path: 'c.ts' }],
      },
    ],
    ['Moved a.ts to src/b.ts: applied', { tool: 'move_file', resources: [{ path: 'a.ts' }, { path: 'src/b.ts' }] }],
  ])('says "%s"', (label, facts, approval) => {
    expect(labelOf(facts, approval)).toBe(label);
  });

  const named = [
    ...withKinds([...judgedTools, nativeUnseenEdit]).map(({ name }) => name),
    'get_prompt',
    'read_resource',
    'watch_resource',
  ];
  test('has a sentence of its own for every tool, with words and no names of tools', () => {
    const labels = named.map((tool) => labelOf({ tool, outcome: 'ok', resources: [{ path: 'cart.ts' }] }));
    expect(labels.filter((label) => typeof label !== 'string' || /_|^Used the tool /.test(label))).toEqual([]);
    // Reading one file and reading several files is said in the same words.
    const others = labels.filter((_label, index) => named[index] !== 'read_files');
    expect(others.filter((label, index) => others.indexOf(label) !== index)).toEqual([]);
    const begun = named.map((tool) => labelOf({ tool, outcome: 'timeout', resources: [{ path: 'cart.ts' }] }));
    for (const label of begun) expect(label).toMatch(/: took too long$/);
  });

  test('A5: shows hidden characters of what a client sent', () => {
    const item = callItem({ ...call, client: 'co\u202Edex\n', tool: 'x\u001B[8m', resources: [{ path: 'a\u200Bb' }] });
    expect(item.label).toBe('Used the tool x<U+001B>[8m: applied');
    expect(item.description).toContain('co<U+202E>dex  ·');
    expect(item.tooltip).toContain('a<U+200B>b');
    const query = { query: 'a\u202Eb' };
    expect(labelOf({ tool: 'search_code', outcome: 'ok', arguments: query })).toBe('Searched for “a<U+202E>b”');
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
