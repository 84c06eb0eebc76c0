import { redactText } from '#audit/redactText.ts';
import { columnsIn, shownRange } from '#audit/shownColumns.ts';
import type { ResolvedPath } from '#base/files.ts';
import type { TextRange } from '#call/ports/editorState.ts';
import type { ToolContext } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { cutText } from '../workspace/cutLines.ts';
import { maximumReadBytes } from '../workspace/readRange.ts';

/** The selection of the user, or the line of the cursor when it is empty. Lines are 1-based and inclusive. */
export interface SelectedText {
  readonly file: ResolvedPath;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly isEmpty: boolean;
  /** The text for the model: the place, then the selected text. */
  readonly text: string;
}

/**
 * Reads the selection from its whole file, because a part of a secret is recognized only in the whole text.
 * @returns undefined when no file of the workspace is active, or it may not be read
 * @throws ToolError as `resolve` and `Files.readText`
 */
export async function selectedText({
  editors,
  files,
  limits,
  resolve,
}: Pick<ToolContext, 'editors' | 'files' | 'limits' | 'resolve'>): Promise<SelectedText | undefined> {
  const selection = editors.selection();
  if (selection === undefined) return undefined;
  const file = await resolve(selection.fsPath);
  const live = await files.readText(file, maximumReadBytes);
  const isEmpty = selection.firstLine === selection.lastLine && selection.firstColumn === selection.lastColumn;
  const lf = live.text.replaceAll(/\r\n|\r/g, '\n');
  const shown = textBetween(lf, isEmpty ? wholeLine(selection) : selection);
  const columns = columnsIn(lf);
  const { firstLine, firstColumn, lastLine, lastColumn } =
    columns === undefined ? selection : shownRange(columns, selection);
  const cut = cutText(shown, limits.readBytes);
  const path = visible(file.path);
  const where = isEmpty
    ? `${path}: nothing is selected, the cursor is at ${firstLine}:${firstColumn}, in this line:`
    : `${path}: selected from ${firstLine}:${firstColumn} to ${lastLine}:${lastColumn}:`;
  const note = cut === shown ? '' : '\n(cut here; read_file reads all of it by its lines)';
  return { file, firstLine, lastLine, isEmpty, text: `${where}\n${cut}${note}` };
}

function wholeLine({ firstLine }: TextRange): TextRange {
  return { firstLine, firstColumn: 1, lastLine: firstLine, lastColumn: Number.MAX_SAFE_INTEGER };
}

/** Returns a range of a text, redacted as the whole text shows it to be necessary. */
export function textBetween(lf: string, { firstLine, firstColumn, lastLine, lastColumn }: TextRange): string {
  const lines = lf.split('\n');
  const offsetOf = (line: number, column: number): number => {
    const before = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
    return before + Math.min(column - 1, lines[line - 1]?.length ?? 0);
  };
  return redactText(lf).part(offsetOf(firstLine, firstColumn), Math.min(lf.length, offsetOf(lastLine, lastColumn)));
}
