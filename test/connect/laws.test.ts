import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ConfigurationFormat } from '#connect/configurationFormat.ts';
import { jsonFormat } from '#connect/jsonFormat.ts';
import { valueAt, withoutKeyAndEmptyParents } from '#connect/plainValue.ts';
import { tomlFormat } from '#connect/tomlFormat.ts';
import { yamlFormat } from '#connect/yamlFormat.ts';
import { jsoncDocument } from './jsoncDocument.ts';

const entry = { command: '/home/ada/.drawbridge/bin/drawbridge', args: ['/d', 'a "b" \\ é'], env: {}, enabled: true };

const tomlBlocks = [
  '# a comment',
  '[tools]\nweb = true # yes',
  '[servers.a]\ncommand = "a"\nargs = [\n  "x", # one\n]',
  '[servers."b c".env]\nKEY = \'v\'\n',
  '[[list]]\nname = """\n[servers.drawbridge]\n"""',
  '[servers]',
  '[last]\nat = 1979-05-27T07:32:00Z\n# [servers.drawbridge]',
];
const tomlRoots = [
  '',
  'a = 1\n',
  'servers = { x = { command = "y" } } # here\n',
  'servers = { }\n',
  'servers.x.y = 1\n',
];
const tomlDocument = documentOf(fc.constantFrom(...tomlRoots), tomlBlocks).filter((text) => isValid(tomlFormat, text));

const yamlBlocks = [
  '# a comment',
  'model: x # fast',
  'text: |+\n  servers:\n    drawbridge: {}\n\n',
  'list:\n- a\n- b: &b {c: 1}\n',
  'folded: "a\n  b"',
  '"quoted key" : [1, 2]',
];
const yamlServers = [
  '',
  'servers:\n',
  'servers: # mine\n',
  'servers: {} # none\n',
  'servers: ~\n',
  'servers:\n    a:\n        cmd: x # y\n    # tail\n',
  'servers:\n  a:\n    args:\n    - 1\n  b: {}\n\n',
  'servers: {a: {b: 1}}\n',
];
const yamlDocument = documentOf(fc.constantFrom(...yamlServers), yamlBlocks);

/** A first part and some of the others in any order, with either line end and with or without one at the end. */
function documentOf(first: fc.Arbitrary<string>, blocks: readonly string[]): fc.Arbitrary<string> {
  const rest = fc.shuffledSubarray([...blocks]).map((some) => some.map((block) => `${block}\n`));
  return fc.tuple(first, rest, fc.boolean(), fc.constantFrom('', '\n', '\n\n')).map(([start, some, isWindows, end]) => {
    const text = (start + some.join(end)).replace(/\n$/, end);
    return isWindows ? text.replaceAll('\n', '\r\n') : text;
  });
}

/** TOML lets a table be written in one way only. */
function isValid(format: ConfigurationFormat, text: string): boolean {
  try {
    format.read(text);
    return true;
  } catch {
    return false;
  }
}

interface Subject {
  readonly name: string;
  readonly format: ConfigurationFormat;
  readonly document: fc.Arbitrary<string>;
  readonly path: readonly string[];
}
const subjects: readonly Subject[] = [
  { name: 'JSON', format: jsonFormat, document: jsoncDocument, path: ['mcpServers', 'drawbridge'] },
  { name: 'TOML', format: tomlFormat, document: tomlDocument, path: ['servers', 'drawbridge'] },
  { name: 'YAML', format: yamlFormat, document: yamlDocument, path: ['servers', 'drawbridge'] },
];

describe.each(subjects)('$name', ({ format, document, path }) => {
  const others = (text: string): unknown => withoutKeyAndEmptyParents(format.read(text) ?? {}, path);

  test('differs after adding in our entry only, and loses nothing', () => {
    fc.assert(
      fc.property(document, (before) => {
        const { text } = format.set(before, path, entry);
        expect(valueAt(format.read(text), path)).toEqual(entry);
        expect(others(text)).toStrictEqual(others(before));
        expect(isInOrderIn(text, before.replace(/servers: (?:~|\{\})/, 'servers:'))).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('restores every byte when the entry is removed after adding', () => {
    fc.assert(
      fc.property(document, (before) => {
        const { text, created } = format.set(before, path, entry);
        expect(format.remove(text, path, created)).toBe(before);
      }),
      { numRuns: 100 },
    );
  });

  test('changes no other value when the entry is removed without the record of adding', () => {
    fc.assert(
      fc.property(document, (before) => {
        const { text } = format.set(before, path, entry);
        const removed = format.remove(text, path, undefined);
        expect(valueAt(format.read(removed), path)).toBeUndefined();
        expect(others(removed)).toStrictEqual(others(before));
      }),
      { numRuns: 100 },
    );
  });

  test('changes nothing else of the entry when one of its values is replaced', () => {
    fc.assert(
      fc.property(document, fc.constantFrom('command', 'args', 'new'), (before, key) => {
        const { text } = format.set(before, path, entry);
        const changed = format.set(text, [...path, key], ['x']).text;
        expect(valueAt(format.read(changed), path)).toEqual({ ...entry, [key]: ['x'] });
        const taken = format.remove(changed, [...path, key], undefined);
        expect(valueAt(format.read(taken), path)).toEqual(
          Object.fromEntries(Object.entries(entry).filter(([k]) => k !== key)),
        );
        expect(others(taken)).toStrictEqual(others(before));
      }),
      { numRuns: 100 },
    );
  });
});

/** Whether a text has all characters of another one in their order: nothing was taken away. */
function isInOrderIn(text: string, other: string): boolean {
  let at = -1;
  return other.split('').every((character) => (at = text.indexOf(character, at + 1)) !== -1);
}
