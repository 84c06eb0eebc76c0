import { describe, expect, it } from 'vitest';
import { colorText, linkOf, tokensOf } from '#language/editor/convertLanguageDetails.ts';
import { placeConverter } from '#language/editor/locations.ts';
import { folderAt } from '../../fakes/workspace.ts';

const legend = { tokenTypes: ['class', 'function'], tokenModifiers: ['declaration', 'async', 'readonly'] };

describe('semantic tokens', () => {
  it('are decoded with lines and columns relative to the previous token', () => {
    const data = new Uint32Array([0, 2, 3, 0, 0b101, 0, 4, 1, 1, 0, 2, 1, 5, 9, 0]);
    expect(tokensOf(data, legend)).toEqual([
      {
        firstLine: 1,
        firstColumn: 3,
        lastLine: 1,
        lastColumn: 6,
        kind: 'class',
        modifiers: ['declaration', 'readonly'],
      },
      { firstLine: 1, firstColumn: 7, lastLine: 1, lastColumn: 8, kind: 'function', modifiers: [] },
      { firstLine: 3, firstColumn: 2, lastLine: 3, lastColumn: 7, kind: 'unknown', modifiers: [] },
    ]);
  });

  it('are left out when they are incomplete', () => {
    expect(tokensOf(new Uint32Array([0, 2, 3]), legend)).toEqual([]);
  });
});

describe('colors', () => {
  it.each([
    [{ red: 1, green: 0, blue: 0.5, alpha: 1 }, '#ff0080'],
    [{ red: 0, green: 0, blue: 0, alpha: 0 }, '#00000000'],
  ])('%j is converted to %s', (color, text) => {
    expect(colorText(color)).toBe(text);
  });
});

describe('links', () => {
  const range = { start: { line: 0, character: 1 }, end: { line: 0, character: 4 } };
  const place = { firstLine: 1, firstColumn: 2, lastLine: 1, lastColumn: 5 };
  const linkTo = (scheme: string, path: string) =>
    linkOf(
      // @ts-expect-error a range and a URI have more than this needs
      { range, target: { scheme, path, fsPath: path, toString: () => `${scheme}://${path}` } },
      placeConverter([folderAt('/w')]),
    );

  it('lead to workspace files, web addresses, or labels of outside files', () => {
    expect(linkTo('file', '/w/a.ts')).toMatchObject({ ...place, file: { path: 'a.ts', fsPath: '/w/a.ts' } });
    expect(linkTo('https', 'example.org/')).toEqual({ ...place, target: 'https://example.org/' });
    expect(linkTo('file', '/srv/x/node_modules/y/z.ts')).toEqual({ ...place, target: 'node_modules/y/z.ts' });
  });

  it('to the web are encoded addresses, not the text that the editor shows', () => {
    expect(linkTo('https', 'example.org/a b')).toEqual({ ...place, target: 'https://example.org/a%20b' });
  });

  it('have no target when they run commands', () => {
    expect(linkTo('command', 'workbench.action.quit')).toEqual(place);
  });
});
