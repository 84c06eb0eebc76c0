import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { WindowMode, type ModeEnd } from '#policy/editor/modes.ts';
import type { Mode } from '#policy/rules.ts';
import { setMode } from '#ui/rules/setMode.ts';
import { FakeAuditLog } from '../../fakes/auditLog.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

const hour = 60 * 60 * 1000;

beforeEach(() => {
  resetEditor();
});

function open(forbidden: Mode[] = []) {
  const [clock, auditLog, workspace] = [new FakeClock(), new FakeAuditLog(), new FakeWorkspace()];
  const ends: [Mode, ModeEnd][] = [];
  const notAllowed = (): readonly Mode[] => forbidden;
  const mode = new WindowMode({ clock, auditLog, workspace, notAllowed, onEnd: (...end) => ends.push(end) });
  onTestFinished(() => mode.dispose());
  return { mode, clock, auditLog, workspace, ends, forbidden };
}

describe('the mode of a new window', () => {
  test('is Manual unless the user setting is Read-only', () => {
    expect(open().mode.current).toBe('manual');
    editor.settings.set('drawbridge.mode', 'readOnly');
    expect(open().mode.current).toBe('readOnly');
  });

  test.each(['acceptEdits', 'unattended', 'allowAll', true])('A1: is Manual when the setting is %j', (value) => {
    editor.settings.set('drawbridge.mode', value);
    expect(open().mode.current).toBe('manual');
  });

  test('A1: ignores the setting of a workspace', () => {
    editor.settings.set('drawbridge.mode', 'readOnly');
    editor.workspaceSettings.set('drawbridge.mode', 'manual');
    expect(open().mode.current).toBe('readOnly');
    editor.settings.clear();
    editor.workspaceSettings.set('drawbridge.mode', 'readOnly');
    expect(open().mode.current).toBe('manual');
  });
});

describe.each(['acceptEdits', 'unattended'] as const)('%s', (unasked) => {
  test('ends after four hours, also when the timer slept', () => {
    const { mode, clock, ends, auditLog } = open();
    mode.set(unasked);
    expect([mode.current, mode.until]).toEqual([unasked, clock.now() + 4 * hour]);
    clock.advance(4 * hour - 1);
    expect(mode.current).toBe(unasked);
    clock.advance(1);
    expect([mode.current, mode.until]).toEqual(['manual', undefined]);
    expect(ends).toEqual([[unasked, 'time']]);
    expect(auditLog.events).toEqual([
      { event: 'mode.change', mode: unasked, previous: 'manual', why: 'human' },
      { event: 'mode.change', mode: 'manual', previous: unasked, why: 'time' },
    ]);
  });

  test('ends when trust changes, and not when folders change', () => {
    const { mode, workspace, ends } = open();
    mode.set(unasked);
    workspace.setFolders([folderAt('/v')]);
    expect(mode.current).toBe(unasked);
    workspace.trusted = false;
    workspace.setFolders([folderAt('/v')]);
    expect([mode.current, ends]).toEqual(['manual', [[unasked, 'trust']]]);
  });

  test('ends in the mode that new windows start in', () => {
    editor.settings.set('drawbridge.mode', 'readOnly');
    const { mode, clock } = open();
    mode.set(unasked);
    clock.advance(4 * hour);
    expect(mode.current).toBe('readOnly');
  });

  test('cannot be set, and ends at once, when the managed policy forbids it', () => {
    const { mode, forbidden, ends, auditLog } = open();
    mode.set(unasked);
    forbidden.push(unasked);
    expect([mode.current, ends]).toEqual(['manual', [[unasked, 'managed']]]);
    const recorded = auditLog.events.length;
    mode.set(unasked);
    expect([mode.current, ends.length, auditLog.events.length]).toEqual(['manual', 1, recorded]);
  });
});

test('keeps Read-only until the user changes the mode', () => {
  const { mode, clock, workspace } = open();
  mode.set('readOnly');
  clock.advance(100 * hour);
  workspace.trusted = false;
  workspace.setFolders([]);
  expect([mode.current, mode.until]).toEqual(['readOnly', undefined]);
});

test('falls back to Read-only when the managed policy forbids Manual', () => {
  expect(open(['manual', 'acceptEdits', 'unattended']).mode.current).toBe('readOnly');
});

test('sets the context key when the mode changes', () => {
  open().mode.set('acceptEdits');
  expect(editor.executed).toEqual([
    ['setContext', 'drawbridge.mode', 'manual'],
    ['setContext', 'drawbridge.mode', 'acceptEdits'],
  ]);
});

describe('Set Mode', () => {
  test('offers the four modes and sets the chosen one', async () => {
    const { mode } = open();
    editor.answers.push('Accept edits');
    await setMode(mode);
    expect(editor.shown[0]?.choices).toHaveLength(4);
    expect(editor.shown[0]?.choices[0]).toContain('current');
    expect(mode.current).toBe('acceptEdits');
  });

  test('asks for confirmation before it sets Unattended', async () => {
    const { mode } = open();
    editor.answers.push('Unattended', undefined);
    await setMode(mode);
    expect(mode.current).toBe('manual');
    expect(editor.shown[1]).toMatchObject({ kind: 'warning', detail: expect.stringContaining('without asking you') });
    editor.answers.push('Unattended', 'Turn On');
    await setMode(mode);
    expect(mode.current).toBe('unattended');
  });

  test('refuses a mode that the managed policy forbids, and says so', async () => {
    const { mode } = open(['acceptEdits']);
    editor.answers.push('Accept edits');
    await setMode(mode);
    expect(mode.current).toBe('manual');
    expect(editor.shown[0]?.choices[1]).toContain('not allowed by your organization');
    expect(editor.shown[1]?.message).toContain('does not allow');
  });

  test('keeps the mode when the user dismisses it', async () => {
    const { mode, auditLog } = open();
    await setMode(mode);
    expect([mode.current, auditLog.events]).toEqual(['manual', []]);
  });
});
