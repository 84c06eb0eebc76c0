/** A configuration that cannot be read or changed. English sentences that say what is wrong and what to do. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** What the user can do, as a sentence. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/** By name: what edits configurations is loaded apart, with a class of its own. */
export function isConfigurationError(error: unknown): error is ConfigurationError {
  return error instanceof Error && error.name === 'ConfigurationError' && 'hint' in error;
}

/** What to do about a file that is right, but that we cannot change. */
export const editByHand =
  'It was not changed. Edit it by hand: "Something else" in the list of assistants has the entry to copy.';
