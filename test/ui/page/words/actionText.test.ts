import { describe, expect, test } from 'vitest';
import { chunkOf } from '#ui/approvals/cardRows.ts';
import { Drawings } from '#ui/approvals/drawings.ts';
import { groupsOf } from '#ui/approvals/pageData.ts';
import { needsOwnDecision } from '#ui/page/words/groupText.ts';
import { requestsText, requestText, subjectText } from '#ui/page/words/kindText.ts';
import { cardOf as cardOfData } from '#ui/page/words/cardText.ts';
import type { Card } from '#ui/page/words/view.ts';
import { FakeApprovals, type FakeRequest } from '../../../fakes/approvals.ts';
import { context, dataOf, drawn, drawnCard, partsOf, t, undrawnCard, type Drawn } from './drawnCard.ts';

const action = {
  title: 'Run command: Organize Imports',
  definition: 'editor.action.organizeImports',
  arguments: ['src/a.ts', { deep: true }],
  paths: ['src/a.ts'],
  remarks: [],
};
const request: FakeRequest = { tool: 'run_command', action };
const approval = (given: FakeRequest) => new FakeApprovals().add({ ...request, ...given });

const cardOf = (given: FakeRequest = {}): Promise<Card> => drawnCard({ ...request, ...given });

const finished = (given: FakeRequest): Card => undrawnCard({ ...request, ...given });

const linesOf = ({ arguments: rows }: Drawn): string[] =>
  rows.map((row) =>
    partsOf(row)
      .map(({ text }) => text)
      .join(''),
  );

describe('the card of a waiting action', () => {
  test('names the action, its id, its target and its arguments, and offers Run instead of Approve', async () => {
    const shown = await drawn({ ...request, reason: 'Imports are a mess.' });
    const { card } = shown;
    expect(card).toMatchObject({
      phase: 'waiting',
      headline: 'Run command: Organize Imports',
      risk: { text: 'Execute', tone: 'warning', icon: 'play' },
      action: {
        definition: { parts: [{ text: 'editor.action.organizeImports' }] },
        paths: { items: [[{ text: 'src/a.ts' }]] },
        arguments: { label: 'Arguments' },
      },
      files: [],
      counts: { added: '', removed: '', label: '' },
      reason: { label: 'The assistant says:', parts: [{ text: 'Imports are a mess.' }] },
      why: { text: 'Why was I asked? default for execute in Manual mode' },
      approve: { text: 'Run', label: 'Run: Run command: Organize Imports' },
      decline: { send: { text: 'Decline', label: 'Decline Run command: Organize Imports' } },
    });
    expect(linesOf(shown)).toEqual(['[', '  "src/a.ts",', '  {', '    "deep": true', '  }', ']']);
    expect(card.openDiff).toBeUndefined();
    expect(card.decline?.reasons.map(({ code }) => code)).toEqual(['too_broad', 'do_it_differently', 'stop']);
  });

  test('treats an action that only saves or closes as an edit that can be approved', async () => {
    const card = await cardOf({ risk: 'edit', mustReachEnd: false, action: { ...action, title: 'Save 2 files' } });
    expect(card).toMatchObject({
      approve: { text: 'Approve', label: 'Approve: Save 2 files' },
    });
    expect(card.risk).toBeUndefined();
    expect(card.endHint).toBeUndefined();
    for (const given of [{}, { paths: ['src/a.ts'] }]) {
      const bare = await cardOf({ risk: 'edit', action: { ...action, arguments: given } });
      expect(bare.action?.arguments).toEqual({ label: 'Arguments', none: '', rows: 0 });
    }
    expect(
      linesOf(await drawn({ ...request, action: { ...action, arguments: { paths: ['src/b.ts'] } } })),
    ).toHaveLength(5);
  });

  test.each([undefined, {}, []])('shows that there are no arguments when they are %j', async (given) => {
    const card = await cardOf({ action: { ...action, arguments: given } });
    expect(card.action?.arguments).toEqual({ label: 'Arguments', none: 'Without arguments.', rows: 0 });
  });

  test('A4: requires the end of the arguments to be shown, and sends all of them however long they are', async () => {
    const words = 'x'.repeat(50_000);
    const approvals = new FakeApprovals();
    const { id } = approvals.add({ ...request, action: { ...action, arguments: { words, last: 'rm -rf' } } });
    const current = await new Drawings(approvals).current(id);
    const shown = current?.drawing?.arguments;
    if (!current || !shown) throw new Error('Not drawn');
    const card = cardOfData(dataOf(current.approval, current.drawing), context);
    expect(card.endHint).toBe('Scroll to the end of the arguments to allow this.');
    expect(card.action?.arguments.rows).toBe(shown.segments.length);
    const all: string[] = [];
    for (let from = 0; from < shown.segments.length;) {
      const rows = chunkOf(shown, from);
      all.push(...rows.flatMap((row) => partsOf(row).map(({ text }) => text)));
      from += rows.length;
    }
    expect(all.join('')).toBe(`{  "words": "${words}",  "last": "rm -rf"}`);
  });

  test('A5: escapes hidden characters everywhere and warns of them', async () => {
    const card = await cardOf({
      action: {
        title: 'Run \u202Ecommand',
        definition: 'a\u200Bb',
        arguments: { '\u2066key': 'va\u{E0041}lue' },
        paths: ['src/\u200Da.ts'],
        remarks: ['It may\u2067 ask again.'],
      },
    });
    expect(JSON.stringify(card.action)).not.toMatch(/[\u200B\u202E\u2066\u2067]|\u{E0041}/u);
    expect(card.headline).toBe('Run <U+202E>command');
    expect(card.approve?.label).toBe('Run: Run <U+202E>command');
    expect(card.action?.definition.parts).toContainEqual({ text: '<U+200B>', escaped: true });
    expect(card.warnings).toEqual([
      'It may<U+2067> ask again.',
      'Text contains hidden characters: <U+2066> <U+E0041> <U+200B> <U+200D>. With them, a text can do something else than it seems to.',
    ]);
  });

  test('A19: cuts a long title in the headline and keeps all of it in the tooltip', async () => {
    const title = `Run ${'x'.repeat(500)}`;
    const card = await cardOf({ action: { ...action, title } });
    expect(card.headline).toHaveLength(120);
    expect(card.headlineTitle).toBe(title);
  });

  test('offers no Run until the arguments are shown', () => {
    const card = finished({});
    expect(card.approve).toBeUndefined();
    expect(card.notes).toEqual(['The change cannot be shown, so it cannot be approved.']);
  });
});

