import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRows } from '#changes/diffRows.ts';
import { hunksBetween } from '#changes/hunks.ts';
import { reviewOf } from '#changes/review.ts';
import { chunkOf, segmentsOf, type ShownRows } from '#ui/approvals/cardRows.ts';
import { targetOf } from '#ui/page/words/changeText.ts';
import { foldedText } from '#ui/page/words/rowText.ts';
import type { Card } from '#ui/page/words/view.ts';
import type { FileFacts, PageRow } from '#ui/page/messages.ts';
import { FakeApprovals, type FakeRequest, type FakeText } from '../../../fakes/approvals.ts';
import { drawn, drawnCard, headersOf, labelOf, partsOf, t, undrawnCard } from './drawnCard.ts';

const edit: FakeText = { path: 'src/a.ts', base: 'one\ntwo\n', result: 'one\nzwei\n' };
const guarded: FakeText = { ...edit, path: '.vscode/tasks.json', protectedBy: '**/.vscode/**' };

const approval = (request: FakeRequest) => new FakeApprovals().add(request);

function shownOf(base: string, result: string): ShownRows {
  const review = reviewOf(base, hunksBetween(base, result), result);
  return { path: 'a.ts', segments: segmentsOf(diffRows(base, review)), hunks: review.hunks, canSelect: false };
}

const named = (file: FakeText, path: string): FakeText => ({ ...file, path });

