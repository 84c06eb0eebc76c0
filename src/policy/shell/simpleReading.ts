/** A simple command, as the offsets of its words: [start, end) in UTF-16 code units. */
export type SimpleCommand = readonly (readonly [start: number, end: number])[];

/** Words that open or continue a construct, where a command may follow. */
const neutralKeywords: ReadonlySet<string> = new Set('if then elif else fi while until do done { } !'.split(' '));
/** Words that begin what this reader does not read. */
const otherKeywords: ReadonlySet<string> = new Set('case esac for in select function coproc [[ ]]'.split(' '));
const operators = ['&&', '||', '|', ';', '&', '\n', '(', ')'];

/**
 * Reads the simple commands of a text in a small part of bash: words, quotes without expansions, lists, pipelines, subshells and
 * redirections to `/dev/null` and between descriptors. Returns undefined when the text holds anything else.
 *
 * It knows nothing of the parser: a command line counts as reading only when both see the same commands, so that an error in
 * the grammar hides no command. Source: the Bash manual, sections 3.1 and 3.2.
 */
export function readSimpleCommands(text: string): readonly SimpleCommand[] | undefined {
  const commands: SimpleCommand[] = [];
  let words: (readonly [number, number])[] = [];
  const end = (): void => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  for (let at = 0; at < text.length;) {
    const blank = /^(?:[ \t]|\\\n)+/.exec(text.slice(at))?.[0] ?? '';
    at += blank.length;
    const rest = text.slice(at);
    if (rest === '') break;
    const isStart = at === 0 || /[ \t\n;&|()]/.test(text[at - 1] ?? '');
    const redirection = /^(?:[12]?>>?[ \t]*\/dev\/null|&>[ \t]*\/dev\/null|[12]?>&[12])(?=$|[ \t\n;&|)])/.exec(rest);
    const operator = operators.find((each) => rest.startsWith(each));
    if (rest.startsWith('#') && isStart) at += /^[^\n]*/.exec(rest)?.[0].length ?? 0;
    else if (redirection) {
      // A number directly before `>` names a descriptor; a word that ends in a number is no such thing.
      if (!isStart || words.length === 0) return undefined;
      at += redirection[0].length;
    } else if (operator !== undefined) {
      if (operator === '(' && words.length > 0) return undefined;
      end();
      at += operator.length;
    } else {
      const length = wordLength(rest);
      if (length === undefined || !isStart) return undefined;
      const word = rest.slice(0, length);
      if (words.length === 0 && otherKeywords.has(word)) return undefined;
      if (words.length > 0 || !neutralKeywords.has(word)) words.push([at, at + length]);
      at += length;
    }
  }
  end();
  return commands;
}

/** Returns the length of the word at the start of the text; undefined when it is not closed or holds what is not read. */
function wordLength(text: string): number | undefined {
  const word = /^(?:[^\s\\'"`$<>|;&()*?[]|\\[^]|'[^']*'|"(?:[^"\\`]|\\[^])*")+/.exec(text)?.[0];
  return word === undefined || !/^$|^[\s|;&)>]/.test(text.slice(word.length)) ? undefined : word.length;
}
