/** Switches defences off: builds the product from a copy of the repository in which the lines of a row are changed. */
import { execFile, execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Drawbridge } from '../e2e/harness.ts';
import type { Host } from '../host/host.ts';
import { repository } from '../host/hostFolder.ts';
import type { Line } from './target.ts';

/** A copy of the repository. The repository itself is never changed. */
export class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'drawbridge-attack-'));

  constructor() {
    const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const files = execFileSync('git', listed, { cwd: repository, encoding: 'utf8' });
    for (const file of files.split('\0').filter((name) => name !== '')) {
      cpSync(join(repository, file), join(this.#folder, file), { verbatimSymlinks: true });
    }
    symlinkSync(join(repository, 'node_modules'), join(this.#folder, 'node_modules'));
  }

  /**
   * Builds the product with other lines.
   * @returns the folder of what was built, which is kept until `remove`
   * @throws Error when a line does not occur exactly once, or the build fails
   */
  async build(name: string, lines: readonly Line[]): Promise<string> {
    const before = new Map<string, string>();
    try {
      for (const { file, find, replace } of lines) {
        const path = join(this.#folder, file);
        const whole = readFileSync(path, 'utf8');
        if (!before.has(path)) before.set(path, whole);
        if (whole.split(find).length !== 2) throw new Error(`${file} does not hold once: ${find}`);
        writeFileSync(
          path,
          whole.replace(find, () => replace),
        );
      }
      await promisify(execFile)(process.execPath, ['build.ts', '--development'], { cwd: this.#folder });
    } finally {
      for (const [path, whole] of before) writeFileSync(path, whole);
    }
    const built = join(this.#folder, `dist-${name}`);
    renameSync(join(this.#folder, 'dist'), built);
    return built;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

/** Returns the folder of the files of the extension that a host has installed. */
export function installed({ directory }: Pick<Host, 'directory'>): string {
  const extensions = join(directory, 'extensions');
  const name = readdirSync(extensions).find((each) => each.startsWith('drawbridge.drawbridge-'));
  if (name === undefined) throw new Error(`${extensions} has no Drawbridge.`);
  return join(extensions, name, 'dist');
}

/** Puts what was built in the place of the installed extension's files, and reloads the window. */
export async function install({ host, window }: Drawbridge, built: string): Promise<void> {
  cpSync(built, installed(host), { recursive: true });
  await window.reload();
}
