import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { threatRows } from './threats.ts';

const rows = threatRows();
const ids: ReadonlySet<string> = new Set(rows.map(({ id }) => id));

it('the ids of the threats are unique', () => {
  expect(ids.size).toBe(rows.length);
});

describe.each(rows.map((row) => [row.id, row] as const))('row %s', (_, { tests, line }) => {
  it.each(tests)('has the test "$name" in $file', ({ file, name }) => {
    expect(testNames(readFileSync(file, 'utf8'))).toContain(name);
  });

  it('has a defending line that occurs exactly once in its file', () => {
    expect(readFileSync(line.file, 'utf8').split(line.find)).toHaveLength(2);
    expect(line.replace).not.toBe(line.find);
  });
});

describe('the citations in comments and test titles', () => {
  it('are found when the row, section or document does not exist', () => {
    const cite = (text: string): readonly string[] => missing({ text, isComment: true });
    expect(cite('an apply that is cut off (failure row F99, threat rows H1 and P77)')).toEqual(['F99', 'P77']);
    expect(cite('see threat row Z3')).toEqual(['Z3']);
    expect(cite('as docs/nowhere.md says, and security.md')).toEqual(['docs/nowhere.md']);
    for (const section of ['(table 3.3)', 'section 1.7 of it', '(3.10)', 'the design notes', '(3.4, threat row A1)']) {
      expect(cite(section)).toHaveLength(1);
    }
    expect(cite('U+202A to U+2069, `A17.`, C1 controls, 4.5 : 1, TLS 1.2, about 1.3 GB (2.1.0)')).toEqual([]);
    expect(missing({ text: '3.10: something', isComment: false })).toEqual(['3.10']);
    expect(missing({ text: 'finds a.md', isComment: false })).toEqual([]);
    expect(textsOf("// one P1\nconst url = 'http://x/P2'; /* two */ it.each([1])(`P3 %s ${x}`, () => 0);")).toEqual([
      { text: '// one P1', isComment: true },
      { text: '/* two */', isComment: true },
      { text: 'P3 %s ${x}', isComment: false },
    ]);
  });

  it('exist in the repository', () => {
    const files = globSync(['src/**/*.ts', 'test/**/*.ts', '*.ts']).filter((file) => !file.endsWith(ownName));
    expect(files.length).toBeGreaterThan(900);
    const found = files.flatMap((file) =>
      textsOf(readFileSync(file, 'utf8'))
        .flatMap(missing)
        .map((cited) => `${file}: ${cited}`),
    );
    expect(found).toEqual([]);
  });
});

/** This file, which cites rows that do not exist. */
const ownName = 'threats.test.ts';

interface Text {
  readonly text: string;
  readonly isComment: boolean;
}

/** Returns the comments, and the names of tests and groups. */
function textsOf(code: string): readonly Text[] {
  return [
    ...Array.from(code.matchAll(/(?<=^|\s)\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm), ([text]) => ({ text, isComment: true })),
    ...testNames(code).map((text) => ({ text, isComment: false })),
  ];
}

/** Returns the first argument of each `it`, `test` and `describe`, as written. */
function testNames(code: string): readonly string[] {
  const name =
    /(?<quote>['"`])(?<name>(?:\\.|(?!\k<quote>)[^\\\n])+)\k<quote>,\s*(?:\{[^{}]*\},\s*)?(?:async\b|\(|\w+ =>)/g;
  return Array.from(code.matchAll(name), ({ groups }) => groups?.['name'] ?? '');
}

/** Returns the cited rows, sections and documents that do not exist. */
function missing({ text, isComment }: Text): readonly string[] {
  const cited = Array.from(text.matchAll(/(?<![\w+$%`.\\/'"-])[FGHPA][1-9]\d?(?![\w.'"`-]\w|\w)/g), ([id]) => id);
  const named = Array.from(text.matchAll(/\brows? ([A-Z]\d{1,2})\b/g), ([, id = '']) => id);
  const sections = isComment
    ? /\b(?:table|section|§) ?\d\.\d+|\(\d\.\d{1,2}[a-z]?[,;)]|\bdesign (?:notes?|sketch)\b/gi
    : /^\d\.\d{1,2}[a-z]?(?=:)/g;
  const documents = isComment ? text.matchAll(/(?<![\w*.{-])[\w/-]+\.md\b/g) : [];
  return [
    ...new Set([...cited, ...named].filter((id) => !ids.has(id))),
    ...Array.from(text.matchAll(sections), ([section]) => section),
    ...Array.from(documents, ([document]) => document).filter(
      (document) => !existsSync(document) && !existsSync(`docs/${document}`),
    ),
  ];
}
