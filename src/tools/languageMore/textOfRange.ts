import type { FoundFile } from '../../ports/files.ts';
import type { TextRange } from '../../ports/language.ts';
import type { SourceLines } from '../language/symbols/sourceLines.ts';

/** Characters of a piece of text that an item shows. */
const maximumText = 100;

/** What stands in a range, of its first line only. */
export async function textOfRange(
  file: Pick<FoundFile, 'fsPath'>,
  { firstLine, firstColumn, lastLine, lastColumn }: TextRange,
  source: SourceLines,
): Promise<string> {
  const line = (await source.of(file))[firstLine - 1] ?? '';
  const text = line.slice(firstColumn - 1, lastLine === firstLine ? lastColumn - 1 : undefined);
  return text.length <= maximumText ? text : `${text.slice(0, maximumText).toWellFormed()}…`;
}
