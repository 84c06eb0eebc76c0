import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { promisify } from 'node:util';
import { ToolError } from '#base/toolError.ts';

/** The folders in which ripgrep may be installed. */
export interface RipgrepPlaces {
  /** Folder of the editor installation; undefined outside an editor. */
  readonly appRoot: string | undefined;
  /** Folder of the extension, where ripgrep may be installed as an optional package. */
  readonly extensionRoot: string;
  /** Value of the PATH variable. */
  readonly path: string | undefined;
  readonly platform: string;
  readonly architecture: string;
}

/**
 * Finds a ripgrep that runs: first in the editor, where its folder changed between versions, then on PATH, then in the optional
 * package. Returns its path.
 * @throws ToolError `unavailable` when there is none
 */
export async function findRipgrep(places: RipgrepPlaces): Promise<string> {
  for (const candidate of candidates(places)) {
    if (await runs(candidate)) return candidate;
  }
  throw new ToolError(
    'unavailable',
    'The search program ripgrep was found neither in the editor nor on PATH.',
    'Ask the user to install ripgrep (rg); list_directory and read_file work without it.',
  );
}

function candidates({ appRoot, extensionRoot, path, platform, architecture }: RipgrepPlaces): readonly string[] {
  const program = platform === 'win32' ? 'rg.exe' : 'rg';
  const target = `${platform}-${architecture}`;
  const packaged = (modules: string): string[] => [
    join(modules, '@vscode', 'ripgrep-universal', 'bin', target, program),
    join(modules, '@vscode', `ripgrep-${target}`, 'bin', program),
    join(modules, '@vscode', 'ripgrep', 'bin', program),
  ];
  const own = appRoot === undefined ? [] : ['node_modules.asar.unpacked', 'node_modules'];
  return [
    ...own.flatMap((modules) => packaged(join(appRoot ?? '', modules))),
    // A relative entry of PATH could run a program from the searched folder.
    ...(path ?? '')
      .split(delimiter)
      .filter(isAbsolute)
      .map((folder) => join(folder, program)),
    ...packaged(join(extensionRoot, 'node_modules')),
  ];
}

async function runs(program: string): Promise<boolean> {
  try {
    await access(program, constants.X_OK);
    const { stdout } = await promisify(execFile)(program, ['--version'], { timeout: 5_000, windowsHide: true });
    return stdout.startsWith('ripgrep ');
  } catch {
    return false;
  }
}
