import { beforeEach, expect, test } from 'vitest';
import { type StatusBarItem } from 'vscode';
import { StatusBar, type Status } from '#ui/statusBar.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

beforeEach(() => {
  resetEditor();
});

function shown(status: Partial<Status>): StatusBarItem | undefined {
  new StatusBar().update(status);
  return editor.statusBarItems.at(-1);
}

test('shows the state of the server and the connected assistants', () => {
  const menu = { command: 'drawbridge.showMenu', backgroundColor: undefined };
  expect(shown({})).toMatchObject({
    text: '$(debug-disconnect) Drawbridge',
    tooltip: 'Drawbridge is stopped',
    ...menu,
  });
  expect(shown({ server: 'starting' })).toMatchObject({ tooltip: 'Drawbridge is starting', ...menu });
  expect(shown({ server: 'running' })).toMatchObject({
    text: '$(plug) Drawbridge',
    tooltip: 'Drawbridge is running: no assistant connected',
    ...menu,
  });
  expect(shown({ server: 'running', clients: 2 })).toMatchObject({
    text: '$(plug) 2',
    tooltip: 'Drawbridge is running: 2 assistants connected',
    accessibilityInformation: { label: 'Drawbridge is running: 2 assistants connected' },
  });
  expect(shown({ server: 'running', clients: 2, paused: 1 })).toMatchObject({
    text: '$(plug) 2',
    accessibilityInformation: { label: 'Drawbridge is running: 2 assistants connected, 1 paused' },
  });
  expect(shown({ server: 'failed' })).toMatchObject({
    tooltip: 'Drawbridge could not start. Select to see what can be done.',
    backgroundColor: { id: 'statusBarItem.warningBackground' },
  });
});

test('shows waiting approvals before everything else', () => {
  expect(shown({ server: 'running', clients: 1, waiting: 1 })).toMatchObject({
    text: '$(bell-dot) 1 approval',
    backgroundColor: { id: 'statusBarItem.warningBackground' },
    command: 'drawbridge.reviewNextApproval',
  });
  expect(shown({ waiting: 4 })).toMatchObject({ text: '$(bell-dot) 4 approvals' });
  expect(shown({ waiting: 1, questions: 1 })).toMatchObject({
    text: '$(bell-dot) 1 question',
    tooltip: 'Drawbridge: 1 question waits for you. Answer it.',
    command: 'drawbridge.reviewNextApproval',
  });
  expect(shown({ waiting: 2, questions: 2 })).toMatchObject({ text: '$(bell-dot) 2 questions' });
  expect(shown({ waiting: 3, questions: 2 })).toMatchObject({ text: '$(bell-dot) 3 requests' });
});

test('B28: shows that a change is prepared while nothing waits', () => {
  expect(shown({ server: 'running', preparing: 1 })).toMatchObject({
    text: '$(loading~spin) Preparing',
    tooltip: 'Drawbridge: an assistant prepares a change, and will ask you',
  });
  expect(shown({ server: 'running', preparing: 2 })).toMatchObject({
    tooltip: 'Drawbridge: 2 assistants prepare changes, and will ask you',
  });
  expect(shown({ server: 'running', preparing: 1, waiting: 1 })).toMatchObject({ text: '$(bell-dot) 1 approval' });
});

test('shows the commands that the context key allows', () => {
  const statusBar = new StatusBar();
  statusBar.update({ server: 'running' });
  statusBar.update({ clients: 3 });
  statusBar.update({ server: 'stopped' });
  expect(editor.executed).toEqual([
    ['setContext', 'drawbridge.running', true],
    ['setContext', 'drawbridge.running', false],
  ]);
  expect(statusBar.status).toEqual({
    server: 'stopped',
    clients: 3,
    paused: 0,
    waiting: 0,
    questions: 0,
    mode: 'manual',
  });
});

test('shows a mode that does more than ask', () => {
  expect(shown({ server: 'running', mode: 'acceptEdits' })).toMatchObject({
    text: '$(edit) Drawbridge: Accept edits',
    accessibilityInformation: {
      label: 'Drawbridge is running: no assistant connected. Mode Accept edits: edits are applied without asking',
    },
    backgroundColor: undefined,
  });
  expect(shown({ server: 'running', mode: 'unattended' })).toMatchObject({
    text: '$(rocket) Drawbridge: Unattended',
    backgroundColor: { id: 'statusBarItem.warningBackground' },
  });
  expect(shown({ server: 'running', mode: 'readOnly' })).toMatchObject({ text: '$(eye) Drawbridge: Read-only' });
  expect(shown({ server: 'running', mode: 'unattended', waiting: 1 })).toMatchObject({
    text: '$(bell-dot) 1 approval · Unattended',
  });
});

test('shows that the guard is off, whatever else is shown', () => {
  const guardOff = 'The guard is off until 15:40.';
  expect(shown({ server: 'running', guardOff })).toMatchObject({
    text: '$(plug) Drawbridge · guard off',
    tooltip: `Drawbridge is running: no assistant connected. ${guardOff}`,
    backgroundColor: { id: 'statusBarItem.warningBackground' },
  });
  expect(shown({ waiting: 1, guardOff })).toMatchObject({ text: '$(bell-dot) 1 approval · guard off' });
});
