import type { CommandPart } from './verdict.ts';

/**
 * Returns the words of a part, by which rules name commands: the program and all its arguments after removal of quotes and
 * escapes, assignments before it included. Returns undefined when a word is not known, so that no rule can match.
 */
export function commandWords(part: CommandPart): readonly string[] | undefined {
  return part.argv;
}

/** True when two parts are the same command word by word, however they are quoted. Parts with unknown words are never the same. */
export function sameCommand(one: CommandPart, other: CommandPart): boolean {
  const [words, others] = [commandWords(one), commandWords(other)];
  if (words === undefined || others === undefined || words.length !== others.length) return false;
  return words.every((word, at) => word === others[at]);
}
