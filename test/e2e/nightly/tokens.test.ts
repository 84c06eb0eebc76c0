import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApprovals, textOf } from '../approvalsPage.ts';
import { connectAssistant, patience } from '../assistant.ts';
import { openConnections } from '../connectionsPane.ts';
import { type Drawbridge, startDrawbridge, statusOf, tempWorkspace, until, type Window } from '../harness.ts';

/** Makes a token by the button of the view, and returns the secret that the dialog shows. */
async function createToken(window: Window, name: string): Promise<string> {
  const pane = await openConnections(window);
  // The buttons of a view are there when the pointer or the keyboard is.
  await pane.hover();
  await pane.getByRole('button', { name: 'Create Access Token...' }).click();
  const input = window.page.locator('.quick-input-widget input.input');
  await input.fill('window');
  await window.page.locator('.quick-input-message', { hasText: 'is reserved' }).waitFor();
  await input.fill(name);
  await input.press('Enter');
  const dialog = window.page.getByRole('dialog', { name: new RegExp(`Access token "${name}"`) });
  await dialog.waitFor();
  const secret = /[\w-]{43}/.exec(await dialog.innerText())?.[0];
  if (secret === undefined) throw new Error('The dialog shows no secret');
  await dialog.getByRole('button', { name: 'Copy' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
}

async function revokeToken(window: Window, row: Locator): Promise<void> {
  await row.hover();
  await row.getByRole('button', { name: 'Revoke Access Token...' }).click();
  const dialog = window.page.getByRole('dialog', { name: /Revoke the access token/ });
  await dialog.getByRole('button', { name: 'Revoke' }).click();
}

function allFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Returns the bytes of a file; none of a temporary one that is gone by now. */
function bytesOf(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

describe('an access token', () => {
  let drawbridge: Drawbridge;

  beforeAll(async () => {
    drawbridge = await startDrawbridge({ files: { 'mine.txt': 'one\n' }, settings: patience });
  });
  afterAll(() => drawbridge?.stop());

  it('H12, H13: opens every window, is shown as used, and opens none once it is revoked', async () => {
    const { window, host } = drawbridge;
    const folder = tempWorkspace({ 'theirs.txt': 'one\n' }, 'second');
    const other = await host.openWindow({ folder });
    const [mine, theirs] = [await drawbridge.record(), await drawbridge.record(other)];

    const secret = await createToken(window, 'my client');
    const file = join(host.home, 'tokens.json');
    expect((lstatSync(file).mode & 0o777).toString(8)).toBe('600');
    const pane = await openConnections(window);
    const row = pane.getByRole('treeitem', { name: /^my client/ });
    await pane.getByRole('treeitem', { name: 'my client, never used' }).waitFor();

    const [here, there] = [
      await connectAssistant({ ...mine, token: secret }),
      await connectAssistant({ ...theirs, token: secret }),
    ];
    expect(await here.say('read_file', { path: 'mine.txt' })).toContain('one');
    await pane.getByRole('treeitem', { name: /^my client, used now/ }).waitFor();
    await pane.getByRole('treeitem', { name: /^assistant, .*token my client/ }).waitFor();
    await window.screenshot('connections');
    const page = await openApprovals(other);
    const proposed = there.propose([{ path: 'theirs.txt', oldText: 'one', newText: 'two' }]);
    await page.getByRole('button', { name: /^Approve edit of theirs\.txt/ }).waitFor();

    await revokeToken(window, row);
    expect(await proposed).toMatchObject({ status: 'withdrawn', files: [{ state: 'not_applied' }] });
    expect([await statusOf(mine.endpoint, secret), await statusOf(theirs.endpoint, secret)]).toEqual([401, 401]);
    await expect(here.say('read_file', { path: 'mine.txt' })).rejects.toThrow();
    await page.getByRole('button', { name: /^Approve/ }).waitFor({ state: 'detached' });
    expect(await textOf(page)).toContain('Its access token was revoked');
    await row.waitFor({ state: 'detached' });
    await until(
      async () => (await pane.getByRole('treeitem', { name: /^assistant,/ }).count()) === 0,
      'the assistant to leave the view',
    );
    expect(readFileSync(join(folder, 'theirs.txt'), 'utf8')).toBe('one\n');
    // Each window's own secret is as good as before.
    expect(await statusOf(mine.endpoint, mine.token)).not.toBe(401);

    const written = allFilesBelow(host.directory).filter((path) => !path.includes('node_modules'));
    expect(written.some((path) => path.includes('audit'))).toBe(true);
    const telling = written.filter((path) => bytesOf(path).includes(secret));
    expect(telling).toEqual([]);
  });
});
