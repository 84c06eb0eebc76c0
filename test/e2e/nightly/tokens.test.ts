import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createToken, revokeToken } from '../accessTokens.ts';
import { openApprovals, textOf } from '../approvalsPage.ts';
import { connectAssistant, patience } from '../assistant.ts';
import { openConnections } from '../connectionsPane.ts';
import { type Drawbridge, startDrawbridge, statusOf, tempWorkspace, until } from '../harness.ts';

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
