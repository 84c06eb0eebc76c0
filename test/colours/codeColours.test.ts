import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { CodeColours, type CodeColoursOptions } from '#colours/codeColours.ts';
import { colouringOf } from '#colours/contributions.ts';

const folder = mkdtempSync(join(tmpdir(), 'colours-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a file below the folder of the one extension. */
const write = (name: string, content: unknown): void =>
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));

write('words.json', {
  scopeName: 'source.words',
  patterns: [
    { match: String.raw`\bred\b`, name: 'keyword.control.red' },
    { begin: '<', end: '>', name: 'string.block' },
    { include: 'source.numbers' },
  ],
});
write(
  'numbers.tmLanguage',
  `<?xml version="1.0"?><plist version="1.0"><dict>
    <key>scopeName</key><string>source.numbers</string>
    <key>patterns</key><array><dict>
      <key>match</key><string>[0-9]+</string><key>name</key><string>constant.numeric</string>
    </dict></array>
  </dict></plist>`,
);
write('todo.json', {
  scopeName: 'todo.injection',
  injectionSelector: 'L:source.words',
  patterns: [{ match: 'TODO', name: 'comment.todo' }],
});
write('slow.json', {
  scopeName: 'source.slow',
  patterns: [{ match: '(a+)+$', name: 'keyword.slow' }],
});
const rule = (scope: string, foreground: string, fontStyle?: string) => ({
  scope,
  settings: { foreground, fontStyle },
});
write('base.json', {
  colors: { 'editor.foreground': '#cccccc' },
  tokenColors: [rule('keyword', '#110000'), rule('constant.numeric', '#001100')],
});
write(
  'dark.json',
  `{ // a comment
  "include": "./base.json",
  "tokenColors": ${JSON.stringify([rule('keyword', '#ff0000', 'bold'), rule('comment', '#0000ff', 'italic'), 'nonsense'])}, }`,
);
write('light.json', { tokenColors: './light.tmTheme' });
write(
  'light.tmTheme',
  `<?xml version="1.0"?><plist version="1.0"><dict><key>settings</key><array>
    <dict><key>settings</key><dict><key>foreground</key><string>#000000</string></dict></dict>
    <dict><key>scope</key><string>keyword</string><key>settings</key><dict><key>foreground</key><string>#aa0000</string></dict></dict>
  </array></dict></plist>`,
);
write('contrast.json', { tokenColors: [rule('keyword', '#ffffff')] });

const extension = {
  id: 'test.words',
  folder,
  contributes: {
    languages: [
      { id: 'words', extensions: ['.words'], filenames: ['WORDS'], firstLine: '^#!.*words' },
      { id: 'slow', extensions: ['.slow', '.x.words'] },
      { id: 'plain', extensions: ['.plain'] },
    ],
    grammars: [
      { language: 'words', scopeName: 'source.words', path: './words.json' },
      { scopeName: 'source.numbers', path: './numbers.tmLanguage' },
      { scopeName: 'todo.injection', path: './todo.json', injectTo: ['source.words'] },
      { language: 'slow', scopeName: 'source.slow', path: './slow.json' },
      { nonsense: true },
    ],
    themes: [
      { id: 'Night', label: 'Night Theme', uiTheme: 'vs-dark', path: './dark.json' },
      { id: 'Gone', uiTheme: 'vs-dark', path: './gone.json' },
      { label: 'Day', uiTheme: 'vs', path: './light.json' },
      { label: 'Contrast', uiTheme: 'hc-black', path: './contrast.json' },
    ],
  },
};

const created: CodeColours[] = [];
afterEach(() => {
  for (const colours of created.splice(0)) colours.dispose();
});

function create(options: Partial<CodeColoursOptions> = {}): CodeColours {
  const colours = new CodeColours({
    program: resolve('src/colours/coloursWorker.ts'),
    folder: resolve('node_modules/vscode-oniguruma/release'),
    installed: () => colouringOf([extension, { id: 'test.broken', folder, contributes: 'nonsense' }]),
    settings: () => ({ customizations: undefined, associations: {} }),
    ...options,
  });
  created.push(colours);
  return colours;
}

const night = { id: 'Night', kind: 'dark' } as const;

/** Returns the coloured parts of a text: its words with `#rrggbb` and the bits of their style. */
async function coloured(
  colours: CodeColours,
  text: string,
  { path = 'a.words', theme = night }: { path?: string; theme?: Parameters<CodeColours['of']>[0]['theme'] } = {},
): Promise<string[] | undefined> {
  const lines = text.split('\n');
  const answer = await colours.of({ theme, path, text, lines: lines.length });
  return answer?.lines.flatMap((runs, index) => {
    const found: string[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const style = runs[at + 1] ?? 0;
      const word = lines[index]?.slice(at === 0 ? 0 : runs[at - 2], runs[at]) ?? '';
      if (style !== 0) found.push(`${word} ${answer.palette[style >> 4]?.toLowerCase()} ${style & 15}`);
    }
    return found;
  });
}

