import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { mimeTypeOf } from '#call/mimeType.ts';
import {
  defineTool,
  inputFromZod,
  maximumResourceBytes,
  outputFromZod,
  type OutputSchema,
  type ToolContext,
} from '#call/tool.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { type MediaType, mediaTypeOf } from './mediaType.ts';
import { pathInput } from './pathInput.ts';
import { maximumLine, numberedText, readFields, readRange, type ReadResult, realName } from './readRange.ts';

type SingleRead = (ReadResult & { readonly kind: 'text'; readonly redactedSecrets?: number }) | MediaRead;

const { path: pathOutput, uri, resolvedTo: resolvedToOutput, lastModified, ...textFields } = readFields;
const pixelsOutput = z.int().min(1).max(4_294_967_295).exactOptional();

const output: OutputSchema<SingleRead> = outputFromZod(
  z.object({
    path: pathOutput,
    uri,
    resolvedTo: resolvedToOutput,
    kind: z.enum(['text', 'image', 'audio']).describe('Only text has lines; an image or a sound is separate content'),
    mimeType: z.string().exactOptional().describe('Of an image or a sound'),
    size: z.int().min(0).max(1_000_000_000_000_000).exactOptional().describe('Bytes of an image or a sound'),
    width: pixelsOutput.describe('Of an image'),
    height: pixelsOutput.describe('Of an image'),
    lastModified,
    ...z.object(textFields).partial().shape,
    redactedSecrets: redactedSecretsOutput,
  }),
);

/** Error codes of files that are not text and may be an image or a sound. */
const notText: ReadonlySet<string> = new Set(['binary_file', 'undecodable', 'too_large']);

/** The `read_file` tool: reads lines of a text file as the editor has it, or an image or a sound. */
export const readFile = defineTool({
  name: 'read_file',
  title: 'Read file',
  summary: 'Read lines as the editor holds them, with a version; images and sounds, too.',
  toolset: 'workspace',
  risk: 'read',
  needs: ['files'],
  worksUntrusted: true,
  description:
    'Read a text file, or a range of its lines, unsaved changes included. Images and sounds too. ' +
    'Use read_files for several, search_code to find lines first. ' +
    'Example: {"path":"src/cart.ts","firstLine":40,"lineCount":60}.',
  input: inputFromZod(
    z.strictObject({
      path: pathInput.describe('Workspace-relative path'),
      firstLine: z.int().min(1).max(maximumLine).default(1).describe('First line to read, 1-based'),
      lineCount: z.int().min(1).max(maximumLine).exactOptional().describe('How many lines; all that fit unless given'),
    }),
  ),
  output,
  targets: ({ path: address }) => [address],
  async run({ firstLine, lineCount }, context): Promise<SingleRead> {
    const {
      targets: [file],
      limits,
    } = context;
    if (file === undefined) throw new Error('The address of the input was not resolved');
    try {
      return { kind: 'text', ...(await readRange(file, { firstLine, lineCount }, context, limits)) };
    } catch (error) {
      if (!(error instanceof ToolError && notText.has(error.code))) throw error;
      return readMedia(file, context, error);
    }
  },
  render(data) {
    if (data.kind !== 'text') return { text: mediaText(data) };
    return {
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
    };
  },
});

/** The largest image or sound in a result, in bytes before base64. */
const maximumMediaBytes = maximumResourceBytes.binary;

interface MediaRead extends MediaType {
  readonly path: string;
  readonly uri: string;
  readonly resolvedTo?: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified?: string;
}

/**
 * Reads an image or a sound and attaches it to the result.
 * @param refused is the error of reading the file as text
 * @throws ToolError `refused` when the file is neither image nor sound; `too_large`; as `Files.readBytes`
 */
async function readMedia(
  path: ResolvedPath,
  { files, resolve, attach }: Pick<ToolContext<'files'>, 'files' | 'resolve' | 'attach'>,
  refused: ToolError,
): Promise<MediaRead> {
  if (refused.code === 'too_large' || path.size > maximumMediaBytes)
    throw /^(image\/(?!svg)|audio\/)/.test(mimeTypeOf(path.path)) ? tooLarge(path) : notMedia(refused);
  const bytes = await files.readBytes(path, maximumMediaBytes);
  const type = mediaTypeOf(bytes);
  if (type === undefined) throw notMedia(refused);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  const { modified } = path;
  attach({ kind: type.kind, mimeType: type.mimeType, data, modified });
  return {
    path: path.path,
    uri: path.uri,
    ...(await realName(path, resolve)),
    ...type,
    size: bytes.length,
    ...(modified > 0 ? { lastModified: new Date(modified).toISOString() } : {}),
  };
}

/** Describes the image or sound in words, for clients that drop media. */
function mediaText({ path, resolvedTo, kind, mimeType, width, height, size }: MediaRead): string {
  const name = resolvedTo === undefined ? path : `${path} -> ${resolvedTo}`;
  const pixels = width === undefined || height === undefined ? [] : [`${width} x ${height} pixels`];
  return `${name}: ${[mimeType, ...pixels, `${size} bytes`].join(', ')}. The ${kind === 'image' ? 'image' : 'sound'} comes with this text.`;
}

function notMedia({ code, message, hint }: ToolError): ToolError {
  if (code !== 'binary_file') return new ToolError(code, message, hint);
  return new ToolError(
    code,
    message,
    'Besides text, only complete PNG, JPEG, GIF and WebP images and WAV, MP3, OGG and FLAC sounds can be read; ask the user about this file.',
  );
}

function tooLarge({ path, size }: ResolvedPath): ToolError {
  return new ToolError(
    'too_large',
    `${path} has ${size} bytes; an image or a sound may have at most ${maximumMediaBytes}.`,
    'Ask the user for a smaller copy: scaled down, compressed, or cut.',
  );
}
