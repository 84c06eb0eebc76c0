import { findSecrets } from '#audit/secretShapes.ts';
import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { quoted } from '#policy/unsafeNames.ts';

/**
 * Refuses bytes that hold a secret: what is no text cannot be shown with a marker in its place (threat row A8).
 * @throws ToolError `denied`
 */
export function refuseSecretBytes({ path }: Pick<ResolvedPath, 'path'>, bytes: Uint8Array): void {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const encodings = ['latin1', 'utf16le'] as const;
  if (encodings.every((encoding) => findSecrets(buffer.toString(encoding)).length === 0)) return;
  throw new ToolError(
    'denied',
    `${quoted(path)} is no text and holds what looks like a secret, which cannot be left out of it.`,
    'Ask the user about this file.',
  );
}
