import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DoctorFacts } from '#connect/doctor/facts.ts';
import type { Finding } from '#connect/doctor/finding.ts';
import { diagnose, verdict } from '#connect/editor/doctor/diagnose.ts';
import { claude, codex, fakeAssistant, zed } from '../dialogs/fakeConfigurations.ts';
import { healthy, otherWindow } from './facts.ts';

const file = '/home/ada/.zed/config.toml';
const token = { count: 1, path: '/home/ada/.drawbridge/tokens.json', problem: undefined };

/** Codex, set up, as far as its configuration says. */
const setUp = {
  assistant: codex,
  file,
  isFound: true,
  hasProgram: true,
  state: 'current',
} as const;

/** Claude Code, set up, with this state of its guard. */
function guarded(guard: 'absent' | 'current' | 'outdated'): DoctorFacts['assistants'][number] {
  return {
    assistant: claude,
    file,
    isFound: true,
    hasProgram: true,
    state: 'current',
    parts: { guard, permission: 'current', only: 'absent' },
  };
}

test('says that an assistant is guarded once an edit of its own has come', () => {
  const facts = { ...healthy, assistants: [guarded('current')], nativeEdits: new Map([['Claude Code', 0]]) };
  expect(found(facts)).toEqual([]);
  expect(diagnose(facts).map(({ text }) => text)).toContainEqual(expect.stringContaining('Claude Code is guarded'));
});

test('says that no edit of an assistant has come since its update', () => {
  const facts = { ...healthy, assistants: [guarded('current')], nativeEdits: new Map([['Claude Code', 1000]]) };
  const updated = (time: number) => diagnose({ ...facts, programChanges: new Map([[claude.id, time]]) });
  expect(updated(2000).map(({ text }) => text)).toContainEqual(
    expect.stringMatching(/^Claude Code was updated at .*, and no edit of it has come to this window since then\.$/),
  );
  expect(updated(500).map(({ text }) => text)).toContainEqual(expect.stringContaining('Claude Code is guarded'));
});

/** What is worth saying when only this is not as it should be. */
function found(change: Partial<DoctorFacts>): readonly Finding[] {
  return diagnose({ ...healthy, ...change }).filter(({ severity }) => severity !== 'good');
}

test('finds nothing when everything is in order', () => {
  expect(found({})).toEqual([]);
  expect(diagnose(healthy).map(({ text }) => text)).toEqual([
    'Drawbridge runs in this window, at http://127.0.0.1:4711/mcp.',
    'The program that assistants start works.',
    `Set up: Codex CLI (last seen ${new Date(Date.UTC(2026, 10, 21)).toLocaleString('en')}).`,
  ]);
  expect(verdict(diagnose(healthy))).toBe('Assistants can reach this window.');
});

