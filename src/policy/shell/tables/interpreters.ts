import type { SyntaxLanguage } from '#base/syntaxTree.ts';

/** A program that runs scripts. */
export interface InterpreterRow {
  readonly names: RegExp;
  /** Options with which a script follows in the command line. */
  readonly inline: RegExp;
  /** The grammar of its inline scripts, where we have one. */
  readonly language?: SyntaxLanguage;
  /** True for a shell whose language differs from the grammar. */
  readonly isOther?: boolean;
  /** True when all words after the option make up the script. */
  readonly joins?: boolean;
  /** Options with a value in the next word. */
  readonly valued?: string;
  /** True when `-m` runs a module. */
  readonly modules?: boolean;
  /** First words with which it runs a script or a task. */
  readonly subcommands?: string;
  /** True when options begin with a slash. */
  readonly slashes?: boolean;
  readonly source: string;
}

const noInline = /^$/;

/** The programs whose inline scripts write, as far as anybody can tell, and whose script files run something. */
export const interpreters: readonly InterpreterRow[] = [
  {
    names: /^(?:ba|da)?sh$/,
    inline: /^-[A-Za-z]*c[A-Za-z]*$/,
    language: 'bash',
    valued: '-o -O +O --rcfile --init-file',
    source: 'Bash manual, 6.1',
  },
  {
    names: /^(?:zsh|ksh|mksh|fish|tcsh|csh|nu|elvish|xonsh|rc|es)$/,
    inline: /^-[A-Za-z]*c[A-Za-z]*$|^--command$/,
    valued: '-o',
    source: 'their manuals',
  },
  {
    names: /^(?:pwsh|powershell)(?:\.exe)?$/i,
    inline: /^[-/](?:c|co|com|comm|comma|comman|command|e|ec|en|enc|encodedcommand)$/i,
    joins: true,
    valued: '-ExecutionPolicy -ep -Version -OutputFormat -InputFormat -WorkingDirectory -WindowStyle',
    source: 'about_Pwsh',
  },
  { names: /^cmd(?:\.exe)?$/i, inline: /^\/[ck]$/i, joins: true, slashes: true, source: 'cmd, Windows Commands' },
  {
    names: /^(?:python|python2|python3|pypy3?)(?:\.\d+)?$/,
    inline: /^-[A-Za-z]*c[^]*$/,
    modules: true,
    valued: '-W -X',
    source: 'Python documentation, Command line',
  },
  {
    names: /^(?:node|nodejs)$/,
    inline: /^(?:-e|-p|-pe|--eval|--print)(?:=|$)/,
    valued: '-r --require --import --loader -C',
    source: 'Node.js documentation, Command-line API',
  },
  { names: /^deno$/, inline: /^eval$/, subcommands: 'run test task bench', source: 'Deno documentation' },
  {
    names: /^bun$/,
    inline: /^(?:-e|-p|--eval|--print)(?:=|$)/,
    subcommands: 'run test x',
    source: 'Bun documentation',
  },
  {
    names:
      /^(?:ts-node|tsx|swift|groovy|scala|clojure|clj|jshell|julia|Rscript|R|octave|maxima|gdb|lldb|ocaml|ghci|iex|elixir|erl|sbcl|guile|racket)$/,
    inline: /^(?:-[A-Za-z]*e|--eval|--execute|-ex|-batch|-o)(?:=|$)/,
    source: 'their manuals',
  },
  { names: /^(?:perl|ruby)(?:\d[\d.]*)?$/, inline: /^-[A-Za-z]*[eE]/, valued: '-I', source: 'perlrun, ruby(1)' },
  { names: /^php(?:\d[\d.]*)?$/, inline: /^-[rBRE]$/, valued: '-c -d', source: 'PHP manual, Command line' },
  { names: /^lua(?:jit|\d[\d.]*)?$/, inline: /^-[A-Za-z]*e/, valued: '-l', source: 'lua(1)' },
  { names: /^(?:osascript|tclsh|expect|wish)$/, inline: /^-[ec]/, source: 'osascript(1), expect(1)' },
  { names: /^(?:irb|ipython\d?|bpython|pry)$/, inline: /^-[ec]/, source: 'their manuals' },
  { names: /^(?:sqlite3?|psql|mysql|mariadb|mongosh?|redis-cli)$/, inline: noInline, source: 'their manuals' },
];

/** Programs that open another shell, on this machine or on another one. */
export const interactivePrograms: ReadonlySet<string> = new Set(
  'ssh mosh telnet tmux screen zellij byobu login su script minicom ftp sftp gdb lldb abduco dtach'.split(' '),
);

/** Returns the row of an interpreter. */
export function interpreterRow(name: string): InterpreterRow | undefined {
  return interpreters.find(({ names }) => names.test(name));
}
