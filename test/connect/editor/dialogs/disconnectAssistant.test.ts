import { beforeEach, describe, expect, test, vi } from 'vitest';
import { disconnectAssistant } from '#connect/editor/dialogs/disconnectAssistant.ts';
import { editor, resetEditor } from '../../../fakes/editor/editor.ts';
import { claude, codex, FakeConfigurations, settingsFile, zed } from './fakeConfigurations.ts';

let configurations: FakeConfigurations;

beforeEach(() => {
  resetEditor();
  configurations = new FakeConfigurations();
  configurations.connect(codex);
});

describe('Disconnect an Assistant', () => {
  test('lists the connected ones, shows what goes, and takes it out', async () => {
    editor.answers.push('Codex', 'Disconnect');
    await disconnectAssistant(configurations);
    const [list, question, message] = editor.shown;
    expect(list?.choices).toEqual(['Codex CLI ~/.codex/config.toml']);
    expect(question).toMatchObject({ message: 'Disconnect Codex CLI from Drawbridge?' });
    expect(question?.detail).toContain('- [mcp_servers.drawbridge]');
    expect(configurations.textOf(codex)).toBe('model = "x"\n');
    expect(configurations.connected.size).toBe(0);
    expect(message).toMatchObject({ choices: ['Undo'] });
  });

  test('changes nothing when the user cancels', async () => {
    const before = configurations.textOf(codex);
    editor.answers.push('Codex', undefined);
    await disconnectAssistant(configurations);
    expect([configurations.textOf(codex), configurations.connected.size]).toEqual([before, 1]);
  });

  test('takes back the settings too, and sets them up again with Undo', async () => {
    configurations = new FakeConfigurations([claude]);
    configurations.connect(claude);
    configurations.files.set(settingsFile('claude'), 'guard\npermission');
    editor.answers.push('Disconnect');
    await disconnectAssistant(configurations, 'claude');
    expect(configurations.files.has(settingsFile('claude'))).toBe(false);
    configurations.files.set(settingsFile('claude'), 'guard');
    configurations.connect(claude);
    editor.answers.push('Disconnect', 'Undo');
    await disconnectAssistant(configurations, 'claude');
    await vi.waitFor(() => expect(configurations.files.get(settingsFile('claude'))).toBe('guard'));
    expect(configurations.textOf(claude)).toContain('[mcp_servers.drawbridge]');
  });

  test('connects the assistant again with Undo', async () => {
    const before = configurations.textOf(codex);
    editor.answers.push('Disconnect', 'Undo');
    await disconnectAssistant(configurations, 'codex');
    await vi.waitFor(() => expect([...configurations.connected]).toEqual(['codex']));
    expect(configurations.textOf(codex)).toBe(before);
  });

  test('removes the file when only Drawbridge wrote it', async () => {
    configurations.files.set(configurations.fileOf(codex), configurations.textOf(codex)?.replace(/^.*\n/, '') ?? '');
    editor.answers.push('Disconnect');
    await disconnectAssistant(configurations, 'codex');
    expect(editor.shown[0]?.detail).toContain('This file will be removed');
    expect(configurations.textOf(codex)).toBeUndefined();
  });

  test('only forgets an assistant whose entry was removed by hand', async () => {
    configurations.connected.add(zed.id);
    editor.answers.push('Zed');
    await disconnectAssistant(configurations);
    expect(editor.shown).toHaveLength(2);
    expect([...configurations.connected]).toEqual(['codex']);
  });

  test('forgets an assistant that was set up by hand', async () => {
    configurations.connected.add('something-else');
    editor.answers.push('Something Else');
    await disconnectAssistant(configurations);
    expect([...configurations.connected]).toEqual(['codex']);
  });

  test('explains a broken file', async () => {
    configurations.broken.add('codex');
    editor.answers.push('Codex');
    await disconnectAssistant(configurations);
    expect(editor.shown[1]).toMatchObject({
      kind: 'error',
      message: 'Codex CLI was not disconnected. Line 3, column 1 is broken. Repair it.',
    });
    expect(configurations.connected.size).toBe(1);
  });

  test('says that there is none', async () => {
    editor.answers.push('Connect');
    await disconnectAssistant(new FakeConfigurations());
    expect(editor.shown).toMatchObject([{ message: 'No assistant is set up.' }]);
    expect(editor.executed).toEqual([['drawbridge.connectAssistant']]);
  });
});
