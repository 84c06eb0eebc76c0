import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writtenFiles } from './writtenFiles.ts';

it.each(Object.entries(writtenFiles))('%s is as `npm run docs` writes it', async (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(await text());
});
