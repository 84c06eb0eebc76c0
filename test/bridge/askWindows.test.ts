import { createHash } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { NativeCommand } from '#base/nativeCommand.ts';
import type { ApprovedFile, NativeAnswer, NativeCall, UnknownTool } from '#base/nativeEdit.ts';
import { switchGuardsOff } from '#home/guardsOff.ts';
import { removeGuard, writeGuard } from '#home/windowGuard.ts';
import { askWindows, tellWindows } from '#bridge/askWindows.ts';
import { addWorkTree } from '../home/workTrees.ts';
import { startTestServer, temporaryFolder } from '../mcp/fixture.ts';

const allow: NativeAnswer = { decision: 'allow', files: [] };

/** A state folder, a workspace folder, and windows that guard it. */
async function setUp() {
  const root = realpathSync(await temporaryFolder());
  const [home, folder] = [join(root, 'home'), join(root, 'project')];
  mkdirSync(folder);
  const unknown: UnknownTool[] = [];
  const calls: [windowId: string, call: NativeCall | NativeCommand][] = [];
  const open = async (windowId: string, answers: readonly (NativeAnswer | Promise<NativeAnswer>)[]) => {
    let asked = 0;
    const started = await startTestServer({
      drawbridgeHome: home,
      window: () => ({
        windowId,
        folders: [{ name: 'project', path: folder, uri: `file://${folder}` }],
        trusted: true,
        extensionVersion: '0.0.0',
        editor: { name: 'Editor', version: '1.0.0' },
        focusedAt: 0,
      }),
      async answerHook(call) {
        calls.push([windowId, call]);
        return answers[asked++] ?? allow;
      },
      onUnknownTool: (tool) => void unknown.push(tool),
    });
    await writeGuard(home, { windowId, state: 'open', folders: [folder] });
    return started.server;
  };
  const path = join(folder, 'a.ts');
  const callOf = (edit: NativeCall['edits'][number] = replace(path)): NativeCall => ({
    event: 'before',
    assistant: 'Claude Code',
    session: 's',
    call: 'c',
    tool: 'Edit',
    writesExactly: ['edit', 'create', 'changed'],
    edits: [edit],
  });
  return { root, home, folder, path, calls, unknown, open, callOf };
}

