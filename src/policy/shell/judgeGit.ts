import { type CommandContext, targetOf } from './context.ts';
import { isOption, parseWords } from './options.ts';
import {
  gitConfigReading,
  gitEffect,
  gitListing,
  gitListingAlone,
  gitListingOptions,
  gitReadingRow,
} from './tables/git.ts';
import { atLeast, type FileTarget, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

/** Options before the subcommand that change nothing. */
const plainOptions: ReadonlySet<string> = new Set(
  '--no-pager -P --no-optional-locks --no-replace-objects --literal-pathspecs --no-lazy-fetch'.split(' '),
);
/** Options before the subcommand that choose another repository or configuration; those with a value in the next word. */
const withValue: ReadonlySet<string> = new Set(
  '-C -c --git-dir --work-tree --namespace --config-env --exec-path --super-prefix'.split(' '),
);

/** Subcommands that change only the index or commits, and run hooks and filters of the configuration. */
const hookRunners: Readonly<Record<string, string>> = {
  add: 'runs the filters of the configuration and changes the index',
  commit: 'runs the hooks of the repository and creates a commit',
  push: 'runs the hooks of the repository and changes another repository',
  fetch: 'runs the transport of a remote',
};

/** Judges `git` with its words, the name included. */
export function judgeGit(words: readonly Word[], context: CommandContext): Judgement {
  let least: string | undefined;
  let at = 1;
  for (; at < words.length; at += 1) {
    const option = words[at]?.value;
    if (option === undefined) return judged('runs', 'a word of `git` is not known');
    if (!option.startsWith('-')) break;
    if (plainOptions.has(option)) continue;
    least ??= `\`git ${option}\` brings another configuration or is not known`;
    if (withValue.has(option)) at += 1;
  }
  const name = words[at]?.value;
  if (name === undefined) return judged('runs', least ?? 'a bare `git` does nothing that is known');
  const found = judgeSubcommand(name, words.slice(at + 1), context);
  if (least !== undefined) return atLeast('runs', least, found);
  return context.folder === context.start
    ? found
    : atLeast('runs', 'another folder may bring its own configuration of git', found);
}

function judgeSubcommand(name: string, words: readonly Word[], context: CommandContext): Judgement {
  const reads = judged('reads', `\`git ${name}\` only reads the repository`);
  const row = gitReadingRow(name);
  if (row) {
    const parsed = parseWords(words, row);
    const written = parsed.options.find((option) => isOption(option.name, row.writes));
    if (written) {
      const targets = [targetOf(written.value, context)];
      return judged('writes', `\`git ${name} --output\` writes into a file`, { targets });
    }
    const run = parsed.options.find((option) => isOption(option.name, row.runs));
    if (run) return judged('runs', `an option of \`git ${name}\` starts a program`);
    const format = parsed.options.find(({ name: option }) => option === 'format' || option === 'pretty');
    if (format?.value?.value?.includes('%G')) return judged('runs', 'the format checks a signature with a program');
    return isUnderstood(parsed, words) ? reads : judged('runs', `an option of \`git ${name}\` is not known`);
  }
  const first = words[0]?.value;
  const listing = gitListing[name];
  if (listing && first !== undefined && listing.first.split(' ').includes(first)) {
    if (isUnderstood(parseWords(words.slice(1), listing.row), words)) return reads;
  }
  const alone = gitListingAlone[name];
  if (alone) {
    const parsed = parseWords(words, alone);
    const lists = parsed.options.some((option) => gitListingOptions.split(' ').includes(option.name));
    if (isUnderstood(parsed, words) && (lists || parsed.operands.length === 0)) return reads;
  }
  if (name === 'config' && isConfigReading(words)) return reads;
  if (name === 'format-patch' && words.some(({ value }) => value === '--stdout')) {
    return judged('runs', '`git format-patch --stdout` is not listed with all its options');
  }
  const effect = gitEffect(name);
  if (effect !== undefined) {
    return judged('writes', `\`git ${name}\` ${effect}`, { targets: writtenBy(name, words, context) });
  }
  return judged('runs', `\`git ${name}\` ${hookRunners[name] ?? 'is not listed as one that only reads'}`);
}

/** Returns the files that a subcommand names as written; most change files that they do not name. */
function writtenBy(name: string, words: readonly Word[], context: CommandContext): readonly FileTarget[] {
  const separator = words.findIndex(({ value }) => value === '--');
  const isNamed = name === 'rm' || name === 'mv' || name === 'restore';
  const named =
    separator >= 0 ? words.slice(separator + 1) : isNamed ? words.filter(({ value }) => !value?.startsWith('-')) : [];
  if (['checkout', ...(isNamed ? [name] : [])].includes(name) && named.length > 0) {
    return named.map((word) => targetOf(word, context));
  }
  return ['anywhere'];
}

function isUnderstood(parsed: ReturnType<typeof parseWords>, words: readonly Word[]): boolean {
  return parsed.unknown === undefined && words.every(({ value }) => value !== undefined);
}

/** True for `git config --get name` and the like: a reading option comes first or after a scope, with at most two operands. */
function isConfigReading(words: readonly Word[]): boolean {
  const scope = 'global local system worktree includes no-includes null name-only show-origin show-scope bool int path';
  const parsed = parseWords(words, { short: 'lz', long: `${scope} ${gitConfigReading} type: default:` });
  return (
    isUnderstood(parsed, words) &&
    parsed.operands.length <= 2 &&
    parsed.options.some((option) => gitConfigReading.split(' ').includes(option.name))
  );
}
