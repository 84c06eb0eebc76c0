/** Thrown for a configuration that cannot be read or changed. The message says what is wrong, the hint what to do. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Says in a sentence what the user can do. */
  readonly hint: string;

  constructor(message: string, hint: string, options?: ErrorOptions) {
    super(message, options);
    this.hint = hint;
  }
}

/**
 * Returns whether an error is a `ConfigurationError`. Compares names, since each chunk of the build has its own class.
 */
export function isConfigurationError(error: unknown): error is ConfigurationError {
  return error instanceof Error && error.name === 'ConfigurationError' && 'hint' in error;
}

/** The hint for a valid file that Drawbridge cannot change. */
export const editByHand =
  'It was not changed. Edit it by hand: "Something else" in the list of assistants has the entry to copy.';
