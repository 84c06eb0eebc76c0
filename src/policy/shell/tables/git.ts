import type { OptionTable } from '../options.ts';

/** A subcommand of git that reads, with its options. */
export interface GitRow extends OptionTable {
  readonly names: string;
  readonly writes?: string;
  readonly runs?: string;
}

/*
 * Source of all rows: the documentation of git 2.47, https://git-scm.com/docs.
 *
 * A pager runs only for a terminal, which the commands of an assistant do not have; `--paginate` and `git grep -O` ask for one.
 * A name in the configuration cannot replace a subcommand of git. `diff`, `show`, `log -p`, `blame` and `grep` run a textconv or
 * external diff program, and `status` a file system monitor, only where the configuration of the user or of the clone names one:
 * `.gitattributes` alone, which a repository brings along, names none. Such a program was chosen by the user, and a change of
 * the configuration is a write of its own. So these read, as long as the command stays in the folder in which it started: any
 * other folder, `-C`, `--git-dir` and `-c` may bring a configuration that came with files (an embedded bare repository).
 */

const output = 'output: ext-diff textconv no-ext-diff no-textconv';
const diffLong = `${output} patch no-patch unified: raw patch-with-raw patch-with-stat indent-heuristic minimal patience histogram diff-algorithm: anchored: stat:: compact-summary numstat shortstat dirstat:: cumulative summary name-only name-status submodule:: color:: no-color color-moved:: word-diff:: word-diff-regex: color-words:: no-renames rename-empty check full-index binary abbrev:: break-rewrites:: find-renames:: find-copies:: find-copies-harder irreversible-delete diff-filter: pickaxe-all pickaxe-regex relative:: no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines: inter-hunk-context: function-context exit-code quiet ignore-submodules:: src-prefix: dst-prefix: no-prefix line-prefix: staged cached merge-base no-index combined-all-paths diff-merges:`;
const diffShort = 'puU:sXabwWRzM::DC::B::l:S:G:O:r';
const logLong = `${diffLong} follow no-decorate decorate:: decorate-refs: source mailmap log-size max-count: skip: since: after: until: before: author: committer: grep: all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp merges no-merges min-parents: max-parents: first-parent not all branches:: tags:: remotes:: glob: exclude: reflog walk-reflogs cherry-pick left-only right-only cherry left-right boundary simplify-by-decoration full-history dense sparse simplify-merges ancestry-path:: date-order author-date-order topo-order reverse no-walk:: pretty:: format: abbrev-commit no-abbrev-commit oneline encoding: expand-tabs:: notes:: no-notes date: parents children graph relative-date count objects`;
const logShort = `${diffShort}n:giEFPLc#m`.replace('L', 'L:');

/** Subcommands that read with these options; any other option makes the command run something. */
export const gitReading: readonly GitRow[] = [
  {
    names: 'status',
    short: 'sbvuMz',
    long: 'short branch porcelain:: long verbose untracked-files:: ignored:: ignore-submodules:: column:: no-column ahead-behind no-ahead-behind renames no-renames find-renames:: show-stash',
  },
  {
    names: 'diff diff-tree diff-index diff-files range-diff',
    short: diffShort,
    long: `${diffLong} root stdin always`,
    writes: 'output',
    runs: 'ext-diff textconv',
  },
  {
    names: 'log show whatchanged',
    short: logShort,
    long: logLong,
    writes: 'output',
    runs: 'ext-diff textconv show-signature',
  },
  {
    names: 'shortlog',
    short: 'nsec',
    long: 'numbered summary email committer group: since: until: after: before: author: no-merges all format:',
  },
  { names: 'rev-list', short: logShort, long: `${logLong} disk-usage:: timestamp`, writes: 'output' },
  {
    names: 'blame annotate',
    short: 'bL:lstS:pMCcenfwh#',
    long: 'root show-stats reverse: porcelain line-porcelain incremental date: score-debug show-name show-number show-email abbrev: color-lines color-by-age ignore-rev: ignore-revs-file: first-parent contents:',
  },
  {
    names: 'ls-files',
    short: 'zcdomiskut:vfx:X:',
    long: 'cached deleted modified others ignored stage directory no-empty-directory unmerged killed exclude: exclude-from: exclude-per-directory: exclude-standard error-unmatch full-name recurse-submodules abbrev:: debug eol deduplicate format:',
  },
  {
    names: 'ls-tree',
    short: 'drtlz',
    long: 'long name-only name-status object-only full-name full-tree abbrev:: format:',
  },
  {
    names: 'grep',
    short: 'aIiwvhHEGPFnlLzocpWe:A:B:C:m:rO::#',
    long: 'cached no-index untracked no-exclude-standard exclude-standard recurse-submodules text ignore-case max-depth: recursive no-recursive word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match null only-matching count color:: no-color break heading show-function context: after-context: before-context: function-context max-count: threads: and or not all-match quiet open-files-in-pager:: textconv',
    runs: 'O open-files-in-pager textconv',
  },
  {
    names: 'rev-parse',
    short: 'q',
    long: 'abbrev-ref:: short:: verify quiet symbolic symbolic-full-name all branches:: tags:: remotes:: git-dir git-common-dir absolute-git-dir is-inside-git-dir is-inside-work-tree is-bare-repository is-shallow-repository show-cdup show-prefix show-toplevel show-superproject-working-tree path-format: git-path: local-env-vars revs-only no-revs flags no-flags sq not since: until: default: show-object-format::',
  },
  {
    names: 'describe',
    long: 'dirty:: broken:: all tags contains abbrev: candidates: exact-match debug long match: exclude: always first-parent',
  },
  { names: 'cat-file', short: 'tsep', long: 'batch-check:: batch:: batch-all-objects buffer unordered' },
  { names: 'merge-base', short: 'a', long: 'all octopus independent is-ancestor fork-point' },
  { names: 'name-rev', long: 'tags refs: exclude: all name-only no-undefined always' },
  { names: 'show-ref', short: 'dqs', long: 'head heads tags branches dereference hash:: verify exists abbrev:: quiet' },
  {
    names: 'for-each-ref',
    long: 'count: sort: format: color:: points-at: merged:: no-merged:: contains:: no-contains:: ignore-case omit-empty exclude:',
  },
  { names: 'count-objects', short: 'vH', long: 'verbose human-readable' },
  { names: 'cherry', short: 'v', long: 'abbrev:' },
  { names: 'check-ignore', short: 'qvnz', long: 'quiet verbose non-matching no-index stdin' },
  { names: 'check-attr', short: 'az', long: 'all cached stdin source:' },
  { names: 'var', short: 'l' },
];

