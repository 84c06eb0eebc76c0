import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { appliedUris, diffUris, parseDiffUri, textUri } from '#changes/editor/diff/diffUris.ts';
import { DiffDocuments } from '#changes/editor/diffDocuments.ts';
import type { ChangeTexts } from '#changes/appliedChanges.ts';
import type { Approval } from '#changes/approval.ts';
import { FakeApprovals, type FakeText } from '../../fakes/approvals.ts';
import { FakeClock } from '../../fakes/clock.ts';
import { openFrom } from '../../fakes/editor/documents.ts';
import { editor, events, resetEditor } from '../../fakes/editor/editor.ts';
import { allTabs, openTab, type OpenFacts } from '../../fakes/editor/tabs.ts';

const open: vscode.Disposable[] = [];
const noChanges = { textsOfFile: async () => undefined };

beforeEach(() => {
  for (const each of open.splice(0)) each.dispose();
  resetEditor();
});

function sceneOf(...files: FakeText[]) {
  const approvals = new FakeApprovals();
  const approval = approvals.add({ id: 'a-1', files });
  const clock = new FakeClock();
  const onError = (error: unknown): void => void errors.push(error);
  const errors: unknown[] = [];
  const documents = new DiffDocuments({ approvals, changes: noChanges, clock, onError });
  open.push(documents.register());
  return { approvals, approval, clock, documents, errors };
}

function scene(...paths: string[]) {
  return sceneOf(...paths.map((path) => ({ path, base: `old ${path} é\r\n`, result: `new ${path} é\r\n` })));
}

describe('B15: the bytes of a side', () => {
  const bytes = async ({ approval, documents }: ReturnType<typeof scene>): Promise<string> =>
    Buffer.from(await documents.readFile(diffUris(approval, 0)[1])).toString();

  test.each([
    [{}, ''],
    [{ 'files.encoding': 'windows1252' }, '\uFEFF'],
    [{ 'files.autoGuessEncoding': true }, '\uFEFF'],
  ])('have a byte-order mark only where the editor would not read them as UTF-8: %j', async (settings, mark) => {
    for (const [name, value] of Object.entries(settings)) editor.settings.set(name, value);
    expect(await bytes(scene('a.ts'))).toBe(`${mark}new a.ts é\r\n`);
  });

  test('keep a mark that is a part of the text', async () => {
    expect(await bytes(sceneOf({ path: 'a.ts', base: '', result: '\uFEFFnew' }))).toBe('\uFEFF\uFEFFnew');
  });
});

describe('the texts of an applied change', () => {
  test('are the read-only texts from before and after the change, however old it is', async () => {
    const texts = new Map<string, ChangeTexts>([['a-old/2', { after: 'new é\r\n', now: 'newer\n' }]]);
    const changes = { textsOfFile: async (id: string, index: number) => texts.get(`${id}/${index}`) };
    const clock = new FakeClock();
    const documents = new DiffDocuments({ approvals: new FakeApprovals(), changes, clock, onError: () => undefined });
    const [before, after] = appliedUris('a-old', 2, 'src/a.ts');
    expect([before.path, after.path]).toEqual(['/src/a.ts', '/src/a.ts']);
    expect(Buffer.from(await documents.readFile(before)).toString()).toBe('');
    expect(Buffer.from(await documents.readFile(after)).toString()).toBe('new é\r\n');
    expect(await documents.stat(after)).toMatchObject({ permissions: vscode.FilePermission.Readonly, size: 8 });
    expect(() => documents.writeFile(after, Buffer.from('mine'))).toThrow(
      expect.objectContaining({ code: 'NoPermissions' }),
    );
    const [gone] = appliedUris('a-gone', 0, 'src/a.ts');
    await expect(documents.readFile(gone)).rejects.toMatchObject({ code: 'FileNotFound' });
  });
});

