import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { decide, openApprovals, readToEnd } from './approvalsPage.ts';
import { answer, type Assistant, connectAssistant, patience } from './assistant.ts';
import { type Drawbridge, startDrawbridge, until, type Window } from './harness.ts';
import { pick } from './quickPick.ts';

const listed = z.object({
  commands: z.array(z.looseObject({ command: z.string(), name: z.string(), allowed: z.boolean() })),
});
const done = z.looseObject({ status: z.string(), output: z.string().optional() });

describe('command tools', () => {
  let drawbridge: Drawbridge;
  let window: Window;
  let assistant: Assistant;
  let changes = 0;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({
      files: { 'src/a.ts': 'export const a = 1;\n', '.env': 'KEY=1\n' },
      settings: {
        ...patience,
        'drawbridge.approvals.notify': 'off',
        'drawbridge.toolsets': { workspace: true, edit: true, commands: true },
        'drawbridge.commands.allow': ['toy.echo', 'drawbridge.setMode', 'vscode.open', 'runCommands'],
      },
    });
    window = drawbridge.window;
    await window.evaluate((vscode) => {
      vscode.commands.registerCommand('toy.echo', (uri, range, words) => ({
        isUri: uri instanceof vscode.Uri,
        isRange: range instanceof vscode.Range,
        uri,
        range,
        words,
      }));
    });
    assistant = await connectAssistant(await drawbridge.record());
    assistant.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  });
  afterAll(async () => {
    await assistant?.close();
    await drawbridge?.stop();
  });

  const find = async (args: Readonly<Record<string, unknown>>) =>
    listed.parse((await assistant.call('list_commands', args)).structuredContent).commands;
  const tools = async (): Promise<string[]> => (await assistant.client.listTools()).tools.map(({ name }) => name);
  const setting = (name: string, value: unknown): Promise<void> =>
    window.evaluate(
      async (vscode, key, next) => vscode.workspace.getConfiguration('drawbridge').update(key, next, true),
      name,
      value,
    );

  /** Calls a tool, lets the user approve it by its card, and returns what became of it. */
  const approved = async (tool: string, args: Readonly<Record<string, unknown>>, title: string) => {
    const call = assistant.call(tool, args);
    const page = await openApprovals(window);
    await readToEnd(page, new RegExp(`: ${title}$`));
    await decide(page, new RegExp(`: ${title}$`));
    const ended = answer.parse(await call);
    return done.parse(ended.structuredContent);
  };

  it('list the commands of the editor and of extensions by title', async () => {
    const [restart] = await find({ query: 'restart ts server' });
    expect(restart).toMatchObject({ command: 'typescript.restartTsServer', allowed: false });
    expect(restart?.name).toMatch(/^TypeScript: Restart TS Server$/);
    expect(await find({ query: 'editor.action.organizeImports' })).toMatchObject([
      { name: 'Organize Imports', allowed: false },
    ]);
    expect((await find({ query: 'git: fetch', maxResults: 1 }))[0]).toMatchObject({ command: 'git.fetch' });
    expect(await find({ onlyAllowed: true })).toMatchObject([{ command: 'toy.echo', allowed: true }]);
    // No title is an untranslated placeholder of a manifest.
    const all = await assistant.say('list_commands', { maxResults: 1000 });
    expect(all).not.toMatch(/"[^"]*%[\w.]+%/);
  });

  it('A2: neither list nor run a command that no assistant may run, whatever the user allows', async () => {
    const found = await Promise.all(
      ['drawbridge', 'vscode.open', 'chat', 'settings', 'terminal new'].map((query) => find({ query })),
    );
    const ids = found.flat().map(({ command }) => command);
    expect(ids.filter((id) => /^drawbridge\.|^vscode\.|chat|settings|terminal\.new/i.test(id))).toEqual([]);
    for (const command of ['drawbridge.setMode', 'vscode.open', 'runCommands', 'workbench.action.quit', '_x']) {
      expect(await assistant.say('run_command', { command }), command).toContain('[denied]');
    }
  });

  it('refuse commands that are not allowed, and files that may not be read', async () => {
    const refused = await assistant.say('run_command', { command: 'git.fetch' });
    expect(refused).toContain('[denied]');
    expect(refused).toContain('drawbridge.commands.allow');
    expect(await assistant.say('run_command', { command: 'toy.echo', arguments: '[{"$uri":".env"}]' })).toContain(
      '[denied]',
    );
    expect(
      await assistant.say('run_command', { command: 'toy.echo', arguments: '[{"$uri":"/etc/passwd"}]' }),
    ).toContain('[outside_workspace]');
  });

  it('run an allowed and approved command with the editor’s own values, and return its result', async () => {
    const args = {
      command: 'toy.echo',
      arguments: '[{"$uri":"src/a.ts"},{"$range":{"firstLine":1,"lastLine":1}},["a","b"]]',
      reason: 'To try it',
    };
    const { status, output } = await approved('run_command', args, 'Run command: toy.echo');
    expect(status).toBe('applied');
    expect(JSON.parse(output ?? '')).toEqual({
      isUri: true,
      isRange: true,
      uri: { $uri: 'src/a.ts' },
      range: { $range: { firstLine: 1, firstColumn: 1, lastLine: 2, lastColumn: 1 } },
      words: ['a', 'b'],
    });
  });

  it('offer at once a command that the user makes a tool, check its arguments, ask, and run the command', async () => {
    const before = changes;
    await setting('commandTools', [
      {
        name: 'echo_word',
        title: 'Echo word',
        description: 'Says a word again.',
        command: 'toy.echo',
        argumentSchema: { properties: { word: { type: 'string' } }, required: ['word'] },
        arguments: [null, null, { $input: 'word' }],
      },
      { name: 'set_mode', title: 'Set mode', description: 'No.', command: 'drawbridge.setMode' },
    ]);
    await until(async () => changes > before, 'the list to change');
    expect(await tools()).toContain('echo_word');
    expect(await tools()).not.toContain('set_mode');
    const { status, output } = await approved('echo_word', { word: 'again' }, 'Echo word');
    expect(status).toBe('applied');
    expect(JSON.parse(output ?? '')).toMatchObject({ isUri: false, words: 'again' });
    await setting('commandTools', []);
    await until(async () => !(await tools()).includes('echo_word'), 'the tool to be gone');
  });

  it('are added from a ready-made list by a command, and show the file in the Explorer', async () => {
    const added = window.command('drawbridge.addCommandTool');
    await pick(window, 'reveal_in_explorer');
    await until(async () => (await tools()).includes('reveal_in_explorer'), 'the tool to be there');
    const toast = window.page.locator('.notifications-toasts', { hasText: 'reveal_in_explorer' });
    await toast
      .getByRole('button', { name: /Clear Notification/ })
      .first()
      .click();
    await added;
    const { status } = await approved('reveal_in_explorer', { path: 'src/a.ts' }, 'Reveal in Explorer');
    expect(status).toBe('applied');
    await window.page.getByRole('treeitem', { name: /a\.ts/, selected: true }).first().waitFor();
    await setting('commandTools', []);
  });
});
