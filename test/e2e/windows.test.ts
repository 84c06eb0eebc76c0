import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isNightlyOnly } from '../size.ts';
import { clickButton, decide, openApprovals, textOf } from './approvalsPage.ts';
import { type Assistant, connectAssistant, patience, textOfAnswer } from './assistant.ts';
import {
  type Drawbridge,
  startDrawbridge,
  statusOf,
  tempWorkspace,
  until,
  type Window,
  type WindowRecord,
} from './harness.ts';

const readingTools = {
  search_code: { query: 'x' },
  find_files: { query: 'x' },
  list_directory: {},
  read_file: { path: 'only.txt' },
  read_files: { files: [{ path: 'only.txt' }] },
};
const edits = [{ path: 'only.txt', oldText: 'x', newText: 'y' }];
const changingTools = {
  apply_edit: { edits },
  create_file: { path: 'new.txt', content: 'x\n' },
  delete_file: { path: 'only.txt' },
  move_file: { path: 'only.txt', to: 'moved.txt' },
};

const isRefusedConnection = (endpoint: string): Promise<boolean> =>
  statusOf(endpoint, 'any').then(
    () => false,
    () => true,
  );

const pathsOf = (folders: readonly { path: string }[]): string[] => folders.map(({ path }) => path);

const versionOf = z.looseObject({ structuredContent: z.looseObject({ text: z.string() }) });

