import { expect, onTestFinished, test, vi } from 'vitest';
import { watchTyping } from '../../src/vscode/typing.ts';
import { FakeClock } from '../fakes/clock.ts';

const editor = vi.hoisted(() => ({ select: (_kind: number | undefined): void => undefined }));

vi.mock('vscode', async () => {
  const { EventEmitter } = await import('../fakes/vscode.ts');
  const selected = new EventEmitter<object>();
  editor.select = (kind) => selected.fire({ kind });
  return { window: { onDidChangeTextEditorSelection: selected.event } };
});

test('a cursor that a human moved is typing, one that a change of the text moved is not', () => {
  const clock = new FakeClock();
  const typing = watchTyping(clock);
  onTestFinished(() => typing.dispose());
  expect(typing.idleMilliseconds()).toBe(Infinity);
  editor.select(undefined);
  expect(typing.idleMilliseconds()).toBe(Infinity);
  editor.select(1);
  clock.advance(500);
  expect(typing.idleMilliseconds()).toBe(500);
});
