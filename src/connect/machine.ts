import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Assistant, Machine } from './assistant.ts';
import { isAbsolute, joined } from './machinePaths.ts';

/** Returns the machine that the extension runs on, which is that of the folder: assistants must run there, too. */
export function thisMachine({ launcher, editorUserFolder }: Pick<Machine, 'launcher' | 'editorUserFolder'>): Machine {
  return { platform: process.platform, home: homedir(), environment: process.env, launcher, editorUserFolder };
}

/** Returns whether an assistant seems to be installed, by its traces and the PATH. */
export async function isFound(assistant: Assistant, machine: Machine): Promise<boolean> {
  const exist = await Promise.all(assistant.traces(machine).map(isThere));
  return exist.includes(true) || (assistant.programs.length > 0 && (await hasProgram(assistant, machine)));
}

/**
 * Returns whether a program of an assistant is on the PATH; true for an assistant whose programs prove nothing. Its configuration
 * proves nothing either once Drawbridge has written it.
 */
export async function hasProgram({ programs }: Pick<Assistant, 'programs'>, machine: Machine): Promise<boolean> {
  if (programs.length === 0) return true;
  const found = await Promise.all(programs.map((program) => programOnPath(program, machine)));
  return found.some((program) => program !== undefined);
}

/** Returns the absolute path of a program on the PATH; undefined when there is none. Relative entries of the PATH do not count. */
export async function programOnPath(program: string, machine: Machine): Promise<string | undefined> {
  const isWindows = machine.platform === 'win32';
  const { environment } = machine;
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  const folders = path.split(isWindows ? ';' : ':').filter((folder) => isAbsolute(machine, folder));
  const endings = isWindows ? (environment['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  const candidates = folders.flatMap((folder) => endings.map((ending) => joined(machine, folder, program + ending)));
  const found = await Promise.all(candidates.map(isProgram));
  return candidates.find((_, index) => found[index] === true);
}

/**
 * Returns when the program of an assistant was installed or updated, in milliseconds since the epoch; undefined when it is not on the
 * PATH. Package managers keep the times of packed files, so the time of the last change of the file's own entry counts.
 */
export async function programChangedAt(assistant: Assistant, machine: Machine): Promise<number | undefined> {
  const found = await Promise.all(assistant.programs.map((program) => programOnPath(program, machine)));
  const paths = found.flatMap((path) => path ?? []);
  const times = await Promise.all(paths.map(async (path) => (await stat(await realpath(path))).ctimeMs));
  return times.length === 0 ? undefined : Math.max(...times);
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}
