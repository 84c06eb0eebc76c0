import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';

const manifest = z
  .object({
    contributes: z.object({ jsonValidation: z.array(z.object({ fileMatch: z.array(z.string()), url: z.string() })) }),
  })
  .parse(JSON.parse(readFileSync('package.json', 'utf8')));

test('builds and ships the JSON schemas of the rules files', () => {
  const { jsonValidation } = manifest.contributes;
  expect(jsonValidation.flatMap(({ fileMatch }) => fileMatch)).toEqual([
    '**/.drawbridge/rules.json',
    '**/.drawbridge/policy.json',
  ]);
  const build = readFileSync('build.ts', 'utf8');
  for (const { url } of jsonValidation) expect(build).toContain(`writeFile('${url.replace('./', '')}'`);
  expect(readFileSync('.vscodeignore', 'utf8')).toContain('!dist/*.schema.json');
});
