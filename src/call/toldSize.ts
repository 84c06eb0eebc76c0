import { redactText } from '#audit/redactText.ts';
import type { Files, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';

/** The largest file that is read for its size, in bytes. Files with secrets in them are hardly larger. */
const maximumBytes = 256 * 1024;

/**
 * Returns the size of a file in bytes as an assistant may know it: that of the redacted text, when something in it is redacted.
 * Otherwise the size would tell how long a secret is (threat row A32).
 */
export async function toldSize(
  path: ResolvedPath,
  { files }: { readonly files: Pick<Files, 'readText'> },
): Promise<number> {
  if (path.size > maximumBytes) return path.size;
  try {
    const { text } = await files.readText(path, maximumBytes);
    const shown = redactText(text);
    return shown.hidden.length === 0 ? path.size : Buffer.byteLength(shown.text);
  } catch (error) {
    // What is no text is refused as a whole when a secret is in it.
    if (error instanceof ToolError) return path.size;
    throw error;
  }
}