const replace = (path: string) => ({ kind: 'replace', path, oldText: 'a', newText: 'b', all: false }) as const;
/** A file that may be written, with this text before. */
const approved = (path: string, before: string, isChanged = false): ApprovedFile => ({
  path,
  change: 'edit',
  texts: { before, after: 'x' },
  isChanged,
});
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('askWindows', () => {
  test('has no opinion without a guard, and outside the guarded folders', async () => {
    const { root, home, open, calls, callOf } = await setUp();
    expect(await askWindows(callOf(), home)).toEqual({ decision: 'none' });
    await open('one', []);
    expect(await askWindows(callOf(replace(join(root, 'other.ts'))), home)).toEqual({ decision: 'none' });
    expect(calls).toEqual([]);
  });

  test('asks the window of the repository about a file in another work tree of it, and refuses while that window is away', async () => {
    const { root, home, folder, open, calls, unknown, callOf } = await setUp();
    const tree = join(root, 'feature');
    addWorkTree(join(folder, '.git'), tree);
    const server = await open('one', [{ decision: 'deny', words: 'No.' }]);
    const call = callOf(replace(join(tree, 'a.ts')));
    expect(await askWindows(call, home)).toEqual({ decision: 'deny', words: 'No.' });
    expect(calls).toHaveLength(1);
    await tellWindows({ event: 'unknown', assistant: 'Claude Code', tool: 'New' }, home, tree);
    expect(unknown).toHaveLength(1);
    await server.stop();
    expect(await askWindows(call, home, 50)).toMatchObject({
      decision: 'deny',
      words: expect.stringContaining(folder),
    });
  });

  test('G12: has no opinion about a folder that only claims to be a work tree', async () => {
    const { root, home, folder, open, calls, callOf } = await setUp();
    const tree = join(root, 'forged');
    addWorkTree(join(folder, '.git'), tree, { back: join(root, 'other', '.git') });
    await open('one', []);
    expect(await askWindows(callOf(replace(join(tree, 'a.ts'))), home)).toEqual({ decision: 'none' });
    expect(calls).toEqual([]);
  });

  test('asks every window that guards the folder, and all must agree', async () => {
    const { home, open, calls, callOf } = await setUp();
    await open('one', [allow]);
    await open('two', [{ decision: 'deny', words: 'No.' }]);
    expect(await askWindows(callOf(), home)).toEqual({ decision: 'deny', words: 'No.' });
    expect(calls.map(([windowId]) => windowId).toSorted()).toEqual(['one', 'two']);
  });

  test('refuses when the user changed the edit in two windows', async () => {
    const { home, open, path, callOf } = await setUp();
    const changed: NativeAnswer = { decision: 'allow', files: [approved(path, '', true)] };
    await open('one', [changed]);
    await open('two', [changed]);
    expect(await askWindows(callOf(), home)).toMatchObject({ decision: 'deny' });
  });

  test('G4: asks again when the file changed between the approval and the answer', async () => {
    const { home, open, path, calls, callOf } = await setUp();
    writeFileSync(path, 'now');
    const answerFor = (text: string): NativeAnswer => ({
      decision: 'allow',
      files: [{ ...approved(path, text), sha256: sha256(text) }],
    });
    await open('one', [answerFor('before'), answerFor('now')]);
    expect(await askWindows(callOf(), home)).toEqual(answerFor('now'));
    expect(calls).toHaveLength(2);
  });

  test('refuses to write a whole file that changed, or that appeared', async () => {
    const { home, open, path, callOf } = await setUp();
    await open('one', [{ decision: 'allow', files: [approved(path, '')] }]);
    writeFileSync(path, 'of the user');
    const answer = await askWindows(callOf({ kind: 'write', path, text: 'x' }), home);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('Read the file again') });
  });

  test('G3: refuses when the window that guards the folder stays away', async () => {
    const { home, folder, callOf } = await setUp();
    await writeGuard(home, { windowId: 'gone', state: 'open', folders: [folder] });
    const answer = await askWindows(callOf(), home, 50);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining(folder) });
  });

  test('G3: refuses when the window takes the question and does not begin an answer', async () => {
    const { home, open, calls, callOf } = await setUp();
    await open('one', [allow]);
    const silent = createServer();
    onTestFinished(() => void silent.close());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const port = z.object({ port: z.number() }).parse(silent.address()).port;
    for (const name of readdirSync(join(home, 'windows'))) {
      const record = join(home, 'windows', name);
      writeFileSync(record, readFileSync(record, 'utf8').replaceAll(/127\.0\.0\.1:\d+/g, `127.0.0.1:${port}`));
    }
    const answer = await askWindows(callOf(), home, 50);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('does not answer') });
    expect(calls).toEqual([]);
  });

  test('waits for a window that reloads, and asks it then', async () => {
    const { home, folder, open, calls, callOf } = await setUp();
    await writeGuard(home, { windowId: 'one', state: 'closed', folders: [folder] });
    const answered = askWindows(callOf(), home, 20_000);
    await open('one', [allow]);
    expect(await answered).toEqual(allow);
    expect(calls).toHaveLength(1);
  });

  test('has no opinion when the folder was closed and no window opened it again', async () => {
    const { home, folder, callOf } = await setUp();
    await writeGuard(home, { windowId: 'one', state: 'closed', folders: [folder] });
    expect(await askWindows(callOf(), home, 50)).toEqual({ decision: 'none' });
  });

  test('refuses an edit when the user closes the window while its card is open', async () => {
    const { home, folder, open, calls, callOf } = await setUp();
    const server = await open('one', [new Promise(() => undefined)]);
    const answered = askWindows(callOf(), home, 50);
    await expect.poll(() => calls.length).toBe(1);
    await writeGuard(home, { windowId: 'one', state: 'closed', folders: [folder] });
    await server.stop();
    expect(await answered).toMatchObject({ decision: 'deny', words: expect.stringContaining('closed the window') });
  });

  test('refuses an edit when the user stops Drawbridge while its card is open', async () => {
    const { home, open, calls, callOf } = await setUp();
    const server = await open('one', [new Promise(() => undefined)]);
    const answered = askWindows(callOf(), home);
    await expect.poll(() => calls.length).toBe(1);
    await removeGuard(home, 'one');
    await server.stop();
    expect(await answered).toMatchObject({ decision: 'deny', words: expect.stringContaining('stopped Drawbridge') });
    expect(await askWindows(callOf(), home)).toEqual({ decision: 'none' });
  });

  test('does not wait for a window that has ended when another one guards the folder', async () => {
    const { home, folder, open, calls, callOf } = await setUp();
    await writeGuard(home, { windowId: 'ended', state: 'open', folders: [folder] });
    const record = join(home, 'guards', 'ended');
    writeFileSync(record, readFileSync(record, 'utf8').replace(/"pid":\d+/, '"pid":4194303'));
    await open('two', [allow]);
    expect(await askWindows(callOf(), home, 60_000)).toEqual(allow);
    expect(calls.map(([windowId]) => windowId)).toEqual(['two']);
  });

  test('refuses when a window has ended and no other one guards all of its files', async () => {
    const { root, home, open, callOf, path } = await setUp();
    await writeGuard(home, { windowId: 'ended', state: 'open', folders: [join(root, 'other')] });
    const record = join(home, 'guards', 'ended');
    writeFileSync(record, readFileSync(record, 'utf8').replace(/"pid":\d+/, '"pid":4194303'));
    await open('two', [{ decision: 'none' }]);
    const call = { ...callOf(), edits: [replace(path), replace(join(root, 'other', 'b.ts'))] };
    expect(await askWindows(call, home, 50)).toMatchObject({ decision: 'deny' });
  });

  test('refuses an edit by a link from elsewhere, by which its window does not find the file', async () => {
    const { root, home, folder, open, callOf } = await setUp();
    symlinkSync(folder, join(root, 'link'));
    await open('one', [{ decision: 'none' }]);
    const answer = await askWindows(callOf(replace(join(root, 'link', 'a.ts'))), home);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining(join(folder, 'a.ts')) });
  });

  test('asks about a path that leads into the folder only without its "..", or only with its link', async () => {
    const { root, home, folder, open, calls, callOf } = await setUp();
    mkdirSync(join(root, 'elsewhere', 'deep'), { recursive: true });
    symlinkSync(join(root, 'elsewhere', 'deep'), join(folder, 'out'));
    await open('one', []);
    await askWindows(callOf(replace(`${folder}/out/../a.ts`)), home);
    expect(calls).toHaveLength(1);
  });

  test('G7: refuses an edit of the state folder while any folder is guarded', async () => {
    const { home, open, calls, callOf } = await setUp();
    const record = join(home, 'guards', 'one');
    await open('one', [allow]);
    const answer = await askWindows(callOf(replace(record)), home);
    expect(answer).toMatchObject({ decision: 'deny', words: expect.stringContaining('Ask the user to change it') });
    expect(calls).toEqual([]);
  });

  test('G7: refuses an edit through a link to a file of the state folder that does not exist yet', async () => {
    const { home, folder, open, callOf } = await setUp();
    await open('one', [allow]);
    symlinkSync(join(home, 'rules.json'), join(folder, 'notes.txt'));
    symlinkSync('notes.txt', join(folder, 'again.txt'));
    symlinkSync('circle.txt', join(folder, 'circle.txt'));
    for (const name of ['notes.txt', 'again.txt']) {
      expect(await askWindows(callOf(replace(join(folder, name))), home)).toMatchObject({ decision: 'deny' });
    }
    expect(await askWindows(callOf(replace(join(folder, 'circle.txt'))), home)).toMatchObject({ decision: 'allow' });
  });

  test('G7: passes an edit of the state folder after the last window was closed', async () => {
    const { home, folder, callOf } = await setUp();
    await writeGuard(home, { windowId: 'one', state: 'closed', folders: [folder] });
    const record = join(home, 'guards', 'one');
    const before = Date.now() / 1000 - 60;
    utimesSync(record, before, before);
    expect(await askWindows(callOf(replace(record)), home)).toEqual({ decision: 'none' });
  });

  test('G10: refuses an edit of the state folder while the user has switched the guard off, and asks about nothing else', async () => {
    const { home, open, calls, callOf } = await setUp();
    await open('one', [allow]);
    await switchGuardsOff(home, Date.now() + 60_000);
    expect(await askWindows(callOf(), home)).toEqual({ decision: 'none' });
    expect(calls).toEqual([]);
    const answer = await askWindows(callOf(replace(join(home, 'guards-off'))), home);
    expect(answer).toMatchObject({ decision: 'deny' });
    await askWindows({ ...callOf(), event: 'after' }, home);
    expect(calls).toHaveLength(1);
  });

  test('reports an unknown tool to the windows that guard the folder, and does not wait for a window that is away', async () => {
    const { root, home, folder, open, unknown } = await setUp();
    const report = { event: 'unknown', assistant: 'Claude Code', tool: 'MultiEdit' } as const;
    await open('one', []);
    await writeGuard(home, { windowId: 'gone', state: 'open', folders: [folder] });
    await tellWindows(report, home, folder);
    await tellWindows(report, home, root);
    expect(unknown).toEqual([report]);
  });

  test.runIf(process.platform === 'linux')(
    "has no opinion about an assistant's own notes in a guarded folder, unless the call has another file too",
    async () => {
      const { home, callOf } = await setUp();
      await writeGuard(home, { windowId: 'gone', state: 'open', folders: ['/tmp'] });
      const notes = replace(`/tmp/claude-${userInfo().uid}/project/session/scratchpad/notes.md`);
      expect(await askWindows(callOf(notes), home, 50)).toEqual({ decision: 'none' });
      const both = { ...callOf(), edits: [notes, replace('/tmp/other.md')] };
      expect(await askWindows(both, home, 50)).toMatchObject({ decision: 'deny' });
    },
  );

  test('judges a new file by the folder that will hold it', async () => {
    const { home, folder, open, calls, callOf } = await setUp();
    await open('one', [allow]);
    rmSync(join(folder, 'new'), { recursive: true, force: true });
    await askWindows(callOf(replace(join(folder, 'new', 'deep', 'a.ts'))), home);
    expect(calls).toHaveLength(1);
  });
});
