import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writtenFiles } from './writtenFiles.ts';

// The figures of the economy come from hundreds of calls, which take long on a busy machine.
const timeout = 120_000;

it.each(Object.entries(writtenFiles))(
  '%s is up to date with `npm run docs`',
  async (path, text) => {
    expect(readFileSync(path, 'utf8')).toBe(await text());
  },
  timeout,
);
