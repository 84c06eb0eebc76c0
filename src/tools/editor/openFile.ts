import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { InvalidArgumentsError, MissingPathError, ToolError } from '#base/toolError.ts';
import type { LineRange } from '#call/ports/editorState.ts';
import { defineTool, inputFromZod, outputFromZod, type ToolContext } from '#call/tool.ts';
import { quoted, visible } from '#policy/unsafeNames.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { maximumLine, maximumReadBytes } from '../workspace/readRange.ts';

const line = z.int().min(1).max(maximumLine);

const input = z.strictObject({
  path: pathInput.describe('Names a file'),
  firstLine: line.exactOptional().describe('Shows this line'),
  lastLine: line.exactOptional().describe('Ends here'),
  focus: z.boolean().exactOptional().describe('Moves the focus'),
});

const shownFile = z.object({
  path: z.string(),
  uri: z.string(),
  group: z.int().min(1).max(1000).describe('Editor column'),
  isVisible: z.boolean().describe('false: in a hidden tab, since the user is typing'),
  firstLine: line.exactOptional(),
  lastLine: line.exactOptional(),
});

/** The `open_file` tool: shows the user a file without taking the focus, unless asked to. */
export const openFile = defineTool({
  name: 'open_file',
  title: 'Open file',
  summary: 'Show you a file, without taking the keyboard.',
  toolset: 'editor',
  risk: 'ui',
  needs: ['editorActions', 'files'],
  description: 'Show the user a file; read_file reads it for you.',
  example: { path: 'src/a.ts', firstLine: 3, lastLine: 5 },
  input: inputFromZod(input),
  output: outputFromZod(shownFile),
  targets: ({ path }) => [path],
  async run(wanted, context) {
    const file = requireFile(context.targets[0]);
    const text = await textOf(file, context);
    const lines = text === undefined ? undefined : linesOf(wanted, text);
    const { focus = false } = wanted;
    const shown = await context.editorActions.show(file, {
      ...(lines && { lines }),
      focus,
      isText: text !== undefined,
    });
    return { path: file.path, uri: file.uri, ...shown, ...(shown.isVisible && lines) };
  },
  render({ path, uri, group, isVisible, firstLine, lastLine }) {
    const lines = firstLine === undefined ? '' : `:${firstLine}-${lastLine ?? firstLine}`;
    const how = isVisible
      ? `Shown in group ${group}.`
      : `Open in a tab of group ${group}; not shown, since the user is typing.`;
    return { text: `${visible(path)}${lines}: ${how}`, links: [{ path, uri }] };
  },
});

function requireFile(file: ResolvedPath | undefined): ResolvedPath {
  if (file === undefined) throw new Error('The address was not resolved');
  if (file.kind === 'file') return file;
  const hint = 'Use find_files to find files.';
  if (file.kind !== 'missing') throw new ToolError('unavailable', `${quoted(file.path)} is not a file.`, hint);
  throw new MissingPathError(file.path, `${quoted(file.path)} does not exist.`, hint);
}

/** Returns the text, or undefined for a file that is not text; the editor then chooses how to show it. */
async function textOf(file: ResolvedPath, { files }: Pick<ToolContext, 'files'>): Promise<string | undefined> {
  try {
    return (await files.readText(file, maximumReadBytes)).text;
  } catch (error) {
    if (error instanceof ToolError && ['binary_file', 'undecodable', 'too_large'].includes(error.code))
      return undefined;
    throw error;
  }
}

/** Returns the requested lines, limited to the lines of the file. */
function linesOf({ firstLine, lastLine = firstLine }: z.infer<typeof input>, text: string): LineRange | undefined {
  if (firstLine === undefined || lastLine === undefined) return undefined;
  if (lastLine < firstLine) throw new InvalidArgumentsError('lastLine: is before firstLine');
  const total = text.split(/\r\n|\r|\n/).length;
  return { firstLine: Math.min(firstLine, total), lastLine: Math.min(lastLine, total) };
}
