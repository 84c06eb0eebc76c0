import { expect, test } from 'vitest';
import { roomNames } from '../rooms.ts';
import { problemsOf, readLines, testsOfRoom, type Line } from './lines.ts';

const lines = readLines();
const [first] = lines;

function changed(change: Partial<Line>): readonly string[] {
  return first === undefined ? [] : problemsOf([{ ...first, ...change }]);
}

test('finds the text of every mutation exactly once, and every test that kills one', () => {
  expect(problemsOf(lines)).toEqual([]);
});

test('has at least ten mutations for each room', () => {
  const counts = roomNames.map((room) => ({ room, count: lines.filter((line) => line.room === room).length }));
  expect(counts.filter(({ count }) => count < 10)).toEqual([]);
});

test('reports what is wrong with a mutation', () => {
  expect(changed({ find: 'no such text' })).toEqual([expect.stringContaining('occurs 0 times')]);
  expect(changed({ find: '\n' })).toEqual([expect.stringMatching(/occurs \d+ times/)]);
  expect(changed({ file: 'src/missing.ts' })).toEqual([expect.stringContaining('does not exist')]);
  expect(changed({ killedBy: ['test/missing.test.ts'] })).toEqual([expect.stringContaining('killer')]);
  expect(changed({ replace: first?.find ?? '' })).toEqual([expect.stringContaining('changes nothing')]);
  expect(problemsOf([...lines.slice(0, 1), ...lines.slice(0, 1)])).toEqual([expect.stringContaining('occurs twice')]);
});

test('finds the unit tests of a room, the tests of the mutated file first', () => {
  const tests = testsOfRoom({ room: 'policy', file: 'src/policy/matching.ts' });
  expect(tests[0]).toBe('test/policy/matching.test.ts');
  expect(tests).toContain('test/policy/decide.test.ts');
  expect(tests).not.toContain('test/call/gate.test.ts');
});
