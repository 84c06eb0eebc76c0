import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import {
  defineTool,
  type EmbeddedText,
  inputFromZod,
  outputFromZod,
  type PageLimits,
  type ToolContext,
} from '#call/tool.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { numberedText, readFields, readInput, readRange, type ReadResult, seenBytes } from './readRange.ts';

const asked = z.strictObject(readInput);

type Asked = z.infer<typeof asked>;

const failed = z.object({
  path: z.string().describe('The path as asked'),
  message: z.string().describe('What happened and what to do'),
  code: z.string().describe('The error code'),
});

type Failed = z.infer<typeof failed>;

/** Bytes of a result around its files. */
const frame = 150;
/** The fewest bytes left for which a further file is read. */
const leastRead = 1000;

interface ManyRead {
  files: ReadResult[];
  failed?: Failed[];
  notRead?: string[];
  redactedSecrets?: number;
}

/** The `read_files` tool: reads several text files in one call; a file that fails is reported beside the others. */
export const readFiles = defineTool({
  name: 'read_files',
  title: 'Read files',
  toolset: 'workspace',
  risk: 'read',
  needs: ['files'],
  worksUntrusted: true,
  hasLongResults: true,
  description: 'Read several files, or ranges of them, in one call; one that fails is reported.',
  example: { files: [{ path: 'src/a.ts' }, { path: 'src/b.ts', firstLine: 10 }] },
  input: inputFromZod(
    z.strictObject({ files: z.array(asked).min(1).max(50).describe('Lists files in reading order') }),
  ),
  output: outputFromZod(
    z.object({
      files: z.array(z.object(readFields)).max(50).describe('What was read'),
      failed: z.array(failed).max(50).exactOptional().describe('What could not be read'),
      redactedSecrets: redactedSecretsOutput,
      notRead: z.array(z.string()).max(50).exactOptional().describe('Did not fit; ask for them again'),
    }),
  ),
  targets: () => [],
  async run({ files }, context, signal): Promise<ManyRead> {
    const read: ReadResult[] = [];
    const failures: Failed[] = [];
    const notRead: string[] = [];
    // The names of files that may not fit need room too.
    const names = files.reduce((sum, { path }) => sum + Buffer.byteLength(JSON.stringify(path)) + 2, 0);
    const { readBytes, form } = context.limits;
    let budget = Math.max(readBytes - frame - names, Math.floor(readBytes / 2));
    for (const file of files) {
      // Too few bytes are left for more than a name; the first file is read in any case.
      if (budget < leastRead && read.length + failures.length > 0) {
        notRead.push(file.path);
        continue;
      }
      const result = await readOne(file, context, { readBytes: budget, form }, signal);
      if ('code' in result) {
        failures.push(result);
        budget -= Buffer.byteLength(JSON.stringify(result)) + 2;
        continue;
      }
      read.push(result);
      budget = result.truncated === true ? 0 : budget - seenBytes(result, form) - 2;
    }
    return {
      files: read,
      ...(failures.length > 0 ? { failed: failures } : {}),
      ...(notRead.length > 0 ? { notRead } : {}),
    };
  },
  render: ({ files, failed: failures = [], notRead = [], redactedSecrets }) => ({
    text: [
      ...files.map(numberedText),
      ...failures.map(({ path, message, code }) => `${path}: ${message} [${code}]`),
      ...secretsText(redactedSecrets),
      ...(notRead.length > 0 ? [`Not read, the page is full; ask again for: ${notRead.join(', ')}`] : []),
    ].join('\n\n'),
    embedded: files.map(embedded),
  }),
});

async function readOne(
  { path, firstLine, lastLine }: Asked,
  context: Pick<ToolContext<'files'>, 'resolve' | 'files' | 'withNearestPaths'>,
  limits: Pick<PageLimits, 'readBytes' | 'form'>,
  signal: AbortSignal,
): Promise<ReadResult | Failed> {
  try {
    return await readRange(await context.resolve(path), { firstLine, lastLine }, context, limits);
  } catch (thrown) {
    const error = await context.withNearestPaths(thrown, signal);
    if (!(error instanceof ToolError)) throw error;
    const hint = error.code === 'binary_file' ? 'Use read_file for an image or a sound.' : error.hint;
    return { path, message: `${error.message} ${hint}`, code: error.code };
  }
}

function embedded({ path, uri, text, lastModified }: ReadResult): EmbeddedText {
  return { path, uri, text, ...(lastModified === undefined ? {} : { modified: Date.parse(lastModified) }) };
}
