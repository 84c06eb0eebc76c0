import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Uri } from 'vscode';
import { settingsOfWorkspace } from '#policy/editor/workspaceSettings.ts';
import { openWindowPolicy } from '../../ui/rules/windowPolicy.ts';

test('A1: finds our settings in settings.json and in the workspace file', () => {
  const { folder } = openWindowPolicy();
  const settings = join(folder.fsPath, '.vscode', 'settings.json');
  const workspaceFile = join(folder.fsPath, 'shop.code-workspace');
  mkdirSync(join(folder.fsPath, '.vscode'));
  writeFileSync(settings, '{\n  // ours\n  "drawbridge.mode": "unattended",\n  "editor.tabSize": 2,\n}');
  writeFileSync(workspaceFile, '{ "settings": { "drawbridge.start" : "always" } }');
  expect(settingsOfWorkspace([folder], Uri.file(workspaceFile))).toEqual([
    { name: 'drawbridge.mode', path: settings },
    { name: 'drawbridge.start', path: workspaceFile },
  ]);
  expect(settingsOfWorkspace([], undefined)).toEqual([]);
});