describe('the two sides of a diff', () => {
  test('have one path, so that the editor shows no rename', () => {
    const { approval } = scene('src/a b#?.ts', 'src/b.ts');
    const [base, proposal] = diffUris(approval, 1);
    expect([base.scheme, base.authority, proposal.authority]).toEqual(['drawbridge', 'base', 'proposal']);
    expect([base.path, base.query]).toEqual(['/src/b.ts', 'a-1/1']);
    expect([proposal.path, proposal.query]).toEqual([base.path, base.query]);
    expect(parseDiffUri(diffUris(approval, 0)[1])).toEqual({ side: 'proposal', approvalId: 'a-1', fileIndex: 0 });
  });

  test('are the texts of the approval, read as UTF-8 whatever the encoding in the settings', async () => {
    const { approval, documents } = scene('a.ts');
    const [base, proposal] = diffUris(approval, 0);
    expect(Buffer.from(await documents.readFile(base)).toString()).toBe('old a.ts é\r\n');
    expect(Buffer.from(await documents.readFile(proposal)).toString()).toBe('new a.ts é\r\n');
  });

  test('are read-only on the left, and writable on the right while the change waits', async () => {
    const { approval, approvals, documents } = scene('a.ts');
    const [base, proposal] = diffUris(approval, 0);
    const bytes = Buffer.from('mine\n');
    expect(await documents.stat(base)).toMatchObject({ permissions: vscode.FilePermission.Readonly });
    expect(await documents.stat(proposal)).not.toHaveProperty('permissions');
    expect(() => documents.writeFile(base, bytes)).toThrow(expect.objectContaining({ code: 'NoPermissions' }));
    for (const write of ['delete', 'rename', 'createDirectory'] as const) {
      expect(() => documents[write](proposal)).toThrow(expect.objectContaining({ code: 'NoPermissions' }));
    }
    documents.writeFile(proposal, bytes);
    expect(await approvals.texts('a-1', 0)).toMatchObject({ current: 'mine\n' });
    expect((await documents.stat(proposal)).size).toBe((await documents.readFile(proposal)).length);

    approvals.change('a-1', { state: 'declined' });
    expect(await documents.stat(proposal)).toMatchObject({ permissions: vscode.FilePermission.Readonly });
    expect(() => documents.writeFile(proposal, bytes)).toThrow(expect.objectContaining({ code: 'NoPermissions' }));
  });

  test('are read-only for a delete and for an indivisible change', async () => {
    const deleted = sceneOf({ path: 'a.ts', change: 'delete', base: 'gone\n' });
    const whole = scene('a.ts');
    whole.approvals.change('a-1', { indivisible: true });
    for (const { approval, documents } of [deleted, whole]) {
      const [, proposal] = diffUris(approval, 0);
      expect(await documents.stat(proposal)).toMatchObject({ permissions: vscode.FilePermission.Readonly });
    }
  });

  test.each([
    'drawbridge://other/a.ts?a-1/0',
    'drawbridge://base/a.ts?a-2/0',
    'drawbridge://base/a.ts?a-1/7',
    'drawbridge://base/a.ts?a-1/x',
    'drawbridge://base/a.ts?a-1',
    'drawbridge://base/a.ts',
    'drawbridge://base/a.ts?../a-1/0',
    'file:///a.ts?a-1/0',
  ])('are not found at %s', async (address) => {
    const { documents } = scene('a.ts');
    await expect(documents.readFile(vscode.Uri.parse(address))).rejects.toMatchObject({ code: 'FileNotFound' });
    await expect(documents.stat(vscode.Uri.parse(address))).rejects.toMatchObject({ code: 'FileNotFound' });
  });
});

describe('the command Open Diff', () => {
  test('opens the diff editor for one file without taking the focus', async () => {
    const { approval, documents } = scene('src/a.ts');
    await documents.openDiff('a-1');
    const [base, proposal] = diffUris(approval, 0);
    const options = { preview: true, preserveFocus: true };
    expect(editor.executed).toEqual([['vscode.diff', base, proposal, 'src/a.ts (proposed change)', options]]);
  });

  test('opens the multi-file diff for several files, and the diff editor for one of them', async () => {
    const { approval, approvals, documents } = scene('src/a.ts', 'src/b.ts');
    approvals.change('a-1', { state: 'applied' });
    await documents.openDiff('a-1');
    await documents.openDiff('a-1', 1);
    expect(editor.executed).toMatchObject([
      [
        'vscode.changes',
        'src/a.ts and more, applied change',
        approval.files.map(({ uri }, index) => [vscode.Uri.parse(uri), ...diffUris(approval, index)]),
      ],
      ['vscode.diff', diffUris(approval, 1)[0], diffUris(approval, 1)[1], 'src/b.ts (applied change)', {}],
    ]);
  });

  test('does nothing for a missing approval, and throws for a file that the approval does not have', async () => {
    const { documents } = scene('a.ts', 'b.ts');
    await documents.openDiff('a-9');
    expect(editor.executed).toEqual([]);
    await expect(documents.openDiff('a-1', 5)).rejects.toThrow(RangeError);
  });
});

