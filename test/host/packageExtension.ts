import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './hostFolder.ts';
import { progress } from './progress.ts';

/**
 * Builds and packages Drawbridge.
 * @param build `development` leaves names and line breaks in the scripts
 * @returns absolute path of the .vsix
 */
export async function packageExtension(build: 'production' | 'development' = 'production'): Promise<string> {
  progress('Building and packaging Drawbridge');
  const shell = process.platform === 'win32'; // npm is a script there
  const child = spawn('npm', ['run', build === 'production' ? 'package' : 'package:development'], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (output += data.toString()));
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`npm run package failed:\n${output}`);
  return packagedExtension();
}

/**
 * The extension as it was packaged last.
 * @returns absolute path of the .vsix
 * @throws Error when it was not packaged
 */
export function packagedExtension(): string {
  const file = join(repository, 'dist/drawbridge.vsix');
  if (!existsSync(file)) throw new Error(`${file} does not exist: run npm run package first.`);
  return file;
}
