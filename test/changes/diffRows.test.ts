import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRows as rowsOfReview, type DiffRow } from '#changes/diffRows.ts';
import { compose, hunksBetween, linesOf } from '#changes/hunks.ts';
import { reviewOf, type Review } from '#changes/review.ts';

const numbered = (count: number, change: (line: number) => string = (line) => `line ${line}`): string =>
  Array.from({ length: count }, (_, index) => `${change(index + 1)}\n`).join('');

function diffRows(base: string, result: string): DiffRow[] {
  return rowsOfReview(base, reviewOf(base, hunksBetween(base, result), result));
}

function usualEndOf(text: string): string {
  return (text.match(/\r\n/g)?.length ?? 0) * 2 > (text.match(/\n/g)?.length ?? 0) ? '\r\n' : '\n';
}

/** Applies rows to their base as a reader would, by line number, so that a row that is missing or wrong shows. */
function applied(base: string, rows: readonly DiffRow[], usualOf = base): string {
  const usual = usualEndOf(usualOf);
  const lines = base.match(/[^\n]*\n|[^\n]+/g) ?? [];
  const added = new Map<number, string>();
  const removed = new Set<number>();
  for (const [index, row] of rows.entries()) {
    if (row.kind === 'removed') removed.add(row.line);
    if (row.kind !== 'added') continue;
    const next = rows[index + 1];
    const hasNoEnd = next?.kind === 'note' && next.note === 'no_line_end';
    added.set(row.line, row.text + (hasNoEnd ? '' : (row.unusualEnd ?? usual)));
  }
  const kept = lines.filter((_, index) => !removed.has(index + 1));
  const result: string[] = [];
  while (kept.length > 0 || added.has(result.length + 1)) {
    result.push(added.get(result.length + 1) ?? kept.shift() ?? '');
  }
  return result.join('');
}

describe('the rows of a change', () => {
  test('show a replaced line with its number and one line of context on each side', () => {
    const base = 'function add() {\n  one();\n  two();\n  three();\n  four();\n}\n';
    expect(diffRows(base, base.replace('three', 'drei'))).toEqual([
      { kind: 'hunk', hunk: 0, firstLine: 4, lastLine: 4, onlyRemoved: false },
      { kind: 'context', line: 3, baseLine: 3, text: '  two();' },
      { kind: 'removed', line: 4, text: '  three();' },
      { kind: 'added', line: 4, text: '  drei();' },
      { kind: 'context', line: 5, baseLine: 5, text: '  four();' },
    ]);
  });

  test('number removed lines as in the base', () => {
    const rows = diffRows(numbered(9), numbered(9).replace('line 4\nline 5\n', ''));
    expect(rows[0]).toMatchObject({ firstLine: 4, lastLine: 5, onlyRemoved: true });
  });

  test('fold unchanged lines between distant changes', () => {
    const rows = diffRows(
      numbered(100),
      numbered(100, (line) => (line % 50 === 7 ? 'changed' : `line ${line}`)),
    );
    expect(rows.filter((row) => row.kind === 'hunk').map((row) => row.firstLine)).toEqual([7, 57]);
    expect(rows).toHaveLength(10);
  });

  test('show a line end that is added or removed', () => {
    expect(diffRows('a\nb\n', 'a\nb')).toContainEqual({ kind: 'note', note: 'no_line_end' });
    expect(diffRows('a\r\nb\r\n', 'a\r\nb\r\nc\n')).toContainEqual({
      kind: 'added',
      line: 3,
      text: 'c',
      unusualEnd: '\n',
    });
    expect(diffRows('a\nb\n', 'a\r\nb\n')).toContainEqual({ kind: 'added', line: 1, text: 'a', unusualEnd: '\r\n' });
  });

  test('A4 leave out no change: applying the rows to the base gives the result', () => {
    const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', 'long line\n');
    const text = fc
      .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'end'))
      .map(([lines, end]) => lines.join('') + end);
    fc.assert(
      fc.property(text, text, (base, result) => {
        expect(applied(base, diffRows(base, result), base === '' ? result : base)).toBe(result);
      }),
    );
  });
});

