import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import { ProposalMarks } from '#ui/proposalMarks.ts';
import { FakeApprovals, type FakeRequest, type FakeText } from '../fakes/approvals.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor as fake, resetEditor } from '../fakes/editor/editor.ts';
import { type FakeTextEditor, show } from '../fakes/editor/textEditors.ts';

const base = 'a\nb\nc\nd\ne\n';
const result = 'a\nB\nc\nnew\nd\n';

let marks: ProposalMarks | undefined;

beforeEach(() => {
  marks?.dispose();
  resetEditor();
});

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
};

const uriOf = (path: string): vscode.Uri => vscode.Uri.file(`/work/shop-api/${path}`);

const open = (path: string, text = base): FakeDocument => new FakeDocument(uriOf(path), text);

const edit: FakeText = { path: 'a.ts', base, result };

function scene() {
  const clock = new FakeClock();
  const approvals = new FakeApprovals(clock);
  const made = new ProposalMarks({ approvals, clock, onError: (error) => expect.unreachable(String(error)) });
  marks = made;
  const propose = async (id: string, file: FakeText = edit, request: FakeRequest = {}): Promise<void> => {
    approvals.add({ id, files: [file], ...request });
    await settled();
  };
  const lens = async (document: FakeDocument) => {
    const [first, ...others] = await made.provideCodeLenses(document);
    expect(others).toEqual([]);
    return first && { line: first.range.start.line, title: first.command?.title, arguments: first.command?.arguments };
  };
  return { approvals, clock, made, propose, lens, badge: (path: string) => made.provideFileDecoration(uriOf(path)) };
}

const lines = (editor: FakeTextEditor): Record<string, number[]> =>
  Object.fromEntries(
    ['added', 'modified', 'deleted'].map((kind) => [
      kind,
      editor.decorationsOf(`editorGutter.${kind}Background`).map(({ range }) => range.start.line),
    ]),
  );

const none = { added: [], modified: [], deleted: [] };

describe('a waiting proposal', () => {
  test('marks the lines that would change in every editor of the file, and only there', async () => {
    const { propose } = scene();
    const [before, other] = [show(open('a.ts')), show(open('b.ts'))];
    await propose('one');
    const after = show(open('a.ts'));
    await settled();
    const marked = { added: [3], modified: [1], deleted: [4] };
    expect([before, other, after].map(lines)).toEqual([marked, none, marked]);
  });

  test('has one CodeLens at its first line that leads to its review', async () => {
    const { propose, lens } = scene();
    await propose('one', edit, { client: { name: 'claude-code', version: '2' } });
    const shown = { line: 1, title: 'Claude Code proposes +2 -2 · Review', arguments: ['one'] };
    expect(await lens(open('a.ts'))).toEqual(shown);
    expect(await lens(open('b.ts'))).toBeUndefined();
  });

  test('shares one CodeLens with another one, which leads to the older', async () => {
    const { propose, lens } = scene();
    await propose('new', { ...edit, result: `first\n${base}` }, { requestedAt: 2 });
    await propose('old', edit, { requestedAt: 1 });
    expect(await lens(open('a.ts'))).toEqual({ line: 0, title: '2 proposals · Review', arguments: ['old'] });
  });

  test('loses marks and CodeLens when it is decided', async () => {
    const { propose, lens, approvals, made } = scene();
    const editor = show(open('a.ts'));
    await propose('one');
    const redrawn = vi.fn<() => void>();
    made.onDidChangeCodeLenses(redrawn);
    approvals.change('one', { state: 'declined' });
    await settled();
    expect(lines(editor)).toEqual(none);
    expect(redrawn).toHaveBeenCalledOnce();
    expect(await lens(editor.document)).toBeUndefined();
  });

  test('follows the text after a pause in the typing', async () => {
    const { propose, clock } = scene();
    const editor = show(open('a.ts'));
    await propose('one');
    editor.document.edit(new vscode.Range(0, 0, 0, 0), 'mine\n');
    clock.advance(199);
    await settled();
    expect(lines(editor)).toEqual({ added: [3], modified: [1], deleted: [4] });
    clock.advance(1);
    await settled();
    expect(lines(editor)).toEqual({ added: [4], modified: [2], deleted: [5] });
  });

  test('keeps only its CodeLens when the user wrote something else into the same lines', async () => {
    const { propose, lens, clock } = scene();
    const editor = show(open('a.ts'));
    await propose('one');
    editor.document.edit(new vscode.Range(1, 0, 1, 1), 'mine');
    clock.advance(200);
    await settled();
    expect(lines(editor)).toEqual(none);
    const shown = { line: 0, title: 'Claude Code proposes a change · Review', arguments: ['one'] };
    expect(await lens(editor.document)).toEqual(shown);
  });

  test('shows what the user left of it', async () => {
    const { propose, approvals, badge } = scene();
    const editor = show(open('a.ts'));
    await propose('one');
    approvals.selectHunk('one', 0, 0, false);
    await settled();
    expect(lines(editor)).toEqual({ added: [3], modified: [], deleted: [4] });
    approvals.selectFile('one', 0, false);
    await settled();
    expect(lines(editor)).toEqual(none);
    expect(badge('a.ts')).toBeUndefined();
  });

  test('marks every line of a file that would be deleted, and none of one that would be moved', async () => {
    const { propose, lens } = scene();
    const editors = [show(open('a.ts')), show(open('b.ts'))];
    await propose('gone', { path: 'a.ts', change: 'delete', base });
    await propose('moved', { path: 'b.ts', change: 'move', to: 'c.ts' });
    expect(editors.map(lines)).toEqual([{ ...none, deleted: [0] }, none]);
    expect(await lens(open('b.ts'))).toMatchObject({ title: 'Claude Code proposes a change · Review' });
  });

  test('cannot draw an icon with the name of its assistant', async () => {
    const { propose, lens } = scene();
    await propose('one', edit, { client: { name: '$(check) Safe', version: '1' } });
    expect((await lens(open('a.ts')))?.title).toBe('(check) Safe proposes +2 -2 · Review');
  });

  test('marks its file in the explorer until it is decided', async () => {
    const { propose, approvals, badge, made } = scene();
    const changed = vi.fn<(uris: vscode.Uri[]) => void>();
    made.onDidChangeFileDecorations(changed);
    await propose('one');
    expect(badge('a.ts')).toMatchObject({ badge: '?', tooltip: 'Claude Code proposes a change', propagate: true });
    expect(badge('b.ts')).toBeUndefined();
    approvals.change('one', { state: 'applying' });
    expect(badge('a.ts')).toBeUndefined();
    const uri = uriOf('a.ts').toString();
    expect(changed.mock.calls.map(([uris]) => uris.join(' '))).toEqual([uri, uri]);
  });

  test('registers providers when it is the first one, and not before', async () => {
    const { propose, approvals } = scene();
    approvals.add({ id: 'done', state: 'applied', files: [edit] });
    expect(fake.providers).toEqual([]);
    await propose('one');
    await propose('two');
    expect(fake.providers).toEqual([marks, marks]);
    marks?.dispose();
    expect(fake.providers).toEqual([]);
  });
});
