import * as z from 'zod';
import { defineTool, inputFromZod, outputFromZod } from '../../core/tool.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { pathInput } from './pathInput.ts';
import { maximumLine, numberedText, readFields, readRange, type ReadResult } from './textLines.ts';

type SingleRead = ReadResult & { readonly redactedSecrets?: number };

/** Lines of one text file as the editor holds it. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  toolset: 'workspace',
  risk: 'read',
  needs: ['files'],
  worksUntrusted: true,
  description:
    'Read a text file, or a range of its lines, as the editor holds it: unsaved changes included. ' +
    'Use read_files for several files, search_code to find the lines first. ' +
    'Example: {"path":"src/cart.ts","firstLine":40,"lineCount":60}.',
  input: inputFromZod(
    z.strictObject({
      path: pathInput.describe('Workspace-relative path'),
      firstLine: z.int().min(1).max(maximumLine).default(1).describe('First line to read, 1-based'),
      lineCount: z.int().min(1).max(maximumLine).exactOptional().describe('How many lines; all that fit unless given'),
    }),
  ),
  output: outputFromZod(z.object({ ...readFields, redactedSecrets: redactedSecretsOutput })),
  targets: ({ path }) => [path],
  async run({ firstLine, lineCount }, { files, resolve, targets: [file], limits }): Promise<SingleRead> {
    if (file === undefined) throw new Error('The address of the input was not resolved');
    return readRange(file, { firstLine, lineCount }, { files, resolve }, limits.readBytes);
  },
  render: (data) => ({
    get text() {
      return [numberedText(data), ...secretsText(data.redactedSecrets)].join('\n');
    },
    embedded: [
      {
        path: data.path,
        uri: data.uri,
        text: data.text,
        ...(data.lastModified === undefined ? {} : { modified: Date.parse(data.lastModified) }),
      },
    ],
  }),
});
