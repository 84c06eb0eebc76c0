import { describe, expect, test } from 'vitest';
import { useWindow } from '#changes/windowUse.ts';
import { groupsOf } from '#ui/approvals/pageData.ts';
import { requestsText, requestText } from '#ui/page/words/kindText.ts';
import { announcement } from '#ui/page/words/pageText.ts';
import type { Card } from '#ui/page/words/view.ts';
import { FakeApprovals, type FakeRequest } from '../../../fakes/approvals.ts';
import { dataOf, drawnCard, t, undrawnCard } from './drawnCard.ts';

const question = { text: 'Which port\nshall it be?', choices: ['3000', '8080'], allowsText: true };
const request: FakeRequest = { tool: 'ask_user', question };
const approval = (given: FakeRequest) => new FakeApprovals().add({ ...request, ...given });

const cardOf = (given: FakeRequest = {}): Promise<Card> => drawnCard({ ...request, ...given });

describe('the card of a waiting question', () => {
  test('quotes all of the assistant’s text below a headline of ours, and states that an answer allows nothing', async () => {
    const card = await cardOf();
    expect(card).toMatchObject({
      phase: 'waiting',
      tone: 'edit',
      headline: 'Question from Claude Code',
      risk: { text: 'Question', icon: 'question' },
      question: {
        label: 'The assistant asks:',
        parts: [{ text: 'Which port\nshall it be?' }],
        choices: [[{ text: '3000' }], [{ text: '8080' }]],
        fieldLabel: 'Or answer in your own words',
        hint: 'Answering does not approve anything.',
      },
      approve: { text: 'Answer', label: 'Answer the question from Claude Code' },
      refuse: { text: 'Dismiss', label: 'Dismiss the question from Claude Code' },
    });
    for (const part of ['decline', 'rules', 'openDiff', 'endHint', 'confirm'] as const)
      expect(card[part]).toBeUndefined();
  });

  test('has a text field only when the question accepts words of the user', async () => {
    expect((await cardOf({ question: { ...question, allowsText: false } })).question?.fieldLabel).toBeUndefined();
    expect((await cardOf({ question: { ...question, choices: [] } })).question).toMatchObject({
      choices: [],
      fieldLabel: 'Your answer',
      missing: 'Write an answer first.',
    });
  });

  test('A5: escapes hidden characters in the question and its choices, and warns of them', async () => {
    const card = await cardOf({ question: { text: 'Yes\u202E or no?', choices: ['Y\u200Bes'], allowsText: false } });
    expect(card.question?.parts).toContainEqual({ text: '<U+202E>', escaped: true });
    expect(card.question?.choices[0]).toContainEqual({ text: '<U+200B>', escaped: true });
    expect(card.warnings).toEqual([
      'Text contains hidden characters: <U+202E> <U+200B>. With them, a text can do something else than it seems to.',
    ]);
  });
});

describe('the card that asks whether an assistant may use the window', () => {
  const access: FakeRequest = {
    tool: useWindow,
    question: { text: 'May it?', choices: ['Yes', 'No'], allowsText: false },
  };

  test('is a question of Drawbridge, whose answer decides', async () => {
    expect(await cardOf(access)).toMatchObject({
      headline: 'Claude Code wants to use this window',
      question: {
        label: 'Drawbridge asks:',
        choices: [[{ text: 'Yes' }], [{ text: 'No' }]],
        hint: 'Without your yes, it is told nothing of this window.',
      },
    });
    expect(undrawnCard({ ...request, ...access, state: 'applied' })).toMatchObject({
      reason: { label: 'Drawbridge asks:', parts: [{ text: 'May it?' }] },
    });
    expect(requestText(approval(access), 'full', t)).toBe('Claude Code wants to use this window.');
  });
});

describe('the card of a finished question', () => {
  test('shows the question and the answer', () => {
    expect(undrawnCard({ ...request, state: 'applied', answer: '80\u200B80' })).toMatchObject({
      phase: 'finished',
      headline: 'Answered: question from Claude Code',
      who: { rest: ['answered'] },
      reason: { label: 'The assistant asked:', parts: [{ text: 'Which port shall it be?' }] },
      notes: ['You answered: “80<U+200B>80”'],
    });
  });

  test.each([
    ['declined', 'Dismissed: question from Claude Code', 'dismissed'],
    ['expired', 'Not answered: question from Claude Code', 'not decided in time'],
    ['withdrawn', 'Withdrawn: question from Claude Code', 'cancelled'],
  ] as const)('shows the outcome %s', (state, headline, phrase) => {
    const card = undrawnCard({ ...request, state });
    expect(card).toMatchObject({ headline, who: { rest: [phrase] }, notes: [] });
    expect(card.undo).toBeUndefined();
  });
});

describe('a question among other approvals', () => {
  test('is announced as a question, without its words', () => {
    expect(announcement([dataOf(approval({}))], [], t)).toEqual({
      text: 'Question from Claude Code. Run “Review Next Approval” to get to it.',
      assertive: false,
    });
    expect(announcement([dataOf(approval({})), dataOf(approval({}))], [], t)?.text).toMatch(
      /^2 requests wait for you\./,
    );
    expect(requestText(approval({}), 'brief', t)).toBe('An assistant asks you a question.');
    expect(requestsText([approval({}), approval({})], [], 'brief', t)).toBe('2 requests of assistants wait for you.');
  });

  test('A16: is never approved together with others', () => {
    const approvals = new FakeApprovals();
    approvals.add({ id: 'a', groupId: 'g', ...request });
    approvals.add({ id: 'b', groupId: 'g', ...request });
    expect(groupsOf(approvals.all, () => false)[0]?.batch).toEqual([]);
  });
});
