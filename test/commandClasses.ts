import * as prettier from 'prettier';
import { gitReading, gitWriting } from '#policy/shell/tables/git.ts';
import { interpreters } from '#policy/shell/tables/interpreters.ts';
import { powershellTables } from '#policy/shell/tables/powershell.ts';
import { reading } from '#policy/shell/tables/reading.ts';
import { wrappers } from '#policy/shell/tables/wrappers.ts';
import { writing, writingOptions } from '#policy/shell/tables/writing.ts';

const introduction = `# Classes of shell commands

Written by \`npm run docs\` from the tables in \`src/policy/shell/tables\`; do not edit by hand.

A command line of bash or PowerShell **writes** when any part of it writes: a program of the tables below, a redirection into a
file, a here-document or a script in the line that an interpreter runs. It **reads** when every part is a program of the first
table, every word is literal and every option is listed. Everything else **runs something**. A line that cannot be parsed at all
counts as writing, one with a syntax error never reads, and a line of zsh, fish, cmd or nu runs something.

Options are written as in getopt: \`:\` after an option stands for a value, \`::\` for a value that may be left out, \`#\` for a number
such as \`-5\`. An option that is not listed makes a command run something.
`;

const code = (text: string): string => (text === '' ? '' : `\`${text.replaceAll('|', String.raw`\|`)}\``);
const names = (text: string): string => text.split(' ').map(code).join(', ');
const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

interface Listed {
  readonly names: string;
  readonly short?: string;
  readonly long?: string;
  readonly writes?: string;
  readonly runs?: string;
  readonly source?: string;
}

/** A row with its options, which are too long for a table. */
function listed({ names: programs, short, long, writes, runs, source }: Listed, more = ''): string {
  const parts = [
    short === undefined ? '' : `short ${code(short)}`,
    long === undefined ? '' : `long ${code(long)}`,
    writes === undefined ? '' : `writes with ${code(writes)}`,
    runs === undefined ? '' : `runs a program with ${code(runs)}`,
    more,
  ].filter((part) => part !== '');
  return `- ${names(programs)}: ${parts.length === 0 ? 'no options' : parts.join('; ')}${source === undefined ? '' : ` (${source})`}`;
}

/** Returns the document of the classes in Markdown, formatted like the repository. */
export async function commandClasses(): Promise<string> {
  const text = [
    introduction,
    '## Programs that read',
    reading.map((row) => listed(row)).join('\n'),
    'Besides `echo`, `printf`, `test`, `cd`, `env`, `tar -t`, `dd` without `of=`, and `sed`, `awk`, `find`, `fd` and `xargs` with scripts and actions that only read.',
    '## Programs that write',
    table(
      ['programs', 'effect', 'source'],
      writing.map((row) => [names(row.names), row.effect, row.source]),
    ),
    table(
      ['programs', 'options that write', 'effect', 'source'],
      writingOptions.map((row) => [names(row.names), code(row.options), row.effect, row.source]),
    ),
    '## Programs that start another one',
    'They are looked through.',
    wrappers.map((row) => listed(row, row.changesWorld === true ? 'runs something at least' : '')).join('\n'),
    '## Interpreters',
    'A script in the command line, in a here-document or in the input writes; that of bash and sh is read as a command line of its own. A script file runs something.',
    table(
      ['programs', 'source'],
      interpreters.map((row) => [code(row.names.source), row.source]),
    ),
    '## git',
    'Source: the documentation of git 2.47. Reading holds only in the folder in which the line starts, without `-C`, `-c` and `--git-dir`.',
    gitReading.map((row) => listed(row)).join('\n'),
    table(
      ['subcommands that write', 'effect'],
      gitWriting.map(([each, effect]) => [names(each), effect]),
    ),
    '## PowerShell',
    'Source: Microsoft Learn, reference of PowerShell 7.5.',
    table(
      ['cmdlets that read', 'parameters'],
      powershellTables.reading.map((row) => row.map(names)),
    ),
    table(
      ['cmdlets that write', 'effect'],
      powershellTables.writing.map(([each, effect]) => [names(each), effect]),
    ),
  ].join('\n\n');
  return prettier.format(text, { ...(await prettier.resolveConfig('docs/command-classes.md')), parser: 'markdown' });
}
