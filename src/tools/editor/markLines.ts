import * as z from 'zod';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { counted } from '../page.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { maximumLine } from '../workspace/readRange.ts';

const line = z.int().min(1).max(maximumLine);
const maximumMarks = 100;

/** The `mark_lines` tool: highlights lines in the editor, each with a note. */
export const markLines = defineTool({
  name: 'mark_lines',
  title: 'Mark lines',
  summary: 'Highlight lines for you, each with a note that you read on hover; changes no file.',
  toolset: 'editor',
  risk: 'ui',
  isOptional: true,
  needs: ['lineMarks'],
  description:
    'Highlight lines for the user, each with a note they read on hover; changes no file. Takes the place of your earlier ' +
    'marks; [] clears them. Use open_file to show them.',
  example: { marks: [{ path: 'src/a.ts', firstLine: 3, lastLine: 5, note: 'The sum is made here' }] },
  input: inputFromZod(
    z.strictObject({
      marks: z
        .array(
          z.strictObject({
            path: pathInput.describe('Names a file'),
            firstLine: line.describe('Begins here, 1-based'),
            lastLine: line.exactOptional().describe('Ends here; default: firstLine'),
            note: z.string().min(1).max(500).describe('Says why, as plain text'),
          }),
        )
        .max(maximumMarks)
        .describe('Lists all your marks; it replaces the earlier ones'),
    }),
  ),
  output: outputFromZod(
    z.object({
      marked: z.int().min(0).max(maximumMarks),
      cleared: z.int().min(0).max(maximumMarks).describe('Of your earlier marks'),
    }),
  ),
  targets: ({ marks }) => [...new Set(marks.map(({ path }) => path))],
  async run({ marks }, { lineMarks, principal, targets }) {
    const paths = [...new Set(marks.map(({ path }) => path))];
    const files = new Map(paths.map((path, at) => [path, targets[at]]));
    const placed = marks.map(({ path, firstLine, lastLine = firstLine, note }) => {
      const file = files.get(path);
      if (file === undefined) throw new Error('The address was not resolved');
      if (file.kind !== 'file') {
        throw new ToolError(
          'not_found',
          `There is no file ${quoted(path)}; nothing was marked.`,
          'Use find_files to find it.',
        );
      }
      if (lastLine < firstLine) throw new InvalidArgumentsError('marks: lastLine is before firstLine');
      return { file, firstLine, lastLine, note };
    });
    return { marked: placed.length, cleared: lineMarks.replace(principal, placed) };
  },
  render: ({ marked, cleared }) => ({
    text: `Marked ${counted(marked, 'place')}; ${counted(cleared, 'earlier mark')} cleared.`,
  }),
});
