import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ColourCode, RowColours, visibleRuns } from '#ui/approvals/rowColours.ts';
import { visibleText } from '#base/visibleText.ts';
import { hunksBetween } from '#changes/hunks.ts';
import { reviewOfAll } from '#changes/review.ts';
import { diffRows } from '#changes/diffRows.ts';
import { chunkOf, segmentsOf, unchangedRows } from '#ui/approvals/cardRows.ts';
import type { Drawing } from '#ui/approvals/drawings.ts';
import { withColours } from '#ui/page/colours.ts';
import type { PageTheme } from '#ui/page/fromPage.ts';
import type { PageRow, ToPage } from '#ui/page/messages.ts';

const backgrounds = { editor: '#000000', addedLine: '', addedWord: '', removedLine: '', removedWord: '' };
const dark: PageTheme = { id: 'Dark', kind: 'dark', backgrounds };
const light: PageTheme = { id: 'Light', kind: 'light', backgrounds: { ...backgrounds, editor: '#ffffff' } };

const text = fc.string({
  unit: fc.constantFrom('a', ' ', '\t', '\r', '\u202e', '\u200b', '😀', '\u{e0041}', '<', 'é'),
});
const runsOf = (length: number): fc.Arbitrary<number[]> =>
  fc
    .array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 80 })), { maxLength: 12 })
    .map((steps) => {
      let end = 0;
      return steps.flatMap(([step, style]) => (end >= length ? [] : [(end = Math.min(length, end + step)), style]));
    });

describe('the colours of a row', () => {
  it('never change its text, and leave escapes as they are', () => {
    fc.assert(
      fc.property(
        text.chain((line) => fc.tuple(fc.constant(line), runsOf(line.length), fc.integer({ min: 0, max: 3 }))),
        ([line, runs, cut]) => {
          const parts = visibleText(line.slice(cut));
          const row: PageRow = { kind: 'added', after: 1, parts };
          const coloured = withColours(row, visibleRuns(parts, runs, cut));
          const after = 'parts' in coloured ? coloured.parts : [];
          const joined = (some: readonly { readonly text: string }[]): string => some.map((part) => part.text).join('');
          expect(joined(after)).toBe(joined(parts));
          expect(joined(after.filter(({ escaped }) => escaped))).toBe(joined(parts.filter(({ escaped }) => escaped)));
          expect(after.filter(({ escaped, style }) => escaped && style !== undefined)).toEqual([]);
          // Colours of another theme take the place of these.
          const plain = withColours(coloured, [joined(parts).length, 0]);
          expect('parts' in plain && plain.parts.every(({ style }) => style === undefined)).toBe(true);
        },
      ),
    );
  });

  it('are those of its characters, around escapes and in the later parts of a long line', () => {
    const parts = visibleText('ab\u202ecd');
    expect(visibleRuns(parts, [1, 16, 4, 32, 5, 48], 0)).toEqual([1, 16, 2, 32, 10, 0, 11, 32, 12, 48]);
    expect(visibleRuns(visibleText('cd'), [1, 16, 4, 32, 5, 48], 3)).toEqual([1, 32, 2, 48]);
    expect(visibleRuns(visibleText('ab'), [2, 0], 0)).toEqual([]);
  });
});

describe('the messages with colours', () => {
  const base = 'one\ntwo\nthree\nfour\nfive\n';
  const changed = 'one\nTWO\nthree\nfour\nfive\n';
  const review = reviewOfAll(hunksBetween(base, changed), false);
  const drawing: Drawing = {
    number: 7,
    files: [
      {
        path: 'a.ts',
        base,
        baseLines: 5,
        hunks: review.hunks,
        canSelect: false,
        warnings: [],
        segments: segmentsOf(diffRows(base, review)),
      },
    ],
  };
  let posted: ToPage[] = [];
  let asked: Parameters<ColourCode>[0][] = [];
  let answer: ReturnType<ColourCode>;
  let colours: RowColours;
  beforeEach(() => {
    posted = [];
    asked = [];
    answer = Promise.resolve({
      lines: [
        [3, 32],
        [3, 48],
        [5, 32],
      ],
      palette: ['none', '#cccccc', '#00ff00', 'nonsense'],
    });
    colours = new RowColours({
      colourCode: (wanted) => {
        asked.push(wanted);
        return answer;
      },
      drawings: { last: () => drawing },
      post: (message) => posted.push(message),
    });
  });
  const [file] = drawing.files;
  const rows = file === undefined ? [] : chunkOf(file, 0);
  const sent = { type: 'rows', id: 'x', drawing: 7, file: 0, from: 0, rows } as const;
  const settled = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

  it('follow rows, with the palette first, and ask only for the lines that the rows show', async () => {
    colours.setTheme(dark);
    colours.follow(sent);
    await settled();
    expect(asked.map(({ text: of, lines }) => [of, lines])).toEqual([
      [base, 3],
      [changed, 2],
    ]);
    expect(posted).toEqual([
      {
        type: 'palette',
        first: 0,
        colours: [null, expect.anything(), { plain: '#00ff00', added: '#00ff00', removed: '#00ff00' }, null],
      },
      { type: 'colours', id: 'x', drawing: 7, file: 0, from: 0, runs: [[], [3, 32], [3, 48], [3, 48], [5, 32]] },
    ]);
  });

  it('follow unchanged lines, which have no number', async () => {
    colours.setTheme(dark);
    colours.follow({
      type: 'unchangedRows',
      id: 'x',
      drawing: 7,
      file: 0,
      rows: unchangedRows(base, review.hunks, 1, 2),
    });
    await settled();
    expect(posted.at(-1)).toMatchObject({
      type: 'colours',
      lines: [1, 2],
      runs: [
        [3, 32],
        [3, 48],
      ],
    });
  });

  it('come again, with another palette, when the theme changes or its colours may have changed', async () => {
    colours.setTheme(dark);
    colours.follow(sent);
    await settled();
    colours.setTheme(light);
    await settled();
    colours.setTheme();
    await settled();
    expect(asked.map(({ theme }) => theme.id)).toEqual(['Dark', 'Dark', 'Light', 'Light', 'Light', 'Light']);
    expect(posted.map(({ type }) => type)).toEqual(['palette', 'colours', 'palette', 'colours', 'palette', 'colours']);
    // Rows of the first theme have no colour of the second one.
    expect(posted[2]).toMatchObject({ first: 4 });
    expect(posted[3]).toMatchObject({ runs: [[], [3, 96], [3, 112], [3, 112], [5, 96]] });
  });

  it('are not sent without a theme, for a page that was drawn anew, for other rows and for plain text', async () => {
    colours.follow(sent);
    await settled();
    colours.setTheme(dark);
    colours.restart();
    await settled();
    colours.follow({ ...sent, drawing: 6 });
    await settled();
    expect(posted).toEqual([]);
    answer = Promise.resolve(undefined);
    colours.follow(sent);
    await settled();
    answer = Promise.reject(new Error('planned'));
    colours.follow(sent);
    await settled();
    expect(posted).toEqual([]);
  });

  it('leave a line plain whose text is not the one that was coloured', async () => {
    answer = Promise.resolve({
      lines: [
        [3, 32],
        [99, 48],
        [5, 32],
      ],
      palette: [],
    });
    colours.setTheme(dark);
    colours.follow(sent);
    await settled();
    expect(posted.at(-1)).toMatchObject({ runs: [[], [3, 32], [], [], [5, 32]] });
  });
});
