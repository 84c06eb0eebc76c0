import * as z from 'zod';
import { redactText } from '#audit/redactText.ts';
import type { LiveText, ResolvedPath } from '#base/files.ts';
import { versionOfShown } from '#audit/textVersion.ts';
import { ToolError } from '#base/toolError.ts';
import { printable } from '#call/sanitise.ts';
import type { PageLimits, ToolContext } from '#call/tool.ts';
import { cutNote, cutToBytes } from './cutLines.ts';

/** The largest file that is read by lines, in bytes; larger files can be searched (threat row P13). */
export const maximumReadBytes = 5 * 1024 * 1024;
/** The largest line or column number of inputs and outputs. */
export const maximumLine = 10_000_000;

/** The output fields of a read range of lines. */
export const readFields = {
  path: z.string().describe('Workspace-relative path'),
  uri: z.string().describe('URI of the file'),
  resolvedTo: z.string().exactOptional().describe('Path of the real file when path leads through a link'),
  version: z.string().describe('Send it with edits by line number'),
  encoding: z.string().describe('Encoding on disk'),
  eol: z.enum(['lf', 'crlf', 'mixed']).describe('Line ends on disk; the text here has LF'),
  totalLines: z.int().min(1).max(maximumLine).describe('Lines of the file'),
  firstLine: z.int().min(1).max(maximumLine).describe('First line returned'),
  lastLine: z.int().min(1).max(maximumLine).describe('Last line returned'),
  text: z.string().describe('The lines, joined by LF'),
  truncated: z.boolean().exactOptional().describe('Not all lines asked for fit'),
  nextFirstLine: z.int().min(1).max(maximumLine).exactOptional().describe('Where to read on'),
  note: z.string().exactOptional().describe('What else to know about the text'),
  unsaved: z.boolean().exactOptional().describe('The editor holds unsaved changes; they are in the text'),
  unsavedElsewhere: z
    .boolean()
    .exactOptional()
    .describe('A notebook or custom editor holds unsaved changes; they are not in the text'),
  readonly: z.boolean().exactOptional().describe('The file cannot be written'),
  lastModified: z.string().exactOptional().describe('ISO 8601, of the file on disk'),
};

/** Bytes that a tool adds to a read: its kind and the count of redacted secrets. */
const besides = 50;

const readResult = z.object(readFields);

export type ReadResult = z.infer<typeof readResult>;

export interface LineRange {
  readonly firstLine: number;
  /** The number of lines; undefined for as many as fit. */
  readonly lineCount: number | undefined;
}

/**
 * Reads a range of lines of a file.
 * @throws ToolError as `Files.readText`; `not_found` when the range begins after the end of the file
 */
export async function readRange(
  path: ResolvedPath,
  range: LineRange,
  { files, resolve }: Pick<ToolContext<'files'>, 'files' | 'resolve'>,
  limits: Pick<PageLimits, 'readBytes' | 'form'>,
): Promise<ReadResult> {
  const live = await files.readText(path, maximumReadBytes);
  return readLines({ path: path.path, uri: path.uri, ...(await realName(path, resolve)) }, live, range, limits);
}

/** Returns the path of the real file when the path leads through a link. */
export async function realName(
  { path, realPath, linked }: ResolvedPath,
  resolve: ToolContext['resolve'],
): Promise<{ readonly resolvedTo?: string }> {
  const real = linked ? (await resolve(realPath)).path : path;
  return real === path ? {} : { resolvedTo: real };
}

/**
 * Returns the lines of a range, as many as fit into `readBytes` in the form that the client receives, at least a part of
 * one line.
 * @throws ToolError `not_found` when the range begins after the end of the file
 */
