import { beforeEach, describe, expect, test, vi } from 'vitest';
import * as vscode from 'vscode';
import type { FileOutcome } from '#changes/approver.ts';
import { ChangeMarks } from '#ui/changeMarks.ts';
import { FakeApprovals, type FakeText } from '../fakes/approvals.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';
import { editor as fake, events, resetEditor } from '../fakes/editor/editor.ts';
import { type FakeTextEditor, scroll, show } from '../fakes/editor/textEditors.ts';

const base = Array.from({ length: 100 }, (_, line) => `line ${line}\n`).join('');
const result = base.replace('line 3\n', 'three\n').replace('line 60\n', '').replace('line 80\n', 'eighty\nmore\n');
const marked = [
  [3, 3],
  [60, 60],
  [79, 80],
];

const onError = (error: unknown): void => expect.unreachable(String(error));

let marks: ChangeMarks | undefined;

beforeEach(() => {
  marks?.dispose();
  resetEditor();
});

const uriOf = (path: string): vscode.Uri => vscode.Uri.parse(`file:///w/${path}`);

function scene() {
  const approvals = new FakeApprovals();
  const clock = new FakeClock();
  const setting = { isEnabled: true };
  const made = new ChangeMarks({ approvals, clock, isEnabled: () => setting.isEnabled, onError });
  marks = made;
  /** An assistant's change that was applied to the file, which holds its result by now. */
  const applied = async (file: FakeText, id = 'a-1', outcome: Partial<FileOutcome> = {}): Promise<void> => {
    const approval = approvals.add({ id, files: [file] });
    const facts = { path: file.path, uri: uriOf(file.path).toString(), change: 'edit', state: 'applied' } as const;
    const outcomes = [{ ...facts, addedLines: 1, removedLines: 1, ...outcome }];
    approvals.change(approval.id, { state: 'applying' });
    approvals.change(approval.id, { state: 'applied', outcomes });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const badge = (path: string) => made.provideFileDecoration(uriOf(path));
  return { approvals, clock, setting, applied, badge };
}

const open = (path: string, text = result): FakeDocument =>
  new FakeDocument(vscode.Uri.parse(`file:///w/${path}`), text);

const linesOf = ({ decorations }: FakeTextEditor): number[][] =>
  decorations.map(({ range }) => [range.start.line, range.end.line]);

describe('the marks of a change', () => {
  test('stand in every editor that shows the file and in the Explorer, with the assistant’s name', async () => {
    const { applied, badge } = scene();
    const editor = show(open('a.ts'));
    const other = show(open('b.ts'));
    await applied({ path: 'a.ts', base, result });
    expect(linesOf(editor)).toEqual(marked);
    expect(linesOf(other)).toEqual([]);
    expect(editor.decorations[0]?.hoverMessage).toMatchObject({ value: 'Changed&nbsp;by&nbsp;Claude&nbsp;Code' });
    expect(badge('a.ts')).toMatchObject({ badge: 'AI', tooltip: 'Changed by Claude Code', propagate: true });
    expect(badge('b.ts')).toBeUndefined();
  });

  test('are set once, without looking at any other change', async () => {
    const { approvals, applied } = scene();
    await applied({ path: 'a.ts', base, result });
    const texts = vi.spyOn(approvals, 'texts');
    const all = vi.spyOn(approvals, 'all', 'get');
    await applied({ path: 'b.ts', base, result }, 'a-2');
    approvals.change('a-1', { canUndo: false });
    expect(texts.mock.calls).toEqual([['a-2', 0]]);
    expect(all).not.toHaveBeenCalled();
  });

  test('are not set for a change of an earlier run when its undo fails', async () => {
    const { approvals, badge } = scene();
    approvals.add({ id: 'a-1', state: 'applied', files: [{ path: 'a.ts', base, result }] });
    approvals.change('a-1', { canUndo: false });
    approvals.change('a-1', { canUndo: true });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(badge('a.ts')).toBeUndefined();
  });

  test('are set when the file is opened later, unless something else wrote it meanwhile', async () => {
    const { applied, badge } = scene();
    await applied({ path: 'a.ts', base, result });
    await applied({ path: 'b.ts', base, result }, 'a-2');
    expect(linesOf(show(open('a.ts')))).toEqual(marked);
    expect(linesOf(show(open('b.ts', `mine\n${result}`)))).toEqual([]);
    expect(badge('b.ts')).toBeUndefined();
  });

  test('stand where the first of two changes is after the second', async () => {
    const { applied, badge, approvals } = scene();
    await applied({ path: 'a.ts', base: 'a\nb\nc\n', result: 'a\nb\nC\n' });
    approvals.change('a-1', {});
    await applied({ path: 'a.ts', base: 'a\nb\nC\n', result: 'new\na\nb\nC\n' }, 'a-2');
    const editor = show(open('a.ts', 'new\na\nb\nC\n'));
    expect(linesOf(editor)).toEqual([
      [3, 3],
      [0, 0],
    ]);
    expect(badge('a.ts')).toBeDefined();
  });

  test('stand where the text is after a formatter ran', async () => {
    const { applied } = scene();
    const editor = show(open('a.ts', 'a\n\nB\nc\n'));
    await applied({ path: 'a.ts', base: 'a\nb\nc\n', result: 'a\nB\nc\n' });
    expect(linesOf(editor)).toEqual([[1, 2]]);
  });

  test('follow a moved file, and are not set for a deleted file or a folder', async () => {
    const { applied, badge } = scene();
    await applied({ path: 'a.ts', change: 'move', to: 'b.ts' }, 'a-1', {
      change: 'move',
      uri: uriOf('b.ts').toString(),
    });
    await applied({ path: 'c.ts', change: 'delete', base: 'gone\n' }, 'a-2', { change: 'delete' });
    await applied({ path: 'd', change: 'move', to: 'e', folderFiles: 2 }, 'a-3', { uri: uriOf('e').toString() });
    expect(['a.ts', 'b.ts', 'c.ts', 'e'].map((path) => badge(path) !== undefined)).toEqual([false, true, false, false]);
  });

  test('are not set for a change before a reload, nor for one that was not applied', async () => {
    const { approvals, clock, badge, applied } = scene();
    await applied({ path: 'a.ts', base, result });
    await applied({ path: 'b.ts', base, result }, 'a-2', { state: 'not_applied' });
    expect(badge('b.ts')).toBeUndefined();
    marks?.dispose();
    const after = new ChangeMarks({ approvals, clock, isEnabled: () => true, onError });
    approvals.change('a-1', {});
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(after.provideFileDecoration(uriOf('a.ts'))).toBeUndefined();
    after.dispose();
  });
});

describe('the removal of a mark', () => {
  test('happens when its lines were on screen for three seconds; marks of other lines stay', async () => {
    const { applied, badge, clock } = scene();
    const editor = show(open('a.ts'), 0, 60);
    await applied({ path: 'a.ts', base, result });
    clock.advance(2900);
    expect(linesOf(editor)).toEqual(marked);
    clock.advance(100);
    expect(linesOf(editor)).toEqual([[79, 80]]);

    scroll(editor, 40, 79);
    clock.advance(3000);
    expect(linesOf(editor)).toEqual([[80, 80]]);
    expect(badge('a.ts')).toBeDefined();
    scroll(editor, 50, 90);
    clock.advance(3000);
    expect(linesOf(editor)).toEqual([]);
    expect(badge('a.ts')).toBeUndefined();
  });

  test('does not happen while another window or another editor is used, nor while its lines are scrolled past', async () => {
    const { applied, clock } = scene();
    const editor = show(open('a.ts'), 0, 99);
    fake.isFocused = false;
    await applied({ path: 'a.ts', base, result });
    clock.advance(10_000);
    expect(linesOf(editor)).toEqual(marked);

    fake.isFocused = true;
    events.focusChanged.fire({ focused: true, active: true });
    clock.advance(2000);
    show(open('b.ts'));
    clock.advance(10_000);
    expect(linesOf(editor)).toEqual(marked);

    fake.activeEditor = editor;
    for (let step = 0; step < 10; step += 1) {
      scroll(editor, 0, 99);
      clock.advance(1000);
    }
    expect(linesOf(editor)).toEqual(marked);
  });

  test('happens when the user edits the line; the other marks move along', async () => {
    const { applied } = scene();
    const document = open('a.ts');
    const editor = show(document);
    await applied({ path: 'a.ts', base, result });
    document.type(3, 1, 'x');
    document.type(0, 0, 'above\n');
    expect(linesOf(editor)).toEqual([
      [61, 61],
      [80, 81],
    ]);
    document.type(80, 3, '\n');
    expect(linesOf(editor)).toEqual([
      [61, 61],
      [82, 82],
    ]);
  });

  test('happens when the change is undone', async () => {
    const { applied, approvals, badge } = scene();
    const editor = show(open('a.ts'));
    await applied({ path: 'a.ts', base, result });
    await approvals.undo('a-1');
    expect(linesOf(editor)).toEqual([]);
    expect(badge('a.ts')).toBeUndefined();
  });

  test('happens when the setting is switched off, and then no mark is set', async () => {
    const { applied, setting, badge } = scene();
    const editor = show(open('a.ts'));
    await applied({ path: 'a.ts', base, result });
    setting.isEnabled = false;
    events.settingsChanged.fire({ affectsConfiguration: () => true });
    expect(linesOf(editor)).toEqual([]);
    await applied({ path: 'a.ts', base, result }, 'a-2');
    expect(badge('a.ts')).toBeUndefined();
  });
});
