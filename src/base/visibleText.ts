/** A run of text, or (`escaped`) characters that would not be seen, written as `<U+XXXX>`. */
export interface TextPart {
  readonly text: string;
  readonly escaped?: true;
}

/**
 * Characters that draw nothing, reorder their neighbours or pass for a space (threat row A5): controls other than tab and
 * line feed, every separator but the space, lone surrogates, all default-ignorable code points (bidi controls, zero-width,
 * soft hyphen, variation selectors, the tag block), interlinear marks, the blank Braille pattern.
 * Runs are bounded: a long one overflows the stack of the regular expression engine.
 */
const hidden = /[[\p{Cc}\p{Z}\p{Cs}\p{DI}\u{FFF9}-\u{FFFB}\u{2800}]--[\t\n ]]{1,100}/gv;

/** Selectors and joiners that belong to an emoji before them: escaped like the rest, but no reason to warn. */
const emojiGlue = /(?<=\p{Extended_Pictographic}\p{EMod}?\u{FE0F}?)[\u{FE0E}\u{FE0F}\u{200D}]/gv;

/** Splits a text so that everything in it can be seen. Nothing is dropped: an escape names each hidden character. */
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

/** The text on one line with every hidden character escaped: for titles, names, notifications and logs. */
export function plain(text: string): string {
  return text.replaceAll(/[\t\n]/g, ' ').replaceAll(hidden, escape);
}

/** Which hidden characters a text has, as `<U+XXXX>`, each once, in order. Those that build an emoji are left out. */
export function hiddenCharacters(text: string): string[] {
  const found = new Set<string>();
  for (const [run] of text.replaceAll(emojiGlue, '').matchAll(hidden)) {
    for (const character of run) found.add(escape(character));
  }
  return [...found];
}

/** Every character as `<U+XXXX>`. */
export function escape(characters: string): string {
  return Array.from(characters, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  }).join('');
}

/** Cut between characters, with an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = Array.from(text.slice(0, length * 4));
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
