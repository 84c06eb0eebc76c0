import { expect, onTestFinished, test } from 'vitest';
import { TextEditorSelectionChangeKind, Uri } from 'vscode';
import { watchTyping } from '#editor/typing.ts';
import { FakeClock } from '../fakes/clock.ts';
import { FakeDocument } from '../fakes/editor/documents.ts';

test('counts a cursor move of the user as typing, not one caused by a text change', () => {
  const clock = new FakeClock();
  const document = new FakeDocument(Uri.file('/w/a.ts'), '');
  const typing = watchTyping(clock);
  onTestFinished(() => typing.dispose());
  expect(typing.idleMilliseconds()).toBe(Infinity);
  document.moveCursor(undefined);
  expect(typing.idleMilliseconds()).toBe(Infinity);
  document.moveCursor(TextEditorSelectionChangeKind.Keyboard);
  clock.advance(500);
  expect(typing.idleMilliseconds()).toBe(500);
});
