import { beforeEach, expect, test, vi } from 'vitest';
import { Uri } from 'vscode';
import { ConnectedAssistants } from '#connect/editor/dialogs/connectedAssistants.ts';
import { editor, resetEditor } from '../../../fakes/editor/editor.ts';

beforeEach(() => {
  resetEditor();
});

test('follows what any window connects and disconnects', async () => {
  const connected = new ConnectedAssistants('/home/ada/.drawbridge');
  let changes = 0;
  connected.onDidChange(() => (changes += 1));
  await connected.look();
  expect([connected.any, changes, editor.executed]).toEqual([false, 0, []]);
  expect(editor.watchers.map(({ pattern }) => `${pattern.base}/${pattern.pattern}`)).toEqual([
    '/home/ada/.drawbridge/connected',
  ]);

  const file = Uri.file('/home/ada/.drawbridge/connected');
  editor.files.set(file.path, Buffer.from(''));
  editor.watchers[0]?.created.fire(file);
  await vi.waitFor(() => expect(connected.any).toBe(true));
  editor.files.clear();
  editor.watchers[0]?.deleted.fire(file);
  await vi.waitFor(() => expect(connected.any).toBe(false));
  expect(changes).toBe(2);
  expect(editor.executed).toEqual([
    ['setContext', 'drawbridge.connected', true],
    ['setContext', 'drawbridge.connected', false],
  ]);
  connected.dispose();
});
