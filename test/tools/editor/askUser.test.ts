import { expect, test } from 'vitest';
import { askUser } from '#tools/editor/askUser.ts';
import { ProposeRun } from '../edit/proposeRun.ts';

const ask = async (input: unknown) => (await new ProposeRun().judgedOfAnyKind(askUser, input)).proposal;

test('proposes a question without any file change', async () => {
  expect(await ask({ question: 'Which one?', choices: ['A', 'B'], allowText: false })).toEqual({
    kind: 'question',
    files: [],
    question: 'Which one?',
    choices: ['A', 'B'],
    allowsText: false,
  });
  expect(await ask({ question: 'Why?' })).toMatchObject({ choices: [], allowsText: true });
});

test('refuses a question when no answer is possible', async () => {
  await expect(ask({ question: 'Why?', allowText: false })).rejects.toThrow('allowText');
  await expect(ask({ question: 'Which?', choices: ['A', 'A'] })).rejects.toThrow('choices');
  expect(() => askUser.input.parse({ question: 'Which?', choices: ['A'] })).toThrow('choices');
});
