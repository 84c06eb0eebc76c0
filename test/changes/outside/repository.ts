/** Real Git repositories in temporary folders. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Writes a file and the folders above it. */
export function put(root: string, path: string, content: string | Uint8Array): void {
  const fsPath = join(root, path);
  mkdirSync(dirname(fsPath), { recursive: true });
  writeFileSync(fsPath, content);
}

/** Runs Git as a user would, without the configuration of this machine's user. */
export function git(root: string, ...args: readonly string[]): string {
  return execFileSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: '/nonexistent',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@example.com',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@example.com',
      GIT_ALLOW_PROTOCOL: 'file',
    },
  }).trim();
}

/** Makes a repository whose files are committed. */
export function repository(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  ...init: string[]
): void {
  mkdirSync(root, { recursive: true });
  git(root, 'init', '-q', '-b', 'main', ...init);
  for (const [path, content] of Object.entries(files)) put(root, path, content);
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '--allow-empty', '-m', 'first');
}

/** Returns the names, bytes, modes and times of everything below a folder, as one hash. */
export function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  const walk = (at: string): void => {
    for (const name of readdirSync(at).toSorted()) {
      const path = join(at, name);
      const stats = lstatSync(path, { bigint: true });
      hash.update(`${path}\n${stats.mode}\n${stats.mtimeNs}\n`);
      if (stats.isDirectory()) walk(path);
      else if (stats.isFile()) hash.update(readFileSync(path));
    }
  };
  walk(folder);
  return hash.digest('hex');
}
