import { describe, expect, test } from 'vitest';
import { Emitter } from '#base/event.ts';
import type { ActionProposal } from '#base/proposal.ts';
import { WindowCatalog } from '#call/windowCatalog.ts';
import { readyMadeTools } from '#editor/commands/readyMadeTools.ts';
import { commandTool, commandToolDefinition, createCommandTools } from '#tools/commands/commandTools.ts';
import { CommandRun } from './commandRun.ts';

const properties = { path: { type: 'string' }, line: { type: 'integer' }, word: { type: 'string' } };

/** Calls the tool of a definition; the command exists, and is not on the list of allowed commands. */
function start(definition: object) {
  const tool = commandTool(
    commandToolDefinition.parse({
      name: 'count_words',
      title: 'Count words',
      description: 'Counts.',
      command: 'toy.count',
      ...definition,
    }),
  );
  const run = new CommandRun(tool);
  run.commands.commands = [{ id: 'toy.count', title: 'Count' }];
  const propose = (given: unknown = {}) => run.propose('count_words', given);
  return {
    run,
    propose,
    proposed: async (given: unknown = {}): Promise<ActionProposal> => {
      const proposal = await propose(given);
      if (typeof proposal === 'string') throw new Error(proposal);
      return proposal;
    },
  };
}

test('runs a command that is not on the list of allowed commands, and gives rules its id', async () => {
  const { proposed, run } = start({});
  const proposal = await proposed();
  expect(proposal).toMatchObject({ title: 'Count words', definition: 'toy.count', arguments: [], places: [] });
  run.commands.answer = async () => '3';
  expect(await run.approve('count_words', proposal)).toEqual({ text: '3' });
});

describe('the arguments of a command tool', () => {
  test('are checked by the schema that the user wrote', async () => {
    const { propose } = start({ argumentSchema: { type: 'object', properties, required: ['path'] } });
    expect(await propose({})).toContain('path');
    expect(await propose({ path: 'a', other: 1 })).toContain('other');
    expect(await start({}).propose({ any: 1 })).toContain('any');
  });

  test('are the only argument of the command when the definition has no arguments', async () => {
    const { proposed } = start({ argumentSchema: { properties } });
    expect((await proposed({ word: 'a' })).arguments).toEqual([{ word: 'a' }]);
  });

  test('are filled into the fixed arguments of the definition', async () => {
    const { proposed } = start({
      argumentSchema: { properties },
      arguments: [
        'fixed',
        { $uri: { $input: 'path' } },
        { $position: { line: { $input: 'line' }, column: 1 } },
        { word: { $input: 'word' }, also: true },
      ],
    });
    const proposal = await proposed({ path: './src/a.ts', line: 3, word: 'x' });
    expect(proposal.arguments).toEqual([
      'fixed',
      { $uri: 'src/a.ts' },
      { $position: { line: 3, column: 1 } },
      { word: 'x', also: true },
    ]);
    expect(proposal.places.map(({ path }) => path)).toEqual(['src/a.ts']);
  });

  test('omit what the assistant omitted', async () => {
    const { proposed } = start({
      argumentSchema: { properties },
      arguments: [{ $input: 'word' }, { word: { $input: 'word' }, also: true }, { $uri: { $input: 'path' } }],
    });
    expect((await proposed()).arguments).toEqual([null, { also: true }]);
  });

  test('are refused when they lead outside the workspace', async () => {
    const { propose } = start({ argumentSchema: { properties: { any: {} } }, arguments: [{ $input: 'any' }] });
    expect(await propose({ any: { $uri: '/etc/passwd' } })).toContain('[outside_workspace]');
    expect(await propose({ any: { $uri: '.env' } })).toContain('[denied]');
    expect(await propose({ any: { $mid: 1, scheme: 'file', path: '/etc/passwd' } })).toContain('arguments');
    expect(await propose({ any: { scheme: 'file', path: '/etc/passwd' } })).toContain('[scheme_not_allowed]');
  });
});

test('A2: refuses a command that no assistant may run, even when it was made a tool', async () => {
  expect(await start({ command: 'drawbridge.setMode' }).propose()).toContain('[denied]');
});

test('A9: does not run an approved call when the tool now stands for another command', async () => {
  const { proposed, run } = start({});
  const other = { ...(await proposed()), definition: 'toy.other' };
  await expect(run.approve('count_words', other)).rejects.toMatchObject({ code: 'unavailable' });
  expect(run.commands.ran).toEqual([]);
});