describe('B16: the diff of a change that the user decided', () => {
  const labels = (): string[] => allTabs().map(({ label }) => label);
  const openTabs = (approval: Approval, facts: OpenFacts = {}): void => {
    const [base, proposal] = diffUris(approval, 0);
    openTab(new vscode.TabInputTextDiff(base, proposal), { label: 'src/a.ts (proposed change)', ...facts });
  };

  test.each(['applied', 'declined', 'undone'] as const)('is closed when the change is %s', async (state) => {
    const { approval, approvals, documents } = scene('src/a.ts', 'src/b.ts');
    openTabs(approval);
    openTab(new vscode.TabInputText(vscode.Uri.file('/w/src/a.ts')), { label: 'a.ts' });
    await documents.openDiff('a-1');
    openTab(undefined, { label: 'src/a.ts and more, proposed change (2 files)' });
    approvals.change('a-1', { revision: 2 });
    expect(labels()).toHaveLength(3);
    approvals.change('a-1', { state });
    expect(labels()).toEqual(['a.ts']);
  });

  test('stays while its text is not saved, and when the change ended without the user', () => {
    const { approval, approvals } = scene('src/a.ts');
    openTabs(approval, { isDirty: true });
    approvals.change('a-1', { state: 'applied' });
    expect(labels()).toEqual(['src/a.ts (proposed change)']);
    const [tab] = allTabs();
    if (tab) Object.assign(tab, { isDirty: false });
    events.tabsChanged.fire({ opened: [], closed: [], changed: tab ? [tab] : [] });
    expect(labels()).toEqual([]);
    openTabs(approvals.add({ id: 'b', files: [{ path: 'src/a.ts', base: 'one', result: 'two' }] }));
    approvals.change('b', { state: 'stale' });
    expect(labels()).toEqual(['src/a.ts (proposed change)']);
  });
});

describe('a whole change as a text', () => {
  test('is opened in a tab of its own, read-only, with every file', async () => {
    const { approval, documents } = scene('src/a.ts', 'src/b.ts');
    await documents.openText('a-1');
    await documents.openText('a-9');
    const shown = textUri(approval, 'Change of 2 files');
    expect(editor.shownDocuments).toMatchObject([{ path: shown.fsPath, options: { preview: true } }]);
    expect(shown.path).toBe('/Change of 2 files.diff');
    const text = Buffer.from(await documents.readFile(shown)).toString();
    expect(text).toContain('--- src/a.ts\n+++ src/a.ts\n@@ -1,1 +1,1 @@\n-old src/a.ts é\n+new src/a.ts é\n');
    expect(text).toContain('+++ src/b.ts\n');
    expect(await documents.stat(shown)).toMatchObject({ permissions: vscode.FilePermission.Readonly });
    expect(() => documents.writeFile(shown, Buffer.from('mine'))).toThrow(
      expect.objectContaining({ code: 'NoPermissions' }),
    );
  });
});

