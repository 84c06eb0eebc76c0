import * as z from 'zod';
import { defineTool, inputFromZod } from '../../core/tool.ts';
import { visible } from '../../policy/unsafeNames.ts';
import { SourceLines } from '../language/symbols/sourceLines.ts';
import { detailOutput, detailPage, detailText, fileInput, lineOutput, targetFile } from './detailPage.ts';
import { textOfRange } from './textOfRange.ts';

const link = z.object({
  line: lineOutput,
  column: lineOutput,
  text: z.string().describe('What is linked'),
  file: z.string().exactOptional().describe('Workspace-relative path that it leads to'),
  target: z.string().exactOptional().describe('Web address, or a label of a file outside the workspace'),
  tooltip: z.string().exactOptional().describe('What editors say of it'),
});

/** Links in a text and where they lead. */
export const getDocumentLinks = defineTool({
  name: 'get_document_links',
  title: 'Get document links',
  toolset: 'language_more',
  risk: 'read',
  isOptional: true,
  needs: ['files', 'language', 'languageDetails'],
  timeLimitSeconds: 30,
  description:
    'List the links in a text (Markdown links, imports of stylesheets, URLs, ...) and where they lead. Follows none. ' +
    'Example: {"path":"README.md"}.',
  input: inputFromZod(z.strictObject(fileInput)),
  output: detailOutput(link),
  targets: ({ path }) => [path],
  async run(input, context, signal) {
    const path = targetFile(context);
    const found = await context.languageDetails.links(path, signal);
    const source = new SourceLines(context);
    const all = await Promise.all(
      found.map(async ({ file, target, tooltip, ...range }) => ({
        line: range.firstLine,
        column: range.firstColumn,
        text: await textOfRange(path, range, source),
        ...(file === undefined ? {} : { file: visible(file.path) }),
        ...(target === undefined ? {} : { target }),
        ...(tooltip === undefined || tooltip === '' ? {} : { tooltip }),
      })),
    );
    return detailPage(all, lineOf, input, path, 'links', context);
  },
  render: (page) => ({ text: detailText(page, lineOf, 'link') }),
});

function lineOf({ line, column, text, file, target, tooltip }: z.infer<typeof link>): string {
  const where = [file, target].filter((each) => each !== undefined).map((each) => ` -> ${each}`);
  return `${line}:${column} ${text}${where.join('')}${tooltip === undefined ? '' : ` (${tooltip})`}`;
}