describe('CodeColours', () => {
  it('takes the colours of a theme and of the themes that it includes', async () => {
    expect(await coloured(create(), 'a red 12')).toEqual(['red #ff0000 2', '12 #001100 0']);
  });

  it('uses a grammar that is a property list and a grammar that is injected', async () => {
    expect(await coloured(create(), '12 TODO')).toEqual(['12 #001100 0', 'TODO #0000ff 1']);
  });

  it('tells black text from plain text when the theme names no colour of plain text', async () => {
    const theme = { id: 'Elsewhere', kind: 'highContrast' } as const;
    const black = create({ settings: () => ({ customizations: { numbers: '#000000' }, associations: {} }) });
    expect(await coloured(black, 'a 12', { theme })).toEqual(['12 #000000 0']);
  });

  it('continues a string on the next line', async () => {
    const strings = create({ settings: () => ({ customizations: { strings: '#123456' }, associations: {} }) });
    expect(await coloured(strings, '<a\nred\n> red')).toEqual([
      '<a #123456 0',
      'red #123456 0',
      '> #123456 0',
      'red #ff0000 2',
    ]);
  });

  it('reads a theme in the form of TextMate and finds a theme by its label', async () => {
    expect(await coloured(create(), 'red', { theme: { id: 'Day', kind: 'light' } })).toEqual(['red #aa0000 0']);
    expect(await coloured(create(), 'red', { theme: { id: 'Night Theme', kind: 'dark' } })).toEqual(['red #ff0000 2']);
  });

  it('uses a theme of the same kind when the theme is not installed here', async () => {
    expect(await coloured(create(), 'red', { theme: { id: 'Elsewhere', kind: 'highContrast' } })).toEqual([
      'red #ffffff 0',
    ]);
    expect(await coloured(create(), 'red', { theme: { id: 'Elsewhere', kind: 'highContrastLight' } })).toBeUndefined();
  });

  it.each([
    [{ keywords: '#00ff00' }, 'red #00ff00 2'],
    [{ keywords: { foreground: '#00ff00', fontStyle: 'italic' } }, 'red #00ff00 1'],
    [{ textMateRules: [{ scope: 'keyword.control.red', settings: { foreground: '#00ff00' } }] }, 'red #00ff00 2'],
    [{ '[Night]': { keywords: '#00ff00' }, keywords: '#0000ff' }, 'red #00ff00 2'],
    [{ '[Other][Ni*]': { keywords: '#00ff00' } }, 'red #00ff00 2'],
    [{ '[Day]': { keywords: '#00ff00' } }, 'red #ff0000 2'],
    [{ keywords: 'red; background: url(x)' }, 'red #ff0000 2'],
  ])('follows the setting editor.tokenColorCustomizations %j', async (customizations, expected) => {
    expect(await coloured(create({ settings: () => ({ customizations, associations: {} }) }), 'red')).toEqual([
      expected,
    ]);
  });

  it('finds the language by files.associations, names, endings and first lines of files', async () => {
    const colours = create({ settings: () => ({ customizations: undefined, associations: { '*.other': 'words' } }) });
    for (const path of ['a.WORDS', 'src/words', 'b.other', 'c/d.other']) {
      expect(await coloured(colours, 'red', { path })).toEqual(['red #ff0000 2']);
    }
    expect(await coloured(colours, '#!/bin/words\nred', { path: 'script' })).toEqual(['red #ff0000 2']);
    expect(await coloured(colours, 'red', { path: 'a.x.words' })).toEqual([]);
  });

  it('leaves a text plain when its language has no grammar or the text is longer than 1 MiB', async () => {
    expect(await coloured(create(), 'red', { path: 'a.plain' })).toBeUndefined();
    expect(await coloured(create(), 'red', { path: 'a.unknown' })).toBeUndefined();
    expect(await coloured(create(), ' '.repeat(1024 * 1024 + 1))).toBeUndefined();
  });

  it('colours a text once, and colours more lines only when they are needed', async () => {
    const colours = create();
    const text = 'red\n'.repeat(100);
    const first = await colours.of({ theme: night, path: 'a.words', text, lines: 10 });
    expect(first?.lines).toHaveLength(10);
    expect(await colours.of({ theme: night, path: 'b.words', text, lines: 5 })).toBe(first);
    expect((await colours.of({ theme: night, path: 'a.words', text, lines: 11 }))?.lines).toHaveLength(20);
  });

  it('uses other colours when the theme or the settings change', async () => {
    const settings: ReturnType<CodeColoursOptions['settings']>[] = [{ customizations: undefined, associations: {} }];
    const colours = create({ settings: () => settings.at(-1) ?? { customizations: undefined, associations: {} } });
    expect(await coloured(colours, 'red')).toEqual(['red #ff0000 2']);
    expect(await coloured(colours, 'red', { theme: { id: 'Day', kind: 'light' } })).toEqual(['red #aa0000 0']);
    settings.push({ customizations: { keywords: '#00ff00' }, associations: {} });
    colours.changed();
    expect(await coloured(colours, 'red', { theme: { id: 'Day', kind: 'light' } })).toEqual(['red #00ff00 0']);
  });

  it('leaves a text plain when its theme cannot be read', async () => {
    const theme = { id: 'Gone', kind: 'dark' } as const;
    expect(await coloured(create(), 'red', { theme })).toBeUndefined();
    expect(await coloured(create(), 'red')).toEqual(['red #ff0000 2']);
  });

  it('ends the worker when a grammar takes too long, and colours the next text', async () => {
    const colours = create({ limits: { worker: 1500, line: 100_000, text: 100_000 } });
    expect(await coloured(colours, 'red')).toEqual(['red #ff0000 2']);
    expect(await coloured(colours, `${'a'.repeat(40)}b\n`.repeat(500), { path: 'a.slow' })).toBeUndefined();
    expect(await coloured(colours, 'red red')).toEqual(['red #ff0000 2', 'red #ff0000 2']);
  });

  it('leaves the rest of a text plain when its time is up', async () => {
    const colours = create({ limits: { worker: 10_000, line: 1000, text: 0 } });
    expect(
      (await colours.of({ theme: night, path: 'a.words', text: 'red\nred', lines: 2 }))?.lines.length,
    ).toBeLessThan(2);
  });
});

it('the worker of the colours reads no environment variable', () => {
  expect(readFileSync(resolve('src/colours/coloursWorker.ts'), 'utf8')).not.toContain('process.env');
});
