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
import type { ScalableFormat } from '#files/imageScaler.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { type MediaType, mediaTypeOf } from './mediaType.ts';
import { isNotebook, notebookView } from './notebookCells.ts';
import { maximumLine, numberedText, readFields, readInput, readRange, type ReadResult, realName } from './readRange.ts';

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
    scaledFrom: z.string().exactOptional().describe('Pixels of the image in the file, when it was scaled down'),
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
  needs: ['files', 'images'],
  worksUntrusted: true,
  hasLongResults: true,
  description:
    'Read a file or some of its lines, unsaved changes included; returns numbered lines and a version, or an image or sound. ' +
    'Use read_files for several. ' +
    'Example: {"path":"src/cart.ts","firstLine":40,"lastLine":99}.',
  input: inputFromZod(
    z.strictObject({
      ...readInput,
      firstColumn: z.int().min(1).max(maximumLine).exactOptional().describe('Begins in this column of one line'),
      lastColumn: z.int().min(1).max(maximumLine).exactOptional().describe('Ends with this column'),
    }),
  ),
  output,
  targets: ({ path: address }) => [address],
  async run({ path: _path, ...range }, context, signal): Promise<SingleRead> {
    const {
      targets: [file],
      limits,
    } = context;
    if (file === undefined) throw new Error('The address of the input was not resolved');
    try {
      const view = isNotebook(file) ? notebookView : undefined;
      return {
        kind: 'text',
        ...(await readRange(file, { lastLine: undefined, ...range }, context, limits, view, signal)),
      };
    } catch (error) {
      if (!(error instanceof ToolError && notText.has(error.code))) throw error;
      return readMedia(file, context, error, signal);
    }
  },
  render(data) {
    if (data.kind !== 'text') return { text: mediaText(data) };
    let text: string | undefined;
    return {
      // It is made for clients that get it, and once: the record measures it too.
      get text() {
        text ??= [numberedText(data), ...secretsText(data.redactedSecrets)].join('\n');
        return text;
      },
      // Without a version, the text is not the one of the file, or a part of a very large one.
      embedded:
        data.version === undefined
          ? []
          : [
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
/** The longest side of an image in pixels: a few bytes can stand for billions, and services refuse a whole conversation because of one. */
const maximumSide = 8000;
/** Bytes from the start of a file in which the size of an image is looked for. */
const headerBytes = 256 * 1024;
/** The largest image that is scaled down, in bytes and in pixels: while it is decoded, each pixel takes about 40 bytes of memory. */
const mostScaled = { bytes: 20 * 1024 * 1024, pixels: 12_500_000 };
/** The longest side of an image that was scaled down: models see no more (Anthropic's guide to vision, "Evaluate image size"). */
const scaledSide = 1568;

interface MediaRead extends MediaType {
  readonly path: string;
  /** Pixels of the image in the file, when it was scaled down: "4000 x 3000", or "the first picture, 800 x 600" of a GIF. */
  readonly scaledFrom?: string;
  readonly uri: string;
  readonly resolvedTo?: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified?: string;
}

const scalableFormats: readonly ScalableFormat[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** Returns the format of an image that may be decoded in order to scale it down; undefined for any other file. */
function scalableFormat({ mimeType, width = 0, height = 0 }: MediaType, bytes: number): ScalableFormat | undefined {
  const format = scalableFormats.find((each) => each === mimeType);
  return bytes <= mostScaled.bytes && width * height <= mostScaled.pixels ? format : undefined;
}

/**
 * Reads an image or a sound and attaches it to the result, an image that is too large scaled down.
 * @param refused is the error of reading the file as text
 * @throws ToolError `refused` when the file is neither image nor sound; `too_large`; as `Files.readBytes`
 */
async function readMedia(
  path: ResolvedPath,
  { files, images, resolve, attach }: Pick<ToolContext<'files' | 'images'>, 'files' | 'images' | 'resolve' | 'attach'>,
  refused: ToolError,
  signal: AbortSignal,
): Promise<MediaRead> {
  const isLarge = refused.code === 'too_large' || path.size > maximumMediaBytes;
  if (isLarge) {
    if (!/^(image\/(?!svg)|audio\/)/.test(mimeTypeOf(path.path))) throw notMedia(refused);
    // A file over the limit is only loaded when its header says that it can be scaled down.
    const header = mediaTypeOf(await files.readStart(path, headerBytes), 'header');
    if (header === undefined || scalableFormat(header, path.size) === undefined) throw tooLarge(path, header);
  }
  const bytes = await files.readBytes(path, isLarge ? mostScaled.bytes : maximumMediaBytes);
  const type = mediaTypeOf(bytes);
  if (type === undefined) throw notMedia(refused);
  const { width = 0, height = 0 } = type;
  const isScaled = isLarge || Math.max(width, height) > maximumSide;
  const format = scalableFormat(type, bytes.length);
  const bounds = { longestSide: scaledSide, maximumBytes: maximumMediaBytes };
  const scaled =
    isScaled && format !== undefined
      ? await images.scaleDown({ format, bytes: new Uint8Array(bytes), ...bounds }, signal)
      : undefined;
  if (isScaled && scaled === undefined) throw tooLarge(path, type);
  const { bytes: shown, ...shownType } = { bytes, ...type, ...scaled };
  const data = Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64');
  const { modified } = path;
  attach({ kind: type.kind, mimeType: shownType.mimeType, data, modified });
  return {
    path: path.path,
    uri: path.uri,
    ...(await realName(path, resolve)),
    ...shownType,
    ...(isScaled
      ? { scaledFrom: `${type.mimeType === 'image/gif' ? 'the first picture, ' : ''}${width} x ${height}` }
      : {}),
    size: bytes.length,
    ...(modified > 0 ? { lastModified: new Date(modified).toISOString() } : {}),
  };
}

/** Describes the image or sound in words, for clients that drop media. */
function mediaText({ path, resolvedTo, kind, mimeType, width, height, scaledFrom, size }: MediaRead): string {
  const name = resolvedTo === undefined ? path : `${path} -> ${resolvedTo}`;
  const pixels = width === undefined || height === undefined ? [] : [`${width} x ${height} pixels`];
  const scale = scaledFrom === undefined ? [] : [`scaled down from ${scaledFrom} pixels`];
  return `${name}: ${[mimeType, ...pixels, ...scale, `${size} bytes`].join(', ')}. The ${kind === 'image' ? 'image' : 'sound'} comes with this text.`;
}

function notMedia({ code, message, hint }: ToolError): ToolError {
  if (code !== 'binary_file') return new ToolError(code, message, hint);
  return new ToolError(
    code,
    message,
    'Besides text, only complete PNG, JPEG, GIF and WebP images and WAV, MP3, OGG and FLAC sounds can be read; ask the user about this file.',
  );
}

function tooLarge({ path, size }: ResolvedPath, type: MediaType | undefined): ToolError {
  const { width, height } = type ?? {};
  const pixels = width === undefined || height === undefined ? '' : `${width} x ${height} pixels and `;
  return new ToolError(
    'too_large',
    `${path} has ${pixels}${size} bytes; an image or a sound may have at most ${maximumMediaBytes} bytes, and an image ${maximumSide} pixels a side; PNG, JPEG, GIF and WebP are scaled down when they have at most ${mostScaled.bytes} bytes and ${mostScaled.pixels} pixels.`,
    'Ask the user for a smaller copy: scaled down, compressed, or cut.',
  );
}
