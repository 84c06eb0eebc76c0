import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { TreeItem } from 'vscode';
import type { Principal } from '#base/principal.ts';
import type { PastCall } from '#policy/lint.ts';
import { tools } from '#tools/index.ts';
import { RuleCommands } from '#ui/rules/ruleCommands.ts';
import { RulesEditor } from '#ui/rules/rulesEditor.ts';
import { RulesView } from '#ui/rules/rulesView.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';
import { nextTurn, openWindowPolicy } from './windowPolicy.ts';

const claude: Principal = { credential: 'window', connectionId: 'claude' };
const client = { name: 'claude-code', version: '1' };

beforeEach(() => {
  resetEditor();
});

const told = ({ label, description }: TreeItem): string =>
  `${typeof label === 'string' ? label : ''} | ${String(description)}`;

function open() {
  const setUp = openWindowPolicy();
  const policy = setUp.open();
  const past: PastCall[] = [];
  const { onDidChange: onDidChangeWorkspace } = setUp.workspace;
  const situation = setUp.situation(policy);
  const view = new RulesView({ policy, situation, tools, pastCalls: () => past, onDidChangeWorkspace });
  onTestFinished(() => view.dispose());
  const revealed: unknown[] = [];
  const rules = new RuleCommands({
    policy,
    view,
    treeView: { reveal: async (item) => void revealed.push(item.label) },
    editor: new RulesEditor(policy.file, () => setUp.clock.now()),
    pastCalls: () => past,
  });
  const groups = () => view.items().map(({ label }) => label);
  const rows = (label: string) => {
    const group = view.items().find((item) => item.label === label);
    return group === undefined ? [] : view.items(group);
  };
  const row = (label: string) => {
    const [first] = rows(label);
    if (first === undefined) throw new Error(`Nothing below ${label}`);
    return first;
  };
  return { ...setUp, policy, view, past, rules, revealed, groups, rows, row };
}

