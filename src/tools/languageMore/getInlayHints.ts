import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { detailOutput, detailPage, detailText, fileInput, lineOutput, linesInput, targetFile } from './detailPage.ts';

const hint = z.object({
  line: lineOutput,
  column: lineOutput,
  label: z.string().describe('What editors show there'),
  kind: z.enum(['type', 'parameter', 'other']).describe('A type, the name of a parameter'),
});

/** Types and names of parameters that editors show in the text. */
export const getInlayHints = defineTool({
  name: 'get_inlay_hints',
  title: 'Get inlay hints',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['language', 'languageDetails'],
  timeLimitSeconds: 30,
  description:
    'List the inferred types and names of parameters that editors can show in a text. The settings of the user say which. ' +
    'Example: {"path":"src/a.ts","firstLine":10,"lastLine":20}.',
  input: inputFromZod(z.strictObject({ ...fileInput, ...linesInput })),
  output: detailOutput(hint),
  targets: ({ path }) => [path],
  async run(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.inlayHints(path, input, signal);
    const all = found.map(({ line, column, label, kind = 'other' as const }) => ({ line, column, label, kind }));
    return detailPage(all, lineOf, input, path, 'inlay hints', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'hint') }),
});

function lineOf({ line, column, label, kind }: z.infer<typeof hint>): string {
  return `${line}:${column} ${label.trim()}${kind === 'other' ? '' : ` (${kind})`}`;
}
