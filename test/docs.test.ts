import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writtenFiles } from './writtenFiles.ts';

it.each(Object.entries(writtenFiles))('%s is up to date with `npm run docs`', async (path, text) => {
  expect(readFileSync(path, 'utf8')).toBe(await text());
});
