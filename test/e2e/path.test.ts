import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listAuditFiles } from '#audit/auditFiles.ts';
import { clickButton, decide, openApprovals, textOf } from './approvalsPage.ts';
import { answerTimeout } from './assistant.ts';
import { connectV1, connectV2, type Drawbridge, startDrawbridge, until, type WindowRecord } from './harness.ts';

const cart = 'export function add(qty: number) {\n  if (qty > 0) return qty;\n  return 0;\n}\n';
const test = "import { add } from './cart';\nexpect(add(0)).toBe(0);\n";

let drawbridge: Drawbridge;
let record: WindowRecord;
let page: Frame;

beforeAll(async () => {
  drawbridge = await startDrawbridge({
    files: { 'src/cart.ts': cart, 'src/cart.test.ts': test, 'notes.md': '# Notes\n', '.env': 'API_KEY=secret\n' },
  });
  record = await drawbridge.record();
  page = await openApprovals(drawbridge.window);
});

afterAll(() => drawbridge?.stop());

const pathOf = (name: string): string => join(drawbridge.folder ?? '', name);
const onDisk = (name: string): string => readFileSync(pathOf(name), 'utf8');

const outcome = z.object({
  status: z.string(),
  approvalId: z.string(),
  userMessage: z.string().optional(),
  next: z.string(),
  files: z.array(z.object({ path: z.string(), state: z.string(), version: z.string().optional() })),
});

type Client = Awaited<ReturnType<typeof connectV1>>['client'];

async function call(client: Client, name: string, args: Record<string, unknown>, signal?: AbortSignal) {
  return client.callTool({ name, arguments: args }, undefined, { timeout: answerTimeout, ...(signal && { signal }) });
}

const outcomeOf = (result: unknown) => z.looseObject({ structuredContent: outcome }).parse(result).structuredContent;

