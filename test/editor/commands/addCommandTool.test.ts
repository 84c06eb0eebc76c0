import { beforeEach, expect, test } from 'vitest';
import { addCommandTool } from '#editor/commands/addCommandTool.ts';
import { readyMadeTools } from '#editor/commands/readyMadeTools.ts';
import { FakeCommands } from '../../fakes/commands.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';

const commands = new FakeCommands();
let current: readonly unknown[] = [];
let taken = '';

const add = (...answers: readonly (string | undefined)[]): Promise<void> => {
  editor.answers.push(...answers);
  return addCommandTool({
    commands,
    current: () => current,
    problemOf: ({ name }) => (name === taken ? 'It is there already.' : undefined),
  });
};
const saved = (): unknown => editor.settings.get('drawbridge.commandTools');
const offered = (): readonly string[] => editor.shown.find(({ kind }) => kind === 'pick')?.choices ?? [];

beforeEach(() => {
  resetEditor();
  commands.commands = [
    { id: 'git.fetch', title: 'Fetch', category: 'Git' },
    { id: 'toy.countWords', title: '$(bell) Count\u200B Words...', category: 'Toy' },
    { id: 'toy.nameless' },
  ];
  current = [];
  taken = '';
});

test('lists ready-made tools first, when their commands exist and they were not added', async () => {
  await add(undefined);
  const [ready] = readyMadeTools.filter(({ command }) => command === 'git.fetch');
  expect(offered()[1]).toContain(ready?.name);
  expect(offered()).toHaveLength(5);
  expect(saved()).toBeUndefined();

  resetEditor();
  taken = ready?.name ?? '';
  await add(undefined);
  expect(offered().join('\n')).not.toContain(taken);
});

test('adds a ready-made tool after the existing ones', async () => {
  current = ['something'];
  await add('fetch_git_remote', undefined);
  expect(saved()).toEqual(['something', readyMadeTools.find(({ name }) => name === 'fetch_git_remote')]);
  expect(editor.shown.at(-1)).toMatchObject({ message: 'Assistants are now offered fetch_git_remote.' });
});

test('adds any command with a name, a title and a description', async () => {
  await add('toy.countWords', 'count_words', 'Count words', 'Counts the words of a file.', undefined);
  expect(saved()).toEqual([
    {
      name: 'count_words',
      title: 'Count words',
      description: 'Counts the words of a file.',
      command: 'toy.countWords',
    },
  ]);
  expect(editor.shown.filter(({ kind }) => kind === 'input').map(({ message }) => message)).toEqual([
    'Add Command as Tool (1/3)',
    'Add Command as Tool (2/3)',
    'Add Command as Tool (3/3)',
  ]);
});

test('adds nothing when the user cancels a step', async () => {
  await add('toy.countWords', 'count_words', 'Count words', undefined);
  await add('toy.countWords', 'count_words', undefined);
  await add('toy.countWords', undefined);
  expect(saved()).toBeUndefined();
});

test('A5: shows titles of commands as plain text', async () => {
  await add(undefined);
  const title = offered().find((choice) => choice.includes('toy.countWords'));
  expect(title).toContain('\\$(bell)');
  expect(title).toContain('<U+200B>');
});
