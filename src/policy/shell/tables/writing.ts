import type { OptionTable } from '../options.ts';

/** Programs that change files. */
export interface WritingRow extends OptionTable {
  readonly names: string;
  /** What it does, as the end of a sentence that begins with the command. */
  readonly effect: string;
  /**
   * The operands that are written: all of them, the last one, those after the first one, or none of them, since it writes files
   * that the command line does not name.
   */
  readonly targets: 'all' | 'last' | 'afterFirst' | 'anywhere';
  readonly source: string;
}

/** Programs that write only with one of the listed options, and otherwise run something. */
export interface WritingOption {
  readonly names: string;
  /** Short and long options without dashes. */
  readonly options: string;
  readonly effect: string;
  readonly source: string;
}

const coreutils = 'GNU coreutils manual';

/** Programs that write whatever their options are. */
export const writing: readonly WritingRow[] = [
  {
    names: 'rm',
    effect: 'deletes files',
    targets: 'all',
    short: 'dfiIrRvx',
    long: 'dir force interactive:: one-file-system no-preserve-root preserve-root:: recursive verbose',
    source: coreutils,
  },
  {
    names: 'rmdir',
    effect: 'deletes folders',
    targets: 'all',
    short: 'pv',
    long: 'ignore-fail-on-non-empty parents verbose',
    source: coreutils,
  },
  { names: 'unlink', effect: 'deletes a file', targets: 'all', source: coreutils },
  {
    names: 'shred srm trash trash-put',
    effect: 'destroys files',
    targets: 'all',
    short: 'fn:s:uvxz',
    source: coreutils,
  },
  {
    names: 'mv',
    effect: 'moves files',
    targets: 'all',
    short: 'bfinS:t:Tuv',
    long: 'backup:: force interactive no-clobber strip-trailing-slashes suffix: target-directory: no-target-directory update:: verbose',
    source: coreutils,
  },
  {
    names: 'cp',
    effect: 'writes copies',
    targets: 'last',
    short: 'abdfHilLnPpRrsS:t:Tuvxc',
    long: 'archive attributes-only backup:: copy-contents force interactive link dereference no-clobber no-dereference preserve:: no-preserve: parents recursive reflink:: remove-destination sparse: strip-trailing-slashes symbolic-link suffix: target-directory: no-target-directory update:: verbose one-file-system',
    source: coreutils,
  },
  {
    names: 'ln link',
    effect: 'writes a link',
    targets: 'last',
    short: 'bdfFiLnPrsS:t:Tv',
    long: 'backup:: force interactive logical no-dereference physical relative symbolic suffix: target-directory: verbose',
    source: coreutils,
  },
  {
    names: 'install ginstall',
    effect: 'writes copies',
    targets: 'last',
    short: 'bcCdDg:m:o:pS:sTt:v',
    source: coreutils,
  },
  {
    names: 'touch',
    effect: 'creates files or changes their times',
    targets: 'all',
    short: 'acd:fhmr:t:',
    long: 'no-create date: no-dereference reference: time:',
    source: coreutils,
  },
  {
    names: 'truncate',
    effect: 'changes the size of files',
    targets: 'all',
    short: 'cor:s:',
    long: 'no-create io-blocks reference: size:',
    source: coreutils,
  },
  {
    names: 'mkdir',
    effect: 'creates folders',
    targets: 'all',
    short: 'm:pvZ',
    long: 'mode: parents verbose',
    source: coreutils,
  },
  { names: 'mkfifo mknod', effect: 'creates special files', targets: 'all', short: 'm:Z', source: coreutils },
  { names: 'mktemp', effect: 'creates a file or folder', targets: 'anywhere', source: coreutils },
  {
    names: 'chmod',
    effect: 'changes modes',
    targets: 'afterFirst',
    short: 'cfvR',
    long: 'changes quiet silent verbose recursive reference:',
    source: coreutils,
  },
  {
    names: 'chown chgrp',
    effect: 'changes owners',
    targets: 'afterFirst',
    short: 'cfvRhHLP',
    long: 'changes quiet verbose recursive dereference no-dereference',
    source: coreutils,
  },
  {
    names: 'tee',
    effect: 'writes its input into files',
    targets: 'all',
    short: 'aip',
    long: 'append ignore-interrupts output-error::',
    source: coreutils,
  },
  { names: 'split csplit', effect: 'writes parts of a file', targets: 'anywhere', source: coreutils },
  {
    names: 'chattr setfacl setfattr chflags xattr',
    effect: 'changes attributes of files',
    targets: 'anywhere',
    source: 'chattr(1), setfacl(1), xattr(1)',
  },
  { names: 'patch', effect: 'applies a patch to files', targets: 'anywhere', source: 'GNU patch manual' },
  { names: 'rsync', effect: 'copies or deletes files', targets: 'last', source: 'rsync(1)' },
  { names: 'scp rcp', effect: 'copies files', targets: 'last', source: 'scp(1)' },
  { names: 'unzip unrar unar 7z 7za 7zr', effect: 'unpacks files', targets: 'anywhere', source: 'unzip(1), 7z manual' },
  { names: 'zip ar ranlib', effect: 'writes an archive', targets: 'anywhere', source: 'zip(1), GNU binutils manual' },
  {
    names: 'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma zstd unzstd lz4 compress uncompress brotli pigz',
    effect: 'replaces files by packed or unpacked ones',
    targets: 'anywhere',
    source: 'gzip manual, xz(1), zstd(1)',
  },
  { names: 'cpio pax', effect: 'copies files to or from an archive', targets: 'anywhere', source: 'cpio(1), pax(1)' },
  {
    names: 'sponge',
    effect: 'writes its input into a file',
    targets: 'all',
    short: 'a',
    source: 'sponge(1), moreutils',
  },
  { names: 'rename prename mmv', effect: 'renames files', targets: 'anywhere', source: 'rename(1)' },
  {
    names: 'ed ex vi vim nvim view emacs nano pico micro joe',
    effect: 'starts an editor that can change files',
    targets: 'anywhere',
    source: 'POSIX, ed(1), vi(1)',
  },
  {
    names: 'wget wget2',
    effect: 'writes what it downloads into files',
    targets: 'anywhere',
    source: 'GNU wget manual',
  },
  { names: 'aria2c', effect: 'writes what it downloads into files', targets: 'anywhere', source: 'aria2c(1)' },
  { names: 'crontab at batch', effect: 'plans commands for later', targets: 'anywhere', source: 'crontab(1), at(1)' },
  {
    names: 'mkfs mke2fs fdisk parted mkswap wipefs mount umount losetup',
    effect: 'changes file systems',
    targets: 'anywhere',
    source: 'util-linux manuals',
  },
  {
    names: 'useradd userdel usermod passwd chsh visudo',
    effect: 'changes accounts',
    targets: 'anywhere',
    source: 'shadow manuals',
  },
  { names: 'ditto defaults plutil', effect: 'changes files or settings', targets: 'anywhere', source: 'macOS manuals' },
  { names: 'dos2unix unix2dos', effect: 'changes line ends in place', targets: 'all', source: 'dos2unix(1)' },
  { names: 'debugfs dmsetup', effect: 'changes file systems', targets: 'anywhere', source: 'debugfs(8), dmsetup(8)' },
  { names: 'sudoedit vipw', effect: 'edits a file', targets: 'all', source: 'sudo(8)' },
];

