import { beforeEach, describe, expect, test, vi } from 'vitest';
import type * as vscode from 'vscode';
import { ActivityView, uriOf } from '../../src/vscode/activityView.ts';
import { callItem } from '../../src/vscode/callItem.ts';
import { LateTree } from '../../src/vscode/lateTree.ts';
import { RecentCalls, type CallSummary } from '../../src/vscode/record/recentCalls.ts';
import { FakeApprovals } from '../fakes/approvals.ts';
import { FakeClock } from '../fakes/clock.ts';
import { commands, window } from '../fakes/vscode.ts';
import { folderAt } from '../fakes/workspace.ts';

vi.mock('vscode', () => import('../fakes/vscode.ts'));

beforeEach(() => {
  commands.executed.length = 0;
  window.messages.length = 0;
});

const base = { v: 1, ts: '2026-11-21T14:02:11.000Z', mono: 0, windowId: 'w', instanceId: 'r' } as const;

function scene() {
  const clock = new FakeClock();
  const recentCalls = new RecentCalls();
  const approvals = new FakeApprovals();
  const tree = new LateTree();
  const treeView = {
    badge: undefined as vscode.ViewBadge | undefined,
    reveal: vi.fn<vscode.TreeView<vscode.TreeItem>['reveal']>(async () => undefined),
  };
  const asked = { reviews: [] as string[], diffs: [] as string[] };
  const view = new ActivityView({
    treeView,
    tree,
    recentCalls,
    approvals,
    clock,
    folders: () => [folderAt('/work/shop')],
    review: (id) => asked.reviews.push(id),
    openDiff: async (id) => void asked.diffs.push(id),
  });
  const call = (seq: number, path?: string, approvalId?: string): string => {
    recentCalls.take({
      ...base,
      seq,
      event: 'call.received',
      tool: 'read_file',
      client: { name: 'codex', version: '1', claimed: true },
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
      resources: path === undefined ? [] : [{ path }],
      ...(approvalId !== undefined && { approvalId }),
      outcome: 'ok',
      durationMs: 3.2,
      bytesOut: 1,
    });
    return `r:${seq}`;
  };
  const open = (id: string): unknown => commands.registered.get('drawbridge.openActivity')?.(id);
  return { clock, recentCalls, approvals, tree, treeView, asked, view, call, open };
}

describe('the tree', () => {
  test('is empty until somebody attaches, and again afterwards', () => {
    const { tree, view, call } = scene();
    expect(new LateTree().getChildren()).toEqual([]);
    call(1, 'a.ts');
    call(3, 'b.ts');
    expect(tree.getChildren().map(({ label }) => label)).toEqual(['read_file b.ts', 'read_file a.ts']);
    expect(tree.getChildren(tree.getChildren()[0])).toEqual([]);
    view.dispose();
    expect(tree.getChildren()).toEqual([]);
  });

  test('is drawn at most once in 300 ms, however many calls come', () => {
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

test('the badge counts what waits', () => {
  const { view, treeView } = scene();
  view.showWaiting(1);
  expect(treeView.badge).toEqual({ value: 1, tooltip: '1 approval waits' });
  view.showWaiting(3);
  expect(treeView.badge).toEqual({ value: 3, tooltip: '3 approvals wait' });
  view.showWaiting(0);
  expect(treeView.badge).toBeUndefined();
});

test('the view is revealed without the keyboard', async () => {
  const { view, treeView, call } = scene();
  await view.revealWithoutFocus();
  expect(treeView.reveal).not.toHaveBeenCalled();
  const id = call(1);
  await view.revealWithoutFocus();
  expect(treeView.reveal).toHaveBeenCalledWith(expect.objectContaining({ id }), { focus: false, select: false });
});

describe('a click', () => {
  test('shows the card of an approval, or its change when the card has left the view', async () => {
    const { approvals, asked, call, open } = scene();
    approvals.add({ id: 'a-1', files: [] });
    approvals.get = (id) => (id === 'a-1' || id === 'a-2' ? approvals.all[0] : undefined);
    await open(call(1, 'a.ts', 'a-1'));
    await open(call(3, 'a.ts', 'a-2'));
    expect(asked).toEqual({ reviews: ['a-1'], diffs: ['a-2'] });
    expect(commands.executed).toEqual([]);
  });

  test('opens the file of a call, or shows its folder', async () => {
    const { call, open } = scene();
    await open(call(1, 'src/a.ts', 'a-gone'));
    await open(call(3, 'src'));
    expect(commands.executed).toMatchObject([
      ['vscode.open', { scheme: 'file', path: '/work/shop/src/a.ts' }, { preview: true }],
      ['revealInExplorer', { path: '/work/shop/src' }],
    ]);
  });

  test('says so when there is nothing to open', async () => {
    const { call, open } = scene();
    await open(call(1));
    await open('r:99');
    expect(window.messages).toEqual(['This call has no file that can be opened.']);
  });
});

test('a path is found in the folder whose name it begins with, where there are several', () => {
  const folders = [folderAt('/work/shop'), folderAt('/work/api')];
  expect(uriOf('api/src/a b.ts', folders)?.path).toBe('/work/api/src/a b.ts');
  expect(uriOf('src/a.ts', folders)).toBeUndefined();
  expect(uriOf('src/a.ts', folders.slice(0, 1))?.path).toBe('/work/shop/src/a.ts');
  expect(uriOf('src/a.ts', [])).toBeUndefined();
});

describe('a row', () => {
  const call: CallSummary = {
    id: 'r:1',
    time: Date.parse('2026-11-21T14:02:11Z'),
    tool: 'apply_edit',
    client: 'codex',
    resources: [{ path: 'src/a.ts' }, { path: 'src/b.ts' }],
    outcome: 'applied',
    approvalId: 'a-1',
    durationMilliseconds: 12_345,
  };

  test('tells tool, target, client, outcome and time', () => {
    expect(callItem(call)).toMatchObject({
      id: 'r:1',
      label: 'apply_edit src/a.ts (+1)',
      description: 'codex · applied · 12 s',
      iconPath: { id: 'pass-filled' },
      accessibilityInformation: { label: 'apply_edit, src/a.ts (+1), codex, applied, 12 s' },
      command: { command: 'drawbridge.openActivity', arguments: ['r:1'] },
      contextValue: 'approval',
    });
    expect(callItem({ ...call, outcome: undefined }).description).toContain('waiting for you');
    const { approvalId: _approvalId, ...reading } = call;
    expect(callItem({ ...reading, outcome: undefined })).toMatchObject({ iconPath: { id: 'loading~spin' } });
    expect(callItem({ ...call, outcome: 'stale_version' })).toMatchObject({
      description: 'codex · stale version · 12 s',
    });
  });

  test('A5 shows hidden characters of what a client said', () => {
    const item = callItem({ ...call, client: 'co\u202Edex\n', tool: 'x\u001B[8m', resources: [{ path: 'a\u200Bb' }] });
    expect(item.label).toBe('x<U+001B>[8m a<U+200B>b');
    expect(item.description).toContain('co<U+202E>dex  ·');
    expect(item.tooltip).toContain('a<U+200B>b');
  });
});
