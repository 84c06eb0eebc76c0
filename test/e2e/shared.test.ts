import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openApprovals } from './approvalsPage.ts';
import { connectAssistant } from './assistant.ts';
import { bufferOf, openFile, setSetting, tabsOf, typeInto } from './editor.ts';
import { sharedDrawbridge } from './shared.ts';

it('the shared window holds no files, editors, approvals, assistants, rules or settings of the last test file', async () => {
  const drawbridge = await sharedDrawbridge({ 'a.txt': 'one\n', 'deep/b.txt': 'one\n' });
  const { window, folder, host } = drawbridge;
  const at = (name: string): string => join(folder, name);
  const rules = join(host.home, 'rules.json');
  const view = await openApprovals(window);
  const assistant = await connectAssistant(await drawbridge.record());
  const proposed = assistant.propose([{ path: 'deep/b.txt', oldText: 'one', newText: 'two' }]);
  await view.getByRole('button', { name: /^Approve edit of / }).waitFor();
  await openFile(window, at('a.txt'));
  await typeInto(window, at('a.txt'), 'unsaved\n');
  await setSetting(window, 'drawbridge.changes.mark', false);
  writeFileSync(rules, JSON.stringify({ version: 1, rules: [] }), { mode: 0o600 });

  await sharedDrawbridge({ 'a.txt': 'new\n' });
  const outcome = await proposed.then(
    ({ status }) => status,
    () => 'connection lost',
  );
  expect(['withdrawn', 'cancelled', 'connection lost']).toContain(outcome);
  expect(readdirSync(folder)).toEqual(['a.txt']);
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('new\n');
  expect(await tabsOf(window)).toEqual([]);
  expect(await bufferOf(window, at('a.txt'))).toEqual({ text: 'new\n', dirty: false });
  expect(existsSync(rules)).toBe(false);
  const isMarking = await window.evaluate((vscode) =>
    vscode.workspace.getConfiguration('drawbridge').get<boolean>('changes.mark'),
  );
  expect(isMarking).toBe(true);
  await expect(assistant.say('read_file', { path: 'a.txt' })).rejects.toThrow();
  const page = await openApprovals(window);
  expect(await page.getByRole('button', { name: /^Approve / }).count()).toBe(0);
  const next = await connectAssistant(await drawbridge.record());
  expect(await next.say('read_file', { path: 'a.txt' })).toContain('new');
  await next.close();
});