describe('trusted windows', () => {
  let drawbridge: Drawbridge;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({
      files: { 'done.txt': 'one\n', 'waiting.txt': 'one\n' },
      settings: patience,
    });
  });
  afterAll(() => drawbridge?.stop());

  const fileOf = ({ windowId }: WindowRecord): string => join(drawbridge.host.home, 'windows', `${windowId}.json`);

  it('answer waiting calls with a ticket at a reload, keep all cards, Undo, Activity and the id, and let clients come back', async () => {
    const { window } = drawbridge;
    const before = await drawbridge.record();
    const assistant = await connectAssistant(before);
    let page = await openApprovals(window);
    const done = assistant.propose([{ path: 'done.txt', oldText: 'one', newText: 'two' }]);
    await decide(page, /^Approve edit of done\.txt/);
    expect((await done).status).toBe('applied');
    const ended = assistant.propose([{ path: 'waiting.txt', oldText: 'one', newText: 'two' }]).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await page.getByRole('button', { name: /^Approve edit of waiting\.txt/ }).waitFor();

    await window.reload();
    expect(await ended).toBe('pending_approval');
    const after = await drawbridge.record();
    expect(after.windowId).toBe(before.windowId);
    expect(after.token).not.toBe(before.token);
    expect(await statusOf(after.endpoint, before.token)).toBe(401);
    expect(await isRefusedConnection(before.endpoint)).toBe(true);

    page = await openApprovals(window);
    await page.getByRole('button', { name: /^Approve edit of waiting\.txt/ }).waitFor();
    await window.page.getByRole('treeitem', { name: /^Edited done\.txt: approved after / }).waitFor();
    await clickButton(page, /^Decline… .*waiting\.txt/);
    await decide(page, /^Decline (?!and).*waiting\.txt/);
    await clickButton(page, /^Undo edit of done\.txt/);
    await page.getByRole('heading', { name: 'Undone: edit of done.txt' }).waitFor();
    const onDisk = (name: string): string => readFileSync(join(drawbridge.folder ?? '', name), 'utf8');
    expect([onDisk('done.txt'), onDisk('waiting.txt')]).toEqual(['one\n', 'one\n']);

    const back = await connectAssistant(after);
    expect(await back.say('read_file', { path: 'waiting.txt' })).toContain('one');
    await back.close();
  });

  it('answer get_workspace without a folder, where the other tools say what is missing; with a folder everything works', async () => {
    const window = await drawbridge.host.openWindow();
    const before = await drawbridge.record(window);
    const assistant = await connectAssistant(before);
    expect((await assistant.call('get_workspace')).structuredContent).toMatchObject({ folders: [], canEdit: false });
    for (const [tool, args] of Object.entries({ ...readingTools, ...changingTools })) {
      const answer = await assistant.call(tool, args);
      expect([tool, answer.isError, textOfAnswer(answer)]).toEqual([
        tool,
        true,
        expect.stringContaining('[workspace_unavailable]'),
      ]);
    }

    // The editor restarts the extension host for a window's first folder, so clients look for the window file again.
    const folder = tempWorkspace({ 'only.txt': 'x marks\n' }, 'first');
    await window.evaluate(
      (vscode, path) => vscode.workspace.updateWorkspaceFolders(0, 0, { uri: vscode.Uri.file(path) }),
      folder,
    );
    await until(() => !existsSync(fileOf(before)), 'the file of the empty window to go');
    await window.requireFolders();
    // Extensions may be activated before the window knows its folder; the file follows.
    const after = await until(async () => {
      // The editor may start more than one extension host on the way; asking finds the one that is there now.
      await window.evaluate((vscode) => vscode.workspace.workspaceFolders?.length);
      const record = await drawbridge.record(window);
      return record.folders.length > 0 && record;
    }, 'the folder in the window file');
    expect(pathsOf(after.folders)).toEqual([folder]);
    const back = await connectAssistant(after);
    expect(await back.say('search_code', { query: 'x marks' })).toContain('only.txt');
    await back.close();
    await window.close();
  });

  it('F10, gemini-cli#6848: have their own secret, cards and files, and remove their file when they close', async () => {
    const folder = tempWorkspace({ 'theirs.txt': 'theirs\n' }, 'second');
    const other = await drawbridge.host.openWindow({ folder });
    const [mine, theirs] = [await drawbridge.record(), await drawbridge.record(other)];
    expect(new Set([mine, theirs].flatMap(({ windowId, token, endpoint }) => [windowId, token, endpoint])).size).toBe(
      6,
    );
    expect(await statusOf(mine.endpoint, theirs.token)).toBe(401);
    expect(await statusOf(theirs.endpoint, mine.token)).toBe(401);

    const [here, there] = await Promise.all([connectAssistant(mine), connectAssistant(theirs)]);
    expect(await here.say('read_file', { path: join(folder, 'theirs.txt') })).toContain('[outside_workspace]');
    expect(await there.say('read_file', { path: 'theirs.txt' })).toContain('theirs');

    const proposed = there.propose([{ path: 'theirs.txt', oldText: 'theirs', newText: 'ours' }]);
    const [myPage, theirPage] = [await openApprovals(drawbridge.window), await openApprovals(other)];
    await theirPage.getByRole('button', { name: /^Approve edit of theirs\.txt/ }).waitFor();
    expect(await textOf(myPage)).toContain('Nothing is waiting for you');
    const elsewhere = myPage.getByText(/^1 request waits for you in the window/);
    await elsewhere.waitFor();
    await decide(theirPage, /^Approve edit of theirs\.txt/);
    expect((await proposed).status).toBe('applied');
    await elsewhere.waitFor({ state: 'detached' });

    expect(existsSync(fileOf(theirs))).toBe(true);
    await other.close();
    await until(() => !existsSync(fileOf(theirs)), 'the file of the closed window to go');
    expect(await isRefusedConnection(theirs.endpoint)).toBe(true);
    expect(existsSync(fileOf(mine))).toBe(true);
    expect(await here.say('get_workspace')).toContain(mine.windowId);
    await here.close();
  });

  // bridgeWindows.test.ts opens two windows on one folder in every run, and windowClaim.test.ts holds their ids.
  it.skipIf(isNightlyOnly)('stay separate on the same folder, and each keeps its id after a reload', async () => {
    const other = await drawbridge.host.openWindow({ folder: drawbridge.folder ?? '' });
    const [mine, theirs] = [await drawbridge.record(), await drawbridge.record(other)];
    expect(pathsOf(theirs.folders)).toEqual(pathsOf(mine.folders));
    expect(theirs.windowId).not.toBe(mine.windowId);
    await other.reload();
    expect((await drawbridge.record(other)).windowId).toBe(theirs.windowId);
    await drawbridge.window.reload();
    expect((await drawbridge.record()).windowId).toBe(mine.windowId);
    expect(existsSync(fileOf(theirs))).toBe(true);
    await other.close();
    await until(() => !existsSync(fileOf(theirs)), 'the file of the closed window to go');
  });

  it('H7: answer two clients with the same request ids separately, and their cards stand side by side', async () => {
    const record = await drawbridge.record();
    const folder = drawbridge.folder ?? '';
    const names = Array.from({ length: 40 }, (_, index) => `many-${index}.txt`);
    for (const name of names) writeFileSync(join(folder, name), `I am ${name}\n`);
    const clients = await Promise.all([connectAssistant(record), connectAssistant(record)]);
    const readings = names.map(async (name, index) => {
      const answer = await clients[index % 2]?.call('read_file', { path: name });
      expect(versionOf.parse(answer).structuredContent.text).toBe(`I am ${name}\n`);
    });
    await Promise.all(readings);

    const [first, second] = ['many-0.txt', 'many-1.txt'];
    const page = await openApprovals(drawbridge.window);
    const [one, two] = clients.map((client, index) =>
      client.propose([{ path: names[index] ?? '', oldText: 'I am', newText: 'We are' }]),
    );
    await page.getByRole('article', { name: `Edit ${first}` }).waitFor();
    await page.getByRole('article', { name: `Edit ${second}` }).waitFor();
    await decide(page, new RegExp(`^Approve edit of ${second}`));
    expect(await two).toMatchObject({ status: 'applied', files: [{ path: second }] });
    expect(await page.getByRole('article', { name: `Edit ${first}` }).count()).toBe(1);
    expect(readFileSync(join(folder, first), 'utf8')).toBe(`I am ${first}\n`);
    await decide(page, new RegExp(`^Approve edit of ${first}`));
    expect(await one).toMatchObject({ status: 'applied', files: [{ path: first }] });
    await Promise.all(clients.map((client) => client.close()));
  });

  describe('several folders', () => {
    let window: Window;
    let record: WindowRecord;
    let assistant: Assistant;
    let beta: string;

    beforeAll(async () => {
      const folder = tempWorkspace(
        {
          'alpha/both.txt': 'alpha\n',
          'beta/both.txt': 'beta\n',
          'beta/only.txt': 'only here\n',
          'two.code-workspace': JSON.stringify({ folders: [{ path: 'alpha' }, { path: 'beta' }] }),
        },
        'roots',
      );
      beta = join(folder, 'beta');
      window = await drawbridge.host.openWindow({ workspace: join(folder, 'two.code-workspace') });
      // The editor may tell an extension of its folders after it has activated it.
      await until(async () => (await drawbridge.record(window)).folders.length === 2, 'both folders');
      record = await drawbridge.record(window);
      assistant = await connectAssistant(record);
    });
    afterAll(async () => {
      await assistant?.close();
      await window?.close();
    });

    it('prefix paths with the name of the folder, which may be omitted where only one folder has the path', async () => {
      const found = await assistant.call('find_files', { query: '**/*.txt' });
      expect(found.structuredContent).toMatchObject({
        files: [{ path: 'alpha/both.txt' }, { path: 'beta/both.txt' }, { path: 'beta/only.txt' }],
      });
      expect(await assistant.say('read_file', { path: 'beta/both.txt' })).toContain('beta');
      expect((await assistant.call('read_file', { path: 'only.txt' })).structuredContent).toMatchObject({
        path: 'beta/only.txt',
        text: 'only here\n',
      });
      expect(await assistant.say('read_file', { path: 'both.txt' })).toContain('[ambiguous_match]');
    });

    it('P18: withdraw the cards of a removed folder; the window file follows, also when the folder comes back', async () => {
      const page = await openApprovals(window);
      const proposed = assistant.propose([{ path: 'beta/only.txt', oldText: 'only', newText: 'not' }]);
      await page.getByRole('button', { name: /^Approve edit of beta\/only\.txt/ }).waitFor();
      await window.evaluate((vscode) => vscode.workspace.updateWorkspaceFolders(1, 1));
      expect(await proposed).toMatchObject({ status: 'withdrawn', files: [{ state: 'not_applied' }] });
      await page.getByRole('button', { name: /^Approve/ }).waitFor({ state: 'detached' });
      expect(readFileSync(join(beta, 'only.txt'), 'utf8')).toBe('only here\n');
      expect(await assistant.say('read_file', { path: join(beta, 'only.txt') })).toContain('[outside_workspace]');
      const folders = async (): Promise<string[]> => pathsOf((await drawbridge.record(window)).folders);
      await until(async () => (await folders()).length === 1, 'the window file without the folder');

      await window.evaluate(
        (vscode, path) => vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(path) }),
        beta,
      );
      await until(async () => (await folders()).includes(beta), 'the window file with the folder');
      expect(await assistant.say('read_file', { path: 'only.txt' })).toContain('only here');
      expect((await drawbridge.record(window)).token).toBe(record.token);
    });
  });
});