describe('the Rules view', () => {
  test('groups the rules in the order of precedence, each as a sentence with its origin and its use', async () => {
    const { policy, write, groups, row } = open();
    write('managed', [{ id: 'm', effect: 'deny', class: 'delete', paths: ['migrations/**'] }]);
    write('repository', [{ id: 'r', effect: 'ask', class: 'edit', paths: ['api/**', '!api/test/**'] }]);
    write('rules', [{ id: 'a', effect: 'ask', tools: ['delete_file'] }]);
    await nextTurn();
    const limits = { maxFiles: 5, maxChangedLines: 200 };
    const { id } = await policy.file.add(
      { effect: 'allow', class: 'edit', paths: ['src/*.ts'], limits },
      { scope: 'user' },
    );
    await policy.file.add({ effect: 'allow', class: 'edit' }, { scope: 'session', principal: claude, client });
    policy.used({ id, scope: 'user' });
    expect(groups()).toEqual([
      'Your Organization',
      'This Repository',
      'Deny and Ask',
      'Allow for This Session',
      'Allow Always',
      'What Applies Now',
    ]);
    expect(row('Your Organization').label).toBe('Deny deletes of migrations/**');
    expect(row('This Repository').label).toBe('Ask before edits of api/** except api/test/**');
    expect(row('Deny and Ask').label).toBe('Ask before delete_file');
    expect(row('Allow for This Session').description).toContain('claude-code · created here');
    const allowed = row('Allow Always');
    expect(allowed.label).toBe('Allow edits of src/*.ts, up to 5 files, 200 changed lines');
    expect(allowed.description).toMatch(/created here, .* · used once/);
    expect(allowed.contextValue).toBe('rule removable editable');
    expect(allowed.accessibilityInformation?.label).toContain('Allow edits of src/*.ts');
    expect(row('Your Organization').contextValue).toBe('rule inFile');
  });

  test('F16: shows the effect of a rule that cannot be understood, and what to do', async () => {
    const { write, row } = open();
    write('rules', [{ id: 'odd', effect: 'allow', tools: ['aply_edit'] }]);
    await nextTurn();
    expect(row('Deny and Ask')).toMatchObject({ iconPath: { id: 'error' } });
    expect(row('Deny and Ask').tooltip).toContain('did you mean "apply_edit"?');
  });

  test('F17: marks a rule that has expired, with one click to renew it', async () => {
    const { policy, clock, row } = open();
    await policy.file.add({ effect: 'allow', class: 'edit', paths: ['src/**'] }, { scope: 'user' });
    clock.advance(40 * 24 * 60 * 60 * 1000);
    expect(row('Allow Always')).toMatchObject({
      iconPath: { id: 'warning' },
      contextValue: 'rule removable editable expired',
    });
    expect(row('Allow Always').description).toContain('expired');
  });

  test('shows unusable files first, and what a repository tried to allow', async () => {
    const { write, destroy, groups, view, paths } = open();
    destroy('rules');
    write('repository', [{ effect: 'allow', class: 'edit' }]);
    await nextTurn();
    expect(groups().slice(0, 3)).toEqual([
      expect.stringContaining('rules.json cannot be used'),
      expect.stringContaining('A repository cannot allow anything'),
      'Mode: Manual',
    ]);
    expect(view.items()[0]?.command).toMatchObject({ command: 'vscode.open', arguments: [{ path: paths.rules }] });
  });

  test('says without rules in a few lines what applies now, and offers to add one', () => {
    const { view, policy } = open();
    expect(view.items().map(told)).toEqual([
      'Mode: Manual | Every change needs your approval, unless a rule of yours allows it.',
      'Read | happens without asking',
      'Edit | asks you',
      'Delete | asks you',
      'Run commands | asks you',
      'Edit protected files | asks you',
      'Read secret files | never',
      'Add Rule... | to allow, ask or deny more',
    ]);
    const [mode, , , , , , secret, add] = view.items();
    expect([mode?.command?.command, add?.command?.command]).toEqual(['drawbridge.setMode', 'drawbridge.addRule']);
    expect(secret?.accessibilityInformation?.label).toBe('Read secret files: never');
    expect(view.items(secret)).toEqual([]);
    policy.windowMode.set('readOnly');
    expect(view.items().slice(0, 4).map(told)).toEqual([
      'Mode: Read-only | Assistants can read and search; every change is refused.',
      'Read | happens without asking',
      'Edit | is refused',
      'Delete | is refused',
    ]);
  });

  test('shows no protected and no secret files while no folder is open', () => {
    const { view, workspace } = open();
    workspace.setFolders([]);
    expect(view.items().map(({ label }) => label)).toEqual([
      'Mode: Manual',
      'Read',
      'Edit',
      'Delete',
      'Run commands',
      'Add Rule...',
    ]);
  });

  test('F19: shows below a kind of call the tools that are decided otherwise, and which rule decides', async () => {
    const { write, rows, view } = open();
    write('rules', [
      { id: 'no-edit', effect: 'deny', tools: ['apply_edit'] },
      { id: 'ask-read', effect: 'ask', tools: ['read_file'] },
      { id: 'docs', effect: 'deny', class: 'delete' },
    ]);
    await nextTurn();
    const kinds = rows('What Applies Now');
    expect(kinds.map(told)).toEqual([
      expect.stringMatching(/^Mode: Manual/),
      'Read | happens without asking · 1 tool differs',
      'Edit | asks you · 1 tool differs',
      'Delete | is refused',
      'Run commands | asks you',
      'Edit protected files | asks you · 1 tool differs',
      'Read secret files | never',
    ]);
    const below = kinds.flatMap((kind) => view.items(kind));
    expect(below.map(told)).toEqual([
      expect.stringMatching(/^read_file \| asks you · ask rule ask-read \(user\)/),
      expect.stringMatching(/^apply_edit \| is refused · deny rule no-edit \(user\)/),
      expect.stringMatching(/^apply_edit \| is refused · deny rule no-edit \(user\)/),
    ]);
    expect(new Set(below.map(({ id }) => id)).size).toBe(below.length);
  });

  test('shows what a repository writes as plain text that hides nothing', async () => {
    const { write, row } = open();
    write('repository', [{ id: 'r', effect: 'ask', class: 'edit', note: 'safe\u202E' }]);
    await nextTurn();
    expect(row('This Repository').tooltip).toContain('safe<U+202E>');
  });

  test('is redrawn when rules, folders or the mode change', async () => {
    const { policy, view, workspace } = open();
    const redraw = vi.fn<() => void>();
    view.onDidChange(redraw);
    await policy.file.add({ effect: 'deny', class: 'delete' }, { scope: 'user' });
    policy.windowMode.set('readOnly');
    workspace.setFolders([]);
    expect(redraw.mock.calls.length).toBeGreaterThanOrEqual(3);
  });
});

