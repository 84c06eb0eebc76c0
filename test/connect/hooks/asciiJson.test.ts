import { expect, test } from 'vitest';
import { asciiJson } from '#connect/hooks/asciiJson.ts';

test('the answer of the hook program has only ASCII characters, and means the same', () => {
  const answer = { words: 'é “quoted” 😀 \u007f', path: '/w/ä.ts' };
  const json = asciiJson(JSON.stringify(answer));
  expect(json).toMatch(/^[ -~]+$/);
  expect(JSON.parse(json)).toEqual(answer);
});
