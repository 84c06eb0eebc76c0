import { describe, expect, test, vi } from 'vitest';
import type { TreeItem } from 'vscode';
import { Emitter } from '../../src/ports/event.ts';
import type { ConnectedAssistant } from '../../src/vscode/connectionItems.ts';
import { ConnectionsView, type ServerFacts } from '../../src/vscode/connectionsView.ts';
import { LateTree } from '../../src/vscode/lateTree.ts';
import { relativeTime } from '../../src/vscode/relativeTime.ts';
import type { AccessToken } from '../../src/vscode/tokens.ts';
import { FakeClock } from '../fakes/clock.ts';

vi.mock('vscode', () => import('../fakes/vscode.ts'));

const minute = 60_000;

function scene() {
  const clock = new FakeClock();
  const tree = new LateTree();
  const [serverChanged, tokensChanged, visibilityChanged] = [
    new Emitter<void>(),
    new Emitter<void>(),
    new Emitter<{ visible: boolean }>(),
  ];
  const server: { -readonly [Key in keyof ServerFacts]: ServerFacts[Key] } = {
    state: 'stopped',
    endpoint: undefined,
    assistants: [],
  };
  const tokens = {
    all: [] as readonly AccessToken[],
    problem: undefined as string | undefined,
    path: '/home/me/.drawbridge/tokens.json',
    onDidChange: tokensChanged.event,
  };
  const treeView = { visible: true, onDidChangeVisibility: visibilityChanged.event };
  const view = new ConnectionsView({
    treeView,
    tree,
    server: () => server,
    onDidChangeServer: serverChanged.event,
    tokens,
    clock,
  });
  let draws = 0;
  tree.onDidChangeTreeData(() => (draws += 1));
  const rows = (parent?: TreeItem): string[] =>
    tree
      .getChildren(parent)
      .flatMap((item) => [
        `${typeof item.label === 'string' ? item.label : ''} | ${String(item.description)}`,
        ...rows(item).map((row) => `  ${row}`),
      ]);
  const show = (visible: boolean): void => {
    treeView.visible = visible;
    visibilityChanged.fire({ visible });
  };
  return { clock, tree, view, server, tokens, serverChanged, tokensChanged, show, rows, draws: () => draws };
}

const assistant = (clock: FakeClock, more: Partial<ConnectedAssistant> = {}): ConnectedAssistant => ({
  principal: { credential: 'window', connectionId: 'c' },
  client: { name: 'codex', version: '1.0' },
  era: '2025',
  lastSeen: clock.now() - 2 * minute,
  openStreams: 0,
  ...more,
});

describe('the Connections view', () => {
  test('is empty, so that it says what can be done, until there is something', () => {
    const { server, tokens, clock, rows } = scene();
    expect(rows()).toEqual([]);
    tokens.all = [{ name: 'codex', created: clock.now(), lastUsed: undefined }];
    expect(rows()).toEqual(['This window | stopped', 'Access Tokens | 1', '  codex | never used']);
    tokens.all = [];
    Object.assign(server, { state: 'running', endpoint: 'http://127.0.0.1:40001/mcp' });
    expect(rows()).toEqual(['This window | running · 127.0.0.1:40001']);
  });

  test('shows who is there, by what name, and let in by which token', () => {
    const { server, clock, tree, rows } = scene();
    server.state = 'running';
    server.assistants = [
      assistant(clock, { openStreams: 1 }),
      assistant(clock, { principal: { credential: 'laptop' }, client: undefined, era: '2026' }),
      assistant(clock, { principal: { credential: 'window' }, client: { name: 'a\u202eb\nc', version: '\u200b' } }),
    ];
    expect(rows()).toEqual([
      'This window | running',
      'Assistants | 3',
      '  codex | connected',
      '  Unknown client | 2 minutes ago · token laptop',
      expect.stringMatching(/^ {2}a<U\+202E>b.*c \| 2 minutes ago$/),
    ]);
    const [, heading] = tree.getChildren();
    const items = tree.getChildren(heading);
    expect(new Set(items.map(({ id }) => id)).size).toBe(3);
    expect(items[0]?.accessibilityInformation).toEqual({ label: 'codex, connected' });
    expect(items[0]?.tooltip).toContain('Let in by the secret of this window');
    expect(items[1]?.tooltip).toContain('Let in by the access token "laptop"');
    expect(items[2]?.tooltip).toContain('<U+200B>');
  });

  test('shows tokens with when they were used; only they can be revoked', () => {
    const { server, tokens, clock, tree } = scene();
    server.state = 'running';
    server.assistants = [assistant(clock)];
    tokens.all = [{ name: 'codex', created: clock.now() - 3 * 24 * 60 * minute, lastUsed: clock.now() - 60 * minute }];
    const all = tree.getChildren().flatMap((item) => [item, ...tree.getChildren(item)]);
    const revocable = all.filter(({ contextValue }) => contextValue === 'token');
    expect(revocable.map(({ label, description }) => [label, description])).toEqual([['codex', 'used 1 hour ago']]);
    expect(revocable[0]?.tooltip).toMatch(/Created: .*\nLast used: /);
    expect(revocable[0]?.accessibilityInformation?.label).toBe('codex, used 1 hour ago');
    for (const item of all) expect(item.id).toEqual(expect.any(String));
  });

  test('says why no token is accepted, and opens the file', () => {
    const { tokens, tree } = scene();
    tokens.problem = 'tokens.json cannot be used: it is a link.';
    const [, problem] = tree.getChildren();
    expect(problem).toMatchObject({
      label: 'Access tokens cannot be read',
      description: 'none is accepted',
      tooltip: expect.stringContaining('it is a link.'),
      command: { command: 'vscode.open', arguments: [{ scheme: 'file', path: tokens.path }] },
    });
  });

  test('is drawn anew when something changes, and each minute while somebody sees it', () => {
    const { clock, view, serverChanged, tokensChanged, show, draws } = scene();
    serverChanged.fire();
    tokensChanged.fire();
    expect(draws()).toBe(2);
    clock.advance(2 * minute);
    expect(draws()).toBe(4);
    show(false);
    clock.advance(10 * minute);
    expect(draws()).toBe(4);
    show(true);
    expect(draws()).toBe(5);
    view.dispose();
    expect(clock.pendingTimers).toBe(0);
  });
});

test('relative times are those of the editor', () => {
  const now = Date.UTC(2026, 10, 21);
  const said = [0, 59_000, minute, 119 * minute, 25 * 60 * minute, -minute].map((past) =>
    relativeTime(now - past, now),
  );
  expect(said).toEqual(['now', 'now', '1 minute ago', '1 hour ago', 'yesterday', 'now']);
});
