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

describe('what an assistant changed', () => {
  test('is marked in every editor that shows it, and the file in the explorer, with who did it', async () => {
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

  test('is marked once, and no other change is looked at for it', async () => {
    const { approvals, applied } = scene();
    await applied({ path: 'a.ts', base, result });
    const texts = vi.spyOn(approvals, 'texts');
    const all = vi.spyOn(approvals, 'all', 'get');
    await applied({ path: 'b.ts', base, result }, 'a-2');
    approvals.change('a-1', { canUndo: false });
    expect(texts.mock.calls).toEqual([['a-2', 0]]);
    expect(all).not.toHaveBeenCalled();
  });

  test('of an earlier run is not marked when its undo fails', async () => {
    const { approvals, badge } = scene();
    approvals.add({ id: 'a-1', state: 'applied', files: [{ path: 'a.ts', base, result }] });
    approvals.change('a-1', { canUndo: false });
    approvals.change('a-1', { canUndo: true });
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    expect(badge('a.ts')).toBeUndefined();
  });

  test('is marked when the file is opened later, unless something else wrote it meanwhile', async () => {
    const { applied, badge } = scene();
    await applied({ path: 'a.ts', base, result });
    await applied({ path: 'b.ts', base, result }, 'a-2');
    expect(linesOf(show(open('a.ts')))).toEqual(marked);
    expect(linesOf(show(open('b.ts', `mine\n${result}`)))).toEqual([]);
    expect(badge('b.ts')).toBeUndefined();
  });

  test('of two changes one after the other is marked where it is then', async () => {
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

  test('is what stands there after a formatter had its turn', async () => {
    const { applied } = scene();
    const editor = show(open('a.ts', 'a\n\nB\nc\n'));
    await applied({ path: 'a.ts', base: 'a\nb\nc\n', result: 'a\nB\nc\n' });
    expect(linesOf(editor)).toEqual([[1, 2]]);
  });

  test('a moved file is marked where it is now, a deleted one and a folder not at all', async () => {
    const { applied, badge } = scene();
    await applied({ path: 'a.ts', change: 'move', to: 'b.ts' }, 'a-1', {
      change: 'move',
      uri: uriOf('b.ts').toString(),
    });
    await applied({ path: 'c.ts', change: 'delete', base: 'gone\n' }, 'a-2', { change: 'delete' });
    await applied({ path: 'd', change: 'move', to: 'e', folderFiles: 2 }, 'a-3', { uri: uriOf('e').toString() });
    expect(['a.ts', 'b.ts', 'c.ts', 'e'].map((path) => badge(path) !== undefined)).toEqual([false, true, false, false]);
  });

  test('before a reload is not marked, nor what was not applied', async () => {
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

describe('a mark goes', () => {
  test('when its lines were on screen for three seconds; those that were not stay', async () => {
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

  test('not while another window or another editor is used, nor while it is scrolled past', async () => {
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

  test('when the human edits the line; the others move along', async () => {
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

  test('when the change is undone', async () => {
    const { applied, approvals, badge } = scene();
    const editor = show(open('a.ts'));
    await applied({ path: 'a.ts', base, result });
    await approvals.undo('a-1');
    expect(linesOf(editor)).toEqual([]);
    expect(badge('a.ts')).toBeUndefined();
  });

  test('when the setting is switched off, and none comes then', async () => {
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
