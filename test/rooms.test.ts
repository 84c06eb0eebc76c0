import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import { roomOf, roomOfTest } from './rooms.ts';

const sources = globSync('src/**/*.ts').map((file) => file.replaceAll('\\', '/'));

test('gives every source file a room', () => {
  expect(sources.filter((file) => roomOf(file) === undefined)).toEqual([]);
});

test('gives the files of a mixed folder the rooms of the table', () => {
  const rooms = ['ports/event', 'vscode/rules/modes', 'vscode/rules/rulesView', 'server/windows', 'server/http'];
  expect(rooms.map((file) => roomOf(`src/${file}.ts`))).toEqual(['base', 'policy', 'ui', 'home', 'mcp']);
});

test('gives a test the room of the source that its name begins with', () => {
  expect(roomOfTest('test/vscode/editsSwap.test.ts', sources)).toBe('changes');
  expect(roomOfTest('test/core/gate.test.ts', sources)).toBe('call');
  expect(roomOfTest('test/toolLaws.test.ts', sources)).toBeUndefined();
});
