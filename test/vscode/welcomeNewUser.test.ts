import { beforeEach, describe, expect, test, vi } from 'vitest';
import { welcomeNewUser } from '../../src/vscode/welcomeNewUser.ts';
import { commands, window, workspace } from '../fakes/dialogs.ts';

vi.mock('vscode', () => import('../fakes/dialogs.ts'));

let kept: Map<string, unknown>;
let isThere: boolean;
let setting: boolean | undefined;

beforeEach(() => {
  [kept, isThere, setting] = [new Map(), false, true];
  commands.executed.length = 0;
  Object.assign(workspace, {
    getConfiguration: () => ({ get: () => setting }),
    fs: { stat: async () => (isThere ? {} : Promise.reject(new Error('FileNotFound'))) },
  });
  Object.assign(window, { activeTextEditor: undefined });
});

async function activate(): Promise<void> {
  const context = {
    extension: { id: 'drawbridge.drawbridge' },
    globalState: {
      get: (key: string) => kept.get(key),
      update: async (key: string, value: unknown) => kept.set(key, value),
    },
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the part of the editor that it uses
  await welcomeNewUser(context as unknown as Parameters<typeof welcomeNewUser>[0]);
}

const opened = () => commands.executed.filter(([command]) => command === 'workbench.action.openWalkthrough');

describe('the walkthrough', () => {
  test('opens on the first install only, not on updates', async () => {
    await activate();
    expect(opened()).toEqual([
      ['workbench.action.openWalkthrough', 'drawbridge.drawbridge#welcome', { inactive: false }],
    ]);
    await activate();
    expect(opened()).toHaveLength(1);
  });

  test('stays closed for somebody who has had Drawbridge, also later', async () => {
    isThere = true;
    await activate();
    isThere = false;
    await activate();
    expect(opened()).toEqual([]);
  });

  test('stays closed where the editor is told not to open any', async () => {
    setting = false;
    await activate();
    expect(opened()).toEqual([]);
  });

  test('takes nobody out of what they are writing', async () => {
    Object.assign(window, { activeTextEditor: {} });
    await activate();
    expect(opened().map(([, , options]) => options)).toEqual([{ inactive: true }]);
  });
});
