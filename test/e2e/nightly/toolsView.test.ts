import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clickButton, decide, openApprovals } from '../approvalsPage.ts';
import { type Assistant, connectAssistant, patience, textOfAnswer } from '../assistant.ts';
import {
  type Drawbridge,
  exampleExtension,
  startDrawbridge,
  toyLanguage,
  until,
  type Window,
  type WindowRecord,
} from '../harness.ts';
import { type RecordingProxy, startRecordingProxy } from '../recordingProxy.ts';
import { offerTool, openTools, toolRow } from '../toolsPane.ts';

const toyDescription = 'Counts how often a word stands in the toy files of the workspace.';

describe('the Tools view', () => {
  let drawbridge: Drawbridge;
  let window: Window;
  let assistant: Assistant;
  let proxy: RecordingProxy | undefined;
  let changes = 0;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({
      files: { 'a.toy': '\nfn red\n  call red\nend\n' },
      extensions: [toyLanguage, exampleExtension],
      settings: { ...patience, 'drawbridge.approvals.notify': 'off' },
    });
    window = drawbridge.window;
    assistant = await connectAssistant(await drawbridge.record());
    assistant.client.setNotificationHandler(ToolListChangedNotificationSchema, () => void (changes += 1));
  });
  afterAll(async () => {
    await drawbridge?.stop();
    proxy?.stop();
  });

  /** VS Code is a client too, under a name that the user gave. */
  const letEditorIn = async ({ endpoint, token }: WindowRecord): Promise<void> => {
    proxy = await startRecordingProxy(endpoint);
    const server = { type: 'http', url: proxy.url, headers: { Authorization: `Bearer ${token}` } };
    const folder = join(drawbridge.folder ?? '', '.vscode');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'mcp.json'), JSON.stringify({ servers: { mine: server } }));
    await until(async () => {
      await window.command('workbench.mcp.startServer', 'mcp.config.ws0.mine');
      return (await editorTools()).some((name) => /^mcp_(mine|drawbridge)\d*_/.test(name));
    }, "the tools in VS Code's own list");
  };
  const editorTools = (): Promise<string[]> => window.evaluate((vscode) => vscode.lm.tools.map(({ name }) => name));
  const listed = async (): Promise<string[]> => (await assistant.client.listTools()).tools.map(({ name }) => name);
  const relayedWords = async (): Promise<string | undefined> =>
    (await listed()).find((name) => name.startsWith('relay_drawbridge-example'));

  it('turns a tool off and on, and notifies the assistants', async () => {
    const pane = await openTools(window, 'Workspace');
    expect(await listed()).toContain('find_files');
    const changesBefore = changes;
    await toolRow(pane, 'find_files').getByRole('checkbox').click();
    await until(async () => changes > changesBefore && !(await listed()).includes('find_files'), 'the tool to be gone');
    const off = pane.getByRole('treeitem', {
      name: /^find_files, Not offered to assistants, ~[\d,]+ tokens · reads/,
    });
    await off.waitFor();
    expect(textOfAnswer(await assistant.call('find_files', { pattern: '*' }))).toContain('turned this tool off');
    // A row that is redrawn loses the focus; what is pressed then is lost, or closes the heading.
    const isBack = async (): Promise<boolean> => (await listed()).includes('find_files');
    await until(async () => {
      if (await isBack()) return true;
      await openTools(window, 'Workspace');
      await off.getByRole('checkbox').press('Space', { timeout: 3000 });
      return until(isBack, 'the key to be heard', 5000);
    }, 'the tool to be back');
  });

  it('offers a chosen tool of VS Code’s list, runs it with approval, and records the call', async () => {
    const pane = await openTools(window, 'Other Extensions');
    expect((await listed()).filter((name) => name.startsWith('relay_'))).toEqual([]);
    await offerTool(window, pane, 'toy_count');
    await until(async () => (await listed()).includes('relay_toy_count'), 'the tool to be offered');
    const { tools } = await assistant.client.listTools();
    expect(tools.find(({ name }) => name === 'relay_toy_count')).toMatchObject({
      description: `A tool of another extension, toy_count, which describes it so: ${toyDescription}`,
      inputSchema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    });
    expect(textOfAnswer(await assistant.call('relay_toy_count', { word: 1 }))).toContain('word: must be string');

    const called = assistant.call('relay_toy_count', { word: 'red' });
    const page = await openApprovals(window);
    await decide(page, /^Run: Use the tool: toy_count/);
    const answer = await called;
    expect(answer.structuredContent).toMatchObject({ status: 'applied', output: '2' });
    expect(textOfAnswer(answer)).toContain('2');
  });

  it('does not call the tool when the user declines', async () => {
    const called = assistant.call('relay_toy_count', { word: 'red' });
    const page = await openApprovals(window);
    await clickButton(page, /^Decline… Use the tool: toy_count/);
    await decide(page, /^Decline Use the tool: toy_count/);
    expect((await called).structuredContent).toMatchObject({ status: 'declined' });
  });

  it('A9: offers a chosen tool of an extension, and turns it off when its definition changes', async () => {
    const pane = await openTools(window, 'Other Extensions');
    await offerTool(window, pane, 'count_words');
    await until(async () => (await relayedWords()) !== undefined, 'the tool to be offered');
    const name = (await relayedWords()) ?? '';
    const called = assistant.call(name, { text: 'one two three' });
    await decide(await openApprovals(window), /^Run: Use the tool of an extension: Count Words/);
    expect((await called).structuredContent).toMatchObject({ status: 'applied', output: '3 words' });

    const changesBefore = changes;
    await window.command('wordCounter.becomeAnother');
    await until(async () => changes > changesBefore && (await relayedWords()) === undefined, 'the tool to be off');
    const again = await openTools(window, 'Other Extensions');
    await again
      .getByRole('treeitem', { name: /^count_words, Not offered to assistants, changed, confirm again/ })
      .waitFor();
    await offerTool(window, again, 'count_words');
    await until(async () => (await relayedWords()) !== undefined, 'the tool to be offered again');
  });

  it('A23: decides nothing by what Drawbridge exports to other extensions', async () => {
    const exported = await window.evaluate((vscode) => {
      const api: unknown = vscode.extensions.getExtension('drawbridge.drawbridge')?.exports;
      return typeof api === 'object' && api !== null ? Object.keys(api) : [];
    });
    expect(exported).toEqual(['version', 'registerTool']);
  });

  it('leaves out tools that lead back to Drawbridge, under VS Code’s own names', async () => {
    await letEditorIn(await drawbridge.record());
    const pane = await openTools(window, 'Other Extensions');
    await toolRow(pane, 'toy_count').waitFor();
    expect(await pane.getByRole('treeitem', { name: /^mcp_/ }).count()).toBe(0);
  });

  it('turns a tool off in the search of all tools', async () => {
    const done = window.command('drawbridge.findTool');
    const list = window.page.locator('.quick-input-widget');
    await list.locator('input[type="text"]').first().fill('list_changes');
    const choice = list.getByRole('checkbox', { name: /^list_changes/ }).first();
    await choice.waitFor();
    await choice.click();
    await window.page.keyboard.press('Enter');
    await done;
    await until(async () => !(await listed()).includes('list_changes'), 'the tool to be gone');
    expect(await listed()).toContain('find_files');
  });
});
