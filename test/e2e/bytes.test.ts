import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { PNG } from 'pngjs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { clickButton, decide, openApprovals } from './approvalsPage.ts';
import { type Assistant, connectAssistant, type Edit, type Outcome, textOfAnswer } from './assistant.ts';
import { bufferOf, closeAll, openFile, setSetting as setUserSetting, tabsOf, typeInto } from './editor.ts';
import { type Drawbridge, tempWorkspace, until } from './harness.ts';
import { sharedDrawbridge } from './shared.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le');
/** 1 x 1 pixel. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

let drawbridge: Drawbridge;
let assistant: Assistant;
let page: Frame;
let folder: string;
let outside: string;

beforeAll(async () => {
  outside = tempWorkspace({ 'target.txt': 'outside\n' }, 'outside');
  drawbridge = await sharedDrawbridge({ 'a.txt': 'a\n' });
  folder = drawbridge.folder ?? '';
  assistant = await connectAssistant(await drawbridge.record());
  page = await openApprovals(drawbridge.window);
});

const put = (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content);
const bytesOf = (name: string): Buffer => readFileSync(join(folder, name));
const textOnDisk = (name: string): string => bytesOf(name).toString();
const replace = (path: string, oldText: string, newText: string): Edit => ({ path, oldText, newText });

/** Proposes, has `meanwhile` happen while the card waits, and approves, unless that has ended the card. */
async function approved(edits: readonly Edit[], meanwhile: () => unknown = () => undefined): Promise<Outcome> {
  const proposed = assistant.propose(edits);
  const name = new RegExp(`^Approve edit of .*${String(edits[0]?.['path']).replaceAll('.', '\\.')}`);
  await Promise.race([page.getByRole('button', { name }).waitFor(), proposed]);
  await meanwhile();
  const decision = decide(page, name);
  decision.catch(() => undefined);
  await Promise.race([decision, proposed]);
  return proposed;
}

const open = (name: string): Promise<void> => openFile(drawbridge.window, join(folder, name));
const buffer = (name: string): ReturnType<typeof bufferOf> => bufferOf(drawbridge.window, join(folder, name));
const setSetting = (name: string, value?: unknown): Promise<void> => setUserSetting(drawbridge.window, name, value);

describe('an edit of a file that is not open', () => {
  it.each([
    ['CRLF', 'crlf.txt', Buffer.from('a\r\nb\r\nc\r\n'), Buffer.from('a\r\nB\r\nBB\r\nc\r\n')],
    ['a UTF-8 byte-order mark', 'bom.txt', Buffer.from('\uFEFFa\nb\nc\n'), Buffer.from('\uFEFFa\nB\nBB\nc\n')],
    ['UTF-16LE', 'utf16.txt', utf16('ä\r\nb\r\nc\r\n'), utf16('ä\r\nB\r\nBB\r\nc\r\n')],
    ['mixed line endings', 'mixed.txt', Buffer.from('a\r\nx\nb\r\ny\rc\n'), Buffer.from('a\r\nx\nB\r\nBB\r\ny\rc\n')],
    ['a missing final newline', 'open-end.txt', Buffer.from('a\nb'), Buffer.from('a\nB\nBB')],
  ])('keeps %s', async (_what, name, before, after) => {
    put(name, before);
    const outcome = await approved([replace(name, 'b', 'B\nBB')]);
    expect(outcome).toMatchObject({ status: 'applied', files: [{ path: name, saved: true, dirty: false }] });
    expect(bytesOf(name)).toEqual(after);
  });

  it('keeps the executable bit', async () => {
    put('run.py', 'print(1)\n');
    chmodSync(join(folder, 'run.py'), 0o755);
    expect((await approved([replace('run.py', '1', '2')])).status).toBe('applied');
    expect(textOnDisk('run.py')).toBe('print(2)\n');
    expect(statSync(join(folder, 'run.py')).mode & 0o7777).toBe(0o755);
  });
});

describe('bytes that are not UTF-8 text', () => {
  afterEach(() => setSetting('files.encoding'));

  it('are refused and kept as they are in Latin-1, until the user sets the encoding', async () => {
    put('latin1.txt', latin1('café\nthé\n'));
    const edit = replace('latin1.txt', 'th', 'Th');
    await expect(assistant.propose([edit])).rejects.toThrow('[undecodable]');
    expect(bytesOf('latin1.txt')).toEqual(latin1('café\nthé\n'));

    await setSetting('files.encoding', 'iso88591');
    expect((await approved([edit])).status).toBe('applied');
    expect(bytesOf('latin1.txt')).toEqual(latin1('café\nThé\n'));
    await expect(assistant.propose([replace('latin1.txt', 'Th', '茶')])).rejects.toThrow('[undecodable]');
    expect(bytesOf('latin1.txt')).toEqual(latin1('café\nThé\n'));
  });

  it('P13: are refused when the file is a picture', async () => {
    put('dot.png', png);
    await expect(assistant.propose([replace('dot.png', 'PNG', 'GIF')])).rejects.toThrow('[binary_file]');
    expect(bytesOf('dot.png')).toEqual(png);
  });
});

