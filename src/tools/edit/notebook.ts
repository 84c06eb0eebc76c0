import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import type { NotebookEdit } from '#base/nativeEdit.ts';
import { ToolError } from '#base/toolError.ts';

/** Records keep the order of their keys, which the text after an edit shows. */
const cell = z.record(z.string(), z.json());
const notebook = z.record(z.string(), z.json()).refine((value) => z.array(cell).safeParse(value['cells']).success);

type Cell = z.infer<typeof cell>;

/**
 * Returns the text of a Jupyter notebook after an edit of one cell, in the form in which Claude Code 2.1.329 writes it: an indentation of
 * one blank, a source as one string, and no outputs for a code cell that changed. Line end and final line end stay.
 * @throws ToolError `undecodable` for a text that is no notebook, `no_match` when there is no such cell
 */
export function notebookAfter(path: ResolvedPath, text: string, edit: NotebookEdit): string {
  const parsed = parsedNotebook(text);
  if (parsed === undefined) {
    throw new ToolError(
      'undecodable',
      `${path.path} is not a Jupyter notebook.`,
      'Read the file, and edit it as text.',
    );
  }
  const cells = cellsAfter(path, z.array(cell).parse(parsed['cells']), edit);
  const lines = JSON.stringify({ ...parsed, cells }, undefined, 1);
  const whole = /\n\s*$/.test(text) ? `${lines}\n` : lines;
  return text.includes('\r\n') ? whole.replaceAll('\n', '\r\n') : whole;
}

function cellsAfter(path: ResolvedPath, cells: readonly Cell[], edit: NotebookEdit): readonly Cell[] {
  const at = edit.cell === undefined ? -1 : indexOf(cells, edit.cell);
  const isMissing = edit.cell === undefined ? edit.mode !== 'insert' : at < 0;
  if (isMissing) {
    throw new ToolError(
      'no_match',
      `There is no cell ${JSON.stringify(edit.cell ?? '')} in ${path.path}; nothing was changed.`,
      'Read the notebook again, and name one of its cells.',
    );
  }
  if (edit.mode === 'delete') return cells.toSpliced(at, 1);
  if (edit.mode === 'insert') return cells.toSpliced(at + 1, 0, newCell(edit));
  return cells.map((each, index) => (index === at ? changedCell(each, edit) : each));
}

function indexOf(cells: readonly Cell[], wanted: string): number {
  const byId = cells.findIndex(({ ['id']: id }) => id === wanted);
  const index = /^cell-(\d+)$/.exec(wanted)?.[1];
  return byId >= 0 || index === undefined || Number(index) >= cells.length ? byId : Number(index);
}

function newCell({ cellType = 'code', source }: NotebookEdit): Cell {
  const created = { cell_type: cellType, id: randomBytes(4).toString('hex'), source, metadata: {} };
  return cellType === 'code' ? { ...created, execution_count: null, outputs: [] } : created;
}

function changedCell(old: Cell, { source, cellType }: NotebookEdit): Cell {
  const changed = { ...old, source, ...(cellType !== undefined && { cell_type: cellType }) };
  return old['cell_type'] === 'code' ? { ...changed, execution_count: null, outputs: [] } : changed;
}

/** Returns undefined for a text that is no notebook, and for one that is nested too deep to be checked. */
function parsedNotebook(text: string): z.infer<typeof notebook> | undefined {
  try {
    return notebook.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
