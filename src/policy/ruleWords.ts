import { plain } from '#base/visibleText.ts';

/** Returns names as a list for people. A name that the list could be read with in another way is quoted. */
export function listed(names: readonly string[]): string {
  return names.map((name) => plain(/^[^\s,"]+$/.test(name) ? name : JSON.stringify(name))).join(', ');
}

/**
 * Returns the words of a command for people. Words that a shell, or a reader of the rule, would not take for themselves are quoted;
 * so a bare `*` at the end always stands for any words.
 */
export function commandText(words: readonly string[]): string {
  const isOpen = words.length > 1 && words.at(-1) === '*';
  return words
    .map((word, at) => {
      const isPlain = /^[\p{L}\p{N}_@%+=:,./^-]+$/u.test(word) || (isOpen && at === words.length - 1);
      return plain(isPlain ? word : JSON.stringify(word));
    })
    .join(' ');
}

/** Returns false for a text with characters that can be shown only by an escape, since another text looks like the escape. */
export function isShownExactly(text: string): boolean {
  return plain(text) === text && !text.includes('<U+');
}
