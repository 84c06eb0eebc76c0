import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import * as z from 'zod';

const manifest = z.object({ scripts: z.record(z.string(), z.string()) });
const text = readFileSync('CONTRIBUTING.md', 'utf8');

it('CONTRIBUTING names only files and folders that exist', () => {
  const named = [...text.matchAll(/(?<![\w/])((?:src|test|docs)\/[\w./-]*[\w])/g)].map(([, path]) => path ?? '');
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

it('CONTRIBUTING names only npm scripts that exist', () => {
  const { scripts } = manifest.parse(JSON.parse(readFileSync('package.json', 'utf8')));
  const named = [...text.matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name ?? '');
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});
