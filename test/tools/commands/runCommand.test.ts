import { beforeEach, describe, expect, test } from 'vitest';
import type { ActionProposal } from '#base/proposal.ts';
import { runCommand } from '#tools/commands/runCommand.ts';
import { at } from '../../policy/changes.ts';
import { CommandRun } from './commandRun.ts';

let run: CommandRun;

beforeEach(() => {
  run = new CommandRun(runCommand);
  run.commands.commands = [
    { id: 'toy.count', title: 'Count Words', category: 'Toy' },
    { id: 'toy.nameless' },
    { id: 'drawbridge.setMode', title: 'Set Mode' },
    { id: 'vscode.open' },
  ];
  run.commands.allowed = run.commands.commands.map(({ id }) => id);
});

async function proposed(given: object): Promise<ActionProposal> {
  const proposal = await run.propose('run_command', given);
  if (typeof proposal === 'string') throw new Error(proposal);
  return proposal;
}

test('proposes an allowed command with everything that the user needs to decide', async () => {
  const proposal = await proposed({
    command: 'toy.count',
    arguments: '[{"$uri":"./src/a.ts"}, {"deep":["../x", 5]}]',
    reason: 'To see',
  });
  expect(proposal).toMatchObject({
    kind: 'action',
    title: 'Run command: Toy: Count Words',
    definition: 'toy.count',
    arguments: [{ $uri: 'src/a.ts' }, { deep: ['../x', 5] }],
    places: [{ path: 'src/a.ts' }],
    remarks: ['Nobody has checked where "../x" leads.'],
  });
  expect(run.requests[0]).toMatchObject({ reason: 'To see', tool: 'run_command' });
  expect(run.commands.ran).toEqual([]);
});

test('accepts arguments as a list and as text, and takes missing ones as none', async () => {
  expect((await proposed({ command: 'toy.count', arguments: [1, 'a'] })).arguments).toEqual([1, 'a']);
  expect((await proposed({ command: 'toy.count' })).arguments).toEqual([]);
  expect((await proposed({ command: 'toy.nameless' })).title).toBe('Run command: toy.nameless');
  for (const wrong of ['{}', '5', 'not JSON', '', {}, 5, JSON.stringify(Array.from({ length: 51 }, () => 0))]) {
    expect(await run.propose('run_command', { command: 'toy.count', arguments: wrong })).toContain('arguments');
  }
});

test('runs the approved command, and returns its result', async () => {
  const proposal = await proposed({ command: 'toy.count', arguments: '[{"$uri":"src/a.ts"},{"a":1}]' });
  run.commands.answer = async () => '{"words":3}';
  expect(await run.approve('run_command', proposal)).toEqual({ text: '{"words":3}' });
  const [[id, given] = []] = run.commands.ran;
  const [uri, map] = given ?? [];
  expect(id).toBe('toy.count');
  expect(uri).toMatchObject({ kind: 'uri', path: { realPath: '/w/src/a.ts' } });
  expect(map).toEqual(new Map([['a', 1]]));
});

describe('run_command', () => {
  test('refuses a command that is not on the list', async () => {
    run.commands.allowed = ['toy.nameless'];
    const text = await run.propose('run_command', { command: 'toy.count' });
    expect(text).toContain('[denied]');
    expect(text).toContain('drawbridge.commands.allow');
  });

  test('refuses a command that does not exist', async () => {
    run.commands.allowed = ['toy.none'];
    expect(await run.propose('run_command', { command: 'toy.none' })).toContain('[not_found]');
  });

  test('A2: refuses a command that no assistant may run, even when it is on the list', async () => {
    for (const command of ['drawbridge.setMode', 'vscode.open', 'Drawbridge.setMode', 'runCommands', '_x']) {
      expect(await run.propose('run_command', { command })).toContain('[denied]');
    }
    expect(run.requests).toEqual([]);
  });

  test('refuses files that may not be read, and addresses outside the workspace', async () => {
    const ask = (address: string) =>
      run.propose('run_command', { command: 'toy.count', arguments: [{ $uri: address }] });
    expect(await ask('.env')).toContain('[denied]');
    expect(await ask('/etc/passwd')).toContain('[outside_workspace]');
    for (const address of [
      'command:x',
      'untitled:/x',
      'http://x',
      'vscode://ext/cmd',
      'vscode-userdata:/User/settings.json',
    ]) {
      expect(await ask(address), address).toContain('[scheme_not_allowed]');
    }
  });

  test('refuses an approved command that the user removed from the list after the approval', async () => {
    const proposal = await proposed({ command: 'toy.count' });
    run.commands.allowed = [];
    await expect(run.approve('run_command', proposal)).rejects.toMatchObject({ code: 'denied' });
    expect(run.commands.ran).toEqual([]);
  });

  test('A2: refuses a stored proposal of a command that no assistant may run', async () => {
    const proposal = await proposed({ command: 'toy.count' });
    const forged = { ...proposal, definition: 'drawbridge.setMode' };
    await expect(run.approve('run_command', forged)).rejects.toMatchObject({ code: 'denied' });
    expect(run.commands.ran).toEqual([]);
  });

  test('refuses a stored proposal whose places differ from the judged ones', async () => {
    const proposal = await proposed({ command: 'toy.count' });
    const forged = { ...proposal, arguments: [{ $uri: 'src/b.ts' }], places: [at('src/a.ts')] };
    await expect(run.approve('run_command', forged)).rejects.toThrow();
    expect(run.commands.ran).toEqual([]);
  });
});
