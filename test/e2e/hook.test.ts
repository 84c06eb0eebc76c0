import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { type ClaudeCodeCall, claudeCodeInput } from '../bridge/claudeCode.ts';
import { addWorkTree } from '../home/workTrees.ts';
import { actionBar, bringUp, clickButton, decide, openApprovals, readToEnd } from './approvalsPage.ts';
import { type Drawbridge, until, type Window } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
const twoHunks = lines.with(2, 'LINE 3').with(35, 'LINE 36');

let drawbridge: Drawbridge;
let window: Window;

beforeAll(async () => {
  drawbridge = await sharedDrawbridge({ 'a.txt': `${lines.join('\n')}\n` });
  ({ window } = drawbridge);
  const { windowId } = await drawbridge.record();
  const guard = join(drawbridge.host.home, 'guards', windowId);
  await until(() => existsSync(guard), 'the window to guard its folder');
});

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);

interface Answer {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const output = z.object({
  hookSpecificOutput: z.object({
    hookEventName: z.literal('PreToolUse'),
    permissionDecision: z.string(),
    permissionDecisionReason: z.string().optional(),
    updatedInput: z.record(z.string(), z.json()).optional(),
    additionalContext: z.string().optional(),
  }),
});

/** Starts the hook program by the launcher, as Claude Code does. */
async function hook(call: ClaudeCodeCall, signal?: AbortSignal): Promise<Answer> {
  const child = spawn(join(drawbridge.host.home, 'bin/drawbridge'), ['hook'], { cwd: drawbridge.folder, env: {} });
  onTestFinished(() => void child.kill());
  signal?.addEventListener('abort', () => void child.kill());
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.end(claudeCodeInput(call));
  const [stdout, stderr, status] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { status, stdout, stderr };
}

const decisionOf = ({ stdout }: Answer) => output.parse(JSON.parse(stdout)).hookSpecificOutput;

describe('the hook of Claude Code', () => {
  it('allows an edit unchanged when the user approves it, and records it as applied once its bytes are on disk', async () => {
    const path = pathOf('a.txt');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const input = { file_path: path, old_string: 'line 3\n', new_string: 'LINE 3\n', replace_all: false };
    const asked = hook({ tool: 'Edit', input });
    const page = await openApprovals(window);
    await page.getByText('with its own tool Edit').first().waitFor();
    await decide(page, /^Approve edit of a\.txt/);
    const answer = await asked;
    expect(answer).toMatchObject({ status: 0, stderr: '' });
    const after = `${lines.with(2, 'LINE 3').join('\n')}\n`;
    expect(decisionOf(answer)).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { ...input, old_string: `${lines.join('\n')}\n`, new_string: after },
    });
    writeFileSync(path, after);
    await page.getByText('Edited a.txt').first().waitFor();
  });

