import { beforeEach, expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import { createCommandTools } from '#tools/commands/commandTools.ts';
import { warnOfCommandTools } from '#ui/tools/commandToolNotice.ts';
import { FakeCommands } from '../../fakes/commands.ts';
import { editor, resetEditor } from '../../fakes/editor/editor.ts';

const count = { name: 'count_words', title: 'Count words', description: 'Counts.', command: 'toy.count' };

beforeEach(() => {
  resetEditor();
});

/** Sets entries of the setting, and returns the warnings that the user gets. */
function scene(...entries: readonly unknown[]) {
  let commandTools = entries;
  const changed = new Emitter<void>();
  const tools = createCommandTools(
    { current: () => ({ commandTools }), onDidChange: changed.event },
    (name) => name === 'read_file',
    () => undefined,
  );
  const commands = new FakeCommands();
  commands.commands = [{ id: 'toy.count' }];
  warnOfCommandTools({
    entries: tools,
    commands,
    onError: (error) => {
      throw error;
    },
  });
  const set = (...next: readonly unknown[]): void => {
    commandTools = next;
    changed.fire();
  };
  return { set, told: () => editor.shown.map(({ message }) => message) };
}

test.each([
  ['no command', { ...count, command: undefined }, 'command'],
  ['a denied command', { ...count, command: 'drawbridge.setMode' }, 'No assistant may run drawbridge.setMode'],
  ['an invalid schema', { ...count, argumentSchema: { type: 'string' } }, 'argumentSchema'],
])('A51: warns of an entry with %s by its name, and says what to do', (_what, entry, words) => {
  const { told } = scene(entry);
  expect(told()).toHaveLength(1);
  expect(told()[0]).toContain(
    '"count_words" of drawbridge.commandTools is not offered to assistants; correct or remove',
  );
  expect(told()[0]).toContain(words);
});

test('warns of the name of a tool of Drawbridge, and of a name that two entries have', () => {
  const { told } = scene({ ...count, name: 'read_file' }, count, count);
  expect(told()).toEqual([expect.stringMatching(/"read_file".*already.*"count_words".*already/)]);
});

test('warns of an entry without a name by its place', () => {
  expect(scene(count, 'nonsense').told()).toEqual([expect.stringContaining('Entry 2 of drawbridge.commandTools')]);
});

test('names a few entries, and shows no hidden character and no link', () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ name: `[a](command:x)\u202e${at}` }));
  const [text = ''] = scene(...many).told();
  expect(text).toContain('[a] (command:x)<U+202E>0');
  expect(text).toContain('6 more entries have a problem.');
});

test('warns once of each entry, and again when it becomes wrong in another way', () => {
  const { set, told } = scene({ ...count, command: 'drawbridge.setMode' });
  set({ ...count, command: 'drawbridge.setMode' }, { ...count, name: 'count_more' });
  expect(told()).toHaveLength(1);
  set({ ...count, command: 'drawbridge.pause' });
  expect(told()).toHaveLength(2);
});

test('warns of a command that does not exist when the setting changes', async () => {
  const { set, told } = scene();
  set(count, { ...count, name: 'count_gone', command: 'toy.gone' });
  await expect
    .poll(told)
    .toEqual([
      expect.stringContaining(
        '"count_gone" of drawbridge.commandTools names the command toy.gone, which does not exist',
      ),
    ]);
});

test('opens the setting', async () => {
  editor.answers.push('Edit in Settings');
  scene('nonsense');
  await expect.poll(() => editor.executed.map(([command]) => command)).toContain('workbench.action.openSettingsJson');
});
