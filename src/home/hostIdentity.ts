import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { promisify } from 'node:util';

/** Identifies a process table: process ids are comparable only between programs for which all three values are equal. */
export interface HostIdentity {
  readonly hostName: string;
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** Identifies a process of a host. The pid alone does not, since the system reuses it after the process ended. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When the process started, in clock ticks after the boot; known on Linux only. */
  readonly processStart?: number | undefined;
}

/** Returns the host, boot and pid namespace of this program. It never throws; a missing boot id is replaced by the boot time. */
export async function hostIdentity(): Promise<HostIdentity> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(async () => {
    macBootId ??= readMacBootId();
    return (await macBootId) ?? `boot-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  });
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => noNamespace);
  return { hostName: hostname(), bootId: bootId.trim(), pidNamespace };
}

/** Returns the identity of this process. */
export async function ownProcess(): Promise<ProcessIdentity> {
  const processStart = await startOf(process.pid);
  return { pid: process.pid, ...(processStart !== undefined && { processStart }) };
}

const noNamespace = 'none';
let macBootId: Promise<string | undefined> | undefined;

async function readMacBootId(): Promise<string | undefined> {
  if (process.platform !== 'darwin') return undefined;
  const asked = promisify(execFile)('/usr/sbin/sysctl', ['-n', 'kern.bootsessionuuid'], { timeout: 2000 });
  return asked.then(
    ({ stdout }) => stdout.trim() || undefined,
    () => undefined,
  );
}

/** Returns true when a process of this host has ended. On Linux this also holds when another process has its pid now. */
export async function hasEnded({ pid, processStart }: ProcessIdentity): Promise<boolean> {
  if (!isRunning(pid)) return true;
  const start = processStart === undefined ? undefined : await startOf(pid);
  return start !== undefined && start !== processStart;
}

/** Returns true for a process of this host that has not ended. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Returns the start of a process in clock ticks after the boot. A time of day would jump when the clock is set after a sleep. */
async function startOf(pid: number): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // The start time is field 22. Field 2, the name, may hold spaces and brackets (proc(5)), so counting begins after it.
  const ticks = Number(line?.slice(line.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isInteger(ticks) ? ticks : undefined;
}

/** Returns true when a record was written on this host, boot and pid namespace, so that its pid can be checked here. */
export function isSameHost(record: HostIdentity, identity: HostIdentity): boolean {
  return (
    (record.hostName === identity.hostName || isUnmistakable(identity)) &&
    isSameBoot(record.bootId, identity.bootId) &&
    record.pidNamespace === identity.pidNamespace
  );
}

/**
 * Returns true when boot id and pid namespace identify the host without its name. This is so on macOS, where the host name changes
 * with the network and no container shares a boot id.
 */
function isUnmistakable({ bootId, pidNamespace }: HostIdentity): boolean {
  return pidNamespace === noNamespace && minuteOf(bootId) === undefined;
}

/**
 * Returns true when two boot ids mean the same boot. Where the system gives no id, the id is the minute of the boot, which varies
 * as clocks are set and drift, so five minutes of difference are allowed. Mistaking a boot for the one before does no harm,
 * since callers also check that the process exists and answers.
 */
export function isSameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const [first, second] = [minuteOf(one), minuteOf(other)];
  return first !== undefined && second !== undefined && Math.abs(first - second) <= 5;
}

function minuteOf(bootId: string): number | undefined {
  const minute = /^boot-(\d+)$/.exec(bootId)?.[1];
  return minute === undefined ? undefined : Number(minute);
}