describe('the card of a waiting change', () => {
  test('names the change, the assistant, the files and the reason, and gives every button a full name', async () => {
    const card = await drawnCard({
      files: [{ ...edit, addedLines: 4, removedLines: 1 }],
      reason: 'Numbers in German.',
    });
    expect(card).toMatchObject({
      phase: 'waiting',
      tone: 'edit',
      headline: 'Edit a.ts',
      counts: { added: '+4', removed: '−1', label: '4 lines added, 1 removed' },
      owner: 'Claude Code: Edit a.ts',
      who: { client: 'Claude Code', badge: { letters: 'CC' }, rest: [] },
      reason: { label: 'The assistant says:', parts: [{ text: 'Numbers in German.' }] },
      why: { text: 'Why was I asked? default for edit in Manual mode' },
      warnings: [],
      approve: { text: 'Approve', label: 'Approve edit of src/a.ts' },
      openDiff: { text: 'Open diff', label: 'Open diff of src/a.ts' },
      decline: { text: 'Decline…', send: { text: 'Decline', label: 'Decline edit of src/a.ts' } },
    });
    expect(card.who.claim).toBe('Claude Code 2.1.329: the name that the assistant reports, not verified');
    expect(card.undo).toBeUndefined();
    expect(card.endHint).toBeUndefined();
  });

  test("says of an assistant's own edit which tool it is, and that unsaved text is saved first", async () => {
    const own = { tool: 'native_edit', arguments: { tool: 'Write', edits: [] }, files: [{ ...edit, unsaved: true }] };
    const card = await drawnCard(own);
    expect(card.who.rest).toContain('with its own tool Write');
    expect(card.notes).toContainEqual(expect.stringContaining('saved first'));
    expect(card).toMatchObject({
      approve: { text: 'Save and continue', label: 'Save your unsaved text and approve edit of src/a.ts' },
      approveInEditor: { text: 'Apply in the editor' },
    });
    expect(await drawnCard({ ...own, files: [edit] })).not.toHaveProperty('approveInEditor');
    const file = { path: 'a.ts', uri: 'file:///a', change: 'edit', state: 'applied' } as const;
    const outcomes = [{ ...file, addedLines: 1, removedLines: 1, changedOnSave: '@@' }];
    expect(undrawnCard({ ...own, state: 'applied', outcomes }).notes).toContain(
      'Written differently than approved: a.ts',
    );
  });

  test('shows a file by name and folder, with its flags, its full path and its lines', async () => {
    const shown = await drawn({ files: [{ ...edit, unsaved: true, viaLink: true }] });
    const [file] = shown.card.files;
    expect(file).toMatchObject({
      name: [{ text: 'a.ts' }],
      folder: [{ text: 'src' }],
      title: '/work/shop-api/src/a.ts',
      openLabel: 'src/a.ts, open diff. Full path: /work/shop-api/src/a.ts',
      changesLabel: 'Changes of src/a.ts',
      chips: [
        { text: 'unsaved changes', tone: 'warning' },
        {
          text: 'via link',
          tone: 'warning',
          title: 'This path is a link; the file that changes is /work/shop-api/src/a.ts',
        },
      ],
    });
    expect(shown.rows[0]?.map(labelOf)).toEqual([
      'hunk ',
      'context line 1 unchanged:',
      'removed line 2 removed:',
      'added line 2 added:',
    ]);
    expect(file?.rows).toBe(4);
  });

  test('A4: approves a protected file by a button of its own, once, only at the end of the change', async () => {
    const card = await drawnCard({ files: [guarded] });
    expect(card).toMatchObject({
      tone: 'danger',
      headline: 'Edit tasks.json (protected)',
      risk: { text: 'Protected', tone: 'danger', icon: 'shield' },
      why: { text: 'Why was I asked? protected by **/.vscode/**' },
      approve: { text: 'Approve once', label: 'Approve once: edit of protected .vscode/tasks.json' },
      isGrave: true,
    });
    expect(card.endHint).toContain('end of the change');
    expect(card.files[0]?.chips).toContainEqual({ text: 'protected', tone: 'danger', title: 'Matches **/.vscode/**' });
    expect((await drawnCard({ files: [edit, guarded] })).headline).toBe('Edit 2 files (1 protected)');
  });

  test('A5: escapes hidden characters in lines, path, names and reason, and warns', async () => {
    const { card, rows } = await drawn({
      files: [{ ...edit, path: 'src/a\u200B.ts', result: 'one\nz\u202Ewei\u{E0041}\n' }],
      reason: 'harm\u2066less',
      client: { name: 'Co\u202Edex', version: '1' },
    });
    expect(card.warnings).toEqual([
      'Text contains hidden characters: <U+202E> <U+E0041>. With them, a text can do something else than it seems to.',
      'The assistant’s words contain hidden characters: <U+2066>',
    ]);
    const added = partsOf(rows[0]?.at(-1));
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
    expect(JSON.stringify([card, rows])).not.toMatch(/[\u200B\u202E\u2066]|\u{E0041}/u);
  });

  test('A19: quotes the text of the assistant and shows it nowhere else, on one line of at most 300 characters', async () => {
    const words = 'Approved by administrator\n\nRisk: none';
    const card = await drawnCard({ files: [edit], reason: words });
    expect(card.reason?.parts).toEqual([{ text: 'Approved by administrator Risk: none' }]);
    const { reason: _, ...rest } = card;
    expect(JSON.stringify(rest)).not.toContain('administrator');
    const long = (await drawnCard({ files: [edit], reason: 'word '.repeat(400) })).reason?.parts.map(
      (part) => part.text,
    );
    expect(Array.from(long?.join('') ?? '')).toHaveLength(300);
  });

  test('names the file of a warning when there are several files', async () => {
    const { warnings } = await drawnCard({ files: [edit, { ...edit, path: 'b.ts', unifiedLineEnds: 3 }] });
    expect(warnings).toEqual(['b.ts: Saving will also change the line ends of 3 other lines.']);
  });

  test('uses the singular for one file and one line', async () => {
    const label = async (addedLines: number, removedLines: number): Promise<string> =>
      (await drawnCard({ files: [{ ...edit, addedLines, removedLines }] })).counts.label;
    expect([await label(1, 1), await label(0, 2)]).toEqual(['1 line added, 1 removed', '0 lines added, 2 removed']);
    expect((await drawnCard({ files: [{ ...edit, unifiedLineEnds: 1 }] })).warnings).toEqual([
      'Saving will also change the line end of 1 other line.',
    ]);
  });

  test('P10: names the other names of a file that has hard links', async () => {
    const names = async (hardLinks: number): Promise<string[]> =>
      (await drawnCard({ files: [{ ...edit, hardLinks }] })).files[0]?.chips.map(({ text }) => text) ?? [];
    expect([await names(1), await names(3)]).toEqual([[], ['3 names']]);
  });

  test('shows a different line ending by its name and explains it', async () => {
    const { card, rows } = await drawn({ files: [{ ...edit, base: 'one\r\ntwo\r\n', result: 'one\r\ntwo\n' }] });
    expect(rows[0]?.at(-1)).toMatchObject({ kind: 'added', parts: [{ text: 'two' }], unusualEnd: '\n' });
    expect(card.warnings).toContain('Most lines of this file end with <CRLF>; the lines marked <LF> do not.');
  });

  test('hides nothing of a file whose lines end with a carriage return alone', async () => {
    const { card, rows } = await drawn({ files: [{ ...edit, base: 'one\rtwo\r', result: 'one\rzwei\r' }] });
    expect(card.warnings).toEqual([]);
    const added = rows[0]?.find(({ kind }) => kind === 'added');
    expect(partsOf(added)).toContainEqual({ text: '<CR>', escaped: true });
    const other = await drawnCard({ files: [{ ...edit, result: 'one\rzwei\n' }] });
    expect(other.warnings).toEqual([
      'Text contains hidden characters: <U+000D>. With them, a text can do something else than it seems to.',
    ]);
  });

  test('A4: offers only Decline for a change that cannot be shown', async () => {
    const card = undrawnCard({ files: [edit] });
    expect(card.approve).toBeUndefined();
    expect(card.openDiff).toBeUndefined();
    expect(card.decline).toBeDefined();
    expect(card.notes).toEqual(['The change cannot be shown, so it cannot be approved.']);
  });

  test('B27: shows until when the assistant waits, unless it has stopped', async () => {
    const waiting = { files: [edit], waitsUntil: 5000 };
    expect((await drawnCard(waiting)).waits).toEqual(['Claude Code waits for the answer until ', { time: 5000 }, '.']);
    expect((await drawnCard({ ...waiting, callReturned: true })).waits).toBeUndefined();
    expect((await drawnCard({ ...waiting, state: 'applying' })).waits).toBeUndefined();
  });

  test('shows that the assistant has stopped waiting, and takes no decision while the change is applied', async () => {
    expect((await drawnCard({ files: [edit], callReturned: true })).notes[0]).toContain('no longer waits');
    const applying = await drawnCard({ files: [edit], state: 'applying' });
    expect(applying).toMatchObject({ phase: 'applying', notes: ['Applying…'] });
    expect([applying.approve, applying.decline]).toEqual([undefined, undefined]);
  });
});

