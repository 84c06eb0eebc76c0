import type { Word } from './words.ts';

/**
 * The options of a program in the notation of getopt: after `:` an option takes a value, after `::` it may have one attached.
 * `#` among the short ones stands for a number such as `-5`.
 */
export interface OptionTable {
  /** Letters, for example `n:qv`. */
  readonly short?: string;
  /** Names without dashes and between blanks, for example `lines: quiet color::`. */
  readonly long?: string;
}

/** The words of a command after its name, by what they are. */
export interface ParsedWords {
  readonly options: readonly { readonly name: string; readonly value: Word | undefined }[];
  readonly operands: readonly Word[];
  /** The first option that the table does not have, or that lacks its value. */
  readonly unknown: string | undefined;
}

/**
 * Splits words into options and operands. A word that is not known counts as an operand. With `stops` the first operand ends the
 * options, as in a program that starts another one.
 */
export function parseWords(words: readonly Word[], table: OptionTable, stops = false): ParsedWords {
  const options: { name: string; value: Word | undefined }[] = [];
  const operands: Word[] = [];
  let unknown: string | undefined;
  const take = (
    name: string,
    kind: number | undefined,
    attached: string | undefined,
    next: Word | undefined,
  ): boolean => {
    const uses = kind === 1 && attached === undefined;
    if (kind === undefined || (kind === 0 && attached !== undefined) || (uses && next === undefined)) unknown ??= name;
    const value = attached === undefined ? (uses ? next : undefined) : { raw: attached, value: attached };
    options.push({ name, value });
    return uses;
  };
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at];
    const value = word?.value;
    if (!word) break;
    if (value === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (value === undefined || value === '-' || !value.startsWith('-')) {
      if (stops) {
        operands.push(...words.slice(at));
        break;
      }
      operands.push(word);
    } else if (value.startsWith('--')) {
      const [, name = '', attached] = /^--([^=]*)(?:=([^]*))?$/.exec(value) ?? [];
      if (take(name, longKind(table, name), attached, words[at + 1])) at += 1;
    } else if (table.short?.includes('#') && /^-\d+$/.test(value)) options.push({ name: '#', value: undefined });
    else {
      for (let letter = 1; letter < value.length; letter += 1) {
        const name = value[letter] ?? '';
        const kind = shortKind(table, name);
        const rest = kind === 0 || kind === undefined ? '' : value.slice(letter + 1);
        if (take(name, kind, rest === '' ? undefined : rest, words[at + 1])) at += 1;
        if (kind === 1 || kind === 2) break;
      }
    }
  }
  return { options, operands, unknown };
}

/** 0 without a value, 1 with one, 2 with one that is attached or left out; undefined when there is no such option. */
function shortKind({ short = '' }: OptionTable, name: string): number | undefined {
  const at = short.indexOf(name);
  if (at < 0 || !/[A-Za-z0-9]/.test(name)) return undefined;
  return /^:*/.exec(short.slice(at + 1))?.[0].length;
}

function longKind({ long = '' }: OptionTable, name: string): number | undefined {
  const found = long.split(' ').find((each) => each.replace(/:+$/, '') === name && name !== '');
  return found === undefined ? undefined : found.length - name.length;
}

/** True when an option is one of the named ones; a long one may be shortened, as getopt of GNU and of git allows. */
export function isOption(name: string, names: string | undefined): boolean {
  return (names ?? '')
    .split(' ')
    .some((each) => each !== '' && (each === name || (each.length > 1 && name.length > 1 && each.startsWith(name))));
}
