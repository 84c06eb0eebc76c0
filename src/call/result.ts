import type { CallCounts } from '#audit/auditLog.ts';
import type { ToolError } from '#base/toolError.ts';
import { isRecord } from './isRecord.ts';
import { mimeTypeOf } from './mimeType.ts';
import type { ResultProfile } from './resultProfile.ts';
import { printable, wellFormedData } from './sanitise.ts';
import type { EmbeddedBlob, EmbeddedText, LinkedFile, Media, Rendering } from './tool.ts';

/** MCP content annotations (schema 2025-11-25, "Annotations"). */
export interface Annotations {
  readonly audience?: readonly ('user' | 'assistant')[];
  readonly priority?: number;
  /** ISO 8601. */
  readonly lastModified?: string;
}

export interface TextResource {
  readonly uri: string;
  readonly mimeType: string;
  readonly text: string;
}

export interface BlobResource {
  readonly uri: string;
  readonly mimeType: string;
  readonly blob: string;
}

export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio';
      /** Base64. */
      readonly data: string;
      readonly mimeType: string;
      readonly annotations: Annotations;
    }
  | { readonly type: 'resource'; readonly resource: TextResource | BlobResource; readonly annotations: Annotations }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly title: string;
      readonly description?: string;
      readonly mimeType: string;
      readonly size?: number;
      readonly annotations: Annotations;
    };

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: { readonly [key: string]: unknown };
  readonly isError?: true;
}

/** Bytes of a text above which it is linked and not embedded: the text block and the structured content have it already. */
const mostEmbeddedBytes = 8192;

function isLongText(embedded: EmbeddedText | EmbeddedBlob): boolean {
  return 'text' in embedded && Buffer.byteLength(embedded.text) > mostEmbeddedBytes;
}

/** Maximum number of links in a result. The text names the other files. */
const maximumLinks = 20;

/**
 * Returns the data of a tool as an MCP result for one client. The text comes first; text and structured content are each complete.
 * Images and sounds are in neither of them, so every client gets them.
 */
export function makeResult(data: unknown, rendering: Rendering, profile: ResultProfile): ToolResult {
  const content: ContentBlock[] = [];
  if (hasText(profile)) content.push({ type: 'text', text: printable(rendering.text) });
  content.push(...(rendering.media ?? []).map(mediaBlock));
  const embedded = profile.embedded ? (rendering.embedded ?? []) : [];
  const isLinked = (each: EmbeddedText | EmbeddedBlob): boolean => profile.links && isLongText(each);
  content.push(...embedded.filter((each) => !isLinked(each)).map(embeddedBlock));
  const links = profile.links ? [...embedded.filter(isLinked), ...(rendering.links ?? [])] : [];
  content.push(...links.slice(0, maximumLinks).map(linkBlock));
  if (!profile.structured || !isRecord(data)) return { content };
  return { content, structuredContent: wellFormedData(data) };
}

/** Returns the UTF-8 bytes that a client passes to its model: of the text block, or of the strings of the structured content. */
export function textBytes(data: unknown, rendering: Rendering, profile: ResultProfile): number {
  return hasText(profile) ? Buffer.byteLength(rendering.text) : stringBytes(data);
}

/** Returns the numbers in the data of a tool: each number, and the length of each list. They tell how much was found, not what. */
export function countsOf(data: unknown): CallCounts {
  if (!isRecord(data)) return {};
  const counts = Object.entries(data).map(
    ([name, value]) => [name, Array.isArray(value) ? value.length : value] as const,
  );
  return Object.fromEntries(counts.filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
}

function hasText(profile: ResultProfile): boolean {
  return profile.text || !profile.structured;
}

function stringBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((sum: number, each: unknown) => sum + stringBytes(each), 0);
}

/** Returns an error as a result: what happened, what to do, and the code in brackets, without structured content. */
export function makeErrorResult(error: ToolError): ToolResult {
  return { content: [{ type: 'text', text: errorText(error) }], isError: true };
}

/** Returns the text of an error for a model. */
export function errorText(error: Pick<ToolError, 'code' | 'message' | 'hint'>): string {
  return printable(`${error.message} ${error.hint} [${error.code}]`);
}

/** Returns the content of an embedded file, in the same form as `resources/read`. */
export function resourceOf(embedded: EmbeddedText | EmbeddedBlob): TextResource | BlobResource {
  const { uri } = embedded;
  const mimeType = mimeTypeOf(embedded.path);
  return 'text' in embedded
    ? { uri, mimeType, text: wellFormedData(embedded.text) }
    : { uri, mimeType, blob: embedded.blob };
}

function mediaBlock({ kind, data, mimeType, modified }: Media): ContentBlock {
  const annotations = { audience: ['user', 'assistant'] as const, priority: 0.9, ...lastModified(modified) };
  return { type: kind, data, mimeType, annotations };
}

/** Returns the content block of an embedded file. */
export function embeddedBlock(embedded: EmbeddedText | EmbeddedBlob): ContentBlock {
  return {
    type: 'resource',
    resource: resourceOf(embedded),
    annotations: { audience: ['assistant'], priority: 0.9, ...lastModified(embedded.modified) },
  };
}

function linkBlock(link: LinkedFile): ContentBlock {
  return {
    type: 'resource_link',
    uri: link.uri,
    name: printable(link.path),
    title: printable(link.path.slice(link.path.lastIndexOf('/') + 1)),
    ...(link.description === undefined ? {} : { description: printable(link.description) }),
    mimeType: mimeTypeOf(link.path),
    ...(link.size === undefined ? {} : { size: link.size }),
    annotations: { audience: ['user', 'assistant'], priority: 0.5, ...lastModified(link.modified) },
  };
}

function lastModified(milliseconds: number | undefined): Annotations {
  return milliseconds === undefined || milliseconds <= 0 ? {} : { lastModified: new Date(milliseconds).toISOString() };
}
