import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { CodeColours } from '#colours/codeColours.ts';
import type { ColourAnswer } from '#colours/colourMessages.ts';
import { colouringOf } from '#colours/contributions.ts';
import { readContributed, themeRules, type TokenRule } from '#colours/theme.ts';

const folder = mkdtempSync(join(tmpdir(), 'hostile-colours-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: unknown): string => {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return `./${name}`;
};
const large = (name: string): string => {
  write(name, '');
  truncateSync(join(folder, name), 100 * 1024 * 1024);
  return `./${name}`;
};
const rule = (scope: string, foreground: unknown, fontStyle?: unknown) => ({
  scope,
  settings: { foreground, fontStyle },
});

const good = write('good.json', { scopeName: 'source.good', patterns: [{ match: 'red', name: 'keyword' }] });
const night = write('night.json', { tokenColors: [rule('keyword', '#ff0000')] });
const text = 'red 12\nred\n';

/** Returns colours with grammars, by the ending of the files that are written in their language, and one theme. */
function coloursWith(grammars: Readonly<Record<string, string>>, theme: string) {
  const ids = Object.keys(grammars);
  const contributes = {
    languages: ids.map((id) => ({ id, extensions: [`.${id}`] })),
    grammars: ids.map((id) => ({ language: id, scopeName: `source.${id}`, path: grammars[id] })),
    themes: [{ id: 'Night', uiTheme: 'vs-dark', path: theme }],
  };
  const colours = new CodeColours({
    program: resolve('src/colours/coloursWorker.ts'),
    folder: resolve('node_modules/vscode-oniguruma/release'),
    installed: () => colouringOf([{ id: 'test.bad', folder, contributes }]),
    settings: () => ({ customizations: undefined, associations: {} }),
    limits: { worker: 3000, line: 300, text: 1000 },
  });
  onTestFinished(() => colours.dispose());
  return (ending: string, more = '') =>
    colours.of({ theme: { id: 'Night', kind: 'dark' }, path: `a.${ending}`, text: text + more, lines: 2 });
}

/** Returns the colours of a good text. On a machine that is busy the thread may need more than one start. */
async function colouredAtLast(colour: ReturnType<typeof coloursWith>): Promise<ColourAnswer | undefined> {
  for (let more = ''; more.length < 8; more += '\n') {
    // An answer is kept for each text, also one without colours.
    const answer = await colour('good', more);
    if (answer !== undefined) return answer;
  }
  return undefined;
}

const hexadecimal = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** Fails unless an answer has only runs within the text, and colours that a style sheet takes for nothing else. */
function expectHarmless(answer: ColourAnswer | undefined): void {
  for (const [index, runs] of (answer?.lines ?? []).entries()) {
    const ends = runs.filter((_, at) => at % 2 === 0);
    expect(ends).toEqual(ends.toSorted((one, other) => one - other));
    expect(ends.at(-1) ?? 0).toBeLessThanOrEqual(text.split('\n')[index]?.length ?? 0);
    for (const style of runs.filter((_, at) => at % 2 === 1)) {
      if (style >> 4 !== 0) expect(answer?.palette[style >> 4]).toMatch(hexadecimal);
    }
  }
}

const grammarOf = (id: string, facts: object): string =>
  write(id, { scopeName: `source.${id}`, patterns: [], ...facts });
const pair = (at: number): object => ({
  begin: '(?=r)',
  end: '(?!r)',
  name: `meta.n${at}`,
  patterns: [{ include: '#a' }],
});
/** A case starts a few threads, which takes long on a machine that is busy. */
const patience = 240_000;

describe('a hostile grammar', () => {
  it.each<[string, Readonly<Record<string, () => string>>]>([
    [
      'without end',
      {
        itself: () => grammarOf('itself', { patterns: [{ include: '$self' }, { include: 'source.itself' }] }),
        parts: () =>
          grammarOf('parts', {
            patterns: [{ include: '#a' }],
            repository: { a: { patterns: [{ include: '#b' }] }, b: { patterns: [{ include: '#a' }] } },
          }),
        begins: () =>
          grammarOf('begins', {
            patterns: [{ include: '#a' }],
            repository: { a: { patterns: [pair(1), pair(2)] } },
          }),
        slow: () => grammarOf('slow', { patterns: [{ match: '(r|re|red|.)+(?<=x)$', name: 'keyword' }] }),
      },
    ],
    [
      'that is none',
      {
        prototype: () =>
          grammarOf('prototype', {
            patterns: [{ include: '#constructor' }, { include: '#__proto__' }, { include: '#toString' }],
            repository: JSON.parse('{"__proto__":{"match":"red"}}'),
          }),
        list: () => write('list', '[null]'),
        wrong: () => grammarOf('wrong', { patterns: [{ match: '(((', name: 'keyword' }, { match: 5 }] }),
        large: () => large('large'),
        folder: () => '.',
      },
    ],
  ])(
    '%s is left out in time, and the next text has its colours',
    async (_what, bad) => {
      const grammars = Object.fromEntries(Object.entries(bad).map(([id, make]) => [id, make()]));
      const colour = coloursWith({ ...grammars, good }, night);
      for (const id of Object.keys(bad)) expectHarmless(await colour(id));
      const answer = await colouredAtLast(colour);
      expectHarmless(answer);
      expect(answer?.lines.map((runs) => runs[0])).toEqual([3, 3]);
    },
    patience,
  );

  it('P24: of 100 MB is not read', () => {
    expect(() => readContributed(join(folder, large('g9')))).toThrow('too large');
  });
});

describe('a hostile theme', () => {
  it.each<[string, () => string]>([
    [
      'with style sheets for colours',
      () =>
        write('t2.json', {
          colors: { 'editor.foreground': 'expression(x)' },
          tokenColors: [
            rule('keyword', 'red;background:url(//x)'),
            rule('keyword', '#fff}body{display:none'),
            rule('keyword', 'var(--x)'),
            rule('keyword', '#ff0000\n;'),
            rule('keyword', 5),
            rule('keyword', '#00ff00', 'bold;x:url(y)'),
          ],
        }),
    ],
    [
      'with keys of the prototype',
      () =>
        write(
          't3.json',
          '{"__proto__":{"tokenColors":"x"},"colors":{"__proto__":{"editor.foreground":"red"},"constructor":1},' +
            '"tokenColors":[{"scope":"__proto__","settings":{"__proto__":{"foreground":"red"}}},' +
            '{"scope":["constructor","keyword"],"settings":{"foreground":"#0000ff"}}]}',
        ),
    ],
    ['that includes itself in two ways', () => write('t4.json', { include: './t4.json', tokenColors: './t4.json' })],
    ['of 100 MB', () => large('t7.json')],
    ['that is nested 50,000 deep', () => write('t8.json', `{"colors":${'['.repeat(50_000)}`)],
  ])('%s has colours in hexadecimal form or cannot be read', (_what, theme) => {
    let rules: readonly TokenRule[] = [];
    try {
      rules = themeRules(join(folder, theme()));
    } catch {
      // The text stays plain.
    }
    for (const { settings } of rules) expect(settings.foreground ?? '#000').toMatch(hexadecimal);
  });

  it('P24: of files that include each other is read once for each file', () => {
    write('a.json', { include: './b.json', tokenColors: './b.json' });
    write('b.json', { include: './a.json', settings: [rule('keyword', '#ff0000')] });
    expect(themeRules(join(folder, 'a.json'))).toHaveLength(1);
  });

  it(
    'with thousands of colours gives the page valid colours, and never changes the text',
    async () => {
      const colours = Array.from({ length: 5000 }, (_, at) =>
        rule(at % 2 === 0 ? 'keyword' : `s${at}`, `#${(at + 0x100000).toString(16)}`),
      );
      const answer = await colouredAtLast(coloursWith({ good }, write('t1.json', { tokenColors: colours })));
      expectHarmless(answer);
      expect(answer?.lines).toHaveLength(2);
    },
    patience,
  );
});
