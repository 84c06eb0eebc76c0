import { findSecrets } from '#audit/secretShapes.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { FileEdit } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';
import type { TextEdit } from '#language/refactorings.ts';
import { editTo, readEditable, realTarget } from '../../edit/editableText.ts';
import { lineText } from '../../edit/lineText.ts';
import { replaceLocated, type Replacement } from '../../edit/replacements.ts';

/** A file with the edits of a language service. */
interface EditedFile {
  readonly path: ResolvedPath;
  readonly edits: readonly TextEdit[];
}

/**
 * Groups edits by the files that their addresses lead to; several addresses may lead to one file.
 * @param instead returns another address for one at which no file exists
 */
export async function editedFiles(
  texts: readonly TextEdit[],
  context: Pick<ToolContext, 'resolve'>,
  instead: (address: string) => string | undefined = () => undefined,
): Promise<readonly EditedFile[]> {
  const files = new Map<string, { readonly path: ResolvedPath; readonly edits: TextEdit[] }>();
  for (const [address, edits] of Map.groupBy(texts, (edit) => edit.address)) {
    const found = await realTarget(await context.resolve(address), context);
    const other = found.kind === 'missing' ? instead(address) : undefined;
    const path = other === undefined ? found : await realTarget(await context.resolve(other), context);
    const file = files.get(path.realPath) ?? { path, edits: [] };
    files.set(path.realPath, file);
    file.edits.push(...edits);
  }
  return [...files.values()];
}

/** Proposes the new text of a file; undefined when the edits change nothing. */
export async function proposeTextEdits(
  { path, edits }: EditedFile,
  { files }: Pick<ToolContext<'files'>, 'files'>,
): Promise<FileEdit | undefined> {
  const base = await readEditable(path, files);
  const text = appliedEdits(path, base.text, edits);
  refuseMoved(path, base.text, text);
  return text === base.text ? undefined : editTo(path, base, text, files);
}

/**
 * Returns the text after edits that all address the present text. Several may insert at one place, in their order. New
 * lines take the line end of their neighbours.
 * @throws ToolError `unavailable` when two edits overlap, or one is beyond the end
 */
export function appliedEdits(
  { path }: Pick<ResolvedPath, 'path'>,
  base: string,
  edits: readonly Omit<TextEdit, 'address'>[],
): string {
  const replacements: Replacement[] = [];
  let [done, doneLf] = [0, 0];
  const lfOffset = (offset: number): number => {
    doneLf += base.slice(done, offset).replaceAll('\r\n', '\n').length;
    done = offset;
    return doneLf;
  };
  // An insertion comes before a replacement at the same place.
  const ordered = edits.toSorted((a, b) => a.offset - b.offset || Math.sign(a.length) - Math.sign(b.length));
  for (const { offset, length, newText } of ordered) {
    if (offset < done || offset + length > base.length) {
      throw new ToolError(
        'unavailable',
        `The language service gave edits that do not fit ${path}; nothing was changed.`,
        'Call again; if that does not help, make the change with apply_edit.',
      );
    }
    const start = lfOffset(offset);
    replacements.push({ start, end: lfOffset(offset + length), newText: newText.replaceAll(/\r\n|\r/g, '\n') });
  }
  return replaceLocated(path, base, lineText(base), replacements).text;
}

/**
 * Refuses edits of a language service after which a secret would not be recognized any more, so that the next read would show it.
 * @throws ToolError `redacted_text`
 */
function refuseMoved({ path }: Pick<ResolvedPath, 'path'>, base: string, result: string): void {
  const secrets = findSecrets(base);
  if (secrets.length === 0) return;
  const after = findSecrets(result).map(({ type, start, end }) => `${type} ${result.slice(start, end)}`);
  for (const { type, start, end } of secrets) {
    const index = after.indexOf(`${type} ${base.slice(start, end)}`);
    if (index < 0) {
      throw new ToolError(
        'redacted_text',
        `The language service would remove or show a secret of ${path} that was not shown to you; nothing was changed.`,
        'Ask the user to do this in the editor.',
      );
    }
    after.splice(index, 1);
  }
}
