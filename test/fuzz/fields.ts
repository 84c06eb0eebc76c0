import fc, { type Arbitrary } from 'fast-check';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { badPaths } from '../tools/edit/wrongInputs.ts';
import { text } from './values.ts';

/** Values that the server returned, so that some calls come close to real calls. */
export interface KnownValues {
  readonly approvalId: string;
  readonly cursor: string;
  readonly version: string;
}

const corpus = z
  .object({
    accepted: z.array(z.looseObject({ address: z.string() })),
    refused: z.array(z.looseObject({ address: z.string() })),
  })
  .parse(JSON.parse(readFileSync('test/policy/pathCorpus.json', 'utf8')));
const tricks = [...corpus.accepted, ...corpus.refused].map(({ address }) => address);

const existing = ['a.ts', 'b.ts', 'd', 'd/x', 'src/cart.ts', 'src', '.', 'bin', 'pipe', 'out', 'dead', 'big.txt'];
export const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...existing) },
  { weight: 2, arbitrary: fc.constantFrom(...tricks, ...badPaths.filter((each) => typeof each === 'string')) },
  { weight: 1, arbitrary: fc.constantFrom('new.ts', 'src/new/file.ts', 'out/x', 'dead/x', 'a.ts/x', 'd/../../x') },
  { weight: 1, arbitrary: text },
);

/** Made to backtrack, to explode or to mean nothing. */
const glob = fc.oneof(
  fc.constantFrom(
    '*.ts',
    '**',
    'src/**',
    'd',
    '!*.ts',
    '[',
    '[[:alpha:',
    '{a',
    '\\',
    '**/'.repeat(200),
    '*a'.repeat(60),
  ),
  fc.constantFrom(
    '{a,b}'.repeat(12),
    '+(+(a|b)|c)'.repeat(8),
    '!(!(!(a)))',
    '{1..999999}',
    '{a..z}'.repeat(6),
    '(a+)+b',
  ),
  text,
);
const regex = fc.oneof(
  fc.constantFrom(
    'a',
    'cart',
    '(a+)+$',
    '(a|a)*b',
    '((a*)*)*c',
    '(.*)*x',
    '[',
    '(?P<x',
    '\\',
    '(?=a)',
    '(?<!a)b',
    '\\p{L}+',
  ),
  fc.constantFrom(
    'x{1000}{1000}',
    '(a{100}){100}',
    '.{1,65535}',
    '\\1',
    '(?i)(?s).*',
    '--pre=touch',
    '-e',
    '\n',
    '\\n',
    '^$',
  ),
  text,
);

export const patch = fc
  .tuple(path, text, text)
  .chain(([name, before, after]) =>
    fc.constantFrom(
      `--- a/${name}\n+++ b/${name}\n@@ -1 +1 @@\n-${before}\n+${after}\n`,
      `--- a/${name}\n+++ b/${name}\n@@ -1,99999999 +1 @@\n-a\n+${after}\n`,
      `*** Begin Patch\n*** Update File: ${name}\n@@\n-a\n+${after}\n*** End Patch\n`,
      `*** Begin Patch\n*** Add File: ${name}\n+${after}\n*** Delete File: ${name}\n*** End Patch\n`,
      `diff --git a/${name} b/${after}\nrename from ${name}\nrename to ${after}\n`,
      `${'@@ -1 +1 @@\n'.repeat(50)}${before}`,
    ),
  );

/** A text for a field of this name. */
export function textOf(field: string, known: KnownValues): Arbitrary<string> {
  const near = new Map<string, Arbitrary<string>>([
    ...['path', 'paths', 'to', 'from'].map((name) => [name, path] as const),
    ...['include', 'exclude', 'glob', 'pattern'].map((name) => [name, glob] as const),
    ['query', fc.oneof(regex, glob)],
    ['patch', patch],
    ['oldText', fc.oneof(fc.constantFrom('a', 'a\n', 'cart', 'b'), text)],
    ['version', fc.oneof(fc.constantFrom(known.version, known.version.toUpperCase(), '0123456789abcdef'), text)],
    [
      'cursor',
      fc.oneof(fc.constantFrom(known.cursor, known.cursor.slice(2), `${known.cursor}A`, 'bnVsbA', 'W10'), text),
    ],
    ...['approvalId', 'id', 'replaces'].map(
      (name) =>
        [
          name,
          fc.oneof(fc.constantFrom(known.approvalId, 'a-000000000000000000000000', 'read-0', '../x'), text),
        ] as const,
    ),
  ]);
  return near.get(field) ?? text;
}
