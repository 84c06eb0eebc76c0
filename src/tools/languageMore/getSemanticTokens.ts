import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { SourceLines } from '../language/symbols/sourceLines.ts';
import { detailOutput, detailPage, detailText, fileInput, lineOutput, linesInput, targetFile } from './detailPage.ts';
import { textOfRange } from './textOfRange.ts';

const token = z.object({
  line: lineOutput,
  column: lineOutput,
  text: z.string().describe('The word'),
  kind: z.string().describe('For example "parameter"'),
  modifiers: z.array(z.string()).max(50).describe('For example "readonly"'),
});

/** What each word of a text is. */
export const getSemanticTokens = defineTool({
  name: 'get_semantic_tokens',
  title: 'Get semantic tokens',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails'],
  timeLimitSeconds: 30,
  description:
    'List what the words of a text are to a language service: parameter, property, type, readonly, ... ' +
    'Example: {"path":"src/a.ts","firstLine":10,"lastLine":20}.',
  input: inputFromZod(z.strictObject({ ...fileInput, ...linesInput })),
  output: detailOutput(token),
  targets: ({ path }) => [path],
  async run(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.semanticTokens(path, signal);
    const source = new SourceLines(context);
    const all = await Promise.all(
      found
        .filter(({ firstLine }) => input.firstLine <= firstLine && firstLine <= input.lastLine)
        .map(async (each) => ({
          line: each.firstLine,
          column: each.firstColumn,
          text: await textOfRange(path, each, source),
          kind: each.kind,
          modifiers: [...each.modifiers],
        })),
    );
    return detailPage(all, lineOf, input, path, 'semantic tokens', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'token') }),
});

function lineOf({ line, column, text, kind, modifiers }: z.infer<typeof token>): string {
  return [`${line}:${column} ${text} ${kind}`, ...modifiers].join(' ');
}
