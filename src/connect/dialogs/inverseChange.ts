import type { ConfigurationChange } from '../configuration.ts';

/** The way back, as long as nobody writes the file meanwhile. */
export function inverseOf(change: ConfigurationChange): ConfigurationChange {
  return { ...change, before: change.after, after: change.before };
}