describe('the card of a finished action', () => {
  test('shows its outcome with what it returned', () => {
    const card = finished({ state: 'applied', output: 'three\u200B files' });
    expect(card).toMatchObject({
      phase: 'finished',
      headline: 'Run command: Organize Imports (done)',
      who: { rest: ['approved'] },
      output: {
        text: 'Result',
        parts: [{ text: 'three' }, { text: '<U+200B>', escaped: true }, { text: ' files' }],
      },
    });
    expect(card.output?.chip).toBeUndefined();
    const unasked = finished({ state: 'applied', judgement: { effect: 'allow', mode: 'acceptEdits' } });
    expect(unasked.notes).toEqual(['Done without asking: mode Accept edits']);
    expect(card.action).toBeUndefined();
    expect(card.undo).toBeUndefined();
  });

  test('marks an error that the action itself reports, and cuts a very long result', () => {
    const output = 'e'.repeat(20_001);
    const card = finished({ state: 'applied', output, outputIsError: true });
    expect(card.headline).toBe('Run command: Organize Imports (failed)');
    expect(card.output?.chip).toEqual({ text: 'error', tone: 'danger' });
    expect(card.output?.parts.at(-1)?.text).toBe('\n… 1 more characters');
  });

  test.each([
    ['declined', 'Declined: Run command: Organize Imports', 'declined'],
    ['failed', 'Failed: Run command: Organize Imports', 'could not be done'],
    ['withdrawn', 'Withdrawn: Run command: Organize Imports', 'cancelled'],
  ] as const)('shows the outcome %s', (state, headline, phrase) => {
    const card = finished({ state, note: 'Why.', reasonCode: 'too_broad' });
    expect(card).toMatchObject({ headline, who: { rest: [phrase] }, notes: ['Why.', 'Your reason: Too broad'] });
    expect(card.output).toBeUndefined();
  });
});

describe('an action among other approvals', () => {
  test('A16: is never approved together with others, whatever its risk', () => {
    const approvals = new FakeApprovals();
    const file = { path: 'src/a.ts', base: 'one\n', result: 'eins\n' };
    approvals.add({ id: 'a', groupId: 'g', files: [file] });
    approvals.add({ id: 'b', groupId: 'g', files: [{ ...file, path: 'src/b.ts' }] });
    approvals.add({ id: 'c', groupId: 'g', ...request, risk: 'edit', mustReachEnd: false });
    const [group] = groupsOf(approvals.all, () => false);
    expect(group).toMatchObject({ batch: ['a', 'b'] });
    expect(approvals.all.map(needsOwnDecision)).toEqual([false, false, true]);
  });

  test('is announced by its kind alone, without title, argument or path', () => {
    const run = approval({});
    const save = approval({ risk: 'edit' });
    expect(subjectText(run, t)).toBe('run of a command or tool');
    expect(requestText(run, 'brief', t)).toBe('An assistant wants to run a command or tool.');
    expect(requestText(save, 'brief', t)).toBe('An assistant wants to do something in the editor.');
    expect(requestsText([run, save], [], 'brief', t)).toBe(
      '2 requests of assistants wait for your approval. They include commands to run.',
    );
  });
});
