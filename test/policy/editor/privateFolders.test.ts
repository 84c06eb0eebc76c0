import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { decide } from '#policy/decide.ts';
import { privateFolders } from '#policy/editor/privateFolders.ts';
import { FakePolicy } from '../../fakes/rules.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

let home: string;

beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-home-')));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  for (const path of ['dotfiles/bridge', 'dotfiles/editor', 'dotfiles/keys', '.config/Code/User/globalStorage/x']) {
    mkdirSync(join(home, path), { recursive: true });
  }
});

/** Returns the decision on an edit of a file, in a window with the repository of the user settings. */
function effectOf(path: string, userData: string): string {
  const context = {
    globalStorageUri: { fsPath: join(userData, 'globalStorage', 'x') },
    extensionPath: join(home, '.vscode', 'extensions', 'x'),
  };
  const pathRules = { home, privateFolders: privateFolders(context, { state: join(home, '.drawbridge'), home }) };
  const folder = folderAt(join(home, 'dotfiles'));
  const fsPath = join(home, 'dotfiles', path);
  return decide({
    workspace: new FakeWorkspace([folder]),
    pathRules,
    policy: new FakePolicy(),
    caller: { tool: 'apply_edit', principal: { credential: 'window' } },
    risk: 'edit',
    worksUntrusted: false,
    paths: [{ path, folder, fsPath, realPath: fsPath }],
  }).effect;
}

test('A1: denies our rules, the settings and the keys of a user at the target of a link to them', () => {
  const userData = join(home, '.config', 'Code', 'User');
  for (const path of ['bridge/rules.json', 'editor/settings.json', 'keys/id']) {
    expect(effectOf(path, userData), path).toBe('ask');
  }
  symlinkSync(join(home, 'dotfiles', 'bridge'), join(home, '.drawbridge'));
  rmSync(userData, { recursive: true });
  symlinkSync(join(home, 'dotfiles', 'editor'), userData);
  symlinkSync(join(home, 'dotfiles', 'keys'), join(home, '.ssh'));
  for (const path of ['bridge/rules.json', 'editor/settings.json', 'keys/id']) {
    expect(effectOf(path, userData), path).toBe('deny');
  }
  expect(effectOf('readme.md', userData)).toBe('ask');
});
