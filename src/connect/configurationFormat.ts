import type { JsonValue } from './assistant.ts';

/** What an insertion made besides the value itself, so that a removal gives back every byte. */
export interface CreatedKeys {
  /** How many containers above the value were made, the nearest first; the whole document counts as one. */
  readonly keys: number;
  /** What stood in the container that was empty until then, as `{ }` or a line break; undefined when it was not empty. */
  readonly emptyParent?: string | undefined;
}

export interface SetText {
  readonly text: string;
  readonly created: CreatedKeys;
}

/**
 * One syntax of configurations. Edits change no byte outside the value that they are about; texts have no byte order mark.
 * All throw `SyntaxProblem` for a text that is not valid, or that cannot be edited so.
 */
export interface ConfigurationFormat {
  /** What the text says; undefined when it is empty. */
  read(text: string): unknown;
  /** Inserts or replaces a value, and makes the containers above it. Keys are at least one. */
  set(text: string, path: readonly string[], value: JsonValue): SetText;
  /** Takes out a value that is there, and of the containers above it those that `created` names and that are empty then. */
  remove(text: string, path: readonly string[], created: CreatedKeys | undefined): string;
}

/** A text that is not valid in its format; the message is a clause such as "a comma is missing at line 3, column 5". */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

/** Nothing but the value itself was made. */
export const nothingCreated: CreatedKeys = { keys: 0 };
