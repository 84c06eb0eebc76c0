import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Uri } from 'vscode';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { RepositoryPolicy } from '#policy/editor/repositoryPolicy.ts';
import { FakeAuditLog } from '../../fakes/auditLog.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { FakeWorkspace, folderAt } from '../../fakes/workspace.ts';

let folder: WorkspaceFolder;

beforeEach(() => {
  resetEditor();
  const parent = realpathSync(mkdtempSync(join(tmpdir(), 'drawbridge-repository-')));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  folder = folderAt(join(parent, 'shop'));
  mkdirSync(join(folder.fsPath, '.drawbridge'), { recursive: true });
});

const path = (): string => join(folder.fsPath, '.drawbridge', 'policy.json');
const write = (content: unknown): void =>
  writeFileSync(path(), typeof content === 'string' ? content : JSON.stringify(content));

function open(folders: readonly WorkspaceFolder[] = [folder]) {
  const workspace = new FakeWorkspace(folders);
  const auditLog = new FakeAuditLog();
  const policy = new RepositoryPolicy({ workspace, auditLog, tools: () => ['apply_edit'] });
  onTestFinished(() => policy.dispose());
  return { policy, workspace, auditLog };
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('A1: takes deny and ask rules for its own folder, and ignores allow rules', () => {
  write({
    version: 1,
    rules: [
      { effect: 'deny', class: 'delete', paths: ['migrations/**'] },
      { id: 'mine', effect: 'ask', class: 'edit' },
      { id: 'wide', effect: 'allow', class: 'edit' },
      { id: 'odd', effect: 'allow', class: 'everything' },
    ],
  });
  const { policy } = open();
  expect(policy.rules).toMatchObject([
    { scope: 'repository', folder: folder.realPath, rule: { effect: 'deny' } },
    { scope: 'repository', folder: folder.realPath, rule: { id: 'mine', effect: 'ask' } },
  ]);
  expect(policy.rules).toHaveLength(2);
  expect(policy.folders).toMatchObject([{ ignored: 2, path: path() }]);
});

test('H16: refuses a policy whose rules have more than 500 paths', () => {
  const rules = (count: number) => [
    { effect: 'deny', class: 'read', paths: Array.from({ length: count }, () => '{a,b}*c') },
  ];
  write({ version: 1, rules: rules(100) });
  expect(open().policy.folders).toMatchObject([{ rules: [{ rule: { effect: 'deny' } }] }]);
  write({ version: 1, rules: [...rules(100), ...rules(100), ...rules(51)] });
  const { policy } = open();
  expect(policy.folders).toMatchObject([{ problem: expect.stringContaining('more than 500 paths') }]);
  expect(policy.rules.every(({ invalid }) => invalid !== undefined)).toBe(true);
});

test('applies in an untrusted workspace too', () => {
  write({ version: 1, rules: [{ effect: 'deny', class: 'delete' }] });
  const { policy, workspace } = open();
  workspace.trusted = false;
  expect(policy.rules).toHaveLength(1);
});

test('has no rules for a folder without a policy, and adds those of a new folder', () => {
  expect(open([folderAt('/nowhere')]).policy.rules).toEqual([]);
  write({ version: 1, rules: [{ effect: 'deny', class: 'delete' }] });
  const { policy, workspace } = open([]);
  expect(policy.rules).toEqual([]);
  workspace.setFolders([folder]);
  expect(policy.rules).toHaveLength(1);
});

test.each([
  ['is no JSON', () => write('{')],
  ['has another version', () => write({ version: 2, rules: [] })],
  ['has unknown keys', () => write({ version: 1, rules: [], mode: 'unattended' })],
  ['is too large', () => write(JSON.stringify({ version: 1, rules: [] }) + ' '.repeat(64 * 1024))],
  ['is a folder', () => mkdirSync(path())],
  [
    'is a link',
    () => {
      writeFileSync(join(folder.fsPath, 'real.json'), JSON.stringify({ version: 1, rules: [] }));
      symlinkSync(join(folder.fsPath, 'real.json'), path());
    },
  ],
  [
    'lies in a folder that is a link',
    () => {
      write({ version: 1, rules: [] });
      renameSync(join(folder.fsPath, '.drawbridge'), join(folder.fsPath, 'elsewhere'));
      symlinkSync(join(folder.fsPath, 'elsewhere'), join(folder.fsPath, '.drawbridge'));
    },
  ],
])('asks for every change in the folder when the policy %s', (_what, prepare) => {
  prepare();
  const { policy } = open();
  expect(policy.folders[0]?.problem).toContain('policy.json cannot be used');
  expect(policy.rules.map(({ rule }) => rule.class)).toEqual(['edit', 'delete', 'execute', 'network', 'config']);
  for (const scoped of policy.rules) {
    expect(scoped).toMatchObject({ scope: 'repository', folder: folder.realPath, rule: { effect: 'ask' } });
  }
});

test('marks a rule that is not valid', () => {
  write({ version: 1, rules: [{ effect: 'deny', class: 'edit', path: 'src/**' }] });
  expect(open().policy.rules).toMatchObject([{ invalid: expect.stringContaining('path') }]);
});

test('applies a change at once, fires an event and records it', async () => {
  const { policy, auditLog } = open();
  const listener = vi.fn<() => void>();
  policy.onDidChange(listener);
  write({ version: 1, rules: [{ effect: 'deny', class: 'delete' }] });
  expect(policy.rules).toHaveLength(1);
  expect(listener).toHaveBeenCalledTimes(1);
  const before = policy.rules;
  await nextTurn();
  expect(policy.rules).toBe(before);
  rmSync(path());
  editor.watchers.at(-1)?.deleted.fire(Uri.file(path()));
  expect(policy.folders).toEqual([]);
  expect(listener).toHaveBeenCalledTimes(2);
  expect(auditLog.events).toMatchObject([
    { event: 'rule.change', scope: 'repository', change: 'added' },
    { event: 'rule.change', scope: 'repository', change: 'removed' },
  ]);
});

test('watches only the policy file', () => {
  open();
  expect(editor.watchers.map(({ pattern }) => pattern.pattern)).toEqual(['.drawbridge/policy.json']);
});

test('A1: gives each rule an id of its own when several have the same id', () => {
  const rule = { id: 'same', effect: 'deny', class: 'delete' };
  write({ version: 1, rules: [rule, rule, { ...rule, id: 'unreadable-rules' }] });
  const { policy } = open();
  expect(policy.rules.map(({ rule: { id, effect } }) => [id, effect])).toEqual([
    ['same', 'deny'],
    ['same-2', 'deny'],
    ['unreadable-rules-2', 'deny'],
  ]);
});
