import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

/** Configurations that name files, and functions that read their globs. A moved folder would silently disable such a check. */
const configurations: Readonly<Record<string, (text: string) => readonly string[]>> = {
  '.oxlintrc.json': (text) => oxlint.parse(JSON.parse(text)).overrides.flatMap(({ files }) => files),
  'knip.json': (text) => [...knip.parse(JSON.parse(text)).entry, ...knip.parse(JSON.parse(text)).project],
  'tsconfig.json': (text) => foldersOf(text),
  'src/ui/page/tsconfig.json': () => ['src/ui/page/**/*.{ts,tsx}'],
  'vitest.config.ts': quotedPaths,
  'build.ts': quotedPaths,
  'test/mutation/groups.ts': quotedPaths,
  'test/mutation/stryker.config.json': quotedPaths,
};

const oxlint = z.object({ overrides: z.array(z.object({ files: z.array(z.string()) })) });
const knip = z.object({ entry: z.array(z.string()), project: z.array(z.string()) });
const tsconfig = z.object({ include: z.array(z.string()), exclude: z.array(z.string()) });

function foldersOf(text: string): readonly string[] {
  const { include, exclude } = tsconfig.parse(JSON.parse(text));
  return [...include, ...exclude];
}

/** Returns the quoted paths below `src` and `test`. */
function quotedPaths(text: string): readonly string[] {
  return [...text.matchAll(/['"`]((?:src|test)\/[^'"`$\s]*)['"`]/g)].map(([, found]) => found ?? '');
}

/** Tests that read the sources, which are the laws of this repository. */
const laws = globSync('test/{*,boundaries/*}.ts').map((file) => file.replaceAll('\\', '/'));

const matches = (glob: string): boolean => globSync(glob).length > 0;

describe('a glob', () => {
  it.each(Object.keys(configurations))('matches at least one file when %s names it', (file) => {
    const globs = configurations[file]?.(readFileSync(file, 'utf8')) ?? [];
    expect(globs.filter((glob) => !matches(glob))).toEqual([]);
  });

  it.each(laws)('matches at least one file when the law %s names it', (file) => {
    const globs = quotedPaths(readFileSync(file, 'utf8')).filter((glob) => !glob.includes('planted'));
    expect(globs.filter((glob) => glob.includes('*') && !matches(glob))).toEqual([]);
  });

  it('is refused when it matches nothing', () => {
    expect(matches(['src', 'nowhere', '**'].join('/'))).toBe(false);
  });
});