describe('an open document', () => {
  it('is saved when it was clean, and one undo of the editor reverts the edit', async () => {
    put('clean.txt', 'one\ntwo\nthree\n');
    await open('clean.txt');
    const outcome = await approved([replace('clean.txt', 'one', '1'), replace('clean.txt', 'three', '3')]);
    expect(outcome).toMatchObject({ status: 'applied', files: [{ saved: true, dirty: false }] });
    expect(textOnDisk('clean.txt')).toBe('1\ntwo\n3\n');
    await open('clean.txt');
    await drawbridge.window.command('undo');
    expect(await buffer('clean.txt')).toEqual({ text: 'one\ntwo\nthree\n', dirty: true });
    await drawbridge.window.command('workbench.action.files.revert');
  });

  it('stays dirty when it was dirty, and the disk is not touched', async () => {
    put('dirty.txt', 'saved\n');
    await open('dirty.txt');
    await typeInto(drawbridge.window, join(folder, 'dirty.txt'), 'unsaved\n');
    const outcome = await approved([replace('dirty.txt', 'unsaved', 'still unsaved')]);
    expect(outcome).toMatchObject({ status: 'applied', files: [{ saved: false, dirty: true }] });
    expect(await buffer('dirty.txt')).toEqual({ text: 'still unsaved\nsaved\n', dirty: true });
    expect(textOnDisk('dirty.txt')).toBe('saved\n');
  });

  it('with mixed line endings shows on the card what else saving changes', async () => {
    put('mixed-open.txt', 'a\r\nb\nc\r\n');
    await open('mixed-open.txt');
    const outcome = await approved([replace('mixed-open.txt', 'a', 'A')], () =>
      page.getByText('Saving will also change the line end of 1 other line.').waitFor(),
    );
    expect(outcome.status).toBe('applied');
    expect(textOnDisk('mixed-open.txt')).toBe('A\r\nb\r\nc\r\n');
  });

  it('reports the change of a formatter that runs on save, and Undo reverts both', async () => {
    put('formatted.txt', 'a = 1\nb = 2\n');
    await open('formatted.txt');
    await drawbridge.window.evaluateSource(`
      state.formatter = vscode.languages.registerDocumentFormattingEditProvider({ pattern: '**/formatted.txt' }, {
        provideDocumentFormattingEdits: (document) => [...document.getText().matchAll(/(?<! )=(?! )/g)].map(({ index }) => {
          const start = document.positionAt(index);
          return vscode.TextEdit.replace(new vscode.Range(start, start.translate(0, 1)), ' = ');
        }),
      });`);
    await setSetting('editor.formatOnSave', true);
    const outcome = await approved([replace('formatted.txt', 'b = 2', 'b=3')]);
    expect(textOnDisk('formatted.txt')).toBe('a = 1\nb = 3\n');
    expect(outcome).toMatchObject({ status: 'applied', files: [{ saved: true }] });
    const diff = outcome.files[0]?.changedOnSave?.split('\n') ?? [];
    expect(diff).toEqual(expect.arrayContaining(['-b=3', '+b = 3']));
    await page.getByText('Changed further on save: formatted.txt').waitFor();

    await clickButton(page, /^Undo edit of formatted\.txt/);
    await until(() => textOnDisk('formatted.txt') === 'a = 1\nb = 2\n', 'the undo');
    await drawbridge.window.evaluateSource('state.formatter.dispose()');
    await setSetting('editor.formatOnSave');
  });
});

