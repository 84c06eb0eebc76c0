import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { detailOutput, detailPage, detailText, fileInput, lineOutput, targetFile } from './detailPage.ts';

const lens = z.object({
  line: lineOutput,
  title: z.string().describe('What editors show above the line'),
  command: z.string().exactOptional().describe('Id of the command that it runs'),
});

/** What editors show above lines: counts of references, "Run test". */
export const getCodeLenses = defineTool({
  name: 'get_code_lenses',
  title: 'Get code lenses',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['language', 'languageDetails'],
  timeLimitSeconds: 30,
  description:
    'List what editors show above lines, such as counts of references or "Run test", with the commands. Runs nothing. ' +
    'Example: {"path":"src/a.test.ts"}.',
  input: inputFromZod(z.strictObject(fileInput)),
  output: detailOutput(lens),
  targets: ({ path }) => [path],
  async run(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.codeLenses(path, signal);
    const all = found.map(({ firstLine: line, title, command }) => ({
      line,
      title,
      ...(command === undefined || command === '' ? {} : { command }),
    }));
    return detailPage(all, lineOf, input, path, 'code lenses', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'code lens') }),
});

function lineOf({ line, title, command }: z.infer<typeof lens>): string {
  return `${line} ${title}${command === undefined ? '' : ` (${command})`}`;
}
