import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { toolReference } from './toolReference.ts';

it('docs/tools.md says what the tools say (npm run docs writes it)', async () => {
  expect(readFileSync('docs/tools.md', 'utf8')).toBe(await toolReference());
});