const count = { name: 'count_words', title: 'Count words', description: 'Counts.', command: 'toy.count' };

/** Makes the tools of a list of definitions, as the settings hold it. */
function startList(...first: readonly unknown[]) {
  const warnings: string[] = [];
  const changed = new Emitter<void>();
  let commandTools = first;
  const tools = createCommandTools(
    { current: () => ({ commandTools }), onDidChange: changed.event },
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

test('makes tools of good definitions', () => {
  const { tools, names, warnings } = startList(count, { ...count, name: 'count_more', risk: 'edit' });
  expect(names()).toEqual(['count_words', 'count_more']);
  expect(tools.tools).toMatchObject([
    { title: 'Count words', description: 'Counts.', toolset: 'commands', risk: 'execute' },
    { risk: 'edit' },
  ]);
  expect(warnings).toEqual([]);
});

test('leaves out a bad definition, warns of it, and keeps the others', () => {
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
  const { names, warnings } = startList(...bad.map(([definition]) => definition), count, count);
  expect(names()).toEqual(['count_words']);
  expect(warnings).toHaveLength(bad.length + 1);
  for (const [at, [definition, words]] of bad.entries()) {
    expect(warnings[at], JSON.stringify(definition)).toContain(`Entry ${at + 1} of drawbridge.commandTools`);
    expect(warnings[at], JSON.stringify(definition)).toContain(words);
  }
});

test('names the entries that are left out, and what is wrong with each', () => {
  const { tools } = startList({ ...count, command: 'drawbridge.setMode' }, { title: 'x' }, count, count, 5);
  expect(tools.wrong.map(({ name, position }) => [name, position])).toEqual([
    ['count_words', 1],
    [undefined, 2],
    ['count_words', 4],
    [undefined, 5],
  ]);
  expect([...tools.commands]).toEqual([['count_words', count.command]]);
});

describe('a call that waits while the setting changes', () => {
  const waits = async (...later: readonly unknown[]) => {
    const { tools, set } = startList(count);
    const [tool] = tools.tools;
    if (tool === undefined) throw new Error('The tool is missing');
    const before = new CommandRun(tool);
    before.commands.commands = [{ id: count.command }];
    const proposal = await before.propose(count.name, {});
    if (typeof proposal === 'string') throw new Error(proposal);
    set(...later);
    const after = new CommandRun(...tools.tools);
    const result = await after.approve(count.name, proposal).catch((error: unknown) => String(error));
    return { result, ran: after.commands.ran };
  };

  test('runs what was approved when its entry is the same', async () => {
    expect((await waits(count, { ...count, name: 'count_more' })).ran).toEqual([[count.command, []]]);
  });

  test.each([
    ['another command', [{ ...count, command: 'toy.other' }]],
    ['a denied command', [{ ...count, command: 'drawbridge.setMode' }]],
    ['no command', [{ ...count, command: undefined }]],
    ['nothing', []],
  ])('A51: runs nothing when the entry becomes %s', async (_what, later) => {
    const { result, ran } = await waits(...later);
    expect(ran).toEqual([]);
    expect(result).toContain('nothing was done');
  });

  test('A51: runs no command that is denied, also when its approval comes from before', async () => {
    const run = new CommandRun(commandTool(commandToolDefinition.parse({ ...count, command: 'drawbridge.setMode' })));
    const action: ActionProposal = {
      kind: 'action',
      files: [],
      title: '',
      definition: 'drawbridge.setMode',
      arguments: [],
      places: [],
      remarks: [],
    };
    await expect(run.approve(count.name, action)).rejects.toMatchObject({ code: 'denied' });
    expect(run.commands.ran).toEqual([]);
  });
});

test('changes the catalog when a definition in the settings changes, and only then', () => {
  const { tools, set, warnings } = startList('nonsense');
  const catalog = new WindowCatalog({
    tools: [],
    sources: [tools],
    resources: [],
    prompts: [],
    choices: () => ({}),
    mode: () => 'manual',
    isTrusted: () => true,
    isHeld: () => false,
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

test('accepts the ready-made definitions, and refuses one whose name is taken', () => {
  const { tools, set, names, warnings } = startList();
  for (const tool of readyMadeTools) expect(tools.problemOf(tool), tool.name).toBeUndefined();
  set(...readyMadeTools);
  expect(names()).toEqual(readyMadeTools.map(({ name }) => name));
  expect(warnings).toEqual([]);
  expect(tools.problemOf(readyMadeTools[0])).toContain('already');
});
