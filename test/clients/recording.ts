/** The part that the recorders of all assistants share: the files of a project, and the file of a recording. */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format, resolveConfig } from 'prettier';

/** Text of each file by its path in the project. */
export type Files = Readonly<Record<string, string>>;

export function writeFiles(folder: string, files: Files): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** Returns the texts of all files below a folder, by their sorted paths. */
export function filesBelow(folder: string): Files {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    paths
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .toSorted()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

/** Returns the lines of a file without the empty ones; none when there is no such file. */
export function linesOf(file: string): readonly string[] {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];
}

/** Writes a recording as a formatted file in which a byte order mark can be seen. */
export async function writeRecording(file: string, recording: object): Promise<void> {
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const json = JSON.stringify(recording).replaceAll('\uFEFF', '\\uFEFF');
  writeFileSync(file, await format(json, { ...(await resolveConfig(file)), parser: 'json' }));
}
