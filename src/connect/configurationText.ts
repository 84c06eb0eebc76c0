import { ConfigurationError, editByHand } from './configurationError.ts';
import { readConfigurationFile } from './configurationFile.ts';
import { type ConfigurationFormat, SyntaxProblem } from './configurationFormat.ts';

const byteOrderMark = '\uFEFF';

/** A configuration file as it is. */
export interface ConfigurationText {
  /** The whole text; undefined when there is no file. */
  readonly before: string | undefined;
  /** The text without its byte order mark, which no parser accepts; undefined when there is no file. */
  readonly body: string | undefined;
  /** The byte order mark, or nothing. */
  readonly mark: string;
}

/** @throws ConfigurationError when the file cannot be read */
export async function readConfigurationText(file: string): Promise<ConfigurationText> {
  const before = await readConfigurationFile(file);
  const mark = before?.startsWith(byteOrderMark) === true ? byteOrderMark : '';
  return { before, body: before?.slice(mark.length), mark };
}

/** @throws ConfigurationError when the text is not valid in its format, which `name` names */
export function parseConfiguration(format: ConfigurationFormat, name: string, file: string, body: string): unknown {
  try {
    return format.read(body);
  } catch (error) {
    if (!(error instanceof SyntaxProblem)) throw error;
    const message = `${file} is not valid ${name.toUpperCase()}: ${error.message}.`;
    throw new ConfigurationError(message, 'Correct it, then try again. It was not changed.', { cause: error });
  }
}

/** Returns the result of an edit. @throws ConfigurationError when the text cannot be edited as it is written */
export function editConfiguration<T>(file: string, edit: () => T): T {
  try {
    return edit();
  } catch (error) {
    throw error instanceof SyntaxProblem ? cannotBeChanged(file, error.message, error) : error;
  }
}

/** Returns the error for a file that only the user can change. @param reason a clause */
export function cannotBeChanged(file: string, reason: string, cause?: unknown): ConfigurationError {
  return new ConfigurationError(`${file} cannot be changed: ${reason}.`, editByHand, { cause });
}
