import { expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import { WindowCatalog } from '#call/windowCatalog.ts';
import { readyMadeTools } from '#editor/commands/readyMadeTools.ts';
import type { Settings } from '#editor/settings.ts';
import { createCommandTools } from '#main/commandTools.ts';

const settings: Settings = {
  reveal: 'never',
  notify: true,
  markChanges: true,
  maxResults: 200,
  readBytes: 65_536,
  historyMegabytes: 500,
  auditRetentionDays: 30,
  toolsets: {},
  relayedTools: [],
  clients: {},
  allowedCommands: [],
  commandTools: [],
};

const count = { name: 'count_words', title: 'Count words', description: 'Counts.', command: 'toy.count' };

function start(...first: readonly unknown[]) {
  const warnings: string[] = [];
  const changed = new Emitter<void>();
  let commandTools = first;
  const tools = createCommandTools(
    { current: () => ({ ...settings, commandTools }), onDidChange: changed.event },
    (name) => name === 'read_file',
    (message) => warnings.push(message),
  );
  return {
    warnings,
    tools,
    names: () => tools.tools.map(({ name }) => name),
    set: (...next: readonly unknown[]): void => {
      commandTools = next;
      changed.fire();
    },
  };
}

test('good definitions become tools', () => {
  const { tools, names, warnings } = start(count, { ...count, name: 'count_more', risk: 'edit' });
  expect(names()).toEqual(['count_words', 'count_more']);
  expect(tools.tools).toMatchObject([
    { title: 'Count words', description: 'Counts.', toolset: 'commands', risk: 'execute' },
    { risk: 'edit' },
  ]);
  expect(warnings).toEqual([]);
});

test('a bad definition is left out, told of, and takes nobody else with it', () => {
  const bad: readonly (readonly [object | string, string])[] = [
    ['nonsense', 'expected object'],
    [{ ...count, name: 'Count' }, 'verb_noun'],
    [{ ...count, name: 'read_file' }, 'already'],
    [{ ...count, command: 'drawbridge.setMode' }, 'No assistant may run'],
    [{ ...count, command: 'runCommands' }, 'No assistant may run'],
    [{ ...count, risk: 'read' }, 'risk'],
    [{ ...count, description: 'a\u200Bb' }, 'cannot be seen'],
    [{ ...count, argumentSchema: { type: 'string' } }, 'argumentSchema'],
    [{ ...count, argumentSchema: { properties: 5 } }, 'properties'],
    [{ ...count, arguments: [{ $input: 'word' }] }, 'word'],
    [{ ...count, arguments: [{ $nothing: 1 }] }, '$nothing'],
    [{ ...count, unknown: 1 }, 'unknown'],
  ];
  const { names, warnings } = start(...bad.map(([definition]) => definition), count, count);
  expect(names()).toEqual(['count_words']);
  expect(warnings).toHaveLength(bad.length + 1);
  for (const [at, [definition, words]] of bad.entries()) {
    expect(warnings[at], JSON.stringify(definition)).toContain(`Entry ${at + 1} of drawbridge.commandTools`);
    expect(warnings[at], JSON.stringify(definition)).toContain(words);
  }
});

test('the catalog follows the settings, and only when a definition changes', () => {
  const { tools, set, warnings } = start('nonsense');
  const catalog = new WindowCatalog({
    tools: [],
    sources: [tools],
    resources: [],
    prompts: [],
    choices: () => ({}),
    mode: () => 'manual',
    isTrusted: () => true,
  });
  let changes = 0;
  catalog.onDidChange(() => (changes += 1));
  set('nonsense');
  expect([changes, warnings.length]).toEqual([0, 1]);
  set(count);
  expect([changes, catalog.offered.map(({ name }) => name)]).toEqual([1, ['count_words']]);
  set({ ...count, description: 'Counts better.' });
  expect([changes, catalog.offered[0]?.description]).toEqual([2, 'Counts better.']);
  set();
  expect([changes, catalog.offered]).toEqual([3, []]);
});

test('the ready-made ones are good, and say what is wrong when one is there already', () => {
  const { tools, set, names, warnings } = start();
  for (const tool of readyMadeTools) expect(tools.problemOf(tool), tool.name).toBeUndefined();
  set(...readyMadeTools);
  expect(names()).toEqual(readyMadeTools.map(({ name }) => name));
  expect(warnings).toEqual([]);
  expect(tools.problemOf(readyMadeTools[0])).toContain('already');
});