describe('a file that several editors show', () => {
  afterEach(() => closeAll(drawbridge.window));

  it('is changed once and saved when it is shown side by side', async () => {
    put('twice-open.txt', 'one\r\ntwo\r\n');
    for (const beside of [false, true]) await openFile(drawbridge.window, join(folder, 'twice-open.txt'), beside);
    const outcome = await approved([replace('twice-open.txt', 'two', 'zwei')]);
    expect(outcome).toMatchObject({ status: 'applied', files: [{ saved: true, dirty: false }] });
    expect(textOnDisk('twice-open.txt')).toBe('one\r\nzwei\r\n');
    const shown = (await tabsOf(drawbridge.window)).filter((path) => path.includes('twice-open'));
    expect(shown).toEqual([join(folder, 'twice-open.txt'), join(folder, 'twice-open.txt')]);
  });

  it('holds exactly the approved text before save participants run, and the result reports the changes of those participants', async () => {
    put('data.json', '{"a":1,\n"b":2}');
    put('blanks.txt', 'one\ntwo');
    await open('blanks.txt');
    await open('data.json');
    await drawbridge.window.evaluateSource(`
      state.first = {};
      state.watch = vscode.workspace.onDidChangeTextDocument(({ document }) => {
        state.first[vscode.workspace.asRelativePath(document.uri)] ??= document.getText();
      });`);
    const settings = ['editor.formatOnSave', 'files.trimTrailingWhitespace', 'files.insertFinalNewline'];
    for (const name of settings) await setSetting(name, true);
    const outcome = await approved([replace('data.json', '2', '3'), replace('blanks.txt', 'two', 'two  \nthree')]);
    expect(await drawbridge.window.evaluateSource('state.watch.dispose(); return state.first')).toMatchObject({
      'data.json': '{"a":1,\n"b":3}',
      'blanks.txt': 'one\ntwo  \nthree',
    });
    expect(textOnDisk('data.json')).toBe('{\n    "a": 1,\n    "b": 3\n}\n');
    expect(textOnDisk('blanks.txt')).toBe('one\ntwo\nthree\n');
    expect(outcome).toMatchObject({ status: 'applied', files: [{ saved: true }, { saved: true }] });
    expect(outcome.files[0]?.changedOnSave).toContain('-"b":3}\n\\ No newline at end of file\n+{\n+    "a": 1,');
    expect(outcome.files[1]?.changedOnSave).toContain('-two  \n-three\n\\ No newline at end of file\n+two\n+three\n');
    expect(outcome.next).toContain('changedOnSave');
    for (const name of settings) await setSetting(name);
    await clickButton(page, /^Undo edit of 2 files: data\.json/);
    await until(() => textOnDisk('blanks.txt') === 'one\ntwo', 'the undo');
    expect(textOnDisk('data.json')).toBe('{"a":1,\n"b":2}');
  });
});

describe('a file with unsaved changes in another kind of editor', () => {
  /** The codes with which every tool refuses to change it, and what a read says of it. */
  async function triedOn(path: string): Promise<{ codes: string[]; read: unknown }> {
    const calls = [
      ['apply_edit', { edits: [replace(path, 'one', 'two')] }],
      ['delete_file', { path }],
      ['move_file', { path, to: 'elsewhere' }],
      ['create_file', { path, content: 'x', overwrite: true }],
    ] as const;
    const answers = await Promise.all(calls.map(([tool, args]) => assistant.say(tool, args)));
    const read = (await assistant.call('read_file', { path })).structuredContent;
    return { codes: answers.map((text) => /unsaved changes of .*\[(\w+)\]$/s.exec(text)?.[1] ?? text), read };
  }
  const refused = (text: string) => ({
    codes: ['unavailable', 'unavailable', 'unavailable', 'unavailable'],
    read: expect.objectContaining({ text, unsavedElsewhere: true }),
  });

  it('is not changed in a notebook: reads report it, and a card that waits meanwhile cannot be applied', async () => {
    const cell = { cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: ['one'] };
    const text = `${JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 })}\n`;
    put('book.ipynb', text);
    const outcome = await approved([replace('book.ipynb', 'one', 'two')], async () => {
      await drawbridge.window.evaluate(
        async (vscode, path) => {
          const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
          await vscode.window.showNotebookDocument(notebook);
          const edit = new vscode.WorkspaceEdit();
          const typed = new vscode.NotebookCellData(vscode.NotebookCellKind.Code, 'mine', 'python');
          edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [typed])]);
          await vscode.workspace.applyEdit(edit);
          if (!notebook.isDirty) throw new Error('The notebook is not dirty');
        },
        join(folder, 'book.ipynb'),
      );
    });
    expect(outcome).toMatchObject({ status: 'stale', files: [{ state: 'not_applied' }] });
    // Reads show a notebook as its cells.
    expect(await triedOn('book.ipynb')).toEqual(refused('[cell 1: code, unknown language]\none'));
    expect(textOnDisk('book.ipynb')).toBe(text);
    await drawbridge.window.command('workbench.action.revertAndCloseActiveEditor');
  });

  it('is not changed in a custom editor, and reads report it', async () => {
    put('drawing.custom-of-host-probe', 'one\n');
    await drawbridge.window.evaluateSource(
      `const changes = new vscode.EventEmitter();
      let document;
      const [path, kind] = args;
      state.custom = vscode.window.registerCustomEditorProvider(kind, {
        onDidChangeCustomDocument: changes.event,
        openCustomDocument: (uri) => (document = { uri, dispose() {} }),
        resolveCustomEditor() {},
        saveCustomDocument: async () => {},
        saveCustomDocumentAs: async () => {},
        revertCustomDocument: async () => {},
        backupCustomDocument: async (_, { destination }) => ({ id: destination.toString(), delete() {} }),
      });
      await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(path), kind);
      changes.fire({ document, undo() {}, redo() {} });`,
      join(folder, 'drawing.custom-of-host-probe'),
      'drawbridge.host-probe.editor',
    );
    const isDirty = `return vscode.window.tabGroups.activeTabGroup.activeTab?.isDirty === true`;
    await until(() => drawbridge.window.evaluateSource(isDirty), 'unsaved changes in the custom editor');
    expect(await triedOn('drawing.custom-of-host-probe')).toEqual(refused('one\n'));
    expect(textOnDisk('drawing.custom-of-host-probe')).toBe('one\n');
    await drawbridge.window.command('workbench.action.revertAndCloseActiveEditor');
    await drawbridge.window.evaluateSource('state.custom.dispose()');
  });
});

