import { beforeEach, expect, test } from 'vitest';
import type { Status } from '#ui/statusBar.ts';
import { showStatusMenu } from '#ui/statusMenu.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';

beforeEach(() => {
  resetEditor();
});

async function offered(status: Partial<Status>) {
  await showStatusMenu({
    server: 'running',
    clients: 0,
    paused: 0,
    waiting: 0,
    questions: 0,
    mode: 'manual',
    ...status,
  });
  const { message, choices = [] } = editor.shown.at(-1) ?? {};
  return {
    message,
    choices: choices.filter((choice) => choice !== '').map((choice) => choice.replace(/^\$\(.*?\) /, '')),
  };
}

test('shows the state of the server and the connected assistants', async () => {
  const { message, choices } = await offered({ clients: 2, paused: 1, waiting: 3, mode: 'readOnly' });
  expect(message).toBe('Drawbridge is running: 2 assistants connected, 1 paused');
  expect(choices).toEqual([
    'Connect an Assistant...',
    'Connections 2 connected · 1 paused',
    'Pause All Assistants',
    'Resume Paused Assistants',
    'Show Approvals 3 waiting',
    'Set Mode... Read-only',
    'Restart',
    'Stop',
    'Run Doctor',
    'Show Log',
  ]);
});

test('offers the commands that the present state allows', async () => {
  const rest = ['Connect an Assistant...', 'Connections', 'Show Approvals', 'Set Mode... Manual'];
  expect(await offered({ server: 'stopped' })).toEqual({
    message: 'Drawbridge is stopped',
    choices: [...rest, 'Start', 'Run Doctor', 'Show Log'],
  });
  expect((await offered({ server: 'failed' })).message).toBe('Drawbridge could not start');
  expect((await offered({})).choices).not.toContain('Pause All Assistants');
});

test('offers first to switch the guard on while it is off', async () => {
  const { choices } = await offered({ guardOff: 'The guard is off until 15:40.' });
  expect(choices[0]).toBe('Switch Guard On');
});

test.each([
  ['Connect an Assistant', 'drawbridge.connectAssistant'],
  ['Connections', 'drawbridge.connections.focus'],
  ['Pause All', 'drawbridge.pauseAssistants'],
  ['Run Doctor', 'drawbridge.doctor'],
  ['Stop', 'drawbridge.stop'],
])('runs the chosen command: %s', async (choice, command) => {
  editor.answers.push(choice);
  await offered({ clients: 1 });
  expect(editor.executed).toEqual([[command]]);
});
