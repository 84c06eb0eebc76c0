import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { cursorInput } from '../cursor.ts';
import { symbolInput, symbolTargets } from '../language/symbols/symbolAddress.ts';
import { detailOutput, detailPage, detailText, lineOutput } from './detailPage.ts';
import { resolvePosition } from './positionAddress.ts';

const range = z.object({
  firstLine: lineOutput,
  firstColumn: lineOutput,
  lastLine: lineOutput,
  lastColumn: lineOutput.describe('After the last character'),
});

/** The syntax around a place. */
export const getSelectionRanges = defineTool({
  name: 'get_selection_ranges',
  title: 'Get selection ranges',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'List the pieces of syntax around a place (expression, statement, function, ...), the smallest first. ' +
    'Example: {"path":"src/a.ts:10:15"}.',
  input: inputFromZod(z.strictObject({ ...symbolInput, cursor: cursorInput })),
  output: detailOutput(range, 'The smallest first'),
  targets: (asked) => symbolTargets(asked),
  async run(input, context, signal) {
    const { path, at } = await resolvePosition(input, context, signal);
    const found = await context.languageDetails.selectionRanges(path, at, signal);
    const all = found.map(({ firstLine, firstColumn, lastLine, lastColumn }) => ({
      firstLine,
      firstColumn,
      lastLine,
      lastColumn,
    }));
    return detailPage(all, lineOf, input, path, 'selection ranges', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'range') }),
});

function lineOf({ firstLine, firstColumn, lastLine, lastColumn }: z.infer<typeof range>): string {
  return `${firstLine}:${firstColumn}-${lastLine}:${lastColumn}`;
}
