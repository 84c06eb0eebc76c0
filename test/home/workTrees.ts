import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Returns the real path of a folder that is removed after the test. */
export function treesFolder(): string {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'drawbridge-trees-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Writes a text file and the folders above it. */
export function write(path: string, text: string): void {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
}

/** Writes what `git worktree add` writes, by absolute paths as Git does unless it is told otherwise. */
export function addWorkTree(
  common: string,
  root: string,
  { id = 'tree', claim = join(common, 'worktrees', id), back = join(root, '.git'), upward = '../..' } = {},
): void {
  write(join(common, 'worktrees', id, 'gitdir'), `${back}\n`);
  write(join(common, 'worktrees', id, 'commondir'), `${upward}\n`);
  write(join(root, '.git'), `gitdir: ${claim}\n`);
}
