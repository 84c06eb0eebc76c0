import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Assistant, Machine } from './assistant.ts';
import { joined } from './machinePaths.ts';

/** Returns the machine that the extension runs on, which is that of the folder: assistants must run there, too. */
export function thisMachine({ launcher, editorUserFolder }: Pick<Machine, 'launcher' | 'editorUserFolder'>): Machine {
  return { platform: process.platform, home: homedir(), environment: process.env, launcher, editorUserFolder };
}

/** Returns whether an assistant seems to be installed, by its traces and the PATH. */
export async function isFound(assistant: Assistant, machine: Machine): Promise<boolean> {
  const exist = await Promise.all(assistant.traces(machine).map(isThere));
  if (exist.includes(true)) return true;
  const programs = await Promise.all(assistant.programs.map((program) => isOnPath(program, machine)));
  return programs.includes(true);
}

async function isOnPath(program: string, machine: Machine): Promise<boolean> {
  const isWindows = machine.platform === 'win32';
  const { environment } = machine;
  const path = environment['PATH'] ?? environment['Path'] ?? '';
  const folders = path.split(isWindows ? ';' : ':').filter((folder) => folder !== '');
  const endings = isWindows ? (environment['PATHEXT'] ?? '.EXE;.CMD').split(';') : [''];
  const candidates = folders.flatMap((folder) => endings.map((ending) => joined(machine, folder, program + ending)));
  return (await Promise.all(candidates.map(isProgram))).includes(true);
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
