import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { cursorInput } from '../cursor.ts';
import { SourceLines } from '../language/symbols/sourceLines.ts';
import { resolveSymbol, symbolInput, symbolTargets } from '../language/symbols/symbolAddress.ts';
import { detailOutput, detailPage, detailText, lineOutput } from './detailPage.ts';

const highlight = z.object({
  line: lineOutput,
  column: lineOutput,
  access: z.enum(['read', 'write', 'unknown']).describe('unknown: the language service does not tell'),
  code: z.string().describe('The line, trimmed; a long one is cut'),
});

/** Uses of a name in its own file, writes told from reads. */
export const getDocumentHighlights = defineTool({
  name: 'get_document_highlights',
  title: 'Get document highlights',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description:
    'List the uses of a symbol in one file, writes told from reads; find_references finds them everywhere. ' +
    'Example: {"symbol":"total","path":"src/cart.ts"}.',
  input: inputFromZod(z.strictObject({ ...symbolInput, cursor: cursorInput })),
  output: detailOutput(highlight),
  targets: (asked) => symbolTargets(asked),
  async run(input, context, signal) {
    const { path, at } = await resolveSymbol(input, context, signal);
    const found = await context.languageDetails.highlights(path, at, signal);
    const source = new SourceLines(context);
    const all = await Promise.all(
      found.map(async ({ firstLine: line, firstColumn: column, access = 'unknown' as const }) => {
        const code = (await source.around(path, line, column)) ?? '';
        return { line, column, access, code };
      }),
    );
    return detailPage(all, lineOf, input, path, 'highlights', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'use') }),
});

function lineOf({ line, column, access, code }: z.infer<typeof highlight>): string {
  return `${line}:${column}${access === 'unknown' ? '' : ` ${access}`}\t${code}`;
}