describe('B12: the sentence about why the user was asked', () => {
  const step = (name: string) => [{ step: name, detail: 'a detail' }];

  test.each<[string, FakeRequest]>([
    [
      'Every such change asks in Manual mode. The menu beside Approve keeps a rule for them, and another mode asks less.',
      { files: [edit], judgement: { explain: step('default') } },
    ],
    [
      'Your rule r-2 asks for this; you can change or remove it in the Rules view.',
      { files: [edit], judgement: { rule: { id: 'r-2', scope: 'user' }, explain: step('ask_rule') } },
    ],
    [
      'A rule of this repository asks for this; you can see it in the Rules view.',
      { files: [edit], judgement: { rule: { id: 'r-2', scope: 'repository' }, explain: step('ask_rule') } },
    ],
    [
      'Your organisation wants you to be asked for this.',
      { files: [edit], judgement: { rule: { id: 'r-2', scope: 'managed' }, explain: step('managed_ask') } },
    ],
    [
      'This asks every time (protected path **/.vscode/**): no rule and no mode lets it happen without you.',
      {
        files: [guarded],
        judgement: { onceOnly: true, reason: 'protected path **/.vscode/**', explain: step('once_only') },
      },
    ],
    [
      'You were asked because rules name commands.',
      { files: [edit], judgement: { reason: 'rules name commands', explain: step('unknown_command') } },
    ],
  ])('%s', async (sentence, request) => {
    expect((await drawnCard(request)).why?.sentence).toBe(sentence);
  });
});

describe('B9: the files that use a file which would go', () => {
  const deleted: FakeText = { change: 'delete', path: 'src/item.ts', base: 'one\n' };
  const uses = (total: number, facts: object = {}): FileFacts => ({
    uses: {
      kind: 'imports',
      paths: Array.from({ length: total }, (_, index) => `src/${index}.ts`),
      total,
      isPartial: false,
      ...facts,
    },
  });

  test.each<[string, FileFacts]>([
    ['1 file imports it: src/0.ts', uses(1)],
    ['7 files import it: src/0.ts, src/1.ts, src/2.ts, src/3.ts, src/4.ts and 2 more', uses(7)],
    ['2 files import it: src/0.ts, src/1.ts (not all files were looked at)', uses(2, { isPartial: true })],
  ])('are a warning when they import it: %s', async (text, facts) => {
    expect((await drawnCard({ files: [deleted] }, undefined, [facts])).warnings).toEqual([text]);
  });

  test.each<[string, FileFacts]>([
    ['No file imports it.', uses(0)],
    ['No file was found that uses it, but not all were looked at.', uses(0, { isPartial: true })],
    ['Its name stands in src/0.ts.', uses(1, { kind: 'mentions' })],
    ['No file mentions it.', uses(0, { kind: 'mentions' })],
    ['Looking for files that use it…', { uses: { kind: 'looking' } }],
    ['Files that use it were not looked for.', { uses: { kind: 'not_looked_for' } }],
  ])('are told below the name of the file: %s', async (text, facts) => {
    const card = await drawnCard({ files: [deleted] }, undefined, [facts]);
    expect([card.files[0]?.facts.includes(text), card.warnings]).toEqual([true, []]);
  });
});

