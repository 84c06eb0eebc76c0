import { beforeEach, describe, expect, test } from 'vitest';
import { chooseGuardLevel } from '#connect/editor/dialogs/chooseGuardLevel.ts';
import { editor, resetEditor } from '../../../fakes/editor/editor.ts';
import { claude, codex, FakeConfigurations, settingsFile } from './fakeConfigurations.ts';

let configurations: FakeConfigurations;

beforeEach(() => {
  resetEditor();
  configurations = new FakeConfigurations([claude, codex]);
});

describe('the choice of what is reviewed', () => {
  test('leads to Connect when no assistant is guarded', async () => {
    editor.answers.push('Connect an Assistant...');
    await chooseGuardLevel(configurations);
    expect(editor.shown[0]?.message).toContain('No assistant asks Drawbridge');
  });

  test('asks for the level of the only guarded assistant, and writes it beside those of others', async () => {
    configurations.connect(claude);
    configurations.files.set(settingsFile('claude'), 'guard');
    editor.settings.set('drawbridge.guard.levels', { Codex: 'after' });
    editor.answers.push('Edits, and all commands');
    await chooseGuardLevel(configurations);
    expect(editor.shown[0]?.choices?.join('\n')).toMatch(/Edits, and commands that change files now/);
    expect(editor.settings.get('drawbridge.guard.levels')).toEqual({ Codex: 'after', 'Claude Code': 'everything' });
  });

  test('writes nothing when the user dismisses the question', async () => {
    configurations.connect(claude);
    configurations.files.set(settingsFile('claude'), 'guard');
    editor.answers.push(undefined);
    await chooseGuardLevel(configurations);
    expect(editor.settings.get('drawbridge.guard.levels')).toBeUndefined();
  });
});