describe('a read-only file', () => {
  it('is refused, and nothing is written when the file becomes read-only while the card waits', async () => {
    put('readonly.txt', 'one\n');
    const edit = replace('readonly.txt', 'one', 'two');
    const outcome = await approved([edit], () => chmodSync(join(folder, 'readonly.txt'), 0o444));
    expect(outcome).toMatchObject({ status: 'stale', files: [{ reason: 'readonly.txt: it is read-only' }] });
    await expect(assistant.propose([edit])).rejects.toThrow(/is read-only.*\[unavailable\]/s);
    for (const tool of ['delete_file', 'create_file']) {
      const args = { path: 'readonly.txt', ...(tool === 'create_file' && { content: 'x', overwrite: true }) };
      await expect(assistant.change(tool, args)).rejects.toThrow(/is read-only.*\[unavailable\]/s);
    }
    expect(textOnDisk('readonly.txt')).toBe('one\n');
    expect(statSync(join(folder, 'readonly.txt')).mode & 0o7777).toBe(0o444);
  });
});

describe('Undo', () => {
  it('restores the same bytes, and never overwrites later work', async () => {
    const before = Buffer.from('\uFEFFa\r\nb\n');
    put('undo.txt', before);
    await approved([replace('undo.txt', 'b', 'B')]);
    put('undo.txt', '\uFEFFa\r\nB\nmine\n');
    await clickButton(page, /^Undo edit of undo\.txt/);
    await page.getByText('undo.txt: the file was changed').waitFor();
    expect(textOnDisk('undo.txt')).toBe('\uFEFFa\r\nB\nmine\n');
    put('undo.txt', '\uFEFFa\r\nB\n');
    await clickButton(page, /^Undo edit of undo\.txt/);
    await page.getByRole('heading', { name: 'Undone: edit of undo.txt' }).waitFor();
    expect(bytesOf('undo.txt')).toEqual(before);
  });
});

