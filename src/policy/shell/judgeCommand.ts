import { type CommandContext, judgeScriptText, targetOf } from './context.ts';
import { judgeFd, judgeFind, judgeXargs } from './judgeFind.ts';
import { judgeGit } from './judgeGit.ts';
import { judgeInterpreter, judgeShellScript } from './judgeInterpreter.ts';
import { judgeManifest, judgePackageManager } from './judgePackageManager.ts';
import { judgeAwk, judgeSed } from './judgeText.ts';
import { isOption, parseWords } from './options.ts';
import { interactivePrograms } from './tables/interpreters.ts';
import { readingRow, versions } from './tables/reading.ts';
import { isHarmlessAssignment, wrapperRow } from './tables/wrappers.ts';
import { formatters, writingOption, writingRow } from './tables/writing.ts';
import { atLeast, both, type FileTarget, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

const systemFolders = /^\/(?:usr\/(?:local\/)?)?s?bin\/(?=[^/]+$)/;
/** Builtins that change only the state of this shell. `cd` and its kin are followed by the caller. */
const folderBuiltins: ReadonlySet<string> = new Set('cd pushd popd dirs'.split(' '));
/** Builtins of bash that change what later words mean, so that nothing after them is what it seems. Source: Bash manual, 4. */
const stateBuiltins: ReadonlySet<string> = new Set(
  'alias unalias set shopt trap export declare typeset local readonly unset enable hash read mapfile readarray let printf-v umask ulimit bind complete compgen history fc jobs fg bg kill disown wait suspend caller getopts shift return exit break continue logout times'.split(
    ' ',
  ),
);

/** Judges one simple command from its words, without its redirections. */
export async function judgeCommand(words: readonly Word[], context: CommandContext): Promise<Judgement> {
  const assignments = words.findIndex(({ raw }) => !/^[A-Za-z_]\w*\+?=/.test(raw));
  if (assignments !== 0) return judgeAssignments(words, assignments, context);
  const [first, ...rest] = words;
  const called = first?.value;
  if (called === undefined) return judged('runs', 'the name of the program is not known');
  const name = called.replace(systemFolders, '');
  if (/[/\\]/.test(name)) return judgePath(name, words, context);
  const found = await judgeNamed(name, rest, words, context);
  return withInput(found, name, context);
}

async function judgeNamed(
  name: string,
  rest: readonly Word[],
  words: readonly Word[],
  context: CommandContext,
): Promise<Judgement> {
  if (versions.has(words.map(({ value }) => value ?? '').join(' ')))
    return judged('reads', `\`${name}\` prints its version`);
  if (name === 'git') return judgeGit(words, context);
  if (name === 'find' || name === 'gfind') return judgeFind(words, context);
  if (name === 'fd' || name === 'fdfind') return judgeFd(words, context);
  if (name === 'xargs' || name === 'gxargs') return judgeXargs(words, context);
  if (name === 'sed' || name === 'gsed') return judgeSed(words, context);
  if (/^[gmn]?awk$/.test(name)) return judgeAwk(words, context);
  if (name === 'eval' || name === 'source' || name === '.') return judgeShellScript(words, context);
  if (name === 'env' || name === 'genv') return judgeEnv(rest, context);
  if (name === 'tar' || name === 'bsdtar' || name === 'gtar') return judgeTar(rest, context);
  if (name === 'dd') return judgeDd(rest, context);
  if (/^(?:docker|podman|kubectl)$/.test(name) && /^(?:exec|run|attach)$/.test(rest[0]?.value ?? '')) {
    return judgeContainer(name, rest);
  }
  if (name === 'watch' || name === 'parallel' || name === 'flock' || name === 'entr')
    return judgeStarter(name, rest, context);
  if (folderBuiltins.has(name)) return known(rest, 'reads', `\`${name}\` changes only the folder of this shell`);
  if (stateBuiltins.has(name)) return judgeBuiltin(name, rest);
  if (name === 'echo' || name === 'printf') return judgePrint(name, rest);
  if (name === 'test') return judgeTest(rest);
  if (name === 'command' && /^-[pvV]*[vV]/.test(rest[0]?.value ?? ''))
    return known(rest, 'reads', '`command -v` looks a program up');
  const writes = judgeWriting(name, rest, context);
  if (writes) return writes;
  const wrapper = await judgeWrapper(name, rest, context);
  if (wrapper) return wrapper;
  const other =
    (await judgePackageManager(name, words, context)) ??
    (await judgeInterpreter(name, words, context)) ??
    judgeManifest(name, words, context);
  const option = writingOption(name);
  if (option && parseWords(rest, {}).options.some((each) => isOption(each.name, option.options))) {
    return both(
      judged('writes', `\`${name}\` ${option.effect}`, { targets: ['anywhere'] }),
      other ?? judged('runs', ''),
    );
  }
  if (other) return other;
  if (interactivePrograms.has(name)) return judgeInteractive(name, rest);
  return judgeReading(name, rest, context) ?? judged('runs', `\`${name}\` is not listed as a program that only reads`);
}

function known(rest: readonly Word[], kind: 'reads', reason: string): Judgement {
  return rest.every(({ value }) => value !== undefined)
    ? judged(kind, reason)
    : judged('runs', 'a word of the command is not known');
}

/** A program with a path is what that file is: a script of the project, whatever its name says. */
async function judgePath(name: string, words: readonly Word[], context: CommandContext): Promise<Judgement> {
  const [first] = words;
  const script = judged('runs', `\`${name}\` runs a program of that folder`, { scripts: [targetOf(first, context)] });
  const base = name.split(/[/\\]/).at(-1) ?? '';
  if (base === '' || base === name) return script;
  const found = await judgeNamed(base, words.slice(1), [{ raw: base, value: base }, ...words.slice(1)], context);
  return found.class === 'writes'
    ? both(found, script)
    : both(script, { ...judged('runs', ''), startsInteractive: found.startsInteractive });
}

async function judgeAssignments(words: readonly Word[], count: number, context: CommandContext): Promise<Judgement> {
  if (count < 0) return judged('runs', 'an assignment changes what later commands do');
  const odd = words.slice(0, count).find(({ value }) => value === undefined || !isHarmlessAssignment(value));
  const found = await context.judge(words.slice(count), context);
  return odd ? atLeast('runs', `\`${odd.raw.split('=')[0] ?? ''}\` may change what the program does`, found) : found;
}

function judgeReading(name: string, rest: readonly Word[], context: CommandContext): Judgement | undefined {
  const row = readingRow(name);
  if (!row) return undefined;
  const { options, operands, unknown } = parseWords(rest, row);
  const written = options.find((option) => isOption(option.name, row.writes));
  if (written) {
    return judged('writes', `an option of \`${name}\` writes into a file`, {
      targets: [targetOf(written.value, context)],
    });
  }
  // BSD and xxd take no option after the first operand, so every word after it counts.
  const files = row.mostOperands === undefined ? operands : parseWords(rest, row, true).operands;
  if (row.mostOperands !== undefined && files.length > row.mostOperands) {
    const targets = files.slice(row.mostOperands).map((word) => targetOf(word, context));
    return judged('writes', `\`${name}\` writes into its last file`, { targets });
  }
  if (options.some((option) => isOption(option.name, row.runs)))
    return judged('runs', `an option of \`${name}\` starts a program`);
  if (unknown !== undefined) return judged('runs', `an option of \`${name}\` is not known`);
  if (name === 'date' && operands.some(({ value }) => !value?.startsWith('+')))
    return judged('runs', '`date` may set the clock');
  return known(rest, 'reads', `\`${name}\` only reads`);
}

function judgeWriting(name: string, rest: readonly Word[], context: CommandContext): Judgement | undefined {
  if (formatters.has(name)) return judged('writes', `\`${name}\` changes files in place`, { targets: ['anywhere'] });
  const row = writingRow(name);
  if (!row) return undefined;
  const { options, operands, unknown } = parseWords(rest, row);
  const folder = options.find((option) => isOption(option.name, 't target-directory'))?.value;
  const place = (word: Word | undefined): FileTarget => targetOf(word, context);
  const named: Readonly<Record<typeof row.targets, readonly FileTarget[]>> = {
    all: operands.map(place),
    last: folder ? [place(folder)] : operands.slice(-1).map(place),
    afterFirst: operands.slice(1).map(place),
    anywhere: ['anywhere'],
  };
  const open: readonly FileTarget[] = unknown === undefined && named[row.targets].length > 0 ? [] : ['anywhere'];
  const isDevice = ({ value }: Word): boolean => /^\/dev\/(?:null|stdout|stderr)$/.test(value ?? '');
  if (name === 'tee' && unknown === undefined && operands.every(isDevice))
    return known(rest, 'reads', '`tee` writes no file here');
  return judged('writes', `\`${name}\` ${row.effect}`, { targets: [...named[row.targets], ...open] });
}

async function judgeWrapper(
  name: string,
  rest: readonly Word[],
  context: CommandContext,
): Promise<Judgement | undefined> {
  const row = wrapperRow(name);
  if (!row) return undefined;
  const { options, operands, unknown } = parseWords(rest, row, true);
  const inner = operands.slice(row.skips ?? 0);
  if (
    (name === 'sudo' || name === 'doas') &&
    parseWords(
      rest,
      { ...row, short: `${row.short ?? ''}ise`, long: `${row.long ?? ''} login shell edit` },
      true,
    ).options.some((each) => isOption(each.name, 'i s e login shell edit'))
  ) {
    return judgeSudo(rest, inner, context);
  }
  if (options.some((each) => each.name === 'D' || each.name === 'R'))
    return judged('writes', `\`${name}\` changes the folder of what it runs`, { targets: ['anywhere'] });
  if (name === 'time' && options.some((each) => isOption(each.name, 'o output'))) {
    return judged('writes', '`time -o` writes into a file', { targets: ['anywhere'] });
  }
  if (inner.length === 0) return judged('runs', `\`${name}\` starts nothing that is known`);
  const start = [...inner];
  // `env`, `timeout` and the like take no assignment; `sudo` does, and bash sees none of them.
  if (name !== 'sudo' && /^[A-Za-z_]\w*=/.test(start[0]?.raw ?? ''))
    return judged('runs', `\`${name}\` starts a program with an odd name`);
  const found = await context.judge(start, context);
  const least = unknown !== undefined || operands.slice(0, row.skips).some(({ value }) => value === undefined);
  if (least) return atLeast('runs', `an option of \`${name}\` is not known`, found);
  return row.changesWorld
    ? atLeast('runs', `\`${name}\` runs what follows with other rights or in other circumstances`, found)
    : found;
}

/** `sudo -e` edits a file; `-i` and `-s` start a shell, or give it the words that follow. */
async function judgeSudo(rest: readonly Word[], inner: readonly Word[], context: CommandContext): Promise<Judgement> {
  if (rest.some(({ value }) => /^-[A-Za-z]*e|^--edit/.test(value ?? '')))
    return judged('writes', '`sudo -e` edits a file', { targets: ['anywhere'] });
  const words = inner.filter(({ value }) => !value?.startsWith('-'));
  if (words.length === 0) return judged('runs', '`sudo` starts a shell', { startsInteractive: true });
  const text = words.every(({ value }) => value !== undefined) ? words.map(({ value }) => value).join(' ') : undefined;
  return atLeast('runs', '`sudo` starts a shell', await judgeScriptText(text, 'bash', 'sudo', context));
}

/** Options of env. Source: the GNU coreutils manual, 23.2. */
const envOptions = { short: 'i0u:C:vS:', long: 'ignore-environment null unset: chdir: debug split-string:' };

async function judgeEnv(rest: readonly Word[], context: CommandContext): Promise<Judgement> {
  const { options, operands, unknown } = parseWords(rest, envOptions, true);
  const split = options.find((each) => isOption(each.name, 'S split-string'));
  const moved = options.some((each) => isOption(each.name, 'C chdir'));
  if (split) {
    const text = [split.value, ...operands].map((word) => word?.value);
    const whole = text.every((each) => each !== undefined) ? text.join(' ') : undefined;
    return atLeast(
      'runs',
      '`env -S` splits a text into words',
      await judgeScriptText(whole, 'bash', 'env -S', context),
    );
  }
  const at = operands.findIndex(({ raw, value }) => value === undefined || !/^[^=]+=/.test(raw));
  if (operands.length === 0)
    return unknown === undefined
      ? judged('reads', '`env` prints the environment')
      : judged('runs', 'an option of `env` is not known');
  const assigned = operands.slice(0, at < 0 ? undefined : at);
  const found =
    at < 0
      ? judged('reads', '`env` prints the environment')
      : await context.judge(operands.slice(at), moved ? { ...context, folder: undefined } : context);
  const odd =
    unknown !== undefined ||
    moved ||
    options.length > 0 ||
    assigned.some(({ value }) => value === undefined || !isHarmlessAssignment(value));
  return odd ? atLeast('runs', '`env` changes the environment of what it runs', found) : found;
}

/** Judges tar: `t` lists, everything else writes. Source: the GNU tar manual. */
function judgeTar(rest: readonly Word[], context: CommandContext): Judgement {
  const bundled = rest[0]?.value ?? '';
  const options = { short: 'tvf:zjJ', long: 'list verbose file: gzip bzip2 xz zstd exclude:' };
  const words = /^[A-Za-z]+$/.test(bundled) ? [{ raw: `-${bundled}`, value: `-${bundled}` }, ...rest.slice(1)] : rest;
  const parsed = parseWords(words, options);
  const lists = parsed.options.some(({ name }) => name === 't' || name === 'list');
  // An archive with a colon is on another machine, which tar reaches over a program.
  const isRemote = parsed.options.some(({ value }) => value?.value?.includes(':'));
  if (lists && parsed.unknown === undefined) {
    return isRemote
      ? judged('runs', '`tar` reaches another machine')
      : known(rest, 'reads', '`tar -t` lists an archive');
  }
  const archive = parsed.options.find(({ name }) => name === 'f' || name === 'file')?.value;
  const creates = /^-?[A-Za-z]*[cru]/.test(bundled) || rest.some(({ value }) => value === '--create');
  const targets: readonly FileTarget[] = creates && archive ? [targetOf(archive, context)] : ['anywhere'];
  return judged('writes', creates ? '`tar` writes an archive' : '`tar` unpacks files or may run a program', {
    targets,
  });
}

/** Judges dd by its operand `of=`; without one it prints. Source: the GNU coreutils manual, 11.2. */
function judgeDd(rest: readonly Word[], context: CommandContext): Judgement {
  const outputs = rest.filter(({ value }) => value === undefined || value.startsWith('of='));
  const files = outputs.map(({ value }) => value?.slice(3)).filter((file) => file !== '/dev/null');
  if (files.length === 0) return known(rest, 'reads', '`dd` writes no file');
  const targets = files.map((file) => targetOf({ raw: file ?? '', value: file }, context));
  return judged('writes', '`dd of=` writes into a file or device', { targets });
}

/** Programs that start a command in a way of their own: over a shell, many times, or under a lock. */
async function judgeStarter(name: string, rest: readonly Word[], context: CommandContext): Promise<Judgement> {
  const words = parseWords(rest, { short: 'n:d:tgcexw:E:j:a:' }, true).operands.slice(name === 'flock' ? 1 : 0);
  const text = words.every(({ value }) => value !== undefined) ? words.map(({ value }) => value).join(' ') : undefined;
  const lock: readonly FileTarget[] = name === 'flock' ? ['anywhere'] : [];
  const found =
    words.length === 0
      ? judged('writes', `\`${name}\` runs commands that are not known`, { targets: ['anywhere'] })
      : await judgeScriptText(text, 'bash', name, context);
  return atLeast('runs', `\`${name}\` runs what follows`, { ...found, targets: [...found.targets, ...lock] });
}

function judgeBuiltin(name: string, rest: readonly Word[]): Judgement {
  if (['exit', 'times', 'wait'].includes(name) && rest.every(({ value }) => /^\d*$/.test(value ?? 'unknown'))) {
    return judged('reads', `\`${name}\` changes no file`);
  }
  return judged('runs', `\`${name}\` changes what later commands do`);
}

/** `printf -v` evaluates the subscript of its variable, which can run a command. Source: the Bash manual, 4.2. */
function judgePrint(name: string, rest: readonly Word[]): Judgement {
  if (name === 'printf' && rest[0]?.value?.startsWith('-'))
    return judged('runs', 'an option of `printf` sets a variable');
  return known(rest, 'reads', `\`${name}\` prints its words`);
}

/** The tests of files, texts and numbers; `-v` and `-R` evaluate a subscript, which can run a command. Source: Bash manual, 6.4. */
const testOperators: ReadonlySet<string> = new Set(
  '-e -f -d -s -r -w -x -L -h -n -z -S -p -b -c = == != -eq -ne -lt -le -gt -ge -nt -ot -ef ! -a -o'.split(' '),
);

function judgeTest(rest: readonly Word[]): Judgement {
  const odd = rest.find(
    ({ value }) => value === undefined || (value.startsWith('-') && !/^-\d+$/.test(value) && !testOperators.has(value)),
  );
  return odd ? judged('runs', 'a word of `test` is not known') : judged('reads', '`test` only looks');
}

/** Options such as `-it` of `docker exec` keep the input of a shell open. */
function judgeContainer(name: string, rest: readonly Word[]): Judgement {
  const startsInteractive = rest.some(({ value }) =>
    /^(?:attach|-[a-z]*i[a-z]*|--interactive|--stdin)$/.test(value ?? ''),
  );
  return judged('runs', `\`${name}\` runs something in a container`, { startsInteractive });
}

function judgeInteractive(name: string, rest: readonly Word[]): Judgement {
  const types = rest.some(
    ({ value }) =>
      value === undefined ||
      /^(?:send-keys|send|-X|stuff|respawn-pane|run-shell|pipe-pane|action|write-chars)$/.test(value),
  );
  if ((name === 'tmux' || name === 'screen' || name === 'zellij') && types) {
    return judged('writes', `\`${name}\` types into another shell`, { startsInteractive: true, targets: ['anywhere'] });
  }
  return judged('runs', `\`${name}\` starts a shell whose commands are not seen`, { startsInteractive: true });
}

/**
 * A text that is given as input is a script for all but the programs that are known to read it as data, and for those that are
 * known to run something else with it.
 */
function withInput(found: Judgement, name: string, { inputText }: CommandContext): Judgement {
  if (inputText === undefined || found.class === 'writes') return found;
  const isData =
    readingRow(name) !== undefined ||
    /^(?:git|gh|sed|g?awk|xargs|echo|printf|jq|npm|curl|wrangler)$/.test(name) ||
    wrapperRow(name) !== undefined;
  if (isData) return found;
  return both(
    judged('writes', `\`${name}\` gets a text that may be a script`, {
      inlineScripts: [inputText],
      targets: ['anywhere'],
    }),
    found,
  );
}
