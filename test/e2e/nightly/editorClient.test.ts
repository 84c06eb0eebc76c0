import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { tools } from '#tools/index.ts';
import { windowRecords } from '../../host/windowFile.ts';
import { decide, openApprovals } from '../approvalsPage.ts';
import { patience } from '../assistant.ts';
import { type Drawbridge, startDrawbridge, until } from '../harness.ts';
import { type RecordingProxy, startRecordingProxy } from '../recordingProxy.ts';

const text = 'one\ntwo\n';
let drawbridge: Drawbridge;
let folder: string;
let proxy: RecordingProxy;

beforeAll(async () => {
  drawbridge = await startDrawbridge({ files: { 'a.txt': text }, settings: patience });
  folder = drawbridge.folder ?? '';
  const { endpoint, token } = await drawbridge.record();
  proxy = await startRecordingProxy(endpoint);
  const server = { type: 'http', url: proxy.url, headers: { Authorization: `Bearer ${token}` } };
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(join(folder, '.vscode/mcp.json'), JSON.stringify({ servers: { bridge: server } }));
  const { window } = drawbridge;
  await until(async () => {
    await window.command('workbench.mcp.startServer', 'mcp.config.ws0.bridge');
    return (await toolNames()).length > 0;
  }, "the tools in VS Code's own list");
});
afterAll(async () => {
  await drawbridge?.stop();
  proxy?.stop();
});

/** Ours, as VS Code calls them. */
async function toolNames(): Promise<string[]> {
  const names = await drawbridge.window.evaluate((vscode) => vscode.lm.tools.map(({ name }) => name));
  return names.filter((name) => /^mcp_(drawbridge|bridge)/.test(name));
}

/** Has VS Code call a tool; resolves with the texts of the result. */
async function invoke(tool: string, input: object): Promise<string> {
  const name = (await toolNames()).find((each) => each.endsWith(tool));
  if (name === undefined) throw new Error(`VS Code has no tool ${tool}`);
  return invokeByName(name, input);
}

async function invokeByName(name: string, input: object): Promise<string> {
  const parts = await drawbridge.window.evaluate(
    async (vscode, id, given) => {
      const { content } = await vscode.lm.invokeTool(id, { input: given, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''));
    },
    name,
    input,
  );
  return z.array(z.string()).parse(parts).join('\n');
}

it('lets VS Code itself list every tool and read, and records it by its name', async () => {
  const offered = tools.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name);
  expect((await toolNames()).map((name) => name.replace(/^mcp_[a-z0-9]+_/, '')).toSorted()).toEqual(offered.toSorted());
  expect(await invoke('read_file', { path: 'a.txt' })).toContain('two');
  expect(await invoke('search_code', { query: 'two' })).toContain('a.txt');
  const view = await openApprovals(drawbridge.window);
  expect(await view.title()).toBe('Approvals');
  await drawbridge.window.page.getByRole('treeitem', { name: /^Read a\.txt.*, code-server/ }).waitFor();
});

it('pins the messages of VS Code that the recorded transcript holds', async () => {
  const listings = () => proxy.requests.filter((request) => request.includes('tools/list')).length;
  const canEdit = async () => (await toolNames()).some((name) => name.endsWith('apply_edit'));
  const before = listings();
  await turnToolsets({ edit: false });
  await until(() => listings() > before, 'VS Code to list the tools again');
  await until(async () => !(await canEdit()), 'the tools that edit to go');
  await turnToolsets(undefined);
  await until(canEdit, 'the tools that edit to come back');
  // Each kind of message once, by name: how often and in which order it asks is its own affair.
  const said = [...new Set(proxy.requests)]
    .toSorted()
    .join('\n')
    .replaceAll(/"version":"[\d.]+"/g, '"version":"…"');
  await expect(`${said}\n`).toMatchFileSnapshot('__transcripts__/vscode.txt');
});

async function turnToolsets(choices: Readonly<Record<string, boolean>> | undefined): Promise<void> {
  await drawbridge.window.evaluate(async (vscode, toolsets) => {
    await vscode.workspace.getConfiguration('drawbridge').update('toolsets', toolsets ?? undefined, true);
  }, choices);
}

it('still waits for the click on our card when VS Code’s own dialog allowed a change', async () => {
  const view = await openApprovals(drawbridge.window);
  const answered = invoke('apply_edit', { edits: [{ path: 'a.txt', oldText: 'two', newText: '2' }] });
  answered.catch(() => undefined);
  await drawbridge.window.page.locator('.monaco-dialog-box').getByRole('button', { name: 'Yes' }).click();
  await view.getByRole('button', { name: 'Approve edit of a.txt' }).waitFor();
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe(text);
  await decide(view, /^Approve edit of a\.txt/);
  expect(await answered).toContain('applied');
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('one\n2\n');
});

it('starts this window’s server by the provider, with nothing configured', async () => {
  const { window } = drawbridge;
  const before = await toolNames();
  await window.command('workbench.mcp.startServer', 'drawbridge.drawbridge/Drawbridge', { waitForLiveTools: true });
  const own = await until(async () => {
    const found = (await toolNames()).filter((name) => !before.includes(name));
    return found.length > 0 && found;
  }, "the provider's tools in VS Code's own list");
  expect(own).toHaveLength(before.length);
  const name = own.find((each) => each.endsWith('read_file')) ?? '';
  expect(await invokeByName(name, { path: 'a.txt' })).toContain('one');
});

it('starts the server when it does not run in this window', async () => {
  const { window, host } = drawbridge;
  await window.command('drawbridge.stop');
  await until(() => windowRecords(host.home).length === 0, 'the window file to go');
  await window.command('workbench.mcp.startServer', 'drawbridge.drawbridge/Drawbridge', { waitForLiveTools: true });
  await until(async () => {
    const name = (await toolNames()).findLast((each) => each.endsWith('get_workspace'));
    return name !== undefined && (await invokeByName(name, {}).catch(() => '')) !== '';
  }, 'an answer of the server that was started for it');
  expect(windowRecords(host.home)).toHaveLength(1);
});
