import { expect, test } from 'vitest';
import { isScratch } from '#connect/hooks/scratchFolders.ts';

const ada = { home: '/home/ada', uid: 1000, platform: 'linux' } as const;

test.each([
  '/home/ada/.claude/plans/brave-fox.md',
  '/home/ada/.claude/projects/-home-ada-shop/memory/MEMORY.md',
  '/tmp/claude-1000/-home-ada-shop/0a1b/scratchpad/notes/x.md',
  '/home/ada/.codex/memories/x.md',
  '/home/ada/.gemini/tmp/shop/plans/x.md',
  '/home/ada/.gemini/GEMINI.md',
  '/home/ada/.copilot/session-state/1/plan.md',
  '/home/ada/.local/share/opencode/plans/x.md',
])('takes %s for notes of an assistant', (path) => expect(isScratch(path, ada)).toBe(true));

test.each([
  '/home/ada/shop/a.ts',
  '/home/ada/.claude/settings.json',
  '/home/ada/.claude/projects/-home-ada-shop/session.jsonl',
  '/home/ada/.claude/plans-of-mine/x.md',
  '/home/ada/shop/.claude/plans/x.md',
  '/home/ben/.claude/plans/x.md',
  '/tmp/claude-1001/-home-ada-shop/0a1b/scratchpad/x.md',
  '/tmp/claude-1000/scratchpad/x.md',
  '/home/ada/..claude/plans/x.md',
])('does not take %s for notes of an assistant', (path) => expect(isScratch(path, ada)).toBe(false));

test('knows the places of other systems', () => {
  const mac = { home: '/Users/ada', uid: 501, platform: 'darwin' } as const;
  expect(isScratch('/private/tmp/claude-501/-p/s/scratchpad/x', mac)).toBe(true);
  const windows = { home: 'C:\\Users\\Ada', uid: undefined, platform: 'win32' } as const;
  expect(isScratch('C:\\Users\\Ada\\.claude\\plans\\x.md', windows)).toBe(true);
  expect(isScratch('D:\\Users\\Ada\\.claude\\plans\\x.md', windows)).toBe(false);
});
