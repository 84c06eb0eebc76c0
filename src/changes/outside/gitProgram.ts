/** Runs Git for snapshots: by absolute path, with an environment of our own, so that it starts no program but itself. */
import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import { relativeTo } from '#policy/paths.ts';

export interface GitSearch {
  /** Value of the PATH variable. */
  readonly path: string | undefined;
  readonly platform: string;
  /** Real paths of the folders of the window: a program in one of them may be planted. */
  readonly folders: readonly string[];
}

/** The program of macOS at `/usr/bin/git` offers to install the developer tools where they are missing, so theirs is run itself. */
const macPlaces = ['/Library/Developer/CommandLineTools/usr/bin', '/Applications/Xcode.app/Contents/Developer/usr/bin'];

/** Returns the absolute path of the first Git on PATH that lies outside the workspace; undefined when there is none. */
export async function findGit({ path, platform, folders }: GitSearch): Promise<string | undefined> {
  const names = platform === 'win32' ? ['git.exe'] : ['git'];
  // A relative entry of PATH would name another program in each folder.
  const places = (path ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .flatMap((place) => (platform === 'darwin' && place.replace(/\/+$/, '') === '/usr/bin' ? macPlaces : [place]));
  for (const program of places.flatMap((place) => names.map((name) => join(place, name)))) {
    try {
      await access(program, constants.X_OK);
      const target = await realpath(program);
      if (![program, target].some((each) => folders.some((folder) => relativeTo(folder, each) !== undefined))) {
        return program;
      }
    } catch {
      // There is no such program, or this user may not run it.
    }
  }
  return undefined;
}

export interface GitRun {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly workingDirectory: string;
  /** Variables beside those of the clean environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: Uint8Array;
  readonly signal: AbortSignal;
}

export interface GitResult {
  readonly code: number;
  readonly output: Buffer;
  readonly errorText: string;
}

const mostOutputBytes = 256 * 1024 * 1024;
const mostErrorText = 8_192;
/**
 * A pipe in the place of a file that Git reads would make it wait for ever. A look at half a million files takes more than a minute on
 * a busy machine.
 */
const mostMinutes = 5;

/** Settings that keep Git from running programs and from using what it remembers elsewhere. */
const safeSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.untrackedCache=false',
  'core.splitIndex=false',
  'gc.auto=0',
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting]);

/** Without a home there is no configuration of the user; without PATH there is no program to find. */
function cleanEnvironment(): Record<string, string> {
  const systemRoot = process.env['SystemRoot'];
  return {
    ...(process.platform === 'win32' && systemRoot !== undefined && { SystemRoot: systemRoot }),
    PATH: '',
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    // An empty list forbids every transport.
    GIT_ALLOW_PROTOCOL: '',
  };
}

/**
 * Runs Git once. Rejects when it cannot be started, is aborted, runs longer than five minutes or writes more than 256 MiB; any exit code
 * is a result.
 */
export function runGit(run: GitRun): Promise<GitResult> {
  run.signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<GitResult>();
  const child = spawn(run.program, [...safeSettings, ...run.arguments], {
    cwd: run.workingDirectory,
    env: { ...cleanEnvironment(), ...run.environment },
    shell: false,
    windowsHide: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const pieces: Buffer[] = [];
  let [bytes, errorText] = [0, ''];
  const stop = (reason: unknown): void => {
    child.kill('SIGKILL');
    reject(reason);
  };
  const timer = setTimeout(
    () => stop(new Error(`Git did not end within ${mostMinutes} minutes.`)),
    mostMinutes * 60_000,
  );
  const abort = (): void => stop(run.signal.reason);
  run.signal.addEventListener('abort', abort, { once: true });
  child.stdout.on('data', (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > mostOutputBytes) stop(new Error('Git wrote more than expected.'));
    else pieces.push(piece);
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    if (errorText.length < mostErrorText) errorText += piece;
  });
  // Git may end before it has read all input, which makes the write fail.
  child.stdin.on('error', () => undefined);
  child.stdin.end(run.input);
  child.on('error', (error) => {
    clearTimeout(timer);
    reject(error);
  });
  child.on('close', (code) => {
    clearTimeout(timer);
    run.signal.removeEventListener('abort', abort);
    resolve({ code: code ?? -1, output: Buffer.concat(pieces), errorText: errorText.trim() });
  });
  return promise;
}

/** Returns the output. @throws when Git ended with another exit code than 0 */
export async function outputOfGit(run: GitRun): Promise<Buffer> {
  const { code, output, errorText } = await runGit(run);
  if (code !== 0) throw new Error(`git ${run.arguments[0] ?? ''} failed: ${errorText.slice(0, 500)}`);
  return output;
}

/** Returns the texts that a command of Git wrote with `-z`, without those that are not UTF-8 and so have no name for the editor. */
export function namesOf(output: Buffer): string[] {
  return output
    .toString()
    .split('\0')
    .filter((name) => name !== '' && !name.includes('\uFFFD'));
}
