import type { OptionTable } from '../options.ts';

/** Programs that start the command which their operands name. */
export interface WrapperRow extends OptionTable {
  readonly names: string;
  /** Operands before the command. */
  readonly skips?: number;
  /** True when the inner command may do more than it says, for example as another user or from another root. */
  readonly changesWorld?: boolean;
  readonly source: string;
}

/** The wrappers that are looked through. An option outside the row makes the command run something. */
export const wrappers: readonly WrapperRow[] = [
  {
    names: 'timeout gtimeout',
    short: 'k:s:v',
    long: 'kill-after: signal: preserve-status foreground verbose',
    skips: 1,
    source: 'GNU coreutils manual',
  },
  { names: 'nice', short: 'n:#', long: 'adjustment:', source: 'GNU coreutils manual' },
  { names: 'setsid noglob nocorrect', source: 'GNU coreutils manual, setsid(1), zsh manual' },
  // On a terminal it writes the output into nohup.out.
  { names: 'nohup', changesWorld: true, source: 'GNU coreutils manual' },
  { names: 'stdbuf', short: 'i:o:e:', long: 'input: output: error:', source: 'GNU coreutils manual' },
  { names: 'ionice', short: 'c:n:t', long: 'class: classdata: ignore', source: 'ionice(1)' },
  {
    names: 'time',
    short: 'pvqao:f:',
    long: 'portability verbose quiet append output: format:',
    source: 'Bash manual, 3.2.3; time(1)',
  },
  { names: 'builtin command', short: 'p', source: 'Bash manual, 4.2' },
  { names: 'exec', short: 'cla:', changesWorld: true, source: 'Bash manual, 4.1' },
  { names: 'coproc', changesWorld: true, source: 'Bash manual, 3.2.6' },
  {
    names: 'sudo doas',
    short: 'AbBEHnPSkKu:g:C:p:T:U:D:R:',
    long: 'user: group: preserve-env:: set-home non-interactive stdin background',
    changesWorld: true,
    source: 'sudo(8)',
  },
  { names: 'busybox toybox', changesWorld: true, source: 'BusyBox documentation' },
  { names: 'chroot', skips: 1, changesWorld: true, source: 'GNU coreutils manual' },
  { names: 'taskset chrt', short: 'abfiorpv', skips: 1, changesWorld: true, source: 'taskset(1), chrt(1)' },
  {
    names:
      'unbuffer chronic caffeinate unshare nsenter setarch linux64 linux32 catchsegv proxychains proxychains4 torsocks dbus-run-session xvfb-run',
    changesWorld: true,
    source: 'their manuals',
  },
  {
    names: 'npx bunx pnpx',
    short: 'y',
    long: 'yes no-install bun',
    changesWorld: true,
    source: 'npm documentation, npx',
  },
];

/** Assignments that change nothing but language, time zone, colours and size of the output. */
const harmlessVariables =
  /^(?:LC_[A-Z]+|LANG|LANGUAGE|TZ|NO_COLOR|FORCE_COLOR|CLICOLOR|CLICOLOR_FORCE|COLUMNS|LINES|CI)$/;
/** Assignments that are harmless with one value, which turns something off. */
const harmlessAssignments: ReadonlySet<string> = new Set([
  'GIT_PAGER=cat',
  'PAGER=cat',
  'MANPAGER=cat',
  'GH_PAGER=cat',
  'TERM=dumb',
  'GIT_OPTIONAL_LOCKS=0',
  'GIT_TERMINAL_PROMPT=0',
]);

/** True when an assignment `NAME=value` before a command cannot change what it does to files. Source: the Bash manual, 5. */
export function isHarmlessAssignment(assignment: string): boolean {
  const [, name = ''] = /^([A-Za-z_]\w*)=/.exec(assignment) ?? [];
  return harmlessVariables.test(name) || harmlessAssignments.has(assignment);
}

const rows = new Map(wrappers.flatMap((row) => row.names.split(' ').map((name) => [name, row])));

/** Returns the row of a wrapper. */
export function wrapperRow(name: string): WrapperRow | undefined {
  return rows.get(name);
}