/** What is wrong, how grave it is, words of the finding or its advice, and the command that helps. */
const cases: readonly (readonly [
  what: string,
  change: Partial<DoctorFacts>,
  severity: Finding['severity'],
  words: string,
  command?: string,
])[] = [
  ['stopped', { server: 'stopped', endpoint: undefined }, 'error', 'Drawbridge is stopped', 'drawbridge.start'],
  ['start is manual', { server: 'stopped', start: 'manual' }, 'error', '"drawbridge.start"', 'drawbridge.start'],
  ['failed', { server: 'failed' }, 'error', 'could not start', 'drawbridge.showLog'],
  ['starting', { server: 'starting' }, 'warning', 'still starting'],
  ['no folder', { hasFolder: false }, 'error', 'No folder is open', 'vscode.openFolder'],
  ['Restricted Mode', { isTrusted: false }, 'warning', 'Restricted Mode', 'workbench.trust.manage'],
  ['held', { isHeld: true }, 'warning', 'before you trusted it', 'drawbridge.enableEdits'],
  ['a wrong token', { wrongTokens: 1 }, 'warning', '1 request without a valid token', 'drawbridge.connectAssistant'],
  ['wrong tokens', { wrongTokens: 7 }, 'warning', '7 requests without', 'drawbridge.connectAssistant'],
  ['H15 a forwarded port', { forwarded: 2 }, 'warning', 'a forwarded port or a proxy', 'workbench.action.terminal.new'],
  ['no launcher', { launcher: { kind: 'missing' } }, 'error', 'is missing: ~/.drawbridge/bin/drawbridge'],
  ['a broken launcher', { launcher: { kind: 'fails', why: 'Install Node 20.' } }, 'error', 'Install Node 20.'],
  ['a newer launcher', { launcher: { kind: 'works', version: '1.3.0' } }, 'information', 'version 1.3.0'],
  [
    'an outdated entry',
    { assistants: [{ assistant: zed, file, isFound: true, hasProgram: true, state: 'outdated' }] },
    'warning',
    'Zed has an old entry of Drawbridge in ~/.zed/config.toml.',
    'drawbridge.connectAssistant',
  ],
  [
    'a broken configuration',
    {
      assistants: [
        { assistant: zed, file, isFound: true, hasProgram: true, state: 'unreadable', problem: 'Line 3 is broken.' },
      ],
    },
    'warning',
    'Line 3 is broken.',
    'drawbridge.connectAssistant',
  ],
  [
    'the Agents window',
    {
      assistants: [
        { assistant: codex, file, isFound: true, hasProgram: true, state: 'current' },
        {
          assistant: fakeAssistant('copilot-cli', 'Copilot CLI'),
          file,
          isFound: false,
          hasProgram: true,
          state: 'absent',
        },
      ],
    },
    'information',
    'If Drawbridge is missing there, connect Copilot CLI: that window reads its configuration.',
    'drawbridge.connectAssistant',
  ],
  [
    'no guard',
    { assistants: [guarded('absent')] },
    'information',
    'Edits that Claude Code makes with its own tools are not reviewed.',
    'drawbridge.connectAssistant',
  ],
  [
    'an outdated guard',
    { assistants: [guarded('outdated')] },
    'warning',
    'Claude Code has old hooks',
    'drawbridge.connectAssistant',
  ],
  [
    'a broken hook',
    { assistants: [guarded('current')], hook: { kind: 'fails', why: 'No runtime.' } },
    'error',
    'No runtime.',
  ],
  [
    'hooks that a project switches off',
    {
      assistants: [guarded('current')],
      hooksDisabledBy: new Map([
        ['claude', { file: '/home/ada/shop/.claude/settings.json', setting: 'disableAllHooks' }],
        ['gemini', { file: '/home/ada/shop/.gemini/settings.json', setting: 'hooksConfig.enabled' }],
      ]),
    },
    'warning',
    '~/shop/.claude/settings.json switches the hooks of Claude Code off',
  ],
  [
    'a guard that the user switched off',
    { assistants: [guarded('current')], guardsOffUntil: 0 },
    'warning',
    'You switched the guard off, so edits that Claude Code makes with its own tools are not reviewed until',
    'drawbridge.guardAgain',
  ],
  [
    'a program that has our name',
    { namesakes: [{ assistant: 'Claude Code', file: '/home/ada/shop/.mcp.json', id: '1' }] },
    'warning',
    '~/shop/.mcp.json starts another program under the name "drawbridge" for Claude Code.',
  ],
  [
    'a hook that is not trusted',
    { assistants: [guarded('current')], hookTrust: new Map([['claude', 'untrusted']]) },
    'warning',
    'Claude Code does not run the hook of Drawbridge, because it does not trust it.',
    'drawbridge.connectAssistant',
  ],
  [
    'a hook whose trust is not known',
    { assistants: [guarded('current')], hookTrust: new Map([['claude', 'unknown']]) },
    'information',
    'Run /hooks in Claude Code',
  ],
  ['a guard that was not seen', { assistants: [guarded('current')] }, 'information', 'no edit of it has come'],
  ['nothing set up', { assistants: [] }, 'information', 'No assistant is set up', 'drawbridge.connectAssistant'],
  [
    'an assistant that never called',
    { lastSeen: new Map() },
    'warning',
    'Codex CLI is set up, but has never called a window. Start Codex CLI in this folder.',
    'workbench.action.terminal.new',
  ],
  [
    'an app that never called',
    { assistants: [{ ...setUp, assistant: { ...codex, kind: 'app' } }], lastSeen: new Map() },
    'warning',
    'Start Codex CLI.',
  ],
  [
    'an assistant whose program is not found',
    {
      assistants: [{ ...setUp, hasProgram: false, assistant: { ...codex, programs: ['codex'] } }],
      lastSeen: new Map(),
    },
    'warning',
    'Codex CLI is set up, but its program is not found on this machine: codex.',
  ],
  ['unreadable tokens', { tokens: { ...token, problem: 'Not JSON.' } }, 'warning', 'Not JSON.'],
  [
    'H14 a busy port',
    { tokens: token, httpListener: { kind: 'busy', port: 50_000, holder: { kind: 'window', name: 'shop' } } },
    'warning',
    'The port 50000 for programs with an access token is in use by the window "shop".',
    'drawbridge.retryHttpListener',
  ],
  [
    'no port to be had',
    { tokens: token, httpListener: { kind: 'failed', message: 'It may not.' } },
    'warning',
    'It may not.',
    'drawbridge.retryHttpListener',
  ],
  ['a proxy', { tokens: token, proxyVariables: ['HTTP_PROXY'] }, 'warning', 'HTTP_PROXY is set'],
  ['a folder that cannot be written', { state: { path: '/s', problem: 'Denied.' } }, 'error', '/s: Denied.'],
  ['no record', { recordProblem: 'Disk full.' }, 'error', 'all of them are refused: Disk full.', 'drawbridge.showLog'],
  ['a stale file', { windows: [otherWindow('notRunning')] }, 'information', 'left its file behind'],
  ['stale files', { windows: [otherWindow('refused'), otherWindow('notRunning')] }, 'information', '2 windows'],
  ['a silent window', { windows: [otherWindow('unreachable')] }, 'warning', 'does not answer'],
  ['a malformed file', { windows: [otherWindow('malformed')] }, 'warning', '~/.drawbridge/windows'],
  ['a shared home', { windows: [otherWindow('otherHost')] }, 'information', 'of another machine shares ~/.drawbridge'],
  [
    'another version',
    { windows: [otherWindow('alive', { extensionVersion: '1.1.0' })] },
    'information',
    'Another window has another version of Drawbridge: 1.1.0 (this one: 1.2.0).',
  ],
];

