/** Assistants keep a longer text in a file of their own and show their model a part of it. */
const mostWords = 9000;

/** Returns the words for a model, cut off where its assistant would not show it all of them. */
export function shortened(words: string): string {
  return words.length <= mostWords ? words : `${words.slice(0, mostWords)}\n[...] Read the file again for the rest.`;
}
