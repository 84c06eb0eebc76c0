import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { SourceLines } from '../language/symbols/sourceLines.ts';
import { detailOutput, detailPage, detailText, fileInput, lineOutput, targetFile } from './detailPage.ts';
import { textOfRange } from './textOfRange.ts';

const colored = z.object({
  line: lineOutput,
  column: lineOutput,
  text: z.string().describe('As it is written'),
  color: z.string().describe('"#rrggbb", or "#rrggbbaa"'),
});

/** Colors that a text names. */
export const getDocumentColors = defineTool({
  name: 'get_document_colors',
  title: 'Get document colors',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails'],
  timeLimitSeconds: 30,
  description: 'List the colors that a text names, however they are written. Example: {"path":"src/site.css"}.',
  input: inputFromZod(z.strictObject(fileInput)),
  output: detailOutput(colored),
  targets: ({ path }) => [path],
  async run(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.colors(path, signal);
    const source = new SourceLines(context);
    const all = await Promise.all(
      found.map(async ({ color, ...range }) => ({
        line: range.firstLine,
        column: range.firstColumn,
        text: await textOfRange(path, range, source),
        color,
      })),
    );
    return detailPage(all, lineOf, input, path, 'colors', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'color') }),
});

function lineOf({ line, column, text, color }: z.infer<typeof colored>): string {
  return `${line}:${column} ${text} = ${color}`;
}
