import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listAuditFiles } from '#audit/auditFiles.ts';
import { approvalState, callReceived, callResult } from '#audit/auditRecord.ts';
import { decide, openApprovals, waitingCards } from './approvalsPage.ts';
import { type Assistant, connectAssistant, patience } from './assistant.ts';
import { launcherOf } from './bridgeClient.ts';
import { type Drawbridge, startDrawbridge, until, type Window, type WindowRecord } from './harness.ts';

const secretText = 'words that stand only in a file';

let drawbridge: Drawbridge;
let window: Window;
let record: WindowRecord;
let assistant: Assistant;
let home: string;

beforeAll(async () => {
  drawbridge = await startDrawbridge({
    files: { 'a.txt': `${secretText}\n`, 'b.txt': 'one\n', '.env': 'KEY=1\n' },
    settings: patience,
  });
  ({ window } = drawbridge);
  ({ home } = drawbridge.host);
  record = await drawbridge.record();
  assistant = await connectAssistant(record);
});
afterAll(() => drawbridge?.stop());

const onDisk = (name: string): string => readFileSync(join(drawbridge.folder ?? '', name), 'utf8');
const toast = (text: string): Locator => window.page.locator('.notification-toast', { hasText: text });
const row = (name: RegExp): Locator => window.page.getByRole('treeitem', { name }).first();
const activeFile = (): Promise<string | undefined> =>
  window.evaluate((vscode) => vscode.window.activeTextEditor?.document.uri.fsPath);

/** Proposes and approves a change of b.txt; what it makes of it is always new. */
async function approvedEdit(text: string): Promise<string> {
  const proposed = assistant.propose([
    { path: 'b.txt', firstLine: 1, lastLine: 1, newText: text, version: await version() },
  ]);
  await decide(await openApprovals(window), /^Approve edit of b\.txt/);
  return (await proposed).approvalId;
}

async function version(): Promise<string> {
  const { structuredContent } = await assistant.call('read_file', { path: 'b.txt' });
  return z.looseObject({ version: z.string() }).parse(structuredContent).version;
}

const anyRecord = z.looseObject({
  v: z.literal(2),
  seq: z.int(),
  event: z.string(),
  windowId: z.string(),
  instanceId: z.string(),
  mono: z.number(),
});

interface AuditFile {
  readonly name: string;
  readonly text: string;
  readonly records: readonly z.infer<typeof anyRecord>[];
}

/** The one file of this run. */
async function auditFile(): Promise<AuditFile> {
  const files = await listAuditFiles(join(home, 'audit'));
  expect(files).toHaveLength(1);
  const [{ path } = { path: '' }] = files;
  const text = readFileSync(path, 'utf8');
  return {
    name: basename(path),
    text,
    records: text
      .trimEnd()
      .split('\n')
      .map((line) => anyRecord.parse(JSON.parse(line))),
  };
}

