import type { DoctorFacts } from '#connect/doctor/facts.ts';
import type { WindowHealth } from '#home/windowHealth.ts';
import type { WindowRecord } from '#home/windowFiles.ts';
import { claude, codex } from '../dialogs/fakeConfigurations.ts';

/** A window in which everything is as it should be, and one assistant is set up. */
export const healthy: DoctorFacts = {
  windowId: 'mine',
  version: '1.2.0',
  server: 'running',
  endpoint: 'http://127.0.0.1:4711/mcp',
  start: 'whenConnected',
  hasFolder: true,
  isTrusted: true,
  isHeld: false,
  wrongTokens: 0,
  forwarded: 0,
  remoteMachine: undefined,
  windows: [],
  launcherPath: '/home/ada/.drawbridge/bin/drawbridge',
  hook: { kind: 'works' },
  guardsOffUntil: undefined,
  namesakes: [],
  hooksDisabledBy: new Map(),
  hookTrust: new Map(),
  nativeEdits: new Map(),
  programChanges: new Map(),
  launcher: { kind: 'works', version: '1.2.0' },
  editorHasAgent: true,
  assistants: [
    { assistant: codex, file: '/home/ada/.codex/config.toml', isFound: true, hasProgram: true, state: 'current' },
  ],
  lastSeen: new Map([
    [codex.id, Date.UTC(2026, 10, 21)],
    [claude.id, Date.UTC(2026, 10, 21)],
  ]),
  hasSomethingElse: false,
  tokens: { count: 0, path: '/home/ada/.drawbridge/tokens.json', problem: undefined },
  httpListener: { kind: 'closed' },
  proxyVariables: [],
  state: { path: '/home/ada/.drawbridge', problem: undefined },
  recordProblem: undefined,
  home: '/home/ada',
};

/** Another window's file. */
export function otherWindow(state: WindowHealth['state'], change: Partial<WindowRecord> = {}): WindowHealth {
  const record: WindowRecord = {
    version: 1,
    windowId: `other-${state}`,
    endpoint: 'http://127.0.0.1:4712/mcp',
    token: 't'.repeat(43),
    folders: [],
    trusted: true,
    extensionVersion: '1.2.0',
    editor: { name: 'Code', version: '1.139.0' },
    hostName: 'here',
    bootId: 'boot',
    pidNamespace: 'pids',
    pid: 2,
    startedAt: 0,
    focusedAt: 0,
    ...change,
  };
  const file = `/home/ada/.drawbridge/windows/${record.windowId}.json`;
  return state === 'malformed' ? { file, state } : { file, state, record };
}
