import { expect, test } from 'vitest';
import { asciiJson } from '#connect/hooks/asciiJson.ts';

test('asciiJson writes the same JSON value in ASCII characters only', () => {
  const answer = { words: 'é “quoted” 😀 \u007f', path: '/w/ä.ts' };
  const json = asciiJson(JSON.stringify(answer));
  expect(json).toMatch(/^[ -~]+$/);
  expect(JSON.parse(json)).toEqual(answer);
});