describe('every call', () => {
  it('is one line in the output channel with assistant, tool, target, decision, outcome and time', async () => {
    await assistant.call('read_file', { path: 'a.txt' });
    await assistant.call('read_file', { path: '.env' });
    await assistant.call('search_code', { query: 'only in' });
    const lines = await until(() => {
      const text = logText();
      // The last line may be written in part.
      return /\| search_code \|.* m?s$/m.test(text) ? text : undefined;
    }, 'the line of the search');
    expect(lines).toMatch(/\[info\] assistant 1\.0\.0 \| read_file \| a\.txt \| allow \| ok \| [\d.]+ m?s$/m);
    expect(lines).toMatch(
      /\[info\] assistant 1\.0\.0 \| read_file \| \.env \| denied: [\w ()-]+ \| denied \| [\d.]+ m?s$/m,
    );
    expect(lines).toMatch(/\[info\] assistant 1\.0\.0 \| search_code \| \. \| allow \| ok \| [\d.]+ m?s$/m);
    expect(lines).toMatch(/\[info\] server\.start \|/);
    expect(lines).not.toContain(secretText);
  });

  it('is written to the record file of this run, with its arguments and never with the text of a file', async () => {
    const approvalId = await approvedEdit('words that were written');
    const { name, text, records } = await auditFile();
    expect(name).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\d-${record.windowId}-\\d+\\.jsonl$`));
    const sequence = records.map(({ seq }) => seq);
    expect(sequence).toEqual(sequence.toSorted((a, b) => a - b));
    expect(new Set(sequence).size).toBe(sequence.length);
    expect(new Set(records.map(({ windowId }) => windowId))).toEqual(new Set([record.windowId]));
    expect(new Set(records.map(({ instanceId }) => instanceId)).size).toBe(1);

    const result = callResult.parse(
      records.find((each) => each['approvalId'] === approvalId && each.event === 'call.result'),
    );
    expect(result).toMatchObject({
      tool: 'apply_edit',
      resources: [{ path: 'b.txt' }],
      decision: { effect: 'ask' },
      outcome: 'applied',
    });
    expect(result.durationMs).toBeGreaterThan(500);
    const received = callReceived.parse(records.find(({ seq }) => seq === result.parentSeq));
    expect(received).toMatchObject({
      tool: 'apply_edit',
      client: { name: 'assistant', version: '1.0.0', claimed: true },
      protocolVersion: '2025-11-25',
      credential: 'window',
      argsDigest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(received.argsPreview).toContain('b.txt');
    const states = records.filter((each) => each.event === 'approval.state' && each['approvalId'] === approvalId);
    expect(states.map((each) => approvalState.parse(each).state)).toEqual([
      'waiting',
      'displayed',
      'approved',
      'applied',
    ]);
    expect(text).not.toContain('words that');
  });

  it('H12: is written to a file that only this user can read', async () => {
    await until(() => existsSync(launcherOf(home)), 'the launcher');
    const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);
    const all = readdirSync(home, { withFileTypes: true, recursive: true });
    expect(modeOf(home)).toBe('700');
    expect(all.map(({ name }) => name)).toEqual(expect.arrayContaining(['audit', 'bin', 'history', 'windows']));
    for (const entry of all) {
      const path = join(entry.parentPath, entry.name);
      const isRun = entry.isDirectory() || path === launcherOf(home);
      // A file that is being written has a name of its own, which is gone a moment later.
      if (!existsSync(path)) continue;
      expect([path, modeOf(path)]).toEqual([path, isRun ? '700' : '600']);
    }
  });

  it('H13: is recorded without the token in any spelling, in the record and in every log', async () => {
    const { token, endpoint } = record;
    // Everywhere where a confused program could put it.
    await assistant.call('read_file', { path: token });
    await assistant.call('search_code', { query: token, include: [`${token}/*`] });
    await assistant.call('find_files', { query: Buffer.from(token).toString('hex') });
    await assistant.call('apply_edit', {
      edits: [{ path: `${token}.txt`, oldText: 'x', newText: token }],
      reason: token,
    });
    await assistant.call(`tool-${Buffer.from(token).toString('base64')}`).catch(() => undefined);
    const named = await connectAssistant(record, { name: token });
    await named.call('get_workspace');
    await named.close();
    for (const headers of [{ Cookie: `token=${token}` }, { Authorization: `Basic ${btoa(`me:${token}`)}` }]) {
      await fetch(`${endpoint}?token=${token}`, { method: 'POST', headers });
    }
    await until(() => logText().includes('get_workspace'), 'the line of the last call');

    const spellings = [
      token,
      token.slice(0, 8),
      Buffer.from(token).toString('base64').replace(/=+$/, ''),
      Buffer.from(token).toString('hex'),
      Buffer.from(token, 'base64url').toString('hex'),
      Buffer.from(token, 'base64url').toString('base64').replace(/=+$/, ''),
    ];
    const windowFile = join(home, 'windows', `${record.windowId}.json`);
    const searched = ['home', 'data', 'server'].flatMap((name) => filesBelow(join(drawbridge.host.directory, name)));
    expect(searched).toContain(windowFile);
    expect(searched.filter((path) => path.endsWith('Drawbridge.log'))).toHaveLength(1);
    const holding = searched.filter((path) => {
      const content = contentOf(path);
      return spellings.some((spelling) => content.includes(spelling));
    });
    expect(holding).toEqual([windowFile]);
  });

  it('is refused when it cannot be recorded, and the user is notified', async () => {
    const audit = join(home, 'audit');
    rmSync(audit, { recursive: true });
    writeFileSync(audit, 'in the way');
    chmodSync(audit, 0o600);
    expect(await assistant.say('read_file', { path: 'a.txt' })).toContain('[unavailable]');
    expect(await assistant.say('apply_edit', { edits: [{ path: 'a.txt', oldText: 'words', newText: 'x' }] })).toContain(
      '[unavailable]',
    );
    await toast('Drawbridge cannot record calls, so it refuses them').waitFor();
    expect(await toast('cannot record').count()).toBe(1);
    expect(await window.page.getByRole('tab', { name: /approval/ }).count()).toBe(0);
    await toast('cannot record').getByRole('button', { name: 'Show Log' }).click();
    const shown = () =>
      window.evaluate((vscode) =>
        vscode.window.visibleTextEditors
          .filter(({ document }) => document.uri.scheme === 'output')
          .map(({ document }) => document.getText())
          .join(''),
      );
    await until(async () => (await shown()).includes('Calls cannot be recorded, so they are refused'), 'the log');
    await window.command('workbench.action.closePanel');

    rmSync(audit);
    expect(await assistant.say('read_file', { path: 'a.txt' })).toContain(secretText);
    expect((await auditFile()).records.map(({ event }) => event)).toContain('call.result');
    expect(statSync(join(audit, (await auditFile()).name)).mode & 0o777).toBe(0o600);
  });
});

describe('the Activity view', () => {
  let view: Frame;
  beforeAll(async () => {
    view = await openApprovals(window);
  });

  const focusedHeadline = (): Promise<string> =>
    view.evaluate(
      `document.hasFocus() ? document.activeElement.tagName + ' ' + document.activeElement.textContent : ''`,
    );

  it('opens the file of a reading call', async () => {
    await assistant.call('read_file', { path: 'a.txt' });
    await row(/^Read a\.txt.*, assistant, /).click();
    expect(await until(activeFile, 'an open file')).toBe(join(drawbridge.folder ?? '', 'a.txt'));
  });

  it('opens the card of a waiting call, and of a finished call', async () => {
    const proposed = assistant.propose([{ path: 'a.txt', oldText: 'words', newText: 'more words' }]);
    await row(/^Edit a\.txt: waiting for you, assistant, /).click();
    await until(async () => (await focusedHeadline()) === 'H3 Edit a.txt', 'the card of the waiting call');
    await decide(view, /^Approve edit of a\.txt/);
    expect((await proposed).status).toBe('applied');
    await window.command('workbench.action.focusActiveEditorGroup');
    await row(/^Edited a\.txt: approved after .*, assistant, /).click();
    await until(async () => (await focusedHeadline()).startsWith('H3 Edited'), 'the card of the finished call');
  });

  it('opens the diff of a call whose card has left the view', async () => {
    await approvedEdit('leaving');
    const others = await connectAssistant(record);
    const names = Array.from({ length: 20 }, (_, index) => `many-${index}.txt`);
    for (const name of names) {
      writeFileSync(join(drawbridge.folder ?? '', name), 'one\n');
      void others.propose([{ path: name, oldText: 'one', newText: 'two' }]);
    }
    const waiting = waitingCards(view);
    await until(async () => (await waiting.count()) === names.length, 'all of them to wait');
    await others.close();
    // Cards that end under the pointer would keep their places.
    await window.page.mouse.move(640, 400);
    await until(async () => (await waiting.count()) === 0, 'all of them to be withdrawn');
    expect(await view.getByRole('button', { name: /^Undo edit of b\.txt/ }).count()).toBe(0);

    await window.command('drawbridge.activity.focus');
    const focused = window.page.locator('.focused[role="treeitem"]');
    const of = (name: string): Promise<string | null> => focused.getAttribute(name, { timeout: 1000 });
    let leftIndex: string | null | undefined;
    await until(async () => {
      if ((await focused.count()) > 0) {
        const label = (await of('aria-label')) ?? '';
        if (label.startsWith('Edited b.txt: approved after ')) return true;
        // It opens the row, and then goes to its first call, which may take a while to be there.
        if (label.startsWith('Earlier Calls')) {
          await window.page.keyboard.press('ArrowRight');
          return false;
        }
        // A key that is pressed before the last one has moved the focus would pass a row by.
        const index = await of('data-index');
        if (index === leftIndex) return false;
        leftIndex = index;
      } else {
        // A view that draws its rows anew takes the keyboard beside its tree, where no arrow key leads to a row.
        await window.command('drawbridge.activity.focus');
      }
      await window.page.keyboard.press('ArrowDown');
      return false;
    }, 'the row of the edit');
    await window.page.keyboard.press('Enter');
    const tab = () => window.evaluate((vscode) => vscode.window.tabGroups.activeTabGroup.activeTab?.label);
    await until(async () => (await tab()) === 'b.txt (applied change)', 'the diff');
    expect(onDisk('b.txt')).toBe('leaving\n');
  });
});

function logText(): string {
  return filesBelow(join(drawbridge.host.directory, 'data'))
    .filter((path) => path.endsWith('Drawbridge.log'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('');
}

/** Returns nothing for a file that is gone: what replaces a file has another name for a moment. */
function contentOf(path: string): Buffer | string {
  try {
    return readFileSync(path);
  } catch (error) {
    if (existsSync(path)) throw error;
    return '';
  }
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}
