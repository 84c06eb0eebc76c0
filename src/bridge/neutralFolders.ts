import { readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, posix, win32 } from 'node:path';
import { holds } from '#home/guards.ts';

/** The facts by which `isNeutral` knows the folders in which programs start that work on no folder, such as desktop clients. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  /** Real path of the home folder of the user. */
  readonly home: string;
  /** Real path of the program that started this one, where the system tells it. */
  readonly client: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns true for a working directory that does not say what an assistant works on: the root, the home folder itself, and the
 * folder of the client's own program. Windows does not tell that program, so the places of installed programs count there.
 */
export function isNeutral(directory: string, { platform, home, client, environment }: Surroundings): boolean {
  const paths = platform === 'win32' ? win32 : posix;
  const isSame = (other: string): boolean => holds(other, directory, platform) && holds(directory, other, platform);
  if (isSame(paths.parse(directory).root) || isSame(home)) return true;
  if (platform !== 'win32') return client !== undefined && isSame(paths.dirname(client));
  const own = ['Programs', 'AnthropicClaude'].map((name) => win32.join(environment['LOCALAPPDATA'] ?? '', name));
  const shared = ['SystemRoot', 'ProgramFiles', 'ProgramFiles(x86)'].map((name) => environment[name] ?? '');
  return [...own, ...shared].some((place) => holds(place, directory, platform));
}

/** Returns the surroundings of this process. */
export function processSurroundings(): Surroundings {
  const { platform, env: environment } = process;
  return { platform, home: realHome(), client: clientProgram(), environment };
}

function clientProgram(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    return readlinkSync(join('/proc', String(process.ppid), 'exe'));
  } catch {
    return undefined;
  }
}

function realHome(): string {
  try {
    return realpathSync(homedir());
  } catch {
    return homedir();
  }
}
