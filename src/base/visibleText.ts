/** A run of text as it is, or (`escaped`) a run of hidden characters written as `<U+XXXX>`. */
export interface TextPart {
  readonly text: string;
  readonly escaped?: true;
}

/**
 * Matches hidden characters: those that draw nothing, reorder their neighbours or look like a space (threat row A5). These are
 * controls other than tab and line feed, every separator but the space, lone surrogates, all default-ignorable code points
 * (bidi controls, zero-width characters, soft hyphen, variation selectors, the tag block), interlinear marks, and the blank
 * Braille pattern. The length of a run is bounded, since a long run overflows the stack of the regular expression engine.
 */
const hidden = /[[\p{Cc}\p{Z}\p{Cs}\p{DI}\u{FFF9}-\u{FFFB}\u{2800}]--[\t\n ]]{1,100}/gv;

/** Matches selectors and joiners that belong to the emoji before them. They are escaped too, but need no warning. */
const emojiGlue = /(?<=\p{Extended_Pictographic}\p{EMod}?\u{FE0F}?)[\u{FE0E}\u{FE0F}\u{200D}]/gv;

/** Splits a text into visible parts. No character is dropped: an escape names each hidden one. */
export function visibleText(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(hidden)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index) });
    parts.push({ text: escape(match[0]), escaped: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ text: text.slice(end) });
  return parts;
}

/** A range of a text in UTF-16 units, the end excluded. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Blanks in a row that take more room than this, with a tab as four, are drawn as a mark, since text behind them is easily overlooked. */
const mostBlanks = 80;

/** Returns the runs of blanks and tabs of a line that are drawn as a mark. */
export function blankRuns(line: string): TextRange[] {
  return Array.from(line.matchAll(/[ \t]{21,}/g)).flatMap(({ 0: run, index }) =>
    run.replaceAll('\t', '    ').length > mostBlanks ? [{ start: index, end: index + run.length }] : [],
  );
}

/** Returns the mark of a run of blanks, such as `<20000 spaces>`. */
export function blankMark(run: string): string {
  const kind = run.includes('\t') ? (run.includes(' ') ? 'blanks' : 'tabs') : 'spaces';
  return `<${run.length} ${kind}>`;
}

/** Returns the text on one line with every hidden character escaped, for titles, names, notifications and logs. */
export function plain(text: string): string {
  return text.replaceAll(/[\t\n]/g, ' ').replaceAll(hidden, escape);
}

/** Returns the hidden characters of a text as `<U+XXXX>`, each once, in order. Those that form an emoji are left out. */
export function hiddenCharacters(text: string): string[] {
  const found = new Set<string>();
  for (const [run] of text.replaceAll(emojiGlue, '').matchAll(hidden)) {
    for (const character of run) found.add(escape(character));
  }
  return [...found];
}

/** Returns every character as `<U+XXXX>`. */
export function escape(characters: string): string {
  return Array.from(characters, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  }).join('');
}

/** Cuts a text to at most `length` code points, the last of which is then an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 4));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