  it('rewrites the input of the edit and tells the model when the user leaves out a hunk', async () => {
    const path = pathOf('partly.txt');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const input = { file_path: path, content: `${twoHunks.join('\n')}\n` };
    const asked = hook({ tool: 'Write', input, call: 'toolu_2' });
    const page = await openApprovals(window);
    await page.getByRole('checkbox', { name: /^Include line 36 of partly\.txt/ }).click();
    await readToEnd(page, /^Approve .*partly\.txt/);
    await decide(page, /^Approve .*partly\.txt/);
    const decision = decisionOf(await asked);
    const onlyFirst = `${lines.with(2, 'LINE 3').join('\n')}\n`;
    expect(decision).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: { file_path: path, content: onlyFirst },
    });
    expect(decision.additionalContext).toContain('-LINE 36');
    writeFileSync(path, onlyFirst);
    const card = page.locator('article').filter({ hasText: 'partly.txt' });
    await card.getByText('Applied 1 of 2 changes.').waitFor();
  });

  it('refuses an edit in the words of the user when the user declines it', async () => {
    const path = pathOf('c.txt');
    const asked = hook({ tool: 'Write', input: { file_path: path, content: 'new\n' }, call: 'toolu_3' });
    const page = await openApprovals(window);
    await clickButton(page, /^Decline… .*c\.txt/);
    await clickButton(page, /^Decline (?!and).*c\.txt/);
    const { permissionDecision, permissionDecisionReason } = decisionOf(await asked);
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toContain('The user declined this edit');
    expect(existsSync(path)).toBe(false);
  });

  it('saves the unsaved text of the editor and lets the assistant write when the user approves the edit', async () => {
    const path = pathOf('unsaved.txt');
    writeFileSync(path, 'one\ntwo\n');
    await window.evaluate(async (vscode, fsPath) => {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.file(fsPath));
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), 'mine\n');
      await vscode.workspace.applyEdit(edit);
    }, path);
    const input = { file_path: path, old_string: 'two', new_string: 'TWO', replace_all: false };
    const asked = hook({ tool: 'Edit', input, call: 'toolu_5' });
    const page = await openApprovals(window);
    await page.getByText('When you approve, they are saved first').first().waitFor();
    await decide(page, /^Save your unsaved text and approve edit of unsaved\.txt/);
    const decision = decisionOf(await asked);
    expect(decision).toMatchObject({
      permissionDecision: 'allow',
      updatedInput: { old_string: 'mine\none\ntwo\n', new_string: 'mine\none\nTWO\n' },
    });
    expect(readFileSync(path, 'utf8')).toBe('mine\none\ntwo\n');
    writeFileSync(path, 'mine\none\nTWO\n');
    await page.getByText('Edited unsaved.txt').first().waitFor();
  });

  it('applies and saves an edit in the editor, and tells the model, when the user chooses that', async () => {
    const path = pathOf('editor.txt');
    writeFileSync(path, 'one\ntwo\n');
    await window.evaluate(async (vscode, fsPath) => {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(fsPath));
      await editor.edit((builder) => builder.insert(new vscode.Position(0, 0), 'mine\n'));
    }, path);
    const input = { file_path: path, old_string: 'two', new_string: 'TWO', replace_all: false };
    const asked = hook({ tool: 'Edit', input, call: 'toolu_6' });
    const page = await openApprovals(window);
    await decide(page, /^Apply in the editor: edit of editor\.txt/);
    const { permissionDecision, permissionDecisionReason } = decisionOf(await asked);
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toContain('The user applied this edit in VS Code');
    expect(readFileSync(path, 'utf8')).toBe('mine\none\nTWO\n');
  });

  it('asks about a secret file without showing its text, and lets Claude Code write when the user approves', async () => {
    const path = pathOf('.env.production');
    const input = { file_path: path, content: 'KEY=hidden-value\n' };
    const asked = hook({ tool: 'Write', input, call: 'toolu_7' });
    const page = await openApprovals(window);
    const card = page.locator('article').filter({ hasText: 'without showing you the change' }).first();
    await card.waitFor();
    expect(await card.innerText()).not.toContain('hidden-value');
    await decide(page, /^Approve: Edit .*\.env\.production/);
    expect(decisionOf(await asked)).toEqual({ hookEventName: 'PreToolUse', permissionDecision: 'allow' });
    expect(existsSync(path)).toBe(false);
  });

  it('asks no more about a file when the user allows it for the rest of the turn, and asks again in the next turn', async () => {
    const path = pathOf('turn.txt');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const edit = (line: number, prompt: string) =>
      hook({
        tool: 'Edit',
        input: { file_path: path, old_string: `line ${line}\n`, new_string: `LINE ${line}\n`, replace_all: false },
        session: 'turns',
        call: `toolu_turn_${line}`,
        prompt,
      });
    const write = (line: number): void => {
      writeFileSync(path, readFileSync(path, 'utf8').replace(`line ${line}\n`, `LINE ${line}\n`));
    };
    const first = edit(3, 'p-1');
    const page = await openApprovals(window);
    await bringUp(page, /^Approve edit of turn\.txt/);
    const bar = actionBar(page);
    await bar.getByRole('button', { name: /^Do not ask again for/ }).click();
    await bar.getByRole('group', { name: 'For the rest of this turn' }).getByRole('menuitem').first().click();
    await decide(page, /^Save rule and approve/);
    expect(decisionOf(await first).permissionDecision).toBe('allow');
    write(3);
    expect(decisionOf(await edit(5, 'p-1')).permissionDecision).toBe('allow');
    write(5);
    const other = hook({
      tool: 'Write',
      input: { file_path: pathOf('turn2.txt'), content: 'new\n' },
      session: 'turns',
      call: 'toolu_turn_other',
      prompt: 'p-1',
    });
    await page.getByText('edit 3 of this turn').waitFor();
    await decide(page, /^Approve creation of turn2\.txt/);
    expect(decisionOf(await other).permissionDecision).toBe('allow');
    const next = edit(7, 'p-2');
    await decide(page, /^Approve edit of turn\.txt/);
    expect(decisionOf(await next).permissionDecision).toBe('allow');
    write(7);
  });

  it('asks about an edit in another work tree of an open repository, and undoes it', async () => {
    const tree = join(drawbridge.host.directory, 'trees', 'feature-x');
    addWorkTree(pathOf('repository/.git'), tree);
    const path = join(tree, 'a.txt');
    writeFileSync(path, 'one\n');
    const input = { file_path: path, old_string: 'one', new_string: 'two', replace_all: false };
    const asked = hook({ tool: 'Edit', input, call: 'toolu_tree' });
    const page = await openApprovals(window);
    await decide(page, /^Approve edit of worktree feature-x\/a\.txt/);
    expect(decisionOf(await asked).permissionDecision).toBe('allow');
    writeFileSync(path, 'two\n');
    await clickButton(page, /^Undo edit of worktree feature-x\/a\.txt/);
    await until(() => readFileSync(path, 'utf8') === 'one\n', 'the edit to be undone');
  });

  it('gives no decision when no window has the folder of the file', async () => {
    const input = { file_path: join(drawbridge.host.directory, 'elsewhere.txt'), content: 'new\n' };
    expect(await hook({ tool: 'Write', input })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('withdraws the card when the hook program is stopped', async () => {
    const stopped = new AbortController();
    const input = { file_path: pathOf('d.txt'), content: 'new\n' };
    const asked = hook({ tool: 'Write', input, call: 'toolu_4' }, stopped.signal);
    const page = await openApprovals(window);
    await page.getByRole('button', { name: /^Approve .*d\.txt/ }).waitFor();
    stopped.abort();
    await asked;
    await page.getByRole('button', { name: /^Approve .*d\.txt/ }).waitFor({ state: 'detached' });
    expect(existsSync(pathOf('d.txt'))).toBe(false);
  });
});
