import { describe, expect, test } from 'vitest';
import type { ActionProposal } from '#base/proposal.ts';
import { commandTool, commandToolDefinition } from '#tools/commands/commandTools.ts';
import { CommandRun } from './commandRun.ts';

const properties = { path: { type: 'string' }, line: { type: 'integer' }, word: { type: 'string' } };

/** Calls a tool of a definition; its command is there, and on no list. */
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

test('a command tool needs no place on the list, and is known to rules by its command', async () => {
  const { proposed, run } = start({});
  const proposal = await proposed();
  expect(proposal).toMatchObject({ title: 'Count words', definition: 'toy.count', arguments: [], places: [] });
  run.commands.answer = async () => '3';
  expect(await run.approve('count_words', proposal)).toEqual({ text: '3' });
});

describe('arguments', () => {
  test('are checked by the schema of the user', async () => {
    const { propose } = start({ argumentSchema: { type: 'object', properties, required: ['path'] } });
    expect(await propose({})).toContain('path');
    expect(await propose({ path: 'a', other: 1 })).toContain('other');
    expect(await start({}).propose({ any: 1 })).toContain('any');
  });

  test('are the only argument of the command unless said otherwise', async () => {
    const { proposed } = start({ argumentSchema: { properties } });
    expect((await proposed({ word: 'a' })).arguments).toEqual([{ word: 'a' }]);
  });

  test('are filled into the fixed ones', async () => {
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

  test('that an assistant leaves out are left out', async () => {
    const { proposed } = start({
      argumentSchema: { properties },
      arguments: [{ $input: 'word' }, { word: { $input: 'word' }, also: true }, { $uri: { $input: 'path' } }],
    });
    expect((await proposed()).arguments).toEqual([null, { also: true }]);
  });

  test('lead nowhere outside the workspace', async () => {
    const { propose } = start({ argumentSchema: { properties: { any: {} } }, arguments: [{ $input: 'any' }] });
    expect(await propose({ any: { $uri: '/etc/passwd' } })).toContain('[outside_workspace]');
    expect(await propose({ any: { $uri: '.env' } })).toContain('[denied]');
    expect(await propose({ any: { $mid: 1, scheme: 'file', path: '/etc/passwd' } })).toContain('arguments');
    expect(await propose({ any: { scheme: 'file', path: '/etc/passwd' } })).toContain('[scheme_not_allowed]');
  });
});

test('A2: a command that no assistant may run is not run, even if it was made a tool', async () => {
  expect(await start({ command: 'drawbridge.setMode' }).propose()).toContain('[denied]');
});

test('A9: what was approved of another command is not run', async () => {
  const { proposed, run } = start({});
  const other = { ...(await proposed()), definition: 'toy.other' };
  await expect(run.approve('count_words', other)).rejects.toMatchObject({ code: 'unavailable' });
  expect(run.commands.ran).toEqual([]);
});
