import * as z from 'zod/mini';
import type { NotebookEdit } from '#base/nativeEdit.ts';

const notebookInput = z.looseObject({
  notebook_path: z.string(),
  cell_id: z.optional(z.string()),
  // A deletion may come without a text.
  new_source: z.prefault(z.string(), ''),
  cell_type: z.optional(z.enum(['code', 'markdown'])),
  edit_mode: z.prefault(z.enum(['replace', 'insert', 'delete']), 'replace'),
});

/** Returns the edit in the input that the notebook tools of Claude Code and Qwen Code share. @throws Error when it has another shape */
export function notebookEditOf(toolInput: unknown): NotebookEdit {
  const { notebook_path: path, cell_id: cell, new_source: source, ...rest } = notebookInput.parse(toolInput);
  const { edit_mode: mode, cell_type: cellType } = rest;
  return {
    kind: 'notebook',
    path,
    mode,
    ...(cell !== undefined && { cell }),
    source,
    ...(cellType !== undefined && { cellType }),
  };
}
