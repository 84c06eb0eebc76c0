import { beforeEach, describe, expect, test } from 'vitest';
import { Uri } from 'vscode';
import { stateFolder } from '#home/stateFolder.ts';
import { welcomeNewUser } from '#ui/welcomeNewUser.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor, resetEditor } from '../fakes/editor/editor.ts';
import { show } from '../fakes/editor/textEditors.ts';

let kept: Map<string, unknown>;

beforeEach(() => {
  kept = new Map();
  resetEditor();
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

const opened = () => editor.executed.filter(([command]) => command === 'workbench.action.openWalkthrough');

describe('the walkthrough', () => {
  test('opens on the first install only, not on updates', async () => {
    await activate();
    expect(opened()).toEqual([
      ['workbench.action.openWalkthrough', 'drawbridge.drawbridge#welcome', { inactive: false }],
    ]);
    await activate();
    expect(opened()).toHaveLength(1);
  });

  test('stays closed for a user who had Drawbridge before, also later', async () => {
    editor.files.set(`${stateFolder().home}/tokens.json`, Buffer.from(''));
    await activate();
    editor.files.clear();
    await activate();
    expect(opened()).toEqual([]);
  });

  test('stays closed where the editor is set to open no walkthrough', async () => {
    editor.settings.set('workbench.welcomePage.walkthroughs.openOnInstall', false);
    await activate();
    expect(opened()).toEqual([]);
  });

  test('does not take the focus from an editor in use', async () => {
    show(new FakeDocument(Uri.file('/w/a.ts'), ''));
    await activate();
    expect(opened().map(([, , options]) => options)).toEqual([{ inactive: true }]);
  });
});