describe('the rows of a selection', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\n', '\n', 'a\r\n', 'f(\n', ')\n');
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'end'))
    .map(([lines, end]) => lines.join('') + end);

  /** Applies the rows of those hunks alone that are to be applied. */
  function appliedSelection(base: string, review: Review): string {
    const usual = usualEndOf(base === '' ? review.hunks.flatMap(({ resultLines }) => resultLines).join('') : base);
    const rows = rowsOfReview(base, review);
    const hunks = review.hunks.map(({ baseStart }) => ({ at: baseStart, removed: new Set<number>(), added: '' }));
    let own: (typeof hunks)[number] | undefined;
    for (const [index, row] of rows.entries()) {
      if (row.kind === 'hunk') own = hunks[row.hunk];
      if (row.kind === 'removed') own?.removed.add(row.line - 1);
      if (row.kind !== 'added' || !own) continue;
      const next = rows[index + 1];
      const hasNoEnd = next?.kind === 'note' && next.note === 'no_line_end';
      own.added += row.text + (hasNoEnd ? '' : (row.unusualEnd ?? usual));
    }
    const chosen = hunks.filter((_, index) => review.hunks[index]?.included);
    const lines = linesOf(base);
    const parts = Array.from({ length: lines.length + 1 }, (_, at) => [
      ...chosen.filter((hunk) => hunk.at === at).map((hunk) => hunk.added),
      chosen.some((hunk) => hunk.removed.has(at)) ? '' : (lines[at] ?? ''),
    ]);
    return parts.flat().join('');
  }

  test('A4 show excluded hunks too, and give exactly the applied text, for every subset', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (base, result, chances) => {
        const proposed = hunksBetween(base, result);
        const current = compose(
          base,
          proposed.hunks.filter(() => chances.next().value),
        );
        const review = reviewOf(base, proposed, current);
        expect(appliedSelection(base, review)).toBe(current);
        const headers = rowsOfReview(base, review).filter((row) => row.kind === 'hunk');
        expect(headers.map(({ hunk }) => hunk)).toEqual(review.hunks.map((_, index) => index));
      }),
    );
  });

  test('A4 show the text that the user typed over the proposal', () => {
    fc.assert(
      fc.property(text, text, text, (base, result, typed) => {
        expect(appliedSelection(base, reviewOf(base, hunksBetween(base, result), typed))).toBe(typed);
      }),
    );
  });
});

describe('P13 the rows of large changes', () => {
  test('show a line of 5 MB as one complete row', () => {
    const line = 'x'.repeat(5_000_000);
    const rows = diffRows(`${line}\n`, `${line}y\n`);
    expect(rows.map((row) => row.kind)).toEqual(['hunk', 'removed', 'added']);
    expect(rows.at(-1)).toMatchObject({ text: `${line}y` });
  });

  test('A4 keep thousands of scattered changes apart, and leave out none', () => {
    const base = numbered(9000);
    const result = numbered(9000, (line) =>
      line % 3 === 0 ? `changed ${line}` : line % 700 === 1 ? `new\nline ${line}` : `line ${line}`,
    );
    const rows = diffRows(base, result);
    expect(applied(base, rows)).toBe(result);
    expect(rows).not.toContainEqual({ kind: 'note', note: 'rough' });
    expect(rows.filter((row) => row.kind === 'added').length).toBeLessThan(3100);
  });

  test('A4 mark a rough comparison, and keep every line end and repeated line', () => {
    const many = (word: string): string => numbered(700, (line) => `${word} ${line}`);
    const base = `same\nx\n${many('old')}same\n${many('other')}end`;
    const result = `x\nsame\n${many('new')}same\n${many('another')}end\n`;
    const rows = diffRows(base, result);
    expect(rows[0]).toEqual({ kind: 'note', note: 'rough' });
    expect(applied(base, rows)).toBe(result);
  });
});