/** Options that make a program write which otherwise runs something. */
export const writingOptions: readonly WritingOption[] = [
  {
    names: 'curl',
    options:
      'o O J D c output output-dir remote-name remote-name-all remote-header-name dump-header cookie-jar trace trace-ascii stderr etag-save hsts alt-svc libcurl create-dirs',
    effect: 'writes what it downloads into a file',
    source: 'curl(1)',
  },
  { names: 'prettier', options: 'w write', effect: 'changes files in place', source: 'Prettier documentation, CLI' },
  {
    names: 'eslint oxlint stylelint biome standard',
    options: 'fix fix-dry-run fix-suggestions write apply',
    effect: 'changes files in place',
    source: 'ESLint documentation, CLI',
  },
  { names: 'gofmt goimports', options: 'w', effect: 'changes files in place', source: 'gofmt documentation' },
  {
    names: 'clang-format yq',
    options: 'i inplace in-place',
    effect: 'changes files in place',
    source: 'clang-format and yq documentation',
  },
  { names: 'ruff', options: 'fix fix-only', effect: 'changes files in place', source: 'Ruff documentation' },
  { names: 'perl', options: 'i', effect: 'changes files in place', source: 'perlrun' },
  { names: 'ruby', options: 'i', effect: 'changes files in place', source: 'ruby(1)' },
  {
    names: 'less more most',
    options: 'o O log-file LOG-FILE',
    effect: 'writes its input into a file',
    source: 'less(1)',
  },
  { names: 'sdiff', options: 'o output', effect: 'writes the merged file', source: 'GNU diffutils manual' },
];

/** Programs that change files in place without any option. */
export const formatters: ReadonlySet<string> = new Set('black isort autopep8 yapf rustfmt autoflake'.split(' '));

const rows = new Map(writing.flatMap((row) => row.names.split(' ').map((name) => [name, row])));
const optionRows = new Map(writingOptions.flatMap((row) => row.names.split(' ').map((name) => [name, row])));

/** Returns the row of a program that writes. On some systems the name of a program may be written in capitals. */
export function writingRow(name: string): WritingRow | undefined {
  return rows.get(name.toLowerCase());
}

/** Returns the options with which a program writes. */
export function writingOption(name: string): WritingOption | undefined {
  return optionRows.get(name.toLowerCase());
}
