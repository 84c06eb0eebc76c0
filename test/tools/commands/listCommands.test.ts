import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { listCommands } from '#tools/commands/listCommands.ts';
import { CommandRun } from './commandRun.ts';

const answer = z.object({
  commands: z.array(z.looseObject({ command: z.string(), allowed: z.boolean() })),
  totalCount: z.number(),
  nextCursor: z.string().optional(),
});

let run: CommandRun;

beforeEach(() => {
  run = new CommandRun(listCommands);
  run.commands.commands = [
    { id: 'git.fetch', title: 'Fetch', category: 'Git' },
    { id: 'typescript.reloadProjects', title: 'Reload Project', category: 'TypeScript' },
    { id: 'typescript.restartTsServer', title: 'Restart TS Server', category: 'TypeScript', extension: 'vscode.ts' },
    { id: 'x.nameless' },
  ];
  run.commands.allowed = ['typescript.restartTsServer'];
});

async function find(given: object): Promise<z.infer<typeof answer>> {
  return answer.parse((await run.call('list_commands', given)).structuredContent);
}

async function ids(query: string): Promise<readonly string[]> {
  return (await find({ query })).commands.map(({ command }) => command);
}

test('finds commands by words of title, category and id, in any order and case, best match first', async () => {
  expect(await ids('restart typescript')).toEqual(['typescript.restartTsServer']);
  expect(await ids('RE')).toEqual(['typescript.reloadProjects', 'typescript.restartTsServer']);
  expect(await ids('git.fetch')).toEqual(['git.fetch']);
  expect(await ids('rsts')).toEqual(['typescript.restartTsServer']);
  expect(await ids('nameless')).toEqual(['x.nameless']);
  expect(await ids('')).toHaveLength(4);
  expect(await ids('zzz')).toEqual([]);
});

test('returns every fact of a command, and whether run_command may run it', async () => {
  run.commands.commands = [{ ...run.commands.commands[2], id: 'typescript.restartTsServer', keybinding: 'f9' }];
  const result = await run.call('list_commands', {});
  expect(answer.parse(result.structuredContent).commands).toEqual([
    {
      command: 'typescript.restartTsServer',
      name: 'TypeScript: Restart TS Server',
      keybinding: 'f9',
      extension: 'vscode.ts',
      allowed: true,
    },
  ]);
  expect(result.content[0]).toMatchObject({
    text: '1 command\ntypescript.restartTsServer "TypeScript: Restart TS Server" (f9, vscode.ts) allowed',
  });
});

test('leaves out commands that are not allowed when asked for allowed ones only', async () => {
  const { commands } = await find({ onlyAllowed: true });
  expect(commands.map(({ command }) => command)).toEqual(['typescript.restartTsServer']);
});

test('returns each command once over all pages', async () => {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await find({ maxResults: 1, ...(cursor !== undefined && { cursor }) });
    expect(page.totalCount).toBe(4);
    seen.push(...page.commands.map(({ command }) => command));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(seen.toSorted()).toEqual(run.commands.commands.map(({ id }) => id));
});