describe('the whole path of a change', () => {
  it('searches, reads unsaved text, proposes, gets approval by a click, writes exactly the proposal, and undoes the change', async () => {
    const { window } = drawbridge;
    const assistant = await connectV1(record, { name: 'path-test' });
    await window.evaluate(async (vscode, path) => {
      const document = await vscode.workspace.openTextDocument(path);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(document.uri, new vscode.Position(0, 0), '// unsaved\n');
      await vscode.workspace.applyEdit(edit);
    }, pathOf('src/cart.test.ts'));

    const found = await call(assistant.client, 'search_code', { query: 'add(' });
    expect(JSON.stringify(found.structuredContent)).toContain('src/cart.ts');
    expect(JSON.stringify(found.content)).toContain('resource_link');
    const secret = await call(assistant.client, 'search_code', { query: 'API_KEY' });
    expect(JSON.stringify(secret)).not.toContain('.env');

    const read = await call(assistant.client, 'read_file', { path: 'src/cart.test.ts' });
    expect(read.structuredContent).toMatchObject({ text: `// unsaved\n${test}` });
    const version = z.object({ version: z.string() }).parse(read.structuredContent).version;

    const proposed = call(assistant.client, 'apply_edit', {
      edits: [
        { path: 'src/cart.ts', oldText: 'qty > 0', newText: 'qty >= 1' },
        { path: 'src/cart.test.ts', firstLine: 3, lastLine: 3, newText: 'expect(add(1)).toBe(1);', version },
      ],
      reason: 'Zero quantities slipped into orders.',
    });
    await until(async () => (await textOf(page)).includes('Edit 2 files'), 'the card');
    const card = await textOf(page);
    for (const shown of [
      'cart.ts',
      'cart.test.ts',
      'qty >= 1',
      'qty > 0',
      'expect(add(1)).toBe(1);',
      'path-test',
      'Zero quantities slipped into orders.',
    ]) {
      expect(card).toContain(shown);
    }
    expect(onDisk('src/cart.ts')).toBe(cart);

    await decide(page, /^Approve edit of/);
    const applied = outcomeOf(await proposed);
    expect(applied.status).toBe('applied');
    expect(onDisk('src/cart.ts')).toBe(cart.replace('qty > 0', 'qty >= 1'));
    const expected = `// unsaved\n${test.replace('expect(add(0)).toBe(0);', 'expect(add(1)).toBe(1);')}`;
    expect(await bufferOf('src/cart.test.ts')).toEqual({ text: expected, dirty: true });
    expect(onDisk('src/cart.test.ts')).toBe(test);

    const log = await logText();
    expect(log).toContain('apply_edit');
    expect(await auditText()).toContain(applied.approvalId);

    await clickButton(page, /^Undo/);
    await until(async () => onDisk('src/cart.ts') === cart, 'the undo');
    expect((await bufferOf('src/cart.test.ts')).text).toBe(`// unsaved\n${test}`);
    await assistant.close();
  });

  it('passes the note of a declined change to the model', async () => {
    const assistant = await connectV1(record, { name: 'decline-test' });
    const proposed = call(assistant.client, 'apply_edit', {
      edits: [{ path: 'notes.md', oldText: 'Notes', newText: 'Nothing' }],
    });
    await clickButton(page, /^Decline… edit of notes\.md/);
    await page.getByRole('textbox').fill('keep the title');
    await decide(page, /^Decline edit of notes\.md/);
    expect(outcomeOf(await proposed)).toMatchObject({ status: 'declined', userMessage: 'keep the title' });
    expect(onDisk('notes.md')).toBe('# Notes\n');
    await assistant.close();
  });

  it('F5: becomes stale at once when the file changes while the card waits', async () => {
    const assistant = await connectV1(record, { name: 'stale-test' });
    const proposed = call(assistant.client, 'apply_edit', {
      edits: [{ path: 'notes.md', oldText: 'Notes', newText: 'Stale' }],
    });
    await page.getByRole('button', { name: /^Approve edit of notes\.md/ }).waitFor();
    writeFileSync(pathOf('notes.md'), '# Notes\nmine\n');
    expect(outcomeOf(await proposed).status).toBe('stale');
    await page.getByRole('button', { name: /^Approve edit of notes\.md/ }).waitFor({ state: 'detached' });
    expect(onDisk('notes.md')).toBe('# Notes\nmine\n');
    await assistant.close();
  });

  it('withdraws the card when the call is cancelled, in both eras', async () => {
    const change = {
      name: 'apply_edit',
      arguments: { edits: [{ path: 'notes.md', oldText: 'mine', newText: 'yours' }] },
    };
    const v1 = await connectV1(record, { name: 'cancel-test' });
    const v2 = await connectV2(record, { name: 'cancel-test' });
    const calls = [
      (signal: AbortSignal) => v1.client.callTool(change, undefined, { signal }),
      (signal: AbortSignal) => v2.client.callTool(change, { signal }),
    ];
    for (const start of calls) {
      const cancel = new AbortController();
      const proposed = start(cancel.signal);
      const ended = proposed.then(
        () => 'answered',
        () => 'cancelled',
      );
      await page.getByRole('button', { name: /^Approve edit of notes\.md/ }).waitFor();
      cancel.abort();
      expect(await ended).toBe('cancelled');
      await page.getByRole('button', { name: /^Approve edit of notes\.md/ }).waitFor({ state: 'detached' });
      expect(onDisk('notes.md')).toContain('mine');
    }
    await Promise.all([v1.close(), v2.close()]);
  });
});

async function bufferOf(name: string): Promise<{ text: string; dirty: boolean }> {
  return drawbridge.window.evaluate(async (vscode, path) => {
    const document = await vscode.workspace.openTextDocument(path);
    return { text: document.getText(), dirty: document.isDirty };
  }, pathOf(name));
}

async function logText(): Promise<string> {
  const find = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.name === 'Drawbridge.log')
      .map((entry) => join(entry.parentPath, entry.name));
  return until(
    () =>
      find(drawbridge.host.directory)
        .map((file) => readFileSync(file, 'utf8'))
        .join('') || undefined,
    'the log',
  );
}

async function auditText(): Promise<string> {
  const files = await listAuditFiles(join(drawbridge.host.home, 'audit'));
  return files.map(({ path }) => readFileSync(path, 'utf8')).join('');
}