describe('text typed on the right side', () => {
  const base = 'one\ntwo\nthree\nfour\n';
  const result = 'one\nTWO\nthree\nFOUR\n';

  async function opened(files: FakeText = { path: 'a.ts', base, result }) {
    const made = sceneOf(files);
    const uri = vscode.Uri.parse(diffUris(made.approval, 0)[1].toString());
    const document = await openFrom(made.documents, uri);
    await settled();
    const current = async (): Promise<string | undefined> => (await made.approvals.texts('a-1', 0))?.current;
    /** The time after which a document is saved, and the save. */
    const pause = async (): Promise<void> => {
      made.clock.advance(1000);
      await settled();
    };
    return { ...made, document, current, pause };
  }

  /** Everything that was started has ended: there is nothing in it but promises. */
  async function settled(): Promise<void> {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  }

  test('becomes the proposal at once, and is saved soon, so that closing the tab asks nothing', async () => {
    const { approvals, document, pause, current } = await opened();
    const before = approvals.get('a-1')?.proposalHash;
    document.type(0, 3, '!');
    expect(approvals.get('a-1')?.files[0]?.edited).toBe(true);
    expect(approvals.get('a-1')?.proposalHash).not.toBe(before);
    expect(await current()).toBe(result.replace('one', 'one!'));
    expect(document.isDirty).toBe(true);
    await pause();
    expect([document.isDirty, document.saves, document.getText()]).toEqual([false, 1, result.replace('one', 'one!')]);
    document.close();
    expect(approvals.get('a-1')?.state).toBe('waiting');
    expect(await current()).toBe(result.replace('one', 'one!'));
  });

  test('is not read again when another approval changes', async () => {
    const { approvals } = await opened();
    const texts = vi.spyOn(approvals, 'texts');
    approvals.add({ id: 'a-2', files: [{ path: 'b.ts', base, result }] });
    approvals.change('a-2', { revision: 2 });
    await settled();
    expect(texts).not.toHaveBeenCalled();
    approvals.change('a-1', { revision: 2 });
    await settled();
    expect(texts).toHaveBeenCalledWith('a-1', 0);
  });

  test('excludes a hunk, without counting as an edit, when an arrow of the editor reverts it', async () => {
    const { approvals, document, pause } = await opened();
    document.replaceAll('one\ntwo\nthree\nFOUR\n');
    await pause();
    expect(approvals.get('a-1')?.files[0]).toMatchObject({ includedHunks: 1, proposedHunks: 2, edited: false });
    expect(document.isDirty).toBe(false);
  });

  test('follows an undo that leads back to the saved text', async () => {
    const { document, current } = await opened();
    document.type(0, 3, '!');
    document.isDirty = false;
    document.edit(new vscode.Range(0, 3, 0, 4), '', vscode.TextDocumentChangeReason.Undo);
    expect(await current()).toBe(result);
  });

  test('is replaced without an echo when a check box of the card is toggled', async () => {
    const { approvals, document, pause } = await opened();
    approvals.selectHunk('a-1', 0, 0, false);
    await pause();
    expect([document.getText(), document.isDirty, document.saves]).toEqual(['one\ntwo\nthree\nFOUR\n', false, 0]);
    const { revision } = approvals.get('a-1') ?? {};
    await pause();
    expect(approvals.get('a-1')?.revision).toBe(revision);

    document.type(0, 3, '!');
    approvals.selectHunk('a-1', 0, 0, true);
    await pause();
    expect(document.getText()).toBe((await approvals.texts('a-1', 0))?.current);
    expect(document.isDirty).toBe(false);
  });

  test('keeps mixed line ends on every untouched line', async () => {
    const mixed = { path: 'a.ts', base: 'one\r\ntwo\nthree\r\nfour\r\n', result: 'one\r\nTWO\nthree\r\nFOUR\r\n' };
    const { document, current, pause, approvals } = await opened(mixed);
    expect(document.getText()).toBe('one\r\nTWO\r\nthree\r\nFOUR\r\n');
    expect(approvals.get('a-1')?.revision).toBe(1);
    document.type(2, 0, 'twenty');
    await pause();
    expect(await current()).toBe('one\r\nTWO\ntwentythree\r\nFOUR\r\n');
  });

  test('stays, unsaved, when a formatter changes it on save', async () => {
    const { document, current, pause, approvals } = await opened();
    document.onSave = (text) => text.replaceAll('o', '0');
    document.replaceAll('one\ntwo\nthree\nFOUR\n');
    await pause();
    expect(document.getText()).toBe('one\ntwo\nthree\nFOUR\n');
    expect(await current()).toBe('one\ntwo\nthree\nFOUR\n');
    expect([document.isDirty, document.saves]).toEqual([true, 1]);
    await pause();
    expect(document.saves).toBe(1);

    approvals.change('a-1', { state: 'applied' });
    await pause();
    expect([document.getText(), document.isDirty]).toEqual(['one\ntwo\nthree\nFOUR\n', false]);
    expect(document.isReadonly()).toBe(true);
  });

  test('is kept when typed during the save', async () => {
    const { approvals, document, current, pause } = await opened();
    document.type(0, 3, '!');
    document.onSave = (text) => text.replaceAll('W', 'w');
    const revisions: (number | undefined)[] = [];
    document.whileSaving = () => {
      document.whileSaving = () => undefined;
      document.onSave = (text) => text;
      document.replaceAll(document.getText().replaceAll('w', 'W'));
      revisions.push(approvals.get('a-1')?.revision);
      document.type(0, 4, '?');
      revisions.push(approvals.get('a-1')?.revision);
    };
    await pause();
    expect(revisions).toEqual([2, 3]);
    await pause();
    expect(await current()).toBe(result.replace('one', 'one!?'));
    expect([document.getText(), document.isDirty]).toEqual([result.replace('one', 'one!?'), false]);
    document.type(0, 5, '.');
    await pause();
    expect(document.isDirty).toBe(false);
  });

  test('is saved when typed while the card changes, and both stay one text', async () => {
    const { approvals, documents, document, current, pause, errors } = await opened();
    const typed = documents.onDidChangeFile(() => {
      typed.dispose();
      document.type(0, 3, ' and more');
    });
    approvals.selectHunk('a-1', 0, 0, false);
    await pause();
    await pause();
    expect(errors).toEqual([]);
    expect([document.getText(), document.isDirty]).toEqual([result.replace('one', 'one and more'), false]);
    expect(await current()).toBe(document.getText());
  });

  test("wins over the approval's text when typed while that is loaded", async () => {
    const { approvals, document, current } = await opened();
    const answer = Promise.withResolvers<Awaited<ReturnType<FakeApprovals['texts']>>>();
    const before = await approvals.texts('a-1', 0);
    const asked = vi.spyOn(approvals, 'texts').mockReturnValueOnce(answer.promise);
    approvals.change('a-1', { revision: 2 });
    await settled();
    expect(asked).toHaveBeenCalledTimes(1);
    document.type(0, 3, '!');
    answer.resolve(before);
    await settled();
    expect([document.getText(), document.isDirty, document.saves]).toEqual([result.replace('one', 'one!'), true, 0]);
    expect(await current()).toBe(document.getText());
  });

  test('is refused after the decision, and decided when typed right before it', async () => {
    const { document, current, pause, approvals } = await opened();
    document.type(0, 3, '!');
    approvals.change('a-1', { state: 'applying' });
    await pause();
    expect([document.isReadonly(), document.isDirty]).toEqual([true, false]);
    expect(await current()).toBe(result.replace('one', 'one!'));
    expect(editor.shown).toEqual([]);
  });

  test('is reverted, with a message to the user, when typed after the decision', async () => {
    const { document, current, pause, approvals } = await opened();
    vi.spyOn(approvals, 'setText').mockReturnValue(false);
    document.type(0, 3, '!');
    document.type(0, 4, '!');
    await pause();
    expect([document.getText(), document.isDirty]).toEqual([result, false]);
    expect(editor.shown).toHaveLength(1);
    expect(editor.shown[0]?.kind).toBe('warning');
    expect(editor.shown[0]?.message).toContain('a.ts: this change is already decided');

    // The multi-file diff takes keys even then, without calling it unsaved.
    approvals.change('a-1', { state: 'applied' });
    await pause();
    document.edit(new vscode.Range(0, 3, 0, 3), '!');
    await pause();
    expect([document.getText(), await current()]).toEqual([result, result]);
  });

  test('is shown again on both sides when the change is recomputed on top of another', async () => {
    const { approval, approvals, document, documents, pause } = await opened();
    const left = await openFrom(documents, vscode.Uri.parse(diffUris(approval, 0)[0].toString()));
    const texts = { base: `new\n${base}`, proposed: `new\n${result}`, current: `new\n${result}` };
    vi.spyOn(approvals, 'texts').mockResolvedValue(texts);
    approvals.change('a-1', { revision: 2, moved: true });
    await pause();
    expect([left.getText(), document.getText()]).toEqual([texts.base, texts.current]);
    expect([left.isReadonly(), document.isReadonly()]).toEqual([true, false]);
  });

  test('is taken from unsaved text that the editor kept over a reload', async () => {
    const { approvals, document, current } = await opened();
    for (const each of open.splice(0)) each.dispose();
    document.type(0, 3, '!');
    expect(await current()).toBe(result);
    open.push(
      new DiffDocuments({ approvals, changes: noChanges, clock: new FakeClock(), onError: () => undefined }).register(),
    );
    await settled();
    expect(await current()).toBe(result.replace('one', 'one!'));
  });
});