function readLines(
  name: Pick<ReadResult, 'path' | 'uri' | 'resolvedTo'>,
  live: LiveText,
  range: LineRange,
  { readBytes, form }: Pick<PageLimits, 'readBytes' | 'form'>,
): ReadResult {
  const lf = live.text.includes('\r') ? live.text.replaceAll(/\r\n|\r/g, '\n') : live.text;
  const starts = lineStarts(lf);
  const totalLines = starts.length;
  // The whole text is redacted, because a page may begin within a secret.
  const shown = redactText(lf).text;
  if (range.firstLine > totalLines) {
    throw new ToolError(
      'not_found',
      `${name.path} has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}; line ${range.firstLine} does not exist.`,
      `Read from a line between 1 and ${totalLines}.`,
    );
  }
  const wanted = Math.min(totalLines, range.firstLine - 1 + (range.lineCount ?? totalLines));
  const shownStarts = shown === lf ? starts : lineStarts(shown);
  const facts = {
    ...name,
    version: versionOfShown(shown),
    encoding: live.encoding,
    eol: lineEndsOf(live.text),
    totalLines,
    ...(live.unsaved ? { unsaved: true } : {}),
    ...(live.unsavedElsewhere ? { unsavedElsewhere: true } : {}),
    ...(live.readonly ? { readonly: true } : {}),
    ...(live.modified > 0 ? { lastModified: new Date(live.modified).toISOString() } : {}),
  };
  // The text gets at least half of the bytes, however long the path is.
  const room = Math.max(readBytes - seenBytes(widestFrame(facts), form) - besides, Math.floor(readBytes / 2));
  const page = cutToBytes(shown, shownStarts, range.firstLine, wanted, room, form);
  return {
    ...facts,
    firstLine: range.firstLine,
    lastLine: page.lastLine,
    text: page.text,
    ...(page.lastLine < wanted || page.note !== undefined ? { truncated: true } : {}),
    ...(page.lastLine < totalLines ? { nextFirstLine: page.lastLine + 1 } : {}),
    ...(page.note === undefined ? {} : { note: page.note }),
  };
}

/** Returns a read without its text, with every other field at its longest. */
function widestFrame(
  facts: Omit<ReadResult, 'firstLine' | 'lastLine' | 'text' | 'truncated' | 'nextFirstLine' | 'note'>,
): ReadResult {
  const { totalLines: line } = facts;
  const note = cutNote(line, maximumReadBytes);
  return { ...facts, firstLine: line, lastLine: line, text: '', truncated: true, nextFirstLine: line, note };
}

/** Returns the UTF-8 bytes of a read in the form that the client receives. */
export function seenBytes(read: ReadResult, form: PageLimits['form']): number {
  const text = form === 'data' ? 0 : Buffer.byteLength(printable(numberedText(read)));
  return form === 'text' ? text : Math.max(text, Buffer.byteLength(JSON.stringify(read)));
}

/** Renders a read as text: a header line, then every line with its number. */
export function numberedText(read: ReadResult): string {
  const marks = [
    `lines ${read.firstLine}-${read.lastLine} of ${read.totalLines}`,
    `version ${read.version}`,
    // UTF-8 and LF are omitted, because nearly every file has them.
    ...(read.encoding === 'utf8' ? [] : [read.encoding]),
    ...(read.eol === 'lf' ? [] : [read.eol]),
    ...(read.unsaved === true ? ['unsaved changes included'] : []),
    ...(read.unsavedElsewhere === true ? ['unsaved changes of another editor NOT included'] : []),
    ...(read.readonly === true ? ['read-only'] : []),
  ];
  const lines = read.text.split('\n').map((line, at) => `${read.firstLine + at}\t${line}`);
  const isCut = read.truncated === true && read.nextFirstLine !== undefined;
  const more = !isCut ? [] : [`(read on with firstLine ${read.nextFirstLine})`];
  const note = read.note === undefined ? [] : [`(${read.note})`];
  const name = read.resolvedTo === undefined ? read.path : `${read.path} -> ${read.resolvedTo}`;
  return [`${name}: ${marks.join(', ')}`, ...lines, ...note, ...more].join('\n');
}

function lineStarts(lf: string): readonly number[] {
  const starts = [0];
  for (let at = lf.indexOf('\n'); at >= 0; at = lf.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

function lineEndsOf(text: string): 'lf' | 'crlf' | 'mixed' {
  if (!text.includes('\r')) return 'lf';
  return /(^|[^\r])\n|\r(?!\n)/.test(text) ? 'mixed' : 'crlf';
}
