import type { ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import { mimeTypeOf } from '#call/mimeType.ts';
import { maximumResourceBytes, type ToolContext } from '#call/tool.ts';
import { mediaTypeOf, type MediaType } from './mediaType.ts';
import { realName } from './textLines.ts';

/** What a model is sent of an image or a sound, base64 not counted. */
const maximumMediaBytes = maximumResourceBytes.binary;

export interface MediaRead extends MediaType {
  readonly path: string;
  readonly uri: string;
  readonly resolvedTo?: string;
  /** Bytes. */
  readonly size: number;
  readonly lastModified?: string;
}

/**
 * An image or a sound, which goes along with the result.
 * @throws `refused`, which is why the file is no text, when it is neither; ToolError `too_large`, or as `Files.readBytes` does
 */
export async function readMedia(
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

/** What it is, in words: whoever cannot see or hear still knows. */
export function mediaText({ path, resolvedTo, kind, mimeType, width, height, size }: MediaRead): string {
  const name = resolvedTo === undefined ? path : `${path} -> ${resolvedTo}`;
  const pixels = width === undefined || height === undefined ? [] : [`${width} x ${height} pixels`];
  return `${name}: ${[mimeType, ...pixels, `${size} bytes`].join(', ')}. The ${kind === 'image' ? 'image' : 'sound'} comes with this text.`;
}

function notMedia({ code, message, hint }: ToolError): ToolError {
  if (code !== 'binary_file') return new ToolError(code, message, hint);
  return new ToolError(
    code,
    message,
    'Only whole PNG, JPEG, GIF and WebP images and WAV, MP3, OGG and FLAC sounds are read besides text; ask the user about this file.',
  );
}

function tooLarge({ path, size }: ResolvedPath): ToolError {
  return new ToolError(
    'too_large',
    `${path} has ${size} bytes; an image or a sound may have ${maximumMediaBytes}.`,
    'Ask the user for a smaller copy: scaled down, compressed, or cut.',
  );
}
