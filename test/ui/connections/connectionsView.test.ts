import { describe, expect, test } from 'vitest';
import type { TreeItem } from 'vscode';
import { Emitter } from '#base/event.ts';
import type { SetUpAssistant } from '#connect/seenAssistants.ts';
import type { AccessToken } from '#home/editor/accessTokens.ts';
import { ConnectionsView, type ServerFacts } from '#ui/connections/connectionsView.ts';
import type { OtherWindow } from '#ui/connections/otherWindowItem.ts';
import { setUpIdOf } from '#ui/connections/setUpItem.ts';
import { LateTree } from '#ui/lateTree.ts';
import { relativeTime } from '#ui/relativeTime.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { claude, codex, fakeAssistant, zed } from '../../connect/editor/dialogs/fakeConfigurations.ts';
import { connected } from './connected.ts';

const minute = 60_000;

function scene({ isVisible = true } = {}) {
  const clock = new FakeClock();
  const tree = new LateTree();
  const [serverChanged, workChanged, tokensChanged, windowsChanged, setUpChanged] = [
    new Emitter<void>(),
    new Emitter<void>(),
    new Emitter<void>(),
    new Emitter<void>(),
    new Emitter<void>(),
  ];
  const visibilityChanged = new Emitter<{ visible: boolean }>();
  const server: { -readonly [Key in keyof ServerFacts]: ServerFacts[Key] } = {
    state: 'stopped',
    endpoint: undefined,
    http: { kind: 'closed' },
    mode: 'manual',
    assistants: [],
  };
  const tokens = {
    all: [] as readonly AccessToken[],
    problem: undefined as string | undefined,
    path: '/home/me/.drawbridge/tokens.json',
    onDidChange: tokensChanged.event,
  };
  const looks: string[] = [];
  const otherWindows = {
    all: [] as readonly OtherWindow[],
    watch: () => void looks.push('watch'),
    unwatch: () => void looks.push('unwatch'),
    onDidChange: windowsChanged.event,
  };
  const setUp = {
    all: [] as readonly SetUpAssistant[],
    watch: () => void looks.push('watch set up'),
    unwatch: () => void looks.push('unwatch set up'),
    refresh: () => void looks.push('refresh set up'),
    onDidChange: setUpChanged.event,
  };
  const treeView = { visible: isVisible, onDidChangeVisibility: visibilityChanged.event };
  const view = new ConnectionsView({
    view: { tree, view: treeView },
    server: () => server,
    onDidChangeServer: serverChanged.event,
    onDidChangeWork: workChanged.event,
    tokens,
    otherWindows,
    setUp,
    clock,
  });
  let draws = 0;
  tree.onDidChangeTreeData(() => (draws += 1));
  const rows = (parent?: TreeItem): string[] =>
    tree
      .getChildren(parent)
      .flatMap((item) => [
        `${typeof item.label === 'string' ? item.label : ''} | ${String(item.description)}`.replace(/ \| $/, ''),
        ...rows(item).map((row) => `  ${row}`),
      ]);
  const all = (parent?: TreeItem): TreeItem[] => tree.getChildren(parent).flatMap((item) => [item, ...all(item)]);
  const show = (visible: boolean): void => {
    treeView.visible = visible;
    visibilityChanged.fire({ visible });
  };
  const events = { serverChanged, workChanged, tokensChanged, windowsChanged, setUpChanged };
  return { clock, view, server, tokens, otherWindows, setUp, looks, events, show, rows, all, draws: () => draws };
}

