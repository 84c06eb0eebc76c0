import { type CommandContext, targetOf } from './context.ts';
import { parseWords } from './options.ts';
import { isHarmless } from './tables/reading.ts';
import { atLeast, both, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

/** Tests and actions of `find` that only read, with the number of words that follow. Source: the GNU findutils manual. */
const predicates: Readonly<Record<string, number>> = {
  ...counts(
    '-H -L -P -a -and -o -or -not ! ( ) , -depth -d -xdev -mount -daystart -follow -noleaf -empty -print -print0 -ls -prune -quit -true -false -readable -writable -executable -nouser -nogroup -warn -nowarn -ignore_readdir_race',
    0,
  ),
  ...counts(
    '-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat -newerct -maxdepth -mindepth -perm -user -group -uid -gid -links -inum -samefile -fstype -printf -used -context',
    1,
  ),
};

function counts(names: string, count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, count]));
}

/** Judges `find` with its words, the name included. */
export async function judgeFind(words: readonly Word[], context: CommandContext): Promise<Judgement> {
  let found = judged('reads', '`find` only lists files');
  const links = words.findIndex(({ value }, at) => at > 0 && !['-H', '-L', '-P'].includes(value ?? ''));
  const first = links < 0 ? words.length : links;
  const end = words.findIndex(({ value }, at) => at >= first && isExpression(value));
  const starts = words.slice(first, end < 0 ? undefined : end);
  const targets =
    starts.length === 0 ? [targetOf({ raw: '.', value: '.' }, context)] : starts.map((each) => targetOf(each, context));
  for (let at = first + starts.length; at < words.length; at += 1) {
    const name = words[at]?.value;
    const arity = name === undefined ? undefined : predicates[name];
    if (name === undefined) found = both(found, judged('runs', 'a word of `find` is not known'));
    else if (name === '-delete') found = both(found, judged('writes', '`find -delete` deletes files', { targets }));
    else if (/^-fprint(?:0|f)?$|^-fls$/.test(name)) {
      const file = targetOf(words[at + 1], context);
      found = both(found, judged('writes', `\`find ${name}\` writes into a file`, { targets: [file] }));
      at += name === '-fprintf' ? 2 : 1;
    } else if (/^-(?:exec|execdir|ok|okdir)$/.test(name)) {
      const last = words.findIndex(({ value }, index) => index > at && (value === ';' || value === '+'));
      const inner = words.slice(at + 1, last < 0 ? undefined : last);
      found = both(found, await judgeForEach(inner, isPlace, `find ${name}`, context));
      at = last < 0 ? words.length : last;
    } else if (arity === undefined) found = both(found, judged('runs', `\`find ${name}\` is not known`));
    else {
      if (words.slice(at, at + arity + 1).some(({ value }) => value === undefined)) {
        found = both(found, judged('runs', 'a word of `find` is not known'));
      }
      at += arity;
    }
  }
  if (starts.some(({ value }) => value === undefined))
    found = both(found, judged('runs', 'a folder of `find` is not known'));
  return found;
}

/** The folders of `find` come first, up to the first word that begins an expression. */
function isExpression(value: string | undefined): boolean {
  return value !== undefined && (value.startsWith('-') || ['!', '(', ')', ','].includes(value));
}

/** `{}` stands for a file name that is not known. */
const isPlace = ({ value }: Word): boolean => value?.includes('{}') ?? false;

/**
 * Judges a command that is run for names which are not known. A program without any option that writes or runs something reads
 * whatever the names are; every other one runs something at least.
 */
async function judgeForEach(
  words: readonly Word[],
  isName: (word: Word) => boolean,
  by: string,
  context: CommandContext,
): Promise<Judgement> {
  const [first] = words;
  const name = first && !isName(first) ? first.value : undefined;
  if (name === undefined || name.includes('=')) {
    return judged('runs', `\`${by}\` starts a program that is not known`);
  }
  if (isHarmless(name)) {
    const known = words.map((word): Word => (isName(word) ? { raw: word.raw, value: './name' } : word));
    return context.judge(known, context);
  }
  const unknown = words.map((word): Word => (isName(word) ? { raw: word.raw, value: undefined } : word));
  const found = await context.judge([...unknown, { raw: '{}', value: undefined }], context);
  return atLeast('runs', `\`${by}\` gives \`${name}\` names that are not known`, found);
}

/** Options of xargs without the command that follows them. Source: the GNU findutils manual. */
const xargsOptions = {
  short: '0rtxE:e::I:i::L:l::n:P:s:d:a:',
  long: 'null no-run-if-empty verbose exit delimiter: arg-file: max-args: max-procs: max-chars: max-lines:: replace:: eof::',
};

/** Judges `xargs` with its words, the name included. */
export async function judgeXargs(words: readonly Word[], context: CommandContext): Promise<Judgement> {
  const { options, operands, unknown } = parseWords(words.slice(1), xargsOptions, true);
  const places = options.filter(({ name }) => name === 'I' || name === 'i' || name === 'replace');
  const marks = places.map(({ value }) => (value ? value.value : '{}'));
  const isReplaced = ({ value }: Word): boolean => marks.some((mark) => mark === undefined || value?.includes(mark));
  if (operands.length === 0)
    return unknown === undefined
      ? judged('reads', '`xargs` prints its input')
      : judged('runs', 'an option of `xargs` is not known');
  const found = await judgeForEach(operands, isReplaced, 'xargs', { ...context, hasInput: true, inputText: undefined });
  return unknown === undefined ? found : atLeast('runs', 'an option of `xargs` is not known', found);
}

/** Options of fd. Source: fd --help, version 10. */
const fdOptions = {
  short: 'HIuUsigFapLd:t:e:E:c:S:l01qhj:x:X:',
  long: 'hidden no-ignore unrestricted case-sensitive ignore-case glob fixed-strings absolute-path full-path follow max-depth: min-depth: type: extension: exclude: color: size: changed-within: changed-before: owner: list-details print0 max-results: quiet exec: exec-batch: strip-cwd-prefix',
};

/** Judges `fd` with its words, the name included. */
export async function judgeFd(words: readonly Word[], context: CommandContext): Promise<Judgement> {
  const at = words.findIndex(
    ({ value }) => value !== undefined && /^(?:-[A-Za-z]*[xX]|--exec(?:-batch)?(?:=[^]*)?)/.test(value),
  );
  if (at > 0) return judgeForEach(words.slice(at + 1), isPlace, 'fd -x', context);
  const parsed = parseWords(words.slice(1), fdOptions);
  const isKnown = parsed.unknown === undefined && words.every(({ value }) => value !== undefined);
  return isKnown ? judged('reads', '`fd` only lists files') : judged('runs', 'an option of `fd` is not known');
}
