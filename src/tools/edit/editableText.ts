import { hidesSecret } from '#audit/redactText.ts';
import type { Files, LiveText, ResolvedPath } from '#base/files.ts';
import type { FileEdit } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';

/** The largest file that tools edit, in bytes; nobody reviews a change in a larger one. */
export const maximumBytes = 5 * 1024 * 1024;

/** The edits of one file, in the order of the call for each address. */
export interface EditsOfFile<Edit> {
  readonly path: ResolvedPath;
  readonly edits: readonly Edit[];
}

/**
 * Groups the edits of a call by file. A link and its file are one file, so that the edits of both become one change.
 * @param context its `targets` are the addresses of the edits, each once, in the order of their first edits
 */
export async function groupByFile<Edit extends { readonly path: string }>(
  edits: readonly Edit[],
  context: Pick<ToolContext, 'resolve' | 'targets'>,
): Promise<readonly EditsOfFile<Edit>[]> {
  const addresses = [...new Set(edits.map(({ path }) => path))];
  const byFile = new Map<string, { path: ResolvedPath; edits: Edit[] }>();
  for (const [index, address] of addresses.entries()) {
    const path = await realTarget(context.targets[index], context);
    const file = byFile.get(path.realPath) ?? { path, edits: [] };
    byFile.set(path.realPath, file);
    file.edits.push(...edits.filter((candidate) => candidate.path === address));
  }
  return [...byFile.values()];
}

/** Follows a link to its file, so that an edit changes that file and keeps the link (threat row P4). */
export async function realTarget(
  path: ResolvedPath | undefined,
  { resolve }: Pick<ToolContext, 'resolve'>,
): Promise<ResolvedPath> {
  if (path === undefined) throw new Error('An address of the input was not resolved');
  return path.linked ? resolve(path.realPath) : path;
}

/**
 * Reads the text of a file and checks that the file can be changed now.
 * @throws ToolError `unavailable`, and as {@link Files.readText}
 */
export async function readEditable(path: ResolvedPath, files: Files): Promise<LiveText> {
  const base = await files.readText(path, maximumBytes);
  requireEditable(path, base);
  return base;
}

/**
 * @throws ToolError `unavailable` when the file is read-only, or a notebook or custom editor has unsaved changes of it; `undecodable` when
 *   an edit would not keep its bytes
 */
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
  if (base.encodingDoubt === 'guessed') {
    throw new ToolError(
      'undecodable',
      `${path.path} is not UTF-8, and no setting tells its encoding, so an edit could write wrong characters; nothing was changed.`,
      'Ask the user to set files.encoding for this folder or language, or to turn on files.autoGuessEncoding; then call again.',
    );
  }
  if (base.encodingDoubt === 'lossy') {
    throw new ToolError(
      'undecodable',
      `The editor has ${path.path} open as ${base.encoding}, which cannot represent its bytes: saving it would change places that nobody edited. Nothing was changed.`,
      'Ask the user to use "Reopen with Encoding" with the encoding of the file, or to close it and set files.encoding; then call again.',
    );
  }
}

/**
 * Proposes another text for an editable file; the encoding and the byte-order mark stay.
 * @throws ToolError `undecodable` when the encoding of the file lacks a character of the text
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
 * Refuses texts with a redaction marker that does not stand in the file, so that no marker is written in the place of a secret.
 * @param what names the refused text, as the subject of a sentence
 * @param base is the text of the file as the caller sees it; empty for a new file
 * @throws ToolError `redacted_text`
 */
export function refuseRedacted(what: string, texts: readonly string[], base: string): void {
  if (!texts.some((text) => hidesSecret(text, base))) return;
  throw new ToolError(
    'redacted_text',
    `${what} has a [redacted:...] marker that does not stand in this file as it is now; nothing was changed.`,
    'A marker stands for its secret only in its own file: read the file again and copy the marker from there, leave the line with the secret out, or ask the user to change it.',
  );
}
