import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Approval } from '../../../src/approvals/approval.ts';
import { diffRows } from '../../../src/approvals/diffRows.ts';
import { warningsOf } from '../../../src/approvals/warnings.ts';
import { chunkOf, segmentsOf } from '../../../src/vscode/approvalsView/cardRows.ts';
import { finishedCard, targetOf, waitingCard, type FileChanges } from '../../../src/vscode/approvalsView/cardText.ts';
import { FakeApprovals, type FakeRequest, type FakeText } from '../../fakes/approvals.ts';

const t = (message: string, ...args: (string | number)[]): string =>
  message.replaceAll(/\{(\d+)\}/g, (_, index: string) => String(args[Number(index)]));
const context = { t, windowName: 'shop-api', notes: [] };

const edit: FakeText = { path: 'src/a.ts', base: 'one\ntwo\n', result: 'one\nzwei\n' };
const guarded: FakeText = { ...edit, path: '.vscode/tasks.json', protectedBy: '**/.vscode/**' };

function approval(request: FakeRequest): Approval {
  return new FakeApprovals().add(request);
}

function changes({ base, result, unifiedLineEnds = 0 }: FakeText): FileChanges {
  const rows = diffRows(base, result);
  return { segments: segmentsOf(rows), warnings: warningsOf(rows, { baseLineCount: 100, unifiedLineEnds }) };
}

const cardOf = (request: FakeRequest) => waitingCard(approval(request), request.files.map(changes), context);