describe('the Doctor suggests what to do about', () => {
  const named = cases.map(([what, change, severity, words, command]) => ({ what, change, severity, words, command }));

  test.each(named)('$what', ({ change, severity, words, command }) => {
    const [finding, ...others] = found(change);
    expect(others).toEqual([]);
    expect(finding?.severity).toBe(severity);
    expect(`${finding?.text} ${finding?.advice}`).toContain(words);
    if (command !== undefined) expect(finding?.action?.command).toBe(command);
  });
});

test('reports what only matters to programs with a token only when a token exists', () => {
  const busy = { kind: 'busy', port: 50_000, holder: { kind: 'unknown' } } as const;
  expect(found({ proxyVariables: ['HTTP_PROXY'], httpListener: busy })).toEqual([]);
});

test('reports neither this window’s own file nor windows of this version', () => {
  const own = otherWindow('unreachable', { windowId: 'mine' });
  expect(found({ windows: [own, otherWindow('alive')] })).toEqual([]);
});

test('explains why an untrusted window did not start', () => {
  const advice = found({ server: 'stopped', isTrusted: false })[0]?.advice;
  expect(advice).toContain('does not start by itself in a workspace that is not trusted');
});

test('does not report a stopped window as waiting for an assistant', () => {
  expect(found({ server: 'stopped' })[0]?.advice).toContain(
    'Drawbridge was stopped, or no assistant is set up on this machine yet',
  );
});

test('explains on another machine where assistants have to run', () => {
  const findings = diagnose({ ...healthy, remoteMachine: 'build-7', forwarded: 1 });
  expect(findings.filter(({ advice }) => advice?.includes('on build-7') === true)).toHaveLength(2);
});

test('leads a repair to its assistant', () => {
  const assistants = [
    { assistant: codex, file, isFound: true, hasProgram: true, state: 'current' as const },
    { assistant: zed, file, isFound: true, hasProgram: true, state: 'outdated' as const },
  ];
  expect(found({ assistants })[0]?.action?.arguments).toEqual(['zed']);
});

test('puts the most severe finding first, in full sentences with the next step for all but the good ones', () => {
  const order = ['error', 'warning', 'information', 'good'];
  fc.assert(
    fc.property(fc.subarray([...cases]), (chosen) => {
      const findings = diagnose(Object.assign({}, healthy, ...chosen.map(([, change]) => change)));
      const ranks = findings.map(({ severity }) => order.indexOf(severity));
      expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      for (const { text } of findings) expect(text).not.toMatch(/undefined|\{\d\}/);
      const bare = findings.filter(({ severity, advice }) => severity !== 'good' && advice === undefined);
      expect(bare.filter(({ text }) => !text.includes('still starting'))).toEqual([]);
    }),
  );
});

test('derives the verdict from the most severe finding', () => {
  expect(verdict(diagnose({ ...healthy, server: 'stopped' }))).toBe('Assistants cannot work in this window yet.');
  expect(verdict(diagnose({ ...healthy, isHeld: true }))).toContain('there are warnings');
});
