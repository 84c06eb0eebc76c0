import { hidesSecret } from '#audit/redactText.ts';
import { ToolError } from '#base/toolError.ts';

/**
 * A marker that a result shows in the place of a secret must not be written into the file in its place. One that the file
 * really holds is a text like any other.
 * @param what is refused, as the subject of a sentence
 * @param base what the file holds; empty when it is new
 * @throws ToolError `redacted_text`
 */
export function refuseRedacted(what: string, texts: readonly string[], base: string): void {
  if (!texts.some((text) => hidesSecret(text, base))) return;
  throw new ToolError(
    'redacted_text',
    `${what} has a [redacted:...] marker, which stands for a secret that you were not shown; nothing was changed.`,
    'Leave the line with the secret out: change the lines around it by firstLine, lastLine and version, or ask the user to change it.',
  );
}