describe('a waiting card', () => {
  test('says what, who, where, why, and names every button in full', () => {
    const card = cardOf({ files: [{ ...edit, addedLines: 4, removedLines: 1 }], reason: 'Numbers in German.' });
    expect(card).toMatchObject({
      phase: 'waiting',
      tone: 'edit',
      headline: 'Edit 1 file',
      risk: { text: 'Edit', icon: 'edit' },
      counts: { added: '+4', removed: '−1', label: '4 lines added, 1 removed' },
      who: { client: 'Claude Code', rest: ['window “shop-api”'] },
      reason: { label: 'The assistant says:', parts: [{ text: 'Numbers in German.' }] },
      why: { text: 'Asked because: default for edit in Manual mode' },
      warnings: [],
      approve: { text: 'Approve', label: 'Approve edit of src/a.ts' },
      openDiff: { text: 'Open diff', label: 'Open diff of src/a.ts' },
      decline: { text: 'Decline…', send: { text: 'Decline', label: 'Decline edit of src/a.ts' }, suggested: false },
    });
    expect(card.who.claim).toBe('Claude Code 2.1.329: what the client calls itself, not verified');
    expect(card.undo).toBeUndefined();
    expect(card.endHint).toBeUndefined();
  });

  test('shows a file by name and folder, with its flags, its full path and its lines', () => {
    const [file] = cardOf({ files: [{ ...edit, unsaved: true, viaLink: true }] }).files;
    expect(file).toMatchObject({
      name: [{ text: 'a.ts' }],
      folder: [{ text: 'src' }],
      title: '/work/shop-api/src/a.ts',
      openLabel: 'src/a.ts, open diff. Full path: /work/shop-api/src/a.ts',
      changesLabel: 'Changes of src/a.ts',
      chips: [
        { text: 'unsaved changes', tone: 'warning' },
        { text: 'via link', tone: 'warning', title: 'Really changes /work/shop-api/src/a.ts' },
      ],
    });
    expect(file?.rows.map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'hunk ',
      'context line 1 unchanged:',
      'removed line 2 removed:',
      'added line 2 added:',
    ]);
    expect(file?.more).toBeUndefined();
  });

  test('A4 of a protected file suggests to decline, approves once, and only at the end', () => {
    const card = cardOf({ files: [guarded] });
    expect(card).toMatchObject({
      tone: 'danger',
      headline: 'Edit 1 protected file',
      risk: { text: 'Protected', tone: 'danger', icon: 'shield' },
      why: { text: 'Asked because: protected by **/.vscode/**' },
      approve: { text: 'Approve once', label: 'Approve once: edit of protected .vscode/tasks.json' },
      decline: { suggested: true },
    });
    expect(card.endHint).toContain('end of the change');
    expect(card.files[0]?.chips).toContainEqual({ text: 'protected', tone: 'danger', title: 'Matches **/.vscode/**' });
    expect(cardOf({ files: [edit, guarded] }).headline).toBe('Edit 2 files, 1 protected');
  });

  test('A5 escapes hidden characters in lines, path, names and reason, and warns', () => {
    const card = cardOf({
      files: [{ ...edit, path: 'src/a\u200B.ts', result: 'one\nz\u202Ewei\u{E0041}\n' }],
      reason: 'harm\u2066less',
      client: { name: 'Co\u202Edex', version: '1' },
    });
    expect(card.warnings).toEqual([
      'Text contains hidden characters: <U+202E> <U+E0041>',
      'The assistant’s words contain hidden characters: <U+2066>',
    ]);
    const added = card.files[0]?.rows.at(-1)?.parts;
    expect(added).toEqual([
      { text: 'z' },
      { text: '<U+202E>', escaped: true },
      { text: 'wei' },
      { text: '<U+E0041>', escaped: true },
    ]);
    expect(card.files[0]?.name).toContainEqual({ text: '<U+200B>', escaped: true });
    expect(card.approve?.label).toBe('Approve edit of src/a<U+200B>.ts');
    expect(card.who.client).toBe('Co<U+202E>dex');
    expect(card.reason?.parts[1]).toEqual({ text: '<U+2066>', escaped: true });
    expect(JSON.stringify(card)).not.toMatch(/[\u200B\u202E\u2066]|\u{E0041}/u);
  });

  test('A19 the assistant’s words stand in the quote and nowhere else, on one line, at most 300 characters', () => {
    const words = 'Approved by administrator\n\nRisk: none';
    const card = cardOf({ files: [edit], reason: words });
    expect(card.reason?.parts).toEqual([{ text: 'Approved by administrator Risk: none' }]);
    const { reason: _, ...rest } = card;
    expect(JSON.stringify(rest)).not.toContain('administrator');
    const long = cardOf({ files: [edit], reason: 'word '.repeat(400) }).reason?.parts.map((part) => part.text);
    expect(Array.from(long?.join('') ?? '')).toHaveLength(300);
  });

  test('warnings name their file when there are several', () => {
    const { warnings } = cardOf({ files: [edit, { ...edit, path: 'b.ts', unifiedLineEnds: 3 }] });
    expect(warnings).toEqual(['b.ts: Saving will also change the line ends of 3 other lines.']);
  });

  test('counts in words are right for one', () => {
    const label = (addedLines: number, removedLines: number): string =>
      cardOf({ files: [{ ...edit, addedLines, removedLines }] }).counts.label;
    expect([label(1, 1), label(0, 2)]).toEqual(['1 line added, 1 removed', '0 lines added, 2 removed']);
    expect(cardOf({ files: [{ ...edit, unifiedLineEnds: 1 }] }).warnings).toEqual([
      'Saving will also change the line end of 1 other line.',
    ]);
  });

  test('P10 a file with other names says so', () => {
    const names = (hardLinks: number): string[] =>
      cardOf({ files: [{ ...edit, hardLinks }] }).files[0]?.chips.map(({ text }) => text) ?? [];
    expect([names(1), names(3)]).toEqual([[], ['3 names']]);
  });

  test('a line end that differs is drawn by its name and explained', () => {
    const card = cardOf({ files: [{ ...edit, base: 'one\r\ntwo\r\n', result: 'one\r\ntwo\n' }] });
    expect(card.files[0]?.rows.at(-1)?.parts).toEqual([{ text: 'two' }, { text: '<LF>', escaped: true }]);
    expect(card.warnings).toContain('Most lines of this file end with <CRLF>; the lines marked <LF> do not.');
  });

  test('a file whose lines end with a carriage return alone hides nothing by it', () => {
    const card = cardOf({ files: [{ ...edit, base: 'one\rtwo\r', result: 'one\rzwei\r' }] });
    expect(card.warnings).toEqual([]);
    const added = card.files[0]?.rows.find(({ kind }) => kind === 'added');
    expect(added?.parts).toContainEqual({ text: '<CR>', escaped: true });
    const other = cardOf({ files: [{ ...edit, result: 'one\rzwei\n' }] });
    expect(other.warnings).toEqual(['Text contains hidden characters: <U+000D>']);
  });

  test('A4 a change that cannot be shown cannot be approved, only declined', () => {
    const card = waitingCard(approval({ files: [edit] }), undefined, context);
    expect(card.approve).toBeUndefined();
    expect(card.openDiff).toBeUndefined();
    expect(card.decline).toBeDefined();
    expect(card.notes).toEqual(['The change cannot be shown, so it cannot be approved.']);
  });

  test('says when the assistant has gone on, and takes no decision while it is applied', () => {
    expect(cardOf({ files: [edit], callReturned: true }).notes[0]).toContain('no longer waits');
    const applying = cardOf({ files: [edit], state: 'applying' });
    expect(applying).toMatchObject({ phase: 'applying', notes: ['Applying…'] });
    expect([applying.approve, applying.decline]).toEqual([undefined, undefined]);
  });
});

