import type { OptionTable } from '../options.ts';

/** Programs that read, with all options that are understood. */
export interface ReadingRow extends OptionTable {
  /** The names between blanks. */
  readonly names: string;
  /** The manual that the options were read in. */
  readonly source: string;
  /** Options that write a file; each has the file as its value. */
  readonly writes?: string;
  /** Options that run a program. */
  readonly runs?: string;
  /** The largest number of operands; one more is a file that it writes. */
  readonly mostOperands?: number;
}

const coreutils = 'GNU coreutils manual';

/**
 * Programs that change nothing with the listed options. An option that is not listed makes a command run something, so a row may
 * leave out what is rare. Rows without `writes` and `runs` and `mostOperands` are safe with any operand, also one from a glob or
 * from `xargs`, as long as no option in their manual writes or runs something (`isHarmless`).
 */
export const reading: readonly ReadingRow[] = [
  {
    names: 'cat',
    short: 'AbeEnstTuv',
    long: 'show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting',
    source: coreutils,
  },
  { names: 'tac', short: 'brs:', long: 'before regex separator:', source: coreutils },
  { names: 'nl', short: 'b:d:f:h:i:l:n:ps:v:w:', source: coreutils },
  {
    names: 'head tail',
    short: 'n:c:qvzfF#',
    long: 'lines: bytes: quiet silent verbose zero-terminated follow::',
    source: coreutils,
  },
  { names: 'wc', short: 'cmlLw', long: 'bytes chars lines max-line-length words total:', source: coreutils },
  {
    names: 'cut',
    short: 'b:c:d:f:nsz',
    long: 'bytes: characters: delimiter: fields: complement only-delimited output-delimiter: zero-terminated',
    source: coreutils,
  },
  { names: 'paste', short: 'd:sz', long: 'delimiters: serial zero-terminated', source: coreutils },
  { names: 'tr', short: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1', source: coreutils },
  {
    names: 'sort',
    short: 'bdfgiMhnRrVk:mo:sS:t:T:uzcC',
    long: 'ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort human-numeric-sort numeric-sort random-sort reverse sort: version-sort key: merge output: stable buffer-size: field-separator: unique zero-terminated check:: parallel: compress-program:',
    writes: 'o output',
    runs: 'compress-program',
    source: coreutils,
  },
  {
    names: 'uniq',
    short: 'cdDf:is:uzw:',
    long: 'count repeated ignore-case unique zero-terminated skip-fields: skip-chars: check-chars:',
    mostOperands: 1,
    source: coreutils,
  },
  { names: 'comm', short: '123z', long: 'check-order nocheck-order output-delimiter: total', source: coreutils },
  { names: 'join', short: 'a:e:i1:2:j:o:t:v:z', long: 'ignore-case header check-order', source: coreutils },
  { names: 'fold fmt', short: 'bsw:cutp:', long: 'bytes spaces width: uniform-spacing', source: coreutils },
  { names: 'expand unexpand', short: 'it:a', long: 'initial tabs: all first-only', source: coreutils },
  { names: 'od', short: 'A:j:N:S:t:vw::abcdfilosx', source: coreutils },
  { names: 'base64 base32', short: 'diw:', long: 'decode ignore-garbage wrap:', source: coreutils },
  {
    names: 'md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum',
    short: 'bctwz',
    long: 'binary check tag text zero ignore-missing quiet status strict warn',
    source: coreutils,
  },
  {
    names: 'ls dir vdir',
    short: 'aAbBcCdDfFgGhHiI:klLmnNopqQrRsStT:uUvw:xXZ1',
    long: 'all almost-all author block-size: classify:: color:: directory dereference file-type format: full-time group-directories-first human-readable si inode ignore: hide: no-group numeric-uid-gid quote-name recursive reverse size sort: time: time-style: width: zero',
    source: coreutils,
  },
  {
    names: 'stat',
    short: 'Lfc:tx',
    long: 'dereference file-system format: printf: terse',
    source: coreutils,
  },
  {
    names: 'du',
    short: '0abBcdDhHklLmPsSxt:d:',
    long: 'null all apparent-size bytes total dereference max-depth: human-readable summarize one-file-system exclude: threshold: time::',
    source: coreutils,
  },
  {
    names: 'df',
    short: 'aB:hHiklPTt:x:',
    long: 'all human-readable inodes local portability print-type total type: exclude-type:',
    source: coreutils,
  },
  { names: 'pwd', short: 'LP', long: 'logical physical', source: coreutils },
  { names: 'basename dirname', short: 'as:z', long: 'multiple suffix: zero', source: coreutils },
  {
    names: 'realpath readlink',
    short: 'eEfmnLPqsvz',
    long: 'canonicalize canonicalize-existing canonicalize-missing logical physical quiet relative-to: relative-base: strip no-symlinks zero no-newline verbose',
    source: coreutils,
  },
  { names: 'true false : nproc tty whoami groups users uptime', long: 'all', source: coreutils },
  { names: 'id', short: 'agGnruzZ', long: 'group groups name real user zero', source: coreutils },
  {
    names: 'uname',
    short: 'asnrvmpio',
    long: 'all kernel-name nodename kernel-release kernel-version machine operating-system',
    source: coreutils,
  },
  // An operand or `--set` sets the clock.
  {
    names: 'date',
    short: 'd:r:R::uI::',
    long: 'date: reference: rfc-email iso-8601:: rfc-3339: utc universal',
    source: coreutils,
  },
  { names: 'printenv', short: '0', long: 'null', source: coreutils },
  { names: 'sleep', source: coreutils },
  { names: 'seq', short: 'f:s:w', long: 'format: separator: equal-width', source: coreutils },
  { names: 'tsort factor', source: coreutils },
  {
    names: 'numfmt',
    long: 'from: to: from-unit: to-unit: field: format: header:: suffix: padding: round:',
    source: coreutils,
  },
  {
    names: 'grep egrep fgrep',
    short: 'EFGPe:f:ivwxyzcLlm:oqsbHhnTuZA:B:C:aD:d:IrRU#',
    long: 'extended-regexp fixed-strings basic-regexp perl-regexp regexp: file: ignore-case no-ignore-case invert-match word-regexp line-regexp count color:: colour:: files-without-match files-with-matches max-count: only-matching quiet silent no-messages byte-offset with-filename no-filename label: line-number initial-tab null after-context: before-context: context: text binary-files: devices: directories: exclude: exclude-from: exclude-dir: include: recursive dereference-recursive line-buffered null-data',
    source: 'GNU grep manual',
  },
  {
    names: 'rg',
    short: 'A:aB:bC:cE:e:FE:f:g:HIiLlM:m:NnOoPpqr:SsT:t:UuVvwx0j:.',
    long: 'regexp: file: after-context: before-context: context: color: colors: column count count-matches crlf debug encoding: engine: files files-with-matches files-without-match fixed-strings follow glob: glob-case-insensitive heading hidden iglob: ignore-case ignore-file: include-zero invert-match json line-number line-regexp max-columns: max-columns-preview max-count: max-depth: max-filesize: multiline multiline-dotall no-config no-filename no-heading no-ignore no-ignore-dot no-ignore-exclude no-ignore-files no-ignore-global no-ignore-parent no-ignore-vcs no-line-number no-messages no-mmap null only-matching one-file-system passthru path-separator: pcre2 pretty quiet replace: smart-case case-sensitive sort: sortr: stats text threads: trim type: type-add: type-list type-not: unrestricted version vimgrep with-filename word-regexp pre: hostname-bin: search-zip',
    runs: 'pre hostname-bin search-zip z',
    source: 'rg --help, ripgrep 14',
  },
  {
    names: 'column',
    short: 'ts:o:c:xN:',
    long: 'table separator: output-separator: table-columns:',
    source: 'column(1), util-linux',
  },
  { names: 'rev', source: 'rev(1), util-linux' },
  {
    names: 'diff',
    short: 'qsc::C:u::U:enyW:pF:tTrNx:X:S:iEZbwBI:adN#',
    long: 'brief report-identical-files context:: unified:: ed normal side-by-side width: left-column suppress-common-lines show-c-function show-function-line: label: expand-tabs recursive no-dereference new-file exclude: exclude-from: ignore-case ignore-tab-expansion ignore-trailing-space ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines: text strip-trailing-cr minimal speed-large-files color:: from-file: to-file:',
    source: 'GNU diffutils manual',
  },
  {
    names: 'cmp',
    short: 'bi:ln:s',
    long: 'print-bytes ignore-initial: verbose bytes: quiet silent',
    source: 'GNU diffutils manual',
  },
  // `-z` runs programs that unpack, `-C` writes a compiled magic file.
  {
    names: 'file',
    short: 'bEF:hiLm:NnrsvC',
    long: 'brief mime mime-type mime-encoding dereference no-dereference separator: compile',
    writes: 'C compile',
    source: 'file(1)',
  },
  // `-R` writes `00Tree.html` files.
  {
    names: 'tree',
    short: 'adfilL:P:I:o:psughDFtcrUnCAqNQvJXxR',
    long: 'dirsfirst filesfirst du si prune noreport gitignore matchdirs filelimit: inodes device',
    writes: 'o R',
    source: 'tree(1)',
  },
  {
    names: 'jq',
    short: 'acCejLMnrRsS',
    long: 'arg: argjson: ascii-output color-output compact-output exit-status indent: join-output monochrome-output null-input raw-input raw-output slurp sort-keys tab unbuffered args jsonargs',
    source: 'jq manual, 1.7',
  },
  { names: 'hexdump hd', short: 'bcCde:n:os:vx', source: 'hexdump(1)' },
  { names: 'xxd', short: 'bepu', mostOperands: 1, source: 'xxd(1)' },
  {
    names: 'strings',
    short: 'an:t:e:fow',
    long: 'all bytes: radix: encoding: print-file-name',
    source: 'GNU binutils manual',
  },
  { names: 'nm size', short: 'ADgnpruSCPlaoBdx', source: 'GNU binutils manual' },
  { names: 'readelf', short: 'ahlSsednVrWD', source: 'GNU binutils manual' },
  { names: 'which', short: 'as', long: 'all', source: 'which(1)' },
  { names: 'whereis', short: 'bms', source: 'whereis(1)' },
  { names: 'type', short: 'afptP', source: 'Bash manual, 4.2' },
  {
    names: 'ps',
    short: 'AadeflFHjLMNrTuwxyo:p:C:u:U:t:g:G:s:O:',
    long: 'pid: ppid: user: sort: format: forest no-headers headers',
    source: 'ps(1), procps',
  },
  { names: 'pgrep', short: 'acdfg:G:iLlnoP:s:t:u:U:vx', source: 'pgrep(1), procps' },
  { names: 'free', short: 'bkmghltwv', long: 'human total wide', source: 'free(1), procps' },
  { names: 'lscpu lsblk', short: 'abefJlmnO:o:pPrSt', long: 'json all output:', source: 'util-linux manuals' },
  { names: 'cal', short: '13jmsyn:', source: 'cal(1)' },
  { names: 'zcat xzcat bzcat', source: 'gzip manual' },
  { names: 'sha256 md5', short: 'qrs:', source: 'md5(1), FreeBSD and macOS' },
];

/** Programs that only print their version with the one listed option. */
export const versions: ReadonlySet<string> = new Set([
  'node --version',
  'node -v',
  'python --version',
  'python -V',
  'python3 --version',
  'python3 -V',
  'git --version',
  'git version',
  'bash --version',
  'rg --version',
  'jq --version',
  'ruby --version',
  'perl --version',
  'perl -v',
  'php --version',
  'gcc --version',
  'make --version',
  'docker --version',
]);

const rows = new Map(reading.flatMap((row) => row.names.split(' ').map((name) => [name, row])));

/** Returns the row of a program that reads. */
export function readingRow(name: string): ReadingRow | undefined {
  return rows.get(name);
}

/** Programs with an option outside their row that writes or runs something, so that unknown operands could switch it on. */
const riskyOperands: ReadonlySet<string> = new Set(
  'file tree date type ps jq cal nm size readelf strings base64 base32 zcat xzcat bzcat'.split(' '),
);

/** True when no option or operand whatever makes the program write or run something. */
export function isHarmless(name: string): boolean {
  const row = rows.get(name);
  return row !== undefined && !row.writes && !row.runs && row.mostOperands === undefined && !riskyOperands.has(name);
}
