import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roomOf, roomOfTest } from './rooms.ts';

const sources = globSync('src/**/*.{ts,tsx}').map((file) => file.replaceAll('\\', '/'));

test('gives every source file a room', () => {
  expect(sources.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

test('gives a file the deepest room that it lies in', () => {
  const files = [
    'base/event',
    'policy/editor/modes',
    'ui/rules/rulesView',
    'ui/page/page',
    'mcp/wire/icons',
    'mcp/listener',
  ];
  expect(files.map((file) => roomOf(`src/${file}.ts`))).toEqual(['base', 'policy', 'ui', 'ui/page', 'mcp/wire', 'mcp']);
});

test('gives a test the room whose folder it lies in', () => {
  expect(roomOfTest('test/changes/editor/editsSwap.test.ts')).toBe('changes');
  expect(roomOfTest('test/pages/sidebarPage.test.ts')).toBe('ui/page');
  expect(roomOfTest('test/toolLaws.test.ts')).toBeUndefined();
});
