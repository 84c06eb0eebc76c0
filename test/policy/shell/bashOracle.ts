import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const bash = ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path));

/** True where a bash is installed that can say what it would start. */
export const hasBash = bash !== undefined && process.platform !== 'win32';

/** What bash did with the lines, by the index of the line. */
export interface Executed {
  /** The programs that it would have started, with their arguments. */
  readonly programs: readonly { readonly line: number; readonly argv: readonly string[] }[];
  /** Files that redirections have created. */
  readonly files: readonly string[];
}

const script = `
  command_not_found_handle() {
    local words
    printf -v words '\\001%s' "$@"
    # One write without a line break, where bash would begin another, because jobs in the background write at the same time.
    words=\${words//$'\\n'/$'\\003'}
    printf '%s%s\\002' "$line" "$words" >> "$LOG"
  }
  for ((line = 0; line < COUNT; line++)); do
    text="$(< "$LINES_FOLDER/$line")"
    ( eval "$text"; wait ) < /dev/null > /dev/null 2>&1
  done`;

/** Runs each line in a bash that finds no program at all and notes what it looks for. Builtins run. */
export function executeWithoutPrograms(lines: readonly string[]): Executed {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-bash-'));
  try {
    const [given, work, log] = [join(folder, 'given'), join(folder, 'work'), join(folder, 'log')];
    for (const each of [given, work]) mkdirSync(each);
    lines.forEach((line, at) => writeFileSync(join(given, String(at)), line));
    writeFileSync(log, '');
    const env = { PATH: '/nonexistent', LOG: log, LINES_FOLDER: given, COUNT: String(lines.length) };
    const { error, status } = spawnSync(bash ?? '', ['--norc', '--noprofile', '-c', script], {
      cwd: work,
      env,
      timeout: 60_000,
    });
    if (error ?? status === null) throw new Error('bash did not end', { cause: error });
    const programs = readFileSync(log, 'utf8')
      .split('\u0002')
      .filter((entry) => entry !== '')
      .map((entry) => {
        const [line = '', ...argv] = entry.replaceAll('\u0003', '\n').split('\u0001');
        return { line: Number(line), argv };
      });
    return { programs, files: readdirSync(work) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