describe('an untrusted window', () => {
  let drawbridge: Drawbridge;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({
      files: { 'only.txt': 'x marks\n' },
      settings: { ...patience, 'drawbridge.start': 'always' },
      trusted: false,
    });
  });
  afterAll(() => drawbridge?.stop());

  it('A21: never starts the server by itself, only reads once the user starts the server, and edits with approval once trusted', async () => {
    const { window, host } = drawbridge;
    expect(await window.evaluate((vscode) => vscode.workspace.isTrusted)).toBe(false);
    // Comes after any start of its own in the queue of starts and stops.
    await window.command('drawbridge.stop');
    expect(existsSync(join(host.home, 'audit'))).toBe(false);
    await window.command('drawbridge.start');
    const record = await drawbridge.record();
    expect(record.trusted).toBe(false);

    const assistant = await connectAssistant(record);
    const offered = (await assistant.client.listTools()).tools.map(({ name }) => name);
    expect(offered).toContain('read_file');
    for (const name of ['search_code', ...Object.keys(changingTools)]) expect(offered).not.toContain(name);
    expect((await assistant.call('get_workspace')).structuredContent).toMatchObject({
      trusted: false,
      canEdit: false,
    });
    const answers = async (asked: Readonly<Record<string, object>>): Promise<Record<string, string>> => {
      const pairs = Object.entries(asked).map(async ([tool, args]) => [
        tool,
        await kindOf(assistant, tool, { ...args }),
      ]);
      return z.record(z.string(), z.string()).parse(Object.fromEntries(await Promise.all(pairs)));
    };
    const reading = { list_directory: 'ok', read_file: 'ok', read_files: 'ok' };
    const restricted = { ...reading, search_code: 'not_trusted', find_files: 'not_trusted' };
    const refused = Object.fromEntries(Object.keys(changingTools).map((tool) => [tool, 'not_trusted']));
    expect(await answers(readingTools)).toEqual(restricted);
    expect(await answers(changingTools)).toEqual(refused);

    await window.grantTrust();
    const toast = window.page.locator('.notification-toast', { hasText: 'until you enable edits' });
    await toast.waitFor();
    expect(await answers(readingTools)).toEqual({ ...reading, search_code: 'ok', find_files: 'ok' });
    expect(await answers(changingTools)).toEqual(refused);
    expect((await drawbridge.record()).trusted).toBe(false);

    await toast.getByRole('button', { name: 'Enable Edits' }).click();
    await until(async () => (await drawbridge.record()).trusted, 'the window file to say trusted');
    expect(await answers(readingTools)).toEqual({ ...reading, search_code: 'ok', find_files: 'ok' });
    const proposed = assistant.propose(edits);
    await decide(await openApprovals(window), /^Approve edit of only\.txt/);
    expect((await proposed).status).toBe('applied');
    const trusted = (await assistant.client.listTools()).tools;
    expect(trusted.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['search_code', ...Object.keys(changingTools)]),
    );
    await assistant.close();
  });
});

/** `ok`, or the code of the error. */
async function kindOf(assistant: Assistant, tool: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const answer = await assistant.call(tool, args);
  return answer.isError === true ? (/\[(\w+)\]$/.exec(textOfAnswer(answer))?.[1] ?? 'no code') : 'ok';
}
