import { beforeEach, expect, test, vi } from 'vitest';
import { ConnectedAssistants } from '../../../src/vscode/connect/connectedAssistants.ts';
import { commands, human, watchers, workspace } from '../../fakes/dialogs.ts';

vi.mock('vscode', () => import('../../fakes/dialogs.ts'));

let isThere: boolean;

beforeEach(() => {
  human.reset();
  commands.executed.length = 0;
  Object.assign(workspace, { fs: { stat: async () => (isThere ? {} : Promise.reject(new Error('FileNotFound'))) } });
});

test('follows what any window connects and disconnects', async () => {
  isThere = false;
  const connected = new ConnectedAssistants('/home/ada/.drawbridge');
  let changes = 0;
  connected.onDidChange(() => (changes += 1));
  await connected.look();
  expect([connected.any, changes, commands.executed]).toEqual([false, 0, []]);
  expect(watchers.map(({ pattern }) => `${pattern.base.path}/${pattern.pattern}`)).toEqual([
    '/home/ada/.drawbridge/connected',
  ]);

  isThere = true;
  watchers[0]?.changed.fire();
  await vi.waitFor(() => expect(connected.any).toBe(true));
  isThere = false;
  watchers[0]?.changed.fire();
  await vi.waitFor(() => expect(connected.any).toBe(false));
  expect(changes).toBe(2);
  expect(commands.executed).toEqual([
    ['setContext', 'drawbridge.connected', true],
    ['setContext', 'drawbridge.connected', false],
  ]);
  connected.dispose();
});
