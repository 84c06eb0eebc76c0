import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { detailOutput, detailPage, detailText, fileInput, lineOutput, targetFile } from './detailPage.ts';

const fold = z.object({
  firstLine: lineOutput,
  lastLine: lineOutput,
  kind: z.enum(['comment', 'imports', 'region', 'code']).describe('What the lines hold'),
});

/** Lines that belong together. */
export const getFoldingRanges = defineTool({
  name: 'get_folding_ranges',
  title: 'Get folding ranges',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['language', 'languageDetails'],
  timeLimitSeconds: 30,
  description:
    'List the ranges of lines that editors fold: blocks, comments, imports, regions. get_outline names what is declared. ' +
    'Example: {"path":"src/a.ts"}.',
  input: inputFromZod(z.strictObject(fileInput)),
  output: detailOutput(fold),
  targets: ({ path }) => [path],
  async run(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.foldingRanges(path, signal);
    const all = found.map(({ kind = 'code' as const, ...lines }) => ({ ...lines, kind }));
    return detailPage(all, lineOf, input, path, 'folding ranges', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'range') }),
});

function lineOf({ firstLine, lastLine, kind }: z.infer<typeof fold>): string {
  return `${firstLine}-${lastLine}${kind === 'code' ? '' : ` ${kind}`}`;
}
