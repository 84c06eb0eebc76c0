import type { Assistant } from './assistant.ts';
import type { CreatedKeys } from './configurationFormat.ts';
import type { CreatedParts } from './createdParts.ts';

/** What a configuration file is to become. Texts are whole files, with a byte order mark where there is one. */
export interface ConfigurationChange {
  readonly assistant: Assistant;
  /** Absolute; may be a link to the file that is written. */
  readonly file: string;
  /** Undefined where there is no file. */
  readonly before: string | undefined;
  /** Undefined when the file goes. */
  readonly after: string | undefined;
  readonly isChange: boolean;
  /** What is made besides the entry, for a removal that gives back every byte; undefined when nothing is. */
  readonly created?: CreatedKeys | CreatedParts | undefined;
}
