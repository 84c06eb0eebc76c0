import { hidesSecret } from '#audit/redactText.ts';
import type { Files, LiveText, ResolvedPath } from '#base/files.ts';
import type { FileEdit } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';

/** Larger files are not edited: no human reviews a change there. In bytes. */
export const maximumBytes = 5 * 1024 * 1024;

/** An edit through a link is an edit of the file it leads to; the link stays (threat row P4). */
export async function realTarget(
  path: ResolvedPath | undefined,
  { resolve }: Pick<ToolContext, 'resolve'>,
): Promise<ResolvedPath> {
  if (path === undefined) throw new Error('An address of the input was not resolved');
  return path.linked ? resolve(path.realPath) : path;
}

/**
 * The text of a file that may be given another one now.
 * @throws ToolError `unavailable`, and as {@link Files.readText}
 */
export async function readEditable(path: ResolvedPath, files: Files): Promise<LiveText> {
  const base = await files.readText(path, maximumBytes);
  requireEditable(path, base);
  return base;
}

/** @throws ToolError `unavailable`: the file is read-only, or another editor holds unsaved changes of it. */
function requireEditable(path: ResolvedPath, base: LiveText): void {
  if (base.readonly) {
    throw new ToolError(
      'unavailable',
      `${path.path} is read-only; nothing was changed.`,
      'Ask the user to make it writable.',
    );
  }
  if (base.unsavedElsewhere) {
    throw new ToolError(
      'unavailable',
      `A notebook or custom editor holds unsaved changes of ${path.path}; nothing was changed.`,
      'Ask the user to save or revert that editor first.',
    );
  }
}

/**
 * The change of an editable file's text; encoding and byte-order mark stay.
 * @throws ToolError `undecodable` when the encoding lacks a character of the text
 */
export async function editTo(path: ResolvedPath, base: LiveText, text: string, files: Files): Promise<FileEdit> {
  if (!(await files.canEncode(text, base.encoding))) {
    throw new ToolError(
      'undecodable',
      `The new text has characters that ${path.path} cannot hold in its encoding (${base.encoding}); nothing was changed.`,
      'Use only characters of that encoding, or ask the user to change the encoding of the file.',
    );
  }
  const { source, unsaved, unifiedLineEnds, encoding } = base;
  return {
    kind: 'edit',
    path,
    base: { text: base.text, encoding, source, unsaved, unifiedLineEnds },
    result: { text, encoding },
  };
}

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
