import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openApprovals } from './approvalsPage.ts';
import { connectAssistant, type Assistant } from './assistant.ts';
import { type Drawbridge, startDrawbridge, tempWorkspace, until, type Window } from './harness.ts';
import { pick, setMode } from './quickPick.ts';

const soon = { 'drawbridge.clients': { assistant: { approvalSeconds: 2 } } };

/** Proposes another text for a file and says what became of it: a status, or the code of an error. */
async function change(assistant: Assistant, path: string): Promise<string> {
  try {
    const edit = { path, oldText: 'one', newText: `one ${Math.random()}` };
    return (await assistant.propose([edit])).status;
  } catch (error) {
    return /\[(\w+)\]/.exec(String(error))?.[1] ?? String(error);
  }
}

describe('rules and modes of trusted windows', () => {
  let drawbridge: Drawbridge;
  let other: Window;
  let assistant: Assistant;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({
      files: {
        'src/a.ts': 'one\n',
        'docs/b.md': 'one\n',
        'db/c.sql': 'one\n',
        '.vscode/settings.json': JSON.stringify({ 'drawbridge.mode': 'readOnly', 'drawbridge.start': 'manual' }),
      },
      settings: soon,
    });
    other = await drawbridge.host.openWindow({ folder: tempWorkspace({ 'x.txt': 'one\n' }, 'other') });
    await drawbridge.record(other);
    assistant = await connectAssistant(await drawbridge.record());
  });
  afterAll(async () => {
    await assistant?.close();
    await drawbridge?.stop();
  });

  const rulesFile = (): string => join(drawbridge.host.home, 'rules.json');
  const writeRules = (...rules: readonly object[]): void =>
    writeFileSync(rulesFile(), JSON.stringify({ version: 1, rules }));
  beforeEach(() => writeRules());

  test('apply a rule in every window when one window saves it as JSON', async () => {
    expect(await change(assistant, 'src/a.ts')).toBe('pending_approval');
    await other.command('drawbridge.openRulesFile');
    const save = (rules: readonly object[]): Promise<boolean> =>
      other.evaluate(
        async (vscode, path, text) => {
          const document = await vscode.workspace.openTextDocument(path);
          const edit = new vscode.WorkspaceEdit();
          edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), text);
          await vscode.workspace.applyEdit(edit);
          return document.save();
        },
        rulesFile(),
        JSON.stringify({ version: 1, rules }),
      );
    expect(await save([{ id: 'r-src', effect: 'allow', class: 'edit', paths: ['src/**'] }])).toBe(true);
    // A window looks at the file every second.
    await until(async () => (await change(assistant, 'src/a.ts')) === 'applied', 'the rule to apply in this window');
    expect(await change(assistant, 'docs/b.md')).toBe('pending_approval');
    await drawbridge.window.command('drawbridge.rules.focus');
    await drawbridge.window.page.getByRole('treeitem', { name: /^Allow edits of src\/\*\*.*used once/ }).waitFor();

    await save([{ id: 'r-src', effect: 'deny', class: 'edit', paths: ['src/**'] }]);
    await until(async () => (await change(assistant, 'src/a.ts')) === 'denied', 'the changed rule to apply');
    writeFileSync(rulesFile(), '{');
    expect(await change(assistant, 'docs/b.md')).toBe('pending_approval');
    await drawbridge.window.page.getByRole('treeitem', { name: /rules\.json cannot be used/ }).waitFor();
  });

  test('deny what the policy of a repository denies, and notify the user', async () => {
    const folder = tempWorkspace(
      {
        'a.txt': 'one\n',
        '.drawbridge/policy.json': JSON.stringify({
          version: 1,
          rules: [
            { id: 'frozen', effect: 'deny', class: 'edit', paths: ['a.txt'] },
            { id: 'all', effect: 'allow', class: 'edit' },
          ],
        }),
      },
      'strict',
    );
    const window = await drawbridge.host.openWindow({ folder });
    const client = await connectAssistant(await drawbridge.record(window));
    const toast = window.page.locator('.notifications-toasts', { hasText: 'has its own stricter rules' });
    await toast.waitFor();
    expect(await toast.innerText()).toContain('A repository cannot allow anything');
    expect(await change(client, 'a.txt')).toBe('denied');
    await toast.getByRole('button', { name: 'Show' }).click();
    await window.page.getByRole('treeitem', { name: /^Deny edits of a\.txt/ }).waitFor();
    expect(await window.page.getByRole('treeitem', { name: /^Allow edits/ }).count()).toBe(0);
    await client.close();
    await window.close();
  });

  test('A1: ignore the settings of a workspace, in its folder and in a workspace file', async () => {
    const inspected = await drawbridge.window.evaluate((vscode) => {
      const settings = vscode.workspace.getConfiguration('drawbridge');
      return ['mode', 'start'].map((name) => settings.get(name));
    });
    expect(inspected).toEqual(['manual', 'always']);
    expect(await change(assistant, 'docs/b.md')).toBe('pending_approval');

    const folder = tempWorkspace({ 'a.txt': 'one\n' }, 'inside');
    const workspace = join(folder, 'inside.code-workspace');
    const settings = { 'drawbridge.mode': 'unattended', 'drawbridge.start': 'manual' };
    writeFileSync(workspace, JSON.stringify({ folders: [{ path: folder }], settings }));
    const window = await drawbridge.host.openWindow({ workspace });
    const client = await connectAssistant(await drawbridge.record(window));
    expect(await change(client, 'a.txt')).toBe('pending_approval');
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n');
    await client.close();
    await window.close();
  });

  test('show the mode, apply it without asking, and end it with a reload', async () => {
    const { window } = drawbridge;
    await setMode(window, 'Accept edits');
    await window.page
      .getByRole('button', { name: /Mode Accept edits: edits are applied without asking/ })
      .first()
      .waitFor();
    expect(await change(assistant, 'docs/b.md')).toBe('applied');
    await setMode(window, 'Read-only');
    expect(await change(assistant, 'docs/b.md')).toBe('denied');
    expect(await assistant.say('read_file', { path: 'docs/b.md' })).toContain('one');

    const asked = window.command('drawbridge.setMode');
    await pick(window, 'Unattended');
    const dialog = window.page.locator('.monaco-dialog-box');
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await asked;
    expect(await change(assistant, 'docs/b.md')).toBe('denied');

    await setMode(window, 'Accept edits');
    await window.reload();
    assistant = await connectAssistant(await drawbridge.record());
    expect(await change(assistant, 'docs/b.md')).toBe('pending_approval');

    // What waited is applied when the user says so.
    const before = readFileSync(join(drawbridge.folder ?? '', 'docs/b.md'), 'utf8');
    await setMode(window, 'Accept edits');
    const page = await openApprovals(window);
    await page.getByRole('button', { name: /^Apply (the waiting edit|\d+ waiting edits)$/ }).click();
    await expect.poll(() => readFileSync(join(drawbridge.folder ?? '', 'docs/b.md'), 'utf8')).not.toBe(before);
    await setMode(window, 'Manual');
  });

  test('show the decision and its steps in "Test a Call..."', async () => {
    const { window } = drawbridge;
    writeRules({ id: 'r-db', effect: 'deny', class: 'edit', paths: ['db/**'] });
    const done = window.command('drawbridge.testCall');
    await pick(window, 'apply_edit');
    const input = window.page.locator('.quick-input-widget input[type="text"]').first();
    await input.fill('db/c.sql');
    await input.press('Enter');
    await window.page.locator('.quick-input-widget .monaco-list-row', { hasText: 'This call is refused' }).waitFor();
    await pick(window, 'deny rule r-db');
    await done;
    const row = window.page.getByRole('treeitem', { name: /^Deny edits of db/ });
    await row.waitFor();
    expect(await row.getAttribute('aria-selected')).toBe('true');
  });

  test('remove a rule in the view and restore it with Undo', async () => {
    const { window } = drawbridge;
    writeRules({ id: 'r-src', effect: 'allow', class: 'edit', paths: ['src/**'] });
    await window.command('drawbridge.rules.focus');
    const row = window.page.getByRole('treeitem', { name: /^Allow edits of src/ });
    await row.waitFor();
    await row.hover();
    await row.getByRole('button', { name: 'Remove Rule' }).click();
    await row.waitFor({ state: 'detached' });
    const toast = window.page.locator('.notifications-toasts', { hasText: 'Rule removed' });
    await toast.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    expect(readFileSync(rulesFile(), 'utf8')).toContain('r-src');
  });
});

test('A21: an untrusted folder allows no change in any mode, and ends Accept edits when it is trusted', async () => {
  const drawbridge = await startDrawbridge({ files: { 'a.txt': 'one\n' }, settings: soon, trusted: false });
  try {
    const { window } = drawbridge;
    await window.command('drawbridge.start');
    const assistant = await connectAssistant(await drawbridge.record());
    const namesOf = async (): Promise<string[]> => (await assistant.client.listTools()).tools.map(({ name }) => name);
    const before = await namesOf();
    await setMode(window, 'Accept edits');
    expect(await change(assistant, 'a.txt')).toBe('not_trusted');
    expect(await assistant.say('read_file', { path: 'a.txt' })).toContain('one');
    await window.grantTrust();
    const trusted = await namesOf();
    expect(trusted).toEqual(expect.arrayContaining([...before, 'search_code']));
    expect(trusted).not.toContain('apply_edit');
    expect(await change(assistant, 'a.txt')).toBe('not_trusted');
    await window.command('drawbridge.enableEdits');
    expect(await change(assistant, 'a.txt')).toBe('pending_approval');
    await assistant.close();
  } finally {
    await drawbridge.stop();
  }
});
