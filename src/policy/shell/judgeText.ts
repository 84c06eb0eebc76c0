import { type CommandContext, targetOf } from './context.ts';
import { isOption, parseWords } from './options.ts';
import { both, type Judgement, judged } from './verdict.ts';
import type { Word } from './words.ts';

/** Options of sed, of GNU and of BSD. Source: the GNU sed manual, section 2. */
const sedOptions = {
  short: 'nErsuzl:e:f:i::I::',
  long: 'quiet silent expression: file: in-place:: regexp-extended separate unbuffered null-data posix debug sandbox line-length:',
};

/** Judges `sed` with its words, the name included. */
export function judgeSed(words: readonly Word[], context: CommandContext): Judgement {
  const { options, operands, unknown } = parseWords(words.slice(1), sedOptions);
  const given = options.filter(({ name }) => isOption(name, 'e expression'));
  const files = options.filter(({ name }) => isOption(name, 'f file'));
  const script = given.length > 0 || files.length > 0 ? undefined : operands[0];
  const scripts = script ? [script] : given.map(({ value }) => value);
  const inputs = script ? operands.slice(1) : operands;
  let found = judged('reads', '`sed` prints what its script makes of the input');
  if (options.some(({ name }) => isOption(name, 'i I in-place'))) {
    const targets = inputs.length === 0 ? (['anywhere'] as const) : inputs.map((word) => targetOf(word, context));
    found = both(found, judged('writes', '`sed -i` changes files in place', { targets }));
  }
  if (unknown !== undefined) found = both(found, judged('runs', 'an option of `sed` is not known'));
  if (files.length > 0) {
    const read = files.map(({ value }) => targetOf(value, context));
    found = both(found, judged('runs', '`sed -f` runs a script from a file', { scripts: read }));
  }
  for (const each of scripts) found = both(found, judgeSedScript(each?.value));
  return words.some(({ value }) => value === undefined)
    ? both(found, judged('runs', 'a word of `sed` is not known'))
    : found;
}

/**
 * A part of a command of sed up to its delimiter. A bracket must close before the delimiter, because the versions of sed differ in
 * whether a delimiter within brackets counts.
 */
const upTo = (delimiter: string): string =>
  String.raw`(?:[^\\\n\[${delimiter}]|\\.|\[\^?(?:\[:\w+:\]|[^\]\[\n${delimiter}])+\])*`;
/** An address of sed: a line, `$`, a regular expression, or a step. */
const address = String.raw`(?:\d+(?:~\d+)?|\$|/${upTo('/')}/[IM]*|[+~]\d+)`;
const sedStart = new RegExp(String.raw`^[ \t]*(?:${address}(?:[ \t]*,[ \t]*${address})?)?[ \t]*!?[ \t]*`);
const ending = String.raw`(?=[ \t]*(?:$|[;\n}]))`;
const substitution = (delimiter: string): RegExp =>
  new RegExp(
    String.raw`^s${delimiter}${upTo(delimiter)}${delimiter}(?:[^\\\n${delimiter}]|\\.)*${delimiter}[gpiIm\d]*${ending}`,
  );
const sedCommands: readonly RegExp[] = [
  new RegExp(String.raw`^[pdqQ=nNDPhHgGxlz](?:\d+)?${ending}`),
  ...['/', ',', '#', '@', ':', '!', '%', '_', '~', String.raw`\|`, String.raw`\+`].map(substitution),
  new RegExp(String.raw`^y/(?:[^\\\n/]|\\.)*/(?:[^\\\n/]|\\.)*/${ending}`),
];

/** Judges a script of sed by a small part of its language. `w`, `W` and `e` write files or run programs. */
function judgeSedScript(script: string | undefined): Judgement {
  if (script === undefined) return judged('runs', 'the script of `sed` is not known');
  let rest = script;
  while (!/^[ \t;\n{}]*$/.test(rest)) {
    rest = rest.replace(/^[ \t;\n{}]+/, '');
    rest = rest.slice(sedStart.exec(rest)?.[0].length ?? 0).replace(/^\{[ \t\n]*/, '');
    const command = sedCommands.map((pattern) => pattern.exec(rest)?.[0]).find((each) => each !== undefined);
    if (command === undefined) {
      return /^$|^\}/.test(rest) || !/[weWr]/.test(rest)
        ? judged('runs', 'the script of `sed` is not understood', { inlineScripts: [script] })
        : judged('writes', 'the script of `sed` may write files or run programs', {
            inlineScripts: [script],
            targets: ['anywhere'],
          });
    }
    rest = rest.slice(command.length);
  }
  return judged('reads', '`sed` prints what its script makes of the input');
}

/** Options of awk that are shared by gawk, mawk and the one of BSD. Source: the GNU awk manual, "Command-Line Options". */
const awkOptions = { short: 'F:v:f:', long: 'field-separator: assign: file: posix traditional' };

/** Judges `awk` with its words, the name included: its programs can write files, run others and load libraries. */
export function judgeAwk(words: readonly Word[], context: CommandContext): Judgement {
  const { options, operands, unknown } = parseWords(words.slice(1), awkOptions, true);
  const files = options.filter(({ name }) => isOption(name, 'f file'));
  if (files.length > 0) {
    const scripts = files.map(({ value }) => targetOf(value, context));
    return judged('runs', '`awk -f` runs a program from a file', { scripts });
  }
  const program = operands[0]?.value;
  if (program === undefined)
    return judged('writes', 'the program of `awk` is not known, and may write files', { targets: ['anywhere'] });
  if (unknown !== undefined)
    return judged('writes', 'an option of `awk` is not known', { inlineScripts: [program], targets: ['anywhere'] });
  if (/[>|@]|system|getline|close|fflush/.test(program)) {
    return judged('writes', 'the program of `awk` may write files or run programs', {
      inlineScripts: [program],
      targets: ['anywhere'],
    });
  }
  return words.every(({ value }) => value !== undefined)
    ? judged('reads', '`awk` prints what its program makes of the input')
    : judged('runs', 'a word of `awk` is not known');
}