describe('the commands of a rule', () => {
  test('F2: remove an allow rule with one click, and offer Undo', async () => {
    const { policy, rules, row } = open();
    await policy.file.add({ effect: 'allow', class: 'edit', paths: ['src/**'] }, { scope: 'user' });
    editor.answers.push('Undo');
    await rules.remove(row('Allow Always'));
    expect(editor.shown).toMatchObject([{ kind: 'information', message: 'Rule removed: Allow edits of src/**' }]);
    await nextTurn();
    expect(policy.rules()).toHaveLength(1);
    await rules.remove(policy.rules()[0]?.rule.id);
    expect(policy.rules()).toEqual([]);
  });

  test('ask before they remove a deny or an ask rule, and show what it would have matched', async () => {
    const { policy, rules, row, past } = open();
    await policy.file.add({ effect: 'deny', class: 'delete', paths: ['db/**'] }, { scope: 'user' });
    past.push({ tool: 'delete_file', class: 'delete', paths: ['db/one.sql'] });
    past.push({ tool: 'delete_file', class: 'delete', paths: ['src/a.ts'] });
    await rules.remove(row('Deny and Ask'));
    expect(editor.shown[0]?.detail).toContain('matches 1 of the last 2 calls');
    expect(editor.shown[0]?.detail).toContain('delete_file db/one.sql');
    expect(policy.rules()).toHaveLength(1);
    editor.answers.push('Remove Rule');
    await rules.remove(row('Deny and Ask'));
    expect(policy.rules()).toEqual([]);
  });

  test('F17: ask before they renew a rule', async () => {
    const { policy, rules, row, clock } = open();
    await policy.file.add({ effect: 'allow', class: 'edit', paths: ['src/**'] }, { scope: 'user' });
    clock.advance(40 * 24 * 60 * 60 * 1000);
    await rules.renew(row('Allow Always'));
    expect(row('Allow Always').contextValue).toContain('expired');
    editor.answers.push('Renew Rule');
    await rules.renew(row('Allow Always'));
    await nextTurn();
    expect(row('Allow Always').contextValue).not.toContain('expired');
  });

  test('show a rule in the view by its id', async () => {
    const { policy, rules, revealed, view } = open();
    const { id } = await policy.file.add({ effect: 'deny', class: 'delete' }, { scope: 'user' });
    await rules.show(id);
    expect(editor.executed).toContainEqual(['drawbridge.rules.focus']);
    expect(revealed).toEqual(['Deny deletes']);
    const item = view.find(id);
    expect(item && view.parent(item)?.label).toBe('Deny and Ask');
    await rules.show('r-gone');
    expect(editor.shown[0]?.message).toBe('This rule no longer exists.');
  });

  test('open the file of a rule of a repository or the machine', async () => {
    const { rules, write, row, paths } = open();
    write('repository', [{ effect: 'deny', class: 'delete' }]);
    write('managed', [{ effect: 'deny', class: 'edit' }]);
    await nextTurn();
    editor.executed.length = 0;
    await rules.openFile(row('This Repository'));
    await rules.openFile(row('Your Organization'));
    expect(editor.executed).toMatchObject([
      ['vscode.open', { path: paths.repository }],
      ['vscode.open', { path: paths.managed }],
    ]);
  });

  test('report a rule that cannot be saved', async () => {
    const { policy, rules, row, destroy } = open();
    await policy.file.add({ effect: 'allow', class: 'edit' }, { scope: 'user' });
    const shown = row('Allow Always');
    destroy('rules');
    await rules.remove(shown);
    expect(editor.shown).toMatchObject([{ kind: 'error', message: expect.stringContaining('cannot be used') }]);
  });

  test('change nothing for a row that is no rule', async () => {
    const { rules } = open();
    for (const target of [undefined, 1, new TreeItem('x'), { id: 'r-1' }]) await rules.remove(target);
    expect(editor.shown.map(({ message }) => message)).toEqual(Array(4).fill('This rule no longer exists.'));
  });
});