describe('the Connections view', () => {
  test('is empty while the server is stopped, so that the welcome text shows what can be done', () => {
    const { server, tokens, otherWindows, clock, rows } = scene();
    otherWindows.all = [
      { id: 'w', name: 'other', folders: [], editor: { name: 'Code', version: '1' }, waiting: 0, answers: true },
    ];
    expect(rows()).toEqual([]);
    tokens.all = [{ name: 'codex', created: clock.now(), lastUsed: undefined }];
    expect(rows()).toEqual([
      'This Window | stopped',
      '  Mode | Manual',
      'Access Tokens | 1',
      '  codex | never used',
      'Other Windows | 1',
      '  other | running · Code',
    ]);
    [tokens.all, otherWindows.all] = [[], []];
    server.state = 'failed';
    expect(rows()).toEqual(['This Window | could not start', '  Mode | Manual']);
  });

  test('offers to connect an assistant while none is connected or set up, by Enter or a click', () => {
    const { server, rows, all } = scene();
    Object.assign(server, { state: 'running', endpoint: 'http://127.0.0.1:40001/mcp' });
    expect(rows()).toEqual([
      'This Window | running · 127.0.0.1:40001',
      '  Mode | Manual',
      'Assistants | none connected',
      '  Connect an Assistant...',
    ]);
    expect(all().find(({ id }) => id === 'connect')?.command?.command).toBe('drawbridge.connectAssistant');
  });

  test('shows the window with its state, endpoint and mode, which can be set there', () => {
    const { server, rows, all } = scene();
    Object.assign(server, { state: 'running', endpoint: 'http://127.0.0.1:40001/mcp', mode: 'readOnly' });
    expect(rows().slice(0, 2)).toEqual(['This Window | running · 127.0.0.1:40001', '  Mode | Read-only']);
    const [window, mode] = all();
    expect(window).toMatchObject({ contextValue: 'window running' });
    expect(window?.tooltip).toContain('http://127.0.0.1:40001/mcp');
    expect(mode?.command?.command).toBe('drawbridge.setMode');
    server.state = 'failed';
    expect(all()[0]).toMatchObject({ contextValue: 'window failed', iconPath: { id: 'error' } });
  });

  test('H14: shows where programs with a token connect, and which program holds the port', () => {
    const { server, rows, all } = scene();
    server.state = 'running';
    const http = (): TreeItem | undefined => all().find(({ id }) => id === 'http');
    expect(http()).toBeUndefined();
    server.http = { kind: 'open', endpoint: 'http://127.0.0.1:50123/mcp' };
    expect(rows()).toContain('  HTTP Clients | 127.0.0.1:50123');
    expect(http()).toMatchObject({ contextValue: 'httpClients open' });
    expect(http()?.command).toBeUndefined();
    server.http = { kind: 'busy', port: 50123, holder: { kind: 'program', name: 'ng serve', pid: 77 } };
    expect(rows()).toContain('  HTTP Clients | port 50123 is in use');
    expect(http()?.accessibilityInformation?.label).toContain(
      'The port is used by the program "ng serve" (process 77).',
    );
    expect(http()?.command?.command).toBe('drawbridge.retryHttpListener');
    server.http = { kind: 'busy', port: 50123, holder: { kind: 'window', name: 'shop' } };
    expect(http()?.tooltip).toContain('The port is used by the window "shop".');
    server.http = { kind: 'busy', port: 50123, holder: { kind: 'unknown' } };
    expect(http()?.tooltip).toContain('The port is used by another program.');
    server.http = { kind: 'failed', message: 'listen EACCES' };
    expect(http()?.tooltip).toContain('listen EACCES');
    server.http = { kind: 'noFolder' };
    expect(rows()).toContain('  HTTP Clients | no folder is open');
  });

  test('shows the connected assistants', () => {
    const { server, clock, rows, all } = scene();
    server.state = 'running';
    server.assistants = [
      connected(clock, { openStreams: 1, calls: 1 }),
      connected(clock, { principal: { credential: 'laptop' }, way: 'token', calls: 12, waiting: 2, isPaused: true }),
    ];
    expect(rows().slice(2)).toEqual([
      'Assistants | 2 connected',
      '  Codex | 1 call · connected',
      '  Codex | paused · 2 waiting · 12 calls · last seen 2 minutes ago · token laptop',
    ]);
    expect(new Set(all().map(({ id }) => id)).size).toBe(all().length);
  });

  test('lists the assistants that are set up, below the connected ones, with what to do and Disconnect', () => {
    const { server, setUp, clock, rows, all } = scene();
    server.state = 'running';
    server.assistants = [connected(clock, { openStreams: 1, client: { name: 'zed', version: '1' } })];
    setUp.all = [
      { assistant: zed, lastSeen: clock.now() },
      { assistant: codex, lastSeen: undefined },
      { assistant: { ...claude, kind: 'app' }, lastSeen: undefined },
      { assistant: fakeAssistant('goose', 'Goose'), lastSeen: clock.now() - 120 * minute },
    ];
    expect(rows().slice(2)).toEqual([
      'Assistants | 1 connected',
      '  zed | no calls · connected',
      '  Codex CLI | set up, never called: start Codex CLI in this folder',
      '  Claude Code | set up, never called: start Claude Code',
      '  Goose | set up, last seen 2 hours ago',
    ]);
    const idle = all().filter(({ contextValue }) => contextValue === 'setUp');
    expect(idle.map(setUpIdOf)).toEqual(['codex', 'claude', 'goose']);
    expect(idle.map(({ accessibilityInformation }) => accessibilityInformation?.label)).toEqual([
      'Codex CLI, set up, never called: start Codex CLI in this folder',
      'Claude Code, set up, never called: start Claude Code',
      'Goose, set up, last seen 2 hours ago',
    ]);
    expect([setUpIdOf('claude'), setUpIdOf(undefined)]).toEqual([undefined, undefined]);
  });

  test('shows tokens with the time of their last use, and offers Revoke for them alone', () => {
    const { server, tokens, clock, all } = scene();
    server.state = 'running';
    server.assistants = [connected(clock)];
    tokens.all = [{ name: 'codex', created: clock.now() - 3 * 24 * 60 * minute, lastUsed: clock.now() - 60 * minute }];
    const revocable = all().filter(({ contextValue }) => contextValue === 'token');
    expect(revocable.map(({ label, description }) => [label, description])).toEqual([['codex', 'used 1 hour ago']]);
    expect(revocable[0]?.tooltip).toMatch(/You created it at .*\nIt was last used at /);
    expect(revocable[0]?.accessibilityInformation?.label).toMatch(/^codex, used 1 hour ago$/);
    for (const item of all()) expect(item.id).toEqual(expect.any(String));
  });

  test('explains why no token is accepted, and opens the file', () => {
    const { tokens, all } = scene();
    tokens.problem = 'tokens.json cannot be used: it is a link.';
    expect(all().find(({ id }) => id === 'problem')).toMatchObject({
      label: 'Access tokens cannot be read',
      description: 'no token is accepted',
      tooltip: expect.stringContaining('it is a link.'),
      command: { command: 'vscode.open', arguments: [{ scheme: 'file', path: tokens.path }] },
    });
  });

  test('is redrawn when something changes, and each minute while it is visible', () => {
    const { clock, view, events, looks, show, draws } = scene();
    const { serverChanged, tokensChanged, windowsChanged, setUpChanged } = events;
    for (const event of [serverChanged, tokensChanged, windowsChanged, setUpChanged]) event.fire();
    expect(draws()).toBe(4);
    expect(looks.filter((look) => look === 'refresh set up')).toHaveLength(1);
    clock.advance(2 * minute);
    expect(draws()).toBe(6);
    show(false);
    clock.advance(10 * minute);
    expect(draws()).toBe(6);
    show(true);
    expect(draws()).toBe(7);
    view.dispose();
    expect(clock.pendingTimers).toBe(0);
  });

  test('is drawn once for many calls, and not while it is hidden', () => {
    const { clock, view, events, show, draws } = scene();
    for (let call = 0; call < 100; call += 1) events.workChanged.fire();
    expect(draws()).toBe(0);
    clock.advance(1000);
    expect(draws()).toBe(1);
    show(false);
    events.workChanged.fire();
    clock.advance(1000);
    expect(draws()).toBe(1);
    show(true);
    events.workChanged.fire();
    view.dispose();
    expect(clock.pendingTimers).toBe(0);
  });

  test('looks for other windows and for assistants that are set up only while it is visible', () => {
    const { clock, looks, show, view } = scene({ isVisible: false });
    clock.advance(10 * minute);
    expect(looks).not.toContain('watch');
    looks.length = 0;
    show(true);
    clock.advance(minute);
    show(false);
    clock.advance(10 * minute);
    const both = (act: string): string[] => [act, `${act} set up`];
    expect(looks).toEqual([...both('watch'), ...both('watch'), ...both('unwatch')]);
    show(true);
    view.dispose();
    expect(looks.slice(-2)).toEqual(both('unwatch'));
  });
});

test('uses the relative times of the editor', () => {
  const now = Date.UTC(2026, 10, 21);
  const said = [0, 59_000, minute, 119 * minute, 25 * 60 * minute, -minute].map((past) =>
    relativeTime(now - past, now),
  );
  expect(said).toEqual(['now', 'now', '1 minute ago', '1 hour ago', 'yesterday', 'now']);
});
