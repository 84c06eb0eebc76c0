import { expect, test } from 'vitest';
import { askUser } from '#tools/editor/askUser.ts';
import { ProposeRun } from '../edit/proposeRun.ts';

const ask = async (input: unknown) => (await new ProposeRun().judgedOfAnyKind(askUser, input)).proposal;

test('proposes a question, which changes nothing', async () => {
  expect(await ask({ question: 'Which one?', choices: ['A', 'B'], allowText: false })).toEqual({
    kind: 'question',
    files: [],
    question: 'Which one?',
    choices: ['A', 'B'],
    allowsText: false,
  });
  expect(await ask({ question: 'Why?' })).toMatchObject({ choices: [], allowsText: true });
});

test('asks nothing that cannot be answered', async () => {
  await expect(ask({ question: 'Why?', allowText: false })).rejects.toThrow('allowText');
  await expect(ask({ question: 'Which?', choices: ['A', 'A'] })).rejects.toThrow('choices');
  expect(() => askUser.input.parse({ question: 'Which?', choices: ['A'] })).toThrow('choices');
});
