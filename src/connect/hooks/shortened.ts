/** Assistants keep a longer text in a file of their own and show their model a part of it. */
const mostWords = 9000;

/** Returns words for a model, cut to a length that assistants show it in full. */
export function shortened(words: string): string {
  return words.length <= mostWords ? words : `${words.slice(0, mostWords)}\n[...] Read the file again for the rest.`;
}
