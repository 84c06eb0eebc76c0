import { expect, it } from 'vitest';
import { z } from 'zod';
import { textVersion } from '#audit/textVersion.ts';
import { annotationsOf } from '#call/annotations.ts';
import { outsideResource } from '#call/context.ts';
import { mimeTypeOf } from '#call/mimeType.ts';
import { tools } from '#tools/index.ts';

it.each([
  ['src/a.ts', 'text/x-typescript'],
  ['a.TSX', 'text/tsx'],
  ['ts', 'text/plain'],
  ['a.d/ts', 'text/plain'],
  ['v1.ts/readme', 'text/plain'],
  ['.json', 'application/json'],
  ['a.', 'text/plain'],
  ['a.toString', 'text/plain'],
])('a file %s has the MIME type %s', (path, type) => {
  expect(mimeTypeOf(path)).toBe(type);
});

it('the version of a text has 16 hex digits and is the same for all kinds of line ends', () => {
  expect(textVersion('a\nb')).toMatch(/^[0-9a-f]{16}$/);
  expect(textVersion('a\r\nb')).toBe(textVersion('a\nb'));
  expect(textVersion('a\rb')).toBe(textVersion('a\nb'));
  expect(textVersion('a\nb')).not.toBe(textVersion('a b'));
});

it('A22: an address outside the workspace is recorded only as its digest and last name', () => {
  const { outside = '' } = outsideResource('/home/other/secret plans/notes.txt');
  expect(outside).toMatch(/^[0-9a-f]{16} notes\.txt$/);
  expect(outsideResource('c:\\other\\notes.txt').outside).toMatch(/^[0-9a-f]{16} notes\.txt$/);
  expect(outsideResource('/x/notes.txt').outside).not.toBe(outside);
  expect(outsideResource('/home/other/secret plans/notes.txt').outside).toBe(outside);
  expect(outsideResource(`/x/${'n'.repeat(200)}`).outside).toHaveLength(16 + 1 + 100);
  expect(outsideResource('/x/').outside).toMatch(/^[0-9a-f]{16} $/);
});

it('the annotations of a tool follow from its risk', () => {
  const [tool] = tools;
  if (tool === undefined) throw new Error('There is no tool.');
  const hints = (risk: (typeof tool)['risk']) => {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotationsOf({ ...tool, risk });
    return [readOnlyHint, destructiveHint, idempotentHint, openWorldHint];
  };
  expect(hints('read')).toEqual([true, false, true, false]);
  expect(hints('ui')).toEqual([false, false, false, false]);
  expect(hints('network')).toEqual([false, false, false, true]);
  expect(hints('execute')).toEqual([false, true, false, true]);
  for (const risk of ['edit', 'delete', 'config'] as const) {
    expect(hints(risk), risk).toEqual([false, true, false, false]);
  }
});

it('the error of invalid arguments names the place of each problem', () => {
  const read = tools.find(({ name }) => name === 'read_file');
  expect(() => read?.input.parse({})).toThrow(/"path" is missing/);
  expect(() => read?.input.parse(3)).toThrow(/^(?!: )/);
  expect(z.string().safeParse(3).success).toBe(false);
});
