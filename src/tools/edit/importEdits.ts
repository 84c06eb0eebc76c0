import { ToolError, type ToolContext } from '../../core/tool.ts';
import type { LiveText, ResolvedPath } from '../../ports/files.ts';
import type { ImportEdit } from '../../ports/imports.ts';
import type { FileEdit } from '../../ports/proposal.ts';
import { editTo, readEditable, realTarget } from './editableText.ts';

/**
 * The edits of imports that follow a move, per file, each where it is before the move. None is left out: one that cannot be
 * made refuses all, for a human cannot see what is missing.
 * @throws ToolError `unavailable`
 */
export async function proposeImportEdits(
  edits: readonly ImportEdit[],
  context: Pick<ToolContext, 'files' | 'resolve'>,
): Promise<readonly FileEdit[]> {
  const byFile = new Map<string, { path: ResolvedPath; edits: ImportEdit[] }>();
  for (const [fsPath, found] of Map.groupBy(edits, (edit) => edit.fsPath)) {
    const path = await orRefuse(async () => realTarget(await context.resolve(fsPath), context));
    const file = byFile.get(path.realPath) ?? { path, edits: [] };
    byFile.set(path.realPath, file);
    file.edits.push(...found);
  }
  return Promise.all(
    [...byFile.values()].map(({ path, edits: found }) =>
      orRefuse(async () => {
        const base = await readEditable(path, context.files);
        return editTo(path, base, applied(path, base, found), context.files);
      }),
    ),
  );
}

function applied(path: ResolvedPath, { text }: LiveText, edits: readonly ImportEdit[]): string {
  let result = '';
  let done = 0;
  for (const { offset, length, newText } of edits.toSorted((a, b) => a.offset - b.offset)) {
    if (offset < done || offset + length > text.length) {
      throw new ToolError(
        'unavailable',
        `The language service gave edits that do not fit ${path.path}.`,
        'Call again.',
      );
    }
    result += text.slice(done, offset) + newText;
    done = offset + length;
  }
  return result + text.slice(done);
}

async function orRefuse<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(
      'unavailable',
      `Nothing was moved, because an import of it cannot follow: ${error.message}`,
      'Move it with updateImports false and change its imports yourself, or ask the user.',
    );
  }
}
