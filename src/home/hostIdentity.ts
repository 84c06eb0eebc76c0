import { execFile } from 'node:child_process';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { promisify } from 'node:util';

/** Where a process id means something: the same three values, the same process table. */
export interface HostIdentity {
  readonly hostName: string;
  readonly bootId: string;
  readonly pidNamespace: string;
}

/** A process of a host. Its number alone may be given to another one once it is gone. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Its start in clock ticks after the boot, where the system tells (Linux). */
  readonly processStart?: number | undefined;
}

export async function hostIdentity(): Promise<HostIdentity> {
  const bootId = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(async () => {
    macBootId ??= readMacBootId();
    return (await macBootId) ?? `boot-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
  });
  const pidNamespace = await readlink('/proc/self/ns/pid').catch(() => noNamespace);
  return { hostName: hostname(), bootId: bootId.trim(), pidNamespace };
}

/** This process. */
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

/** Whether a process of this host is gone; another one may have its number by now, which shows on Linux. */
export async function hasEnded({ pid, processStart }: ProcessIdentity): Promise<boolean> {
  if (!isRunning(pid)) return true;
  const start = processStart === undefined ? undefined : await startOf(pid);
  return start !== undefined && start !== processStart;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** In clock ticks after the boot: no time of day, which jumps when a clock is set after a sleep. */
async function startOf(pid: number): Promise<number | undefined> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  // Field 22; the name in field 2 may hold spaces and brackets (proc(5)).
  const ticks = Number(line?.slice(line.lastIndexOf(')') + 2).split(' ')[19]);
  return Number.isInteger(ticks) ? ticks : undefined;
}

export function isSameHost(record: HostIdentity, identity: HostIdentity): boolean {
  return (
    (record.hostName === identity.hostName || isUnmistakable(identity)) &&
    isSameBoot(record.bootId, identity.bootId) &&
    record.pidNamespace === identity.pidNamespace
  );
}

/** On macOS, where a computer is called otherwise in another network, and no container shares the id of a boot. */
function isUnmistakable({ bootId, pidNamespace }: HostIdentity): boolean {
  return pidNamespace === noNamespace && minuteOf(bootId) === undefined;
}

/**
 * Where the system gives no id, the minute of the boot is one, which comes out otherwise as clocks are set and drift apart.
 * A boot that is taken for the one before it does no harm: whether a process is there, and answers, is asked besides.
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