describe('the syntax of the proposed text', () => {
  test.each<[string, readonly number[]]>([
    ['The proposed text has a syntax error in line 7.', [7]],
    ['The proposed text has syntax errors in lines 7, 9.', [7, 9]],
    ['The proposed text has syntax errors in 6 lines, first in line 1.', [1, 2, 3, 4, 5, 6]],
  ])('is a warning that makes the change grave: %s', async (text, lines) => {
    const card = await drawnCard({ files: [edit] }, undefined, [{ syntax: { kind: 'errors', lines } }]);
    expect(card.warnings).toEqual([text]);
    expect(card.isGrave).toBe(true);
  });

  test('is said not to have been checked when there is no grammar', async () => {
    const card = await drawnCard({ files: [edit] }, undefined, [{ syntax: { kind: 'not_checked' } }]);
    expect(card.files[0]?.facts).toEqual(['Syntax not checked.']);
    expect(card.isGrave).toBe(false);
  });
});

describe('the card of each kind of change', () => {
  const created: FakeText = { change: 'create', path: 'src/new.ts', result: 'a\nb\n' };
  const deleted: FakeText = { change: 'delete', path: 'src/a.ts', base: 'one\ntwo\n', size: 8 };
  const folder: FakeText = { change: 'delete', path: 'src/old', folderFiles: 12, size: 34 * 1024 };
  const moved: FakeText = { change: 'move', path: 'src/a.ts', to: 'lib/a.ts', size: 8 };

  test.each<[string, FakeRequest]>([
    ['Edit a.ts', { files: [edit] }],
    ['Edit 2 files', { files: [edit, named(edit, 'b.ts')] }],
    ['Create src/new.ts', { files: [created] }],
    ['Create 2 files', { files: [created, named(created, 'b.ts')] }],
    ['Replace a.ts', { files: [{ ...edit, overwrites: true }] }],
    ['Delete src/a.ts', { files: [deleted] }],
    ['Delete src/a.ts (protected)', { files: [{ ...deleted, protectedBy: '**/a.ts' }] }],
    ['Delete folder src/old (12 files, 34 KB)', { files: [folder] }],
    ['Move src/a.ts to lib/a.ts', { files: [moved] }],
    ['Move folder src to lib (3 files)', { files: [{ change: 'move', path: 'src', to: 'lib', folderFiles: 3 }] }],
    ['Move src/a.ts to lib/a.ts, imports in 1 file follow', { files: [moved, named(edit, 'b.ts')], indivisible: true }],
    [
      'Move src/a.ts to lib/a.ts, imports in 2 files follow',
      { files: [moved, named(edit, 'b.ts'), named(edit, 'c.ts')], indivisible: true },
    ],
    [
      'Change 5 files: 2 edited, 1 created, 1 moved, 1 deleted',
      { files: [named(edit, 'b.ts'), named(edit, 'c.ts'), created, moved, named(deleted, 'd.ts')] },
    ],
    ['Edit a.ts and move it to lib/a.ts', { files: [edit, moved] }],
  ])('%s', async (headline, request) => {
    expect((await drawnCard(request)).headline).toBe(headline);
  });

  test('shows how much a delete removes, where it goes and whether git could restore it', async () => {
    const { card, rows } = await drawn({ files: [deleted] });
    expect(card).toMatchObject({
      tone: 'danger',
      risk: { text: 'Delete', tone: 'danger', icon: 'trash' },
      why: { text: 'Why was I asked? default for delete in Manual mode' },
      approve: { text: 'Approve delete', label: 'Approve delete of src/a.ts' },
      isGrave: true,
      warnings: [],
    });
    expect(card.endHint).toContain('end of the change');
    expect(card.files[0]).toMatchObject({
      chips: [{ text: 'deleted', tone: 'danger', icon: 'trash' }],
      facts: [
        '8 bytes, 2 lines.',
        'It is moved to the system’s trash.',
        'Its content is committed, so git can restore it.',
      ],
    });
    expect(rows[0]?.map(({ kind }) => kind)).toEqual(['hunk', 'removed', 'removed']);
  });

  test('does not show a move as a delete, although the policy treats it as one', async () => {
    const files: FakeText[] = [{ change: 'move', path: 'src/a.ts', to: 'lib/a.ts', size: 8 }, edit];
    const card = await drawnCard({ files, risk: 'delete', indivisible: true });
    expect(card).not.toHaveProperty('risk');
    expect(card).toMatchObject({
      tone: 'edit',
      why: { text: 'Why was I asked? default for edit in Manual mode' },
    });
  });

  test('warns of a delete that neither the trash nor git could restore', async () => {
    const card = await drawnCard({ files: [{ ...folder, toTrash: false, recovery: 'not_committed' }] });
    expect(card.warnings).toEqual(['Not recoverable from git: its current content is not in any commit.']);
    expect(card.files[0]).toMatchObject({
      facts: ['12 files, 34 KB.', 'It is not moved to the trash. Drawbridge keeps a copy, and Undo restores it.'],
      rows: 0,
    });
    expect(card.files[0]?.openLabel).toBeUndefined();
    expect(card.files[0]?.changesLabel).toBeUndefined();
    expect(card.openDiff).toBeUndefined();
  });

  test('shows both ends of a move, that a created file is new, and that a replacement keeps nothing', async () => {
    const [move] = (await drawnCard({ files: [moved] })).files;
    expect(move).toMatchObject({ name: [{ text: 'a.ts' }], folder: [{ text: 'src' }], to: [{ text: 'lib/a.ts' }] });
    const [create] = (await drawnCard({ files: [created] })).files;
    expect(create).toMatchObject({ chips: [{ text: 'new file' }], facts: [], counts: { added: '+2' } });
    expect((await drawnCard({ files: [{ ...created, result: '' }] })).files[0]?.facts).toEqual(['Empty file.']);
  });

  test('P19: tells what a protected file can do, and nothing when a pattern is of another version', async () => {
    const factsFor = async (protectedBy: string) =>
      (await drawnCard({ files: [{ ...guarded, protectedBy }] })).files[0]?.facts;
    expect(await factsFor('**/.vscode')).toEqual([
      'Tasks and settings in this file can run commands when the folder is opened.',
    ]);
    expect(await factsFor('**/package.json')).toEqual([
      'What changes here runs or fetches code at the next install, build or test.',
    ]);
    expect(await factsFor('**/unknown')).toEqual([]);
    const replaced = await drawnCard({ files: [{ ...edit, overwrites: true }] });
    expect(replaced.risk?.text).toBe('Delete');
    expect(replaced.files[0]?.chips).toEqual([{ text: 'replaces the whole file', tone: 'danger' }]);
  });

  test('names the buttons by the kind of change', async () => {
    const label = async (request: FakeRequest): Promise<string | undefined> =>
      (await drawnCard(request)).approve?.label;
    expect(await label({ files: [created] })).toBe('Approve creation of src/new.ts');
    expect(await label({ files: [moved] })).toBe('Approve move of src/a.ts to lib/a.ts');
    expect(await label({ files: [edit, created] })).toBe('Approve change of 2 files: src/a.ts, src/new.ts');
    expect(await label({ files: [{ ...deleted, protectedBy: 'x' }] })).toBe(
      'Approve once: delete of protected src/a.ts',
    );
  });
});