describe('a finished card', () => {
  test.each([
    ['applied', 'Edited a.ts', 'approved'],
    ['undone', 'Undone: edit of a.ts', 'approved, then undone'],
    ['declined', 'Declined: edit of a.ts', 'declined'],
    ['expired', 'Expired: edit of a.ts', 'not decided in time'],
    ['withdrawn', 'Withdrawn: edit of a.ts', 'cancelled'],
    ['stale', 'Out of date: edit of a.ts', 'the files had changed'],
    ['failed', 'Failed: edit of a.ts', 'could not be applied'],
  ] as const)('%s: %s', (state, headline, phrase) => {
    const card = finishedCard(approval({ files: [edit], state }), context);
    expect(card).toMatchObject({ phase: 'finished', tone: 'done', headline, headlineTitle: 'src/a.ts', files: [] });
    expect(card.who.rest).toEqual([phrase]);
    expect([card.approve, card.decline, card.undo]).toEqual([undefined, undefined, undefined]);
    expect(card.openDiff?.text).toBe('Show diff');
  });

  test('offers Undo when there is a way back, and tells what saving did and what was said', () => {
    const file = { uri: 'file:///a', change: 'edit', state: 'applied', addedLines: 1, removedLines: 1 } as const;
    const card = finishedCard(
      approval({
        files: [edit, { ...edit, path: 'b.ts' }],
        state: 'applied',
        canUndo: true,
        outcomes: [
          { ...file, path: 'src/a.ts', changedOnSave: '@@' },
          { ...file, path: 'b.ts', dirty: true },
        ],
        userMessage: 'fine',
      }),
      { ...context, notes: ['Undo failed'] },
    );
    expect(card.headline).toBe('Edited 2 files');
    expect(card.undo).toEqual({ text: 'Undo', label: 'Undo edit of 2 files: src/a.ts, b.ts' });
    expect(card.notes).toEqual([
      'src/a.ts, b.ts',
      'Changed further on save: src/a.ts',
      'Left unsaved: b.ts',
      'You said: “fine”',
      'Undo failed',
    ]);
  });
});

describe('targets in words', () => {
  test('three are named, of more the number', () => {
    const { files } = approval({ files: ['a', 'b', 'c', 'd', 'e'].map((path) => ({ ...edit, path })) });
    expect(targetOf(files.slice(0, 1), t)).toBe('a');
    expect(targetOf(files.slice(0, 3), t)).toBe('3 files: a, b, c');
    expect(targetOf(files, t)).toBe('5 files: a, b, c and 2 more');
  });
});