describe('paths through links', () => {
  it('P4: change the target of a link inside the workspace, and the link stays', async () => {
    put('real.txt', 'one\n');
    symlinkSync('real.txt', join(folder, 'link.txt'));
    const proposed = assistant.propose([replace('link.txt', 'one', 'two')]);
    await decide(page, /^Approve edit of real\.txt/);
    expect(await proposed).toMatchObject({ status: 'applied', files: [{ path: 'real.txt' }] });
    expect(textOnDisk('real.txt')).toBe('two\n');
    expect(readlinkSync(join(folder, 'link.txt'))).toBe('real.txt');
  });

  it('P4: are refused when the link leads out of the workspace or is broken', async () => {
    symlinkSync(join(outside, 'target.txt'), join(folder, 'out.txt'));
    symlinkSync(join(outside, 'absent.txt'), join(folder, 'nowhere-out.txt'));
    symlinkSync('absent.txt', join(folder, 'nowhere.txt'));
    const edit = (path: string) => assistant.propose([replace(path, 'outside', 'inside')]);
    await expect(edit('out.txt')).rejects.toThrow('[outside_workspace]');
    await expect(edit('nowhere-out.txt')).rejects.toThrow('[outside_workspace]');
    await expect(edit('nowhere.txt')).rejects.toThrow('[not_found]');
    expect(readdirSync(outside)).toEqual(['target.txt']);
    expect(readFileSync(join(outside, 'target.txt'), 'utf8')).toBe('outside\n');
  });

  it.each([
    ['a link to outside', (path: string) => symlinkSync(outside, path)],
    ['another folder with the same file', (path: string) => mkdirSync(path)],
  ])(
    'P5: write nothing, and make the card stale, when a folder is replaced by %s while the card waits',
    async (what, replaceBy) => {
      const name = `swapped-${what.length}`;
      mkdirSync(join(folder, name));
      put(`${name}/target.txt`, 'outside\n');
      const outcome = await approved([replace(`${name}/target.txt`, 'outside', 'written')], () => {
        renameSync(join(folder, name), join(folder, `${name}-away`));
        replaceBy(join(folder, name));
        writeFileSync(join(folder, name, 'target.txt'), 'outside\n');
      });
      expect(outcome).toMatchObject({ status: 'stale', files: [{ state: 'not_applied' }] });
      for (const path of [join(folder, name), join(folder, `${name}-away`), outside]) {
        expect(readdirSync(path)).toEqual(['target.txt']);
        expect(readFileSync(join(path, 'target.txt'), 'utf8')).toBe('outside\n');
      }
    },
  );

  it('P10: keep the bytes of another name of the file outside the workspace', async () => {
    linkSync(join(outside, 'target.txt'), join(folder, 'hard.txt'));
    expect((await approved([replace('hard.txt', 'outside', 'inside')])).status).toBe('applied');
    expect(textOnDisk('hard.txt')).toBe('inside\n');
    expect(readFileSync(join(outside, 'target.txt'), 'utf8')).toBe('outside\n');
  });

  it('become one change when two names lead to one file', async () => {
    put('twice.txt', 'one\ntwo\n');
    symlinkSync('twice.txt', join(folder, 'again.txt'));
    const outcome = await approved([replace('twice.txt', 'one', '1'), replace('again.txt', 'two', '2')]);
    expect(outcome).toMatchObject({ status: 'applied', files: [{ path: 'twice.txt' }] });
    expect(outcome.files).toHaveLength(1);
    expect(textOnDisk('twice.txt')).toBe('1\n2\n');
    expect(lstatSync(join(folder, 'again.txt')).isSymbolicLink()).toBe(true);
  });
});

describe('a change of several files', () => {
  it.each([
    ['closed', false],
    ['open', true],
  ])(
    'is applied as a whole or not at all: a %s file stays when another file changed meanwhile',
    async (what, isOpen) => {
      const [first, second] = [`first-${what}.txt`, `second-${what}.txt`];
      put(first, 'one\n');
      put(second, 'two\n');
      if (isOpen) await open(first);
      const outcome = await approved([replace(first, 'one', '1'), replace(second, 'two', '2')], () =>
        put(second, 'two\nmine\n'),
      );
      expect(outcome).toMatchObject({
        status: 'stale',
        files: [
          { path: first, state: 'not_applied' },
          { path: second, state: 'not_applied' },
        ],
      });
      expect([textOnDisk(first), textOnDisk(second)]).toEqual(['one\n', 'two\nmine\n']);
      expect(await buffer(first)).toEqual({ text: 'one\n', dirty: false });
    },
  );

  it('leaves no temporary files, whatever the outcome', () => {
    const left = readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('.drawbridge-'));
    expect(left).toEqual([]);
    rmSync(join(folder, 'a.txt'));
  });
});

it('F7: an image that is too large for a result is read scaled down', async () => {
  const image = new PNG({ width: 9000, height: 300 });
  image.data.fill(200);
  put('wide.png', PNG.sync.write(image));
  const answer = await assistant.call('read_file', { path: 'wide.png' });
  expect(textOfAnswer(answer)).toMatch(/^wide\.png: image\/png, 1568 x 52 pixels, scaled down from 9000 x 300 pixels/);
  const shown = z.object({ content: z.array(z.looseObject({ type: z.string(), data: z.string().optional() })) });
  const sent = shown.parse(answer).content.find(({ type }) => type === 'image');
  const { width, height } = PNG.sync.read(Buffer.from(sent?.data ?? '', 'base64'));
  expect([width, height]).toEqual([1568, 52]);
});