describe('the selection on a card', () => {
  const base = Array.from({ length: 30 }, (_, line) => `line ${line + 1}\n`).join('');
  const three: FakeText = {
    path: 'src/a.ts',
    base,
    result: base.replace('line 2\n', 'zwei\n').replace('line 12\nline 13\n', '').replace('line 25\n', 'f(\n'),
  };

  test('leaves out each of several hunks by a check box that names its lines', async () => {
    expect(headersOf(await drawn({ files: [three] })).map(({ selectLabel }) => selectLabel)).toEqual([
      'Include line 2 of src/a.ts',
      'Include lines 12–13 of src/a.ts',
      'Include line 23 of src/a.ts',
    ]);
    expect(headersOf(await drawn({ files: [edit] }))).toMatchObject([{ where: 'line 2', chips: [] }]);
    expect(headersOf(await drawn({ files: [three], indivisible: true }))[0]?.selectLabel).toBeUndefined();
  });

  test('leaves out each of several files, unless they only make sense together', async () => {
    const files = [three, { ...edit, path: 'b.ts' }];
    const included = (card: Card) => card.files.map((file) => file.included);
    expect(included(await drawnCard({ files }))).toEqual(['all', 'all']);
    expect(included(await drawnCard({ files, indivisible: true }))).toEqual([undefined, undefined]);
    expect(included(await drawnCard({ files: [three] }))).toEqual([undefined]);
    const { card, page } = await drawn({ files }, (approvals, id) => {
      approvals.selectHunk(id, 0, 1, false);
      approvals.selectFile(id, 1, false);
    });
    expect(included(card)).toEqual(['some', 'none']);
    const kept = page.drawing?.files.map(({ hunks }) => hunks.map((hunk) => hunk.included));
    expect(kept).toEqual([[true, false, true], [false]]);
    expect(card.files[0]?.includeLabel).toBe('Include src/a.ts');
  });

  test('shows on Approve how many of the changes it will apply', async () => {
    const approve = async (files: FakeText[], act: (approvals: FakeApprovals, id: string) => void) => {
      const card = await drawnCard({ files }, act);
      return [card.approve?.text, card.approve?.label, card.blockedHint];
    };
    const first = (approvals: FakeApprovals, id: string): void => approvals.selectHunk(id, 0, 0, false);
    expect(await approve([three], first)).toEqual([
      'Approve 2 of 3',
      'Approve 2 of 3 changes: edit of src/a.ts',
      undefined,
    ]);
    expect(await approve([{ ...three, protectedBy: 'x' }], first)).toEqual([
      'Approve once: 2 of 3',
      'Approve once: 2 of 3 changes, edit of protected src/a.ts',
      undefined,
    ]);
    const moved: FakeText = { change: 'move', path: 'b.ts', to: 'c.ts' };
    expect((await approve([three, moved], first))[0]).toBe('Approve 3 of 4');
    const none = await approve([three, moved], (approvals, id) => {
      approvals.selectFile(id, 0, false);
      approvals.selectFile(id, 1, false);
    });
    expect([none[0], none[2]]).toEqual(['Approve 0 of 4', 'Nothing is selected: decline instead.']);
    expect((await approve([edit], (approvals, id) => approvals.setText(id, 0, 'one\nmine\n')))[0]).toBe(
      'Approve my version',
    );
  });

  test('marks what the user typed hunk by hunk, and can reset it', async () => {
    const shown = await drawn({ files: [three] }, (approvals, id) =>
      approvals.setText(id, 0, (three.result ?? '').replace('zwei', 'deux')),
    );
    const { card, rows } = shown;
    expect(card.files[0]?.chips).toMatchObject([{ text: 'edited by you' }]);
    expect(card.files[0]?.reset).toEqual({ text: 'Reset to the proposal', label: 'Reset to the proposal: src/a.ts' });
    expect(headersOf(shown).map(({ chips }) => chips.map(({ text }) => text))).toEqual([['yours'], [], []]);
    expect(rows[0]?.some((row) => partsOf(row)[0]?.text === 'deux')).toBe(true);
  });

  test('shows which hunks depend on each other, also in the name of the check box', async () => {
    const linked = { ...edit, base, result: base.replace('line 2\n', 'f(\n').replace('line 20\n', ')\n') };
    const [first, second] = headersOf(await drawn({ files: [linked] }));
    expect(first?.chips).toMatchObject([{ text: 'goes with change 2', tone: 'plain' }]);
    expect(first?.selectLabel).toBe('Include line 2 of src/a.ts, goes with change 2');
    expect(second?.chips).toMatchObject([{ text: 'goes with change 1' }]);
  });

  test('shows that a proposal was computed again', async () => {
    expect((await drawnCard({ files: [edit], moved: true })).chips).toMatchObject([{ text: 'recomputed' }]);
  });
});