/** Subcommands that read with the listed first operand and these options only, such as `git stash list`. */
export const gitListing: Readonly<Record<string, { readonly first: string; readonly row: OptionTable }>> = {
  stash: {
    first: 'list show',
    row: { short: 'pu#n:', long: 'stat patch name-only name-status oneline include-untracked numstat' },
  },
  worktree: { first: 'list', row: { short: 'vz', long: 'porcelain verbose' } },
  reflog: { first: 'show exists', row: { short: 'n:#', long: 'date: oneline all max-count: pretty: format:' } },
  remote: { first: 'get-url', row: { short: 'v', long: 'verbose all push' } },
  notes: { first: 'list show', row: { long: 'ref:' } },
  bisect: { first: 'log', row: {} },
  'sparse-checkout': { first: 'list', row: {} },
  config: {
    first: 'get list',
    row: {
      long: 'all regexp: show-origin show-scope global local system worktree includes type: null name-only',
      short: 'z',
    },
  },
};

/** Subcommands that read without operands and with these options: with an operand, they create something. */
export const gitListingAlone: Readonly<Record<string, OptionTable>> = {
  branch: {
    short: 'avrvq',
    long: 'all verbose remotes show-current list no-color color:: sort: format: column:: no-column merged no-merged ignore-case abbrev: points-at: contains no-contains',
  },
  tag: {
    short: 'ln::',
    long: 'list sort: format: color:: column:: no-column ignore-case merged no-merged contains no-contains points-at:',
  },
  remote: { short: 'v', long: 'verbose' },
  reflog: { short: 'n:#', long: 'date: oneline all max-count: pretty: format:' },
};

/** Options after which `git branch` and `git tag` list, so that an operand is a pattern or a commit. */
export const gitListingOptions = 'l list merged no-merged contains no-contains points-at';

/** Options with which `git config` reads; any other use changes the configuration, which can name programs. */
export const gitConfigReading = 'get get-all get-regexp get-urlmatch list l get-color get-colorbool';

/** Subcommands that change files, the index, refs or the configuration, so that work can be lost or programs configured. */
export const gitWriting: readonly (readonly [names: string, effect: string])[] = [
  ['checkout checkout-index restore', 'overwrites files of the work tree'],
  ['reset', 'moves the branch and may overwrite files'],
  ['clean', 'deletes untracked files'],
  ['stash', 'takes changes out of the work tree or puts them back'],
  ['apply am', 'applies patches to files'],
  ['switch bisect', 'changes files to those of another commit'],
  [
    'merge merge-file merge-index merge-one-file pull cherry-pick revert rerere subtree lfs',
    'changes files of the work tree',
  ],
  ['rebase', 'changes files and rewrites commits'],
  ['rm', 'deletes files'],
  ['mv', 'moves files'],
  ['read-tree update-index', 'changes the index and may change files'],
  ['sparse-checkout', 'adds or deletes files of the work tree'],
  ['worktree', 'creates or deletes work trees'],
  ['submodule', 'changes the files of submodules'],
  ['filter-branch filter-repo', 'rewrites all commits'],
  ['fast-import replace', 'writes into the repository'],
  ['clone init', 'creates a repository'],
  ['update-ref symbolic-ref', 'changes refs'],
  ['branch', 'creates, moves or deletes a branch'],
  ['tag', 'creates or deletes a tag'],
  ['remote', 'changes the configuration of remotes'],
  ['config', 'changes the configuration, which can name programs'],
  ['notes', 'changes notes'],
  ['gc prune repack maintenance', 'deletes or rewrites objects'],
  ['reflog', 'deletes entries of the reflog'],
  ['archive bundle', 'may write an archive'],
  ['format-patch mailsplit mailinfo unpack-file', 'writes files'],
  ['difftool mergetool', 'starts a program that can change files'],
];

const writingRows = new Map(gitWriting.flatMap(([names, effect]) => names.split(' ').map((name) => [name, effect])));

/** Returns what a subcommand that writes does, as the end of a sentence; undefined for another one. */
export function gitEffect(name: string): string | undefined {
  return writingRows.get(name);
}

const rows = new Map(gitReading.flatMap((row) => row.names.split(' ').map((name) => [name, row])));

/** Returns the row of a subcommand that reads. */
export function gitReadingRow(name: string): GitRow | undefined {
  return rows.get(name);
}
