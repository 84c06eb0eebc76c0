import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PortHolder } from '#base/httpListener.ts';
import { readWindowRecords } from '#home/windowFiles.ts';

/**
 * Finds the window or program that listens on a port of 127.0.0.1. Never throws; returns `unknown` when it cannot tell.
 * @param home the state folder of this user
 * @param windowId the window that asks
 */
export async function findPortHolder(port: number, home: string, windowId: string): Promise<PortHolder> {
  try {
    const records = await readWindowRecords(home);
    const other = records.find(
      ({ windowId: id, endpoint, httpEndpoint }) =>
        id !== windowId && [endpoint, httpEndpoint].some((each) => hasPort(each, port)),
    );
    if (other !== undefined) return { kind: 'window', name: other.workspaceName ?? other.folders[0]?.name ?? '' };
    return (await findProgram(port)) ?? { kind: 'unknown' };
  } catch {
    return { kind: 'unknown' };
  }
}

function hasPort(endpoint: string | undefined, port: number): boolean {
  return endpoint !== undefined && new URL(endpoint).port === String(port);
}

async function findProgram(port: number): Promise<PortHolder | undefined> {
  if (process.platform === 'linux') return findOnLinux(port);
  // On Windows only slow programs tell which process has a port.
  return process.platform === 'darwin' ? findWithLsof(port) : undefined;
}

/** Cannot see the open files of other users' processes. */
async function findOnLinux(port: number): Promise<PortHolder | undefined> {
  const inodes = new Set((await Promise.all(['tcp', 'tcp6'].map((table) => listeningInodes(table, port)))).flat());
  if (inodes.size === 0) return undefined;
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of processes) {
    if (!(await openSockets(pid)).some((inode) => inodes.has(inode))) continue;
    return { kind: 'program', name: (await readFile(`/proc/${pid}/comm`, 'utf8')).trim(), pid: Number(pid) };
  }
  return undefined;
}

/** Columns of /proc/net/tcp (proc_net_tcp): 1 local address as hex `address:port`, 3 state (0A listens), 9 inode. */
async function listeningInodes(table: string, port: number): Promise<readonly string[]> {
  const lines = (await readFile(`/proc/net/${table}`, 'utf8').catch(() => '')).split('\n');
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === '0A' && local?.endsWith(suffix) === true)
    .flatMap(([, , , , , , , , , inode]) => (inode === undefined ? [] : [inode]));
}

async function openSockets(pid: string): Promise<readonly string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder).catch(() => []);
  const targets = await Promise.all(names.map((name) => readlink(join(folder, name)).catch(() => '')));
  return targets.flatMap((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1] ?? []);
}

/** With `-F` `lsof` writes each field is a line of its own that begins with its letter (lsof(8), "Output for other programs"). */
async function findWithLsof(port: number): Promise<PortHolder | undefined> {
  const args = ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc'];
  const { stdout } = await promisify(execFile)('/usr/sbin/lsof', args, { timeout: 3000 });
  const [pid, name] = [/^p(\d+)$/m, /^c(.+)$/m].map((field) => field.exec(stdout)?.[1]);
  return pid === undefined || name === undefined ? undefined : { kind: 'program', name, pid: Number(pid) };
}
