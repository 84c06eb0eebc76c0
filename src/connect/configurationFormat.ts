import type { JsonValue } from './assistant.ts';

/** The parts that an insertion created besides the value itself, so that a removal restores every byte. */
export interface CreatedKeys {
  /** How many containers above the value were created, counted from the nearest; the whole document counts as one. */
  readonly keys: number;
  /** The text of the container before, if it was empty, as `{ }` or a line break; undefined when it was not empty. */
  readonly emptyParent?: string | undefined;
  /** The text of the value that was replaced; undefined when there was none, and for YAML. */
  readonly replaced?: string | undefined;
}

export interface SetText {
  readonly text: string;
  readonly created: CreatedKeys;
}

/**
 * A file format of configurations. Edits change no byte outside the edited value; texts have no byte order mark.
 * Every function throws `SyntaxProblem` for a text that is not valid or cannot be edited.
 */
export interface ConfigurationFormat {
  /** Returns the value of the text; undefined when the text is empty. */
  read(text: string): unknown;
  /** Inserts or replaces a value, and creates the containers above it. The path has at least one key. */
  set(text: string, path: readonly string[], value: JsonValue): SetText;
  /** Removes a value, and the containers above it that `created` names if they are then empty; or restores the replaced value. */
  remove(text: string, path: readonly string[], created: CreatedKeys | undefined): string;
}

/**
 * Thrown for a text that is not valid in its format; the message is a clause, as "a comma is missing at line 3, column
 * 5".
 */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem';
}

/** An insertion that created nothing but the value itself. */
export const nothingCreated: CreatedKeys = { keys: 0 };
