import { beforeEach, describe, expect, test, vi } from 'vitest';
import { disconnectAssistant } from '../../../src/vscode/connect/disconnectAssistant.ts';
import { commands, human, window } from '../../fakes/dialogs.ts';
import { codex, FakeConfigurations, zed } from './fakeConfigurations.ts';

vi.mock('vscode', () => import('../../fakes/dialogs.ts'));

let configurations: FakeConfigurations;

beforeEach(() => {
  human.reset();
  commands.executed.length = 0;
  Object.assign(window, { setStatusBarMessage: () => undefined });
  configurations = new FakeConfigurations();
  configurations.connect(codex);
});

describe('Disconnect an Assistant', () => {
  test('lists the connected ones, shows what goes, and takes it out', async () => {
    human.answers.push('Codex', 'Disconnect');
    await disconnectAssistant(configurations);
    const [list, question, message] = human.shown;
    expect(list?.choices).toEqual(['Codex CLI ~/.codex/config.toml']);
    expect(question).toMatchObject({ message: 'Disconnect Codex CLI from Drawbridge?' });
    expect(question?.detail).toContain('- [mcp_servers.drawbridge]');
    expect(configurations.textOf(codex)).toBe('model = "x"\n');
    expect(configurations.connected.size).toBe(0);
    expect(message).toMatchObject({ choices: ['Undo'] });
  });

  test('changes nothing when the human says no', async () => {
    const before = configurations.textOf(codex);
    human.answers.push('Codex', undefined);
    await disconnectAssistant(configurations);
    expect([configurations.textOf(codex), configurations.connected.size]).toEqual([before, 1]);
  });

  test('Undo connects it again', async () => {
    const before = configurations.textOf(codex);
    human.answers.push('Disconnect', 'Undo');
    await disconnectAssistant(configurations, 'codex');
    await vi.waitFor(() => expect([...configurations.connected]).toEqual(['codex']));
    expect(configurations.textOf(codex)).toBe(before);
  });

  test('a file that was ours alone goes', async () => {
    configurations.files.set(configurations.fileOf(codex), configurations.textOf(codex)?.replace(/^.*\n/, '') ?? '');
    human.answers.push('Disconnect');
    await disconnectAssistant(configurations, 'codex');
    expect(human.shown[0]?.detail).toContain('This file is removed');
    expect(configurations.textOf(codex)).toBeUndefined();
  });

  test('one whose entry was taken out by hand only stops counting', async () => {
    configurations.connected.add(zed.id);
    human.answers.push('Zed');
    await disconnectAssistant(configurations);
    expect(human.shown).toHaveLength(2);
    expect([...configurations.connected]).toEqual(['codex']);
  });

  test('forgets what was set up by hand', async () => {
    configurations.connected.add('something-else');
    human.answers.push('Something Else');
    await disconnectAssistant(configurations);
    expect([...configurations.connected]).toEqual(['codex']);
  });

  test('a broken file is explained', async () => {
    configurations.broken.add('codex');
    human.answers.push('Codex');
    await disconnectAssistant(configurations);
    expect(human.shown[1]).toMatchObject({
      kind: 'error',
      message: 'Codex CLI was not disconnected. Line 3, column 1 is broken. Repair it.',
    });
    expect(configurations.connected.size).toBe(1);
  });

  test('says that there is none', async () => {
    human.answers.push('Connect');
    await disconnectAssistant(new FakeConfigurations());
    expect(human.shown).toMatchObject([{ message: 'No assistant is connected to Drawbridge.' }]);
    expect(commands.executed).toEqual([['drawbridge.connectAssistant']]);
  });
});