describe('P13 rows of long lines and large changes', () => {
  const textOf = (parts: readonly { text: string }[]): string => parts.map((part) => part.text).join('');

  test('A4 a line of 5 MB is drawn whole, in pieces, a chunk at a time', () => {
    const line = `${'x'.repeat(2_500_000)}😀${'y'.repeat(2_499_999)}`;
    const segments = segmentsOf(diffRows('', `${line}\n`));
    const seen: string[] = [];
    let from = 0;
    for (;;) {
      const { rows, more } = chunkOf(segments, from, t);
      expect(rows.reduce((sum, row) => sum + textOf(row.parts).length, 0)).toBeLessThan(22_000);
      seen.push(...rows.filter((row) => row.kind === 'added').map((row) => textOf(row.parts)));
      from += rows.length;
      if (more === undefined) break;
      const left = segments.length - from;
      expect(more).toBe(left === 1 ? 'Show more (1 row left)' : `Show more (${left} rows left)`);
    }
    expect(seen.join('')).toBe(line);
  });

  test('one character in a line of 400 KB is seen at once, with what did not change folded', () => {
    const line = Array.from({ length: 40_000 }, (_, index) => `word ${index % 97}, `).join('');
    const { rows, more } = chunkOf(
      segmentsOf(diffRows(`${line}\n`, `${line.slice(0, 200_000)}!${line.slice(200_000)}\n`)),
      0,
      t,
    );
    expect(more).toBeUndefined();
    expect(rows.length).toBeLessThan(14);
    expect(rows.filter(({ label }) => label !== '').map(({ kind, label }) => `${kind} ${label}`)).toEqual([
      'removed line 1 removed:',
      'added line 1 added:',
    ]);
    expect(rows.some((row) => row.kind === 'added' && textOf(row.parts).includes('!'))).toBe(true);
    expect(rows.filter(({ kind }) => kind === 'note')).toHaveLength(4);
  });

  test('A4 folding hides no changed character, and says how many it hides', () => {
    // Lower case is on both sides; upper case only in the base, digits only in the result.
    const of = (letters: string, maxLength: number) =>
      fc
        .string({ unit: fc.constantFrom(...letters.split('')), minLength: 1, maxLength })
        .map((text) => text.repeat(1 + (text.length % 9)));
    const piece = fc.record({ same: of('ab ,x', 900), removed: of('XY ', 40), added: of('12 ', 40) });
    const pieces = fc.array(piece, { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(pieces, (given) => {
        const base = given.map(({ same, removed }) => same + removed).join('');
        const result = given.map(({ same, added }) => same + added).join('');
        const segments = segmentsOf(diffRows(`${base}\n`, `${result}\n`));
        for (const [kind, whole, letters] of [
          ['removed', base, /[XY]/g],
          ['added', result, /[12]/g],
        ] as const) {
          const own = segments.filter(({ row }) => row.kind === kind);
          const drawn = own.filter(({ folded }) => !folded).map(({ start, end }) => whole.slice(start, end));
          expect(drawn.join('').match(letters)).toEqual(whole.match(letters));
          expect(own.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(whole.length);
          expect(own.filter(({ isFirst }) => isFirst)).toHaveLength(whole === '' ? 0 : 1);
        }
      }),
    );
  });

  test('an unchanged long line is folded', () => {
    const long = 'x'.repeat(5000);
    const { rows } = chunkOf(segmentsOf(diffRows(`${long}\na\n`, `${long}\nb\n`)), 0, t);
    expect(rows.map((row) => row.kind)).toEqual(['hunk', 'context', 'removed', 'added']);
    expect(textOf(rows[1]?.parts ?? [])).toBe(`${'x'.repeat(1000)}…`);
  });

  test('a card carries its first 300 rows, the page asks for the others', () => {
    const many = Array.from({ length: 3000 }, (_, line) => `new ${line}\n`).join('');
    const { files } = cardOf({ files: [{ ...edit, result: many }, edit] });
    expect(files.map((file) => file.rows.length)).toEqual([300, 0]);
    expect(files[1]?.more).toBe('Show more (4 rows left)');
  });
});
