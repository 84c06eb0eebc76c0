import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import type { NativeCall } from '#base/nativeEdit.ts';
import { writeGuard } from '#home/windowGuard.ts';
import { askWindows } from '#bridge/askWindows.ts';
import { temporaryFolder } from '../mcp/fixture.ts';

vi.mock(import('node:os'), async (original) => ({
  ...(await original()),
  userInfo() {
    throw new Error('uv_os_get_passwd returned ENOENT');
  },
}));

test('askWindows works for a user without a name, as in a container', async () => {
  const root = await temporaryFolder();
  const home = join(root, '.drawbridge');
  await writeGuard(home, { windowId: 'one', state: 'closed', folders: [join(root, 'project')] });
  const call = (path: string): NativeCall => ({
    event: 'before',
    assistant: 'Claude Code',
    session: 's',
    tool: 'Write',
    writesExactly: [],
    edits: [{ kind: 'write', path, text: '' }],
  });
  expect(await askWindows(call(join(root, 'other', 'a.ts')), home)).toEqual({ decision: 'none' });
  expect(await askWindows(call(join(root, '.claude', 'settings.json')), home)).toMatchObject({ decision: 'deny' });
});
