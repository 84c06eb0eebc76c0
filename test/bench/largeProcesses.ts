import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Host } from '../host/host.ts';
import { processesOf } from '../host/processes.ts';
import { until } from '../host/until.ts';

/** Milliseconds that an editor may take to look at a large folder for the first time. */
const mostMilliseconds = 600_000;
/** Clock ticks of 10 ms in a second: a quiet editor uses less. */
const quietTicks = 20;

/** Waits until all processes of a host together use little of a processor, for two seconds. */
export async function untilQuiet(host: Host): Promise<void> {
  let [before, quietSeconds] = [ticksOf(host), 0];
  await until(
    async () => {
      await sleep(1000);
      const now = ticksOf(host);
      quietSeconds = now - before < quietTicks ? quietSeconds + 1 : 0;
      before = now;
      return quietSeconds >= 2;
    },
    'the editor to be quiet',
    mostMilliseconds,
  );
}

/** Returns the processor time of the processes that live, in clock ticks. */
function ticksOf(host: Host): number {
  return processesOf(host.directory).reduce((sum, pid) => {
    const fields = readProcess(`${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
    return sum + Number(fields[11] ?? 0) + Number(fields[12] ?? 0);
  }, 0);
}

/** Returns the number of inotify watches that the processes of a host hold. */
export function watchesOf(host: Host): number {
  return processesOf(host.directory)
    .flatMap((pid) => namesIn(`/proc/${pid}/fdinfo`).map((name) => readProcess(`${pid}/fdinfo/${name}`)))
    .reduce((sum, text) => sum + (text.match(/^inotify /gm)?.length ?? 0), 0);
}

/** Returns the number of inotify watches that one user may hold on this machine. */
export function mostWatches(): number {
  return Number(readFileSync('/proc/sys/fs/inotify/max_user_watches', 'utf8'));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return []; // the process has ended
  }
}

/** @param path below `/proc` */
function readProcess(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return ''; // the process has ended
  }
}