describe('the card of a finished change', () => {
  test.each([
    ['applied', 'Edited a.ts', 'approved'],
    ['undone', 'Undone: edit of a.ts', 'approved, then undone'],
    ['declined', 'Declined: edit of a.ts', 'declined'],
    ['expired', 'Expired: edit of a.ts', 'not decided in time'],
    ['withdrawn', 'Withdrawn: edit of a.ts', 'cancelled'],
    ['superseded', 'Superseded: edit of a.ts', 'a newer proposal took its place'],
    ['stale', 'Out of date: edit of a.ts', 'the files changed after the proposal'],
    ['failed', 'Failed: edit of a.ts', 'could not be applied'],
  ] as const)('shows the outcome %s: %s', (state, headline, phrase) => {
    const card = undrawnCard({ files: [edit], state });
    expect(card).toMatchObject({ phase: 'finished', tone: 'done', headline, headlineTitle: 'src/a.ts', files: [] });
    expect(card.who.rest).toEqual([phrase]);
    expect([card.approve, card.decline, card.undo]).toEqual([undefined, undefined, undefined]);
    expect(card.openDiff?.text).toBe('Diff');
  });

  test('offers Undo when the change can be undone, and shows what saving did and the note of the user', async () => {
    const file = { uri: 'file:///a', change: 'edit', state: 'applied', addedLines: 1, removedLines: 1 } as const;
    const card = undrawnCard(
      {
        files: [edit, { ...edit, path: 'b.ts' }],
        state: 'applied',
        canUndo: true,
        outcomes: [
          { ...file, path: 'src/a.ts', changedOnSave: '@@' },
          { ...file, path: 'b.ts', dirty: true },
        ],
        userMessage: 'fine',
      },
      { notes: ['Undo failed'] },
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

describe('the card after a decision', () => {
  const outcome = undrawnCard;

  test('shows how much was applied, or that the user edited the text', () => {
    const state = 'applied';
    const part = { ...edit, proposedHunks: 5, includedHunks: 3 };
    expect(outcome({ state, files: [edit] }).notes).toEqual([]);
    expect(outcome({ state, files: [part] }).notes).toEqual(['Applied 3 of 5 changes.']);
    expect(outcome({ state, files: [{ ...part, edited: true }] }).notes).toEqual(['Applied your version.']);
    expect(outcome({ state: 'declined', files: [part] }).notes).toEqual([]);
  });

  test.each<[string, FakeText]>([
    ['Created new.ts', { change: 'create', path: 'src/new.ts' }],
    ['Replaced a.ts', { ...edit, overwrites: true }],
    ['Deleted old', { change: 'delete', path: 'src/old', folderFiles: 2 }],
    ['Moved a.ts to lib/a.ts', { change: 'move', path: 'src/a.ts', to: 'lib/a.ts' }],
  ])('shows %s', (headline, file) => {
    expect(outcome({ state: 'applied', files: [file] }).headline).toBe(headline);
  });

  const moved: FakeText = { change: 'move', path: 'src/a.ts', to: 'lib/a.ts' };
  const purpose = { kind: 'rename_symbol', from: 'list', to: 'listAll', places: 3 } as const;
  test.each<[string, Parameters<typeof outcome>[0]]>([
    [
      'Moved a.ts to lib/a.ts, imports in 1 file followed',
      { state: 'applied', files: [named(edit, 'b.ts'), moved], indivisible: true },
    ],
    [
      'Moved 2 files, imports in 2 files followed',
      {
        state: 'applied',
        files: [moved, { ...moved, path: 'src/c.ts', to: 'lib/c.ts' }, named(edit, 'b.ts'), named(edit, 'd.ts')],
        indivisible: true,
      },
    ],
    ['Changed 2 files', { state: 'applied', files: [moved, { ...edit, change: 'delete', path: 'old.ts' }] }],
    ['Declined: move of a.ts', { state: 'declined', files: [named(edit, 'b.ts'), moved], indivisible: true }],
    ['Renamed list to listAll in a.ts', { state: 'applied', files: [edit], purpose }],
    ['Renamed list to listAll in 2 files', { state: 'applied', files: [edit, named(edit, 'b.ts')], purpose }],
    ['Declined: rename of list to listAll', { state: 'declined', files: [edit, named(edit, 'b.ts')], purpose }],
  ])('B16: says what happened to symbols, files and their imports: %s', (headline, request) => {
    expect(outcome(request).headline).toBe(headline);
  });

  test('B27: says that the assistant has not heard of a late decision, and what can be told to it', () => {
    expect(outcome({ state: 'applied', files: [edit] }).unheard).toBeUndefined();
    expect(outcome({ state: 'applied', files: [edit], unheard: true }).unheard).toEqual({
      text: 'Claude Code has not heard of this yet.',
      copy: { text: 'Copy Message', label: 'Copy what to tell Claude Code: Edited a.ts' },
    });
  });

  test('lists the problems that the change made', () => {
    const problem = {
      path: 'src/a.ts',
      line: 12,
      severity: 'error',
      message: 'No \u202E type',
      code: 'ts(2322)',
    } as const;
    const problems = { new: [problem], newCount: 2, fixedCount: 1, freshness: 'fresh' } as const;
    const { problems: shown } = outcome({ state: 'applied', files: [edit], problems });
    expect(shown).toEqual({
      text: '2 new problems, 1 fixed',
      details: [
        { term: 'src/a.ts:12', value: 'Error: No <U+202E> type ts(2322)' },
        { term: '…', value: '1 more' },
      ],
    });
    const settling = { ...problems, newCount: 1, fixedCount: 0, freshness: 'settling' } as const;
    expect(outcome({ state: 'applied', files: [edit], problems: settling }).problems?.text).toBe(
      '1 new problem, 0 fixed so far',
    );
  });

  test('F5: shows what changed on a stale card, and offers to propose the change again when that is possible', () => {
    const stale = { state: 'stale', files: [edit], note: 'src/a.ts was saved by another program.' } as const;
    expect(outcome(stale).notes).toEqual(['Changed after the proposal: src/a.ts was saved by another program.']);
    expect(outcome(stale).rebase).toBeUndefined();
    expect(outcome({ ...stale, canRebase: true }).rebase).toEqual({ text: 'Rebase', label: 'Rebase edit of src/a.ts' });
  });

  test('links to the card that replaced it, as long as that card is known', () => {
    const request = { state: 'superseded', files: [edit], replacedBy: 'b' } as const;
    expect(outcome(request).successor).toBeUndefined();
    expect(outcome(request, { hasSuccessor: true }).successor).toEqual({
      id: 'b',
      text: 'Show newer proposal',
      label: 'Show newer proposal: edit of src/a.ts',
    });
  });
});

describe('F21: the card of a change that a kill left half done', () => {
  const outcome = { uri: 'file:///a', change: 'edit', addedLines: 1, removedLines: 1 } as const;
  const request = {
    files: [edit, named(edit, 'b.ts'), named(edit, 'c.ts')],
    state: 'partly_applied',
    canUndo: true,
    note: 'The window closed.',
    outcomes: [
      { ...outcome, path: 'src/a.ts', state: 'applied' },
      { ...outcome, path: 'b.ts', state: 'not_applied' },
      { ...outcome, path: 'c.ts', state: 'unknown' },
    ],
  } as const;

  test('waits with two buttons, neither of which is the default, and lists which files are changed', () => {
    expect(undrawnCard(request)).toMatchObject({
      phase: 'waiting',
      tone: 'danger',
      isGrave: true,
      headline: 'Half done: 1 of 3 files',
      approve: { text: 'Finish', label: 'Finish: 3 files: src/a.ts, b.ts, c.ts' },
      refuse: { text: 'Take back', label: 'Take back: 3 files: src/a.ts, b.ts, c.ts' },
      notes: ['The window closed.', 'src/a.ts: changed', 'b.ts: not changed', 'c.ts: unknown, check this file'],
    });
    expect(undrawnCard(request).elsewhere).toBeUndefined();
    expect(undrawnCard(request).decline).toBeUndefined();
  });

  test('leads to the page that decides', () => {
    expect(undrawnCard(request, { isElsewhere: true }).elsewhere?.show.text).toBe('Show the tab');
  });
});

describe('the targets of a change', () => {
  test('are named up to three, and counted above that', async () => {
    const { files } = approval({ files: ['a', 'b', 'c', 'd', 'e'].map((path) => ({ ...edit, path })) });
    expect(targetOf(files.slice(0, 1), t)).toBe('a');
    expect(targetOf(files.slice(0, 3), t)).toBe('3 files: a, b, c');
    expect(targetOf(files, t)).toBe('5 files: a, b, c and 2 more');
  });
});

describe('P13: rows of long lines and large changes', () => {
  const textOf = (parts: readonly { text: string }[]): string => parts.map((part) => part.text).join('');

  test('A4: draw a line of 5 MB whole, in pieces, a chunk at a time', async () => {
    const line = `${'x'.repeat(2_500_000)}😀${'y'.repeat(2_499_999)}`;
    const shown = shownOf('', `${line}\n`);
    const seen: string[] = [];
    let from = 0;
    for (;;) {
      const rows = chunkOf(shown, from);
      expect(rows.reduce((sum, row) => sum + textOf(partsOf(row)).length, 0)).toBeLessThan(22_000);
      seen.push(...rows.filter((row) => row.kind === 'added').map((row) => textOf(partsOf(row))));
      from += rows.length;
      if (from === shown.segments.length) break;
    }
    expect(seen.join('')).toBe(line);
  });

  test('show one changed character in a line of 400 KB at once, with the unchanged text folded', async () => {
    const line = Array.from({ length: 40_000 }, (_, index) => `word ${index % 97}, `).join('');
    const shown = shownOf(`${line}\n`, `${line.slice(0, 200_000)}!${line.slice(200_000)}\n`);
    const rows = chunkOf(shown, 0);
    expect(rows).toHaveLength(shown.segments.length);
    expect(rows.length).toBeLessThan(14);
    const isNamed = (row: PageRow): boolean => labelOf(row).endsWith(':');
    expect(rows.filter(isNamed).map(labelOf)).toEqual(['removed line 1 removed:', 'added line 1 added:']);
    expect(rows.some((row) => row.kind === 'added' && textOf(partsOf(row)).includes('!'))).toBe(true);
    const folded = rows.filter((row) => row.kind === 'folded');
    expect(folded).toHaveLength(4);
    expect(folded.map((row) => foldedText(row, t))[0]).toMatch(/^… \d+ characters unchanged …$/);
  });

  test('A4: hide no changed character by folding, and show how many characters are hidden', async () => {
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
        fc.pre(base !== result); // of blanks alone
        const { segments } = shownOf(`${base}\n`, `${result}\n`);
        for (const [kind, whole, letters] of [
          ['removed', base, /[XY]/g],
          ['added', result, /[12]/g],
        ] as const) {
          const own = segments.filter(({ row }) => row.kind === kind);
          const shown = own.filter(({ folded }) => !folded).map(({ start, end }) => whole.slice(start, end));
          expect(shown.join('').match(letters)).toEqual(whole.match(letters));
          expect(own.reduce((sum, { start, end }) => sum + end - start, 0)).toBe(whole.length);
          expect(own.filter(({ isFirst }) => isFirst)).toHaveLength(whole === '' ? 0 : 1);
        }
      }),
    );
  });

  test('fold an unchanged long line', async () => {
    const long = 'x'.repeat(5000);
    const rows = chunkOf(shownOf(`${long}\na\n`, `${long}\nb\n`), 0);
    expect(rows.map((row) => row.kind)).toEqual(['hunk', 'context', 'removed', 'added']);
    expect(rows[1]).toMatchObject({ isCut: true, parts: [{ text: 'x'.repeat(1000) }] });
  });
});
