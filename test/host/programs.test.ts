import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { onlySlow, shortMessage } from './programs.ts';

const failure = (file: string | undefined, message: string) => ({ ...(file && { file }), test: 'does it', message });

it.each([
  'TestTimeoutError: Test timed out in 400000ms.',
  'Error: Hook timed out in 400000ms.',
  'Error: Waited 180 s in vain for the card',
  'TimeoutError: locator.click: Timeout 90000ms exceeded.',
  'McpError: MCP error -32001: Request timed out',
])('counts a test as slow when its error is "%s"', (message) => {
  const slow = failure('a.test.ts', message);
  expect(onlySlow([slow])).toEqual([slow]);
});

it('counts no test of a file as slow when another test of it failed by an assertion', () => {
  const slow = failure('a.test.ts', 'Error: Waited 180 s in vain for the card');
  const wrong = failure('a.test.ts', "AssertionError: expected 'a' to be 'b'");
  const other = failure('b.test.ts', 'Error: Waited 180 s in vain for the view');
  expect(onlySlow([slow, wrong, other])).toEqual([other]);
});

it('counts a failure without a file as a failure', () => {
  expect(onlySlow([failure(undefined, 'Error: Waited 180 s in vain')])).toEqual([]);
});

it('tells the seed of a property that failed, so that the failure can be repeated', () => {
  let message = '';
  try {
    fc.assert(fc.property(fc.integer(), () => false));
  } catch (error) {
    message = String(error);
  }
  expect(shortMessage(message)).toMatch(/^Error: Property failed after 1 tests \{ seed: -?\d+, path: "0.*", .*\}$/);
  expect(shortMessage("AssertionError: expected 'a' to be 'b'\n    at test.ts:1:1")).toBe(
    "AssertionError: expected 'a' to be 'b'",
  );
});
