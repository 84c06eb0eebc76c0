import * as z from 'zod';
import { redactText } from '../../core/redaction.ts';
import { textVersion } from '../../core/textVersion.ts';
import { ToolError, type ToolContext } from '../../core/tool.ts';
import type { LiveText, ResolvedPath } from '../../ports/files.ts';

/** Files up to this size are read by lines; what is larger is searched (approval-and-security.md, row P13). */
const maximumReadBytes = 5 * 1024 * 1024;
export const maximumLine = 10_000_000;

/** A range of lines of a text file, in the words of the results. */
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

const readResult = z.object(readFields);

export type ReadResult = z.infer<typeof readResult>;

export interface LineRange {
  readonly firstLine: number;
  /** Undefined: as many as fit. */
  readonly lineCount: number | undefined;
}

/** Reads a range of lines of a file. Throws ToolError as `Files.readText` does, and `not_found` behind the end. */
export async function readRange(
  path: ResolvedPath,
  range: LineRange,
  { files, resolve }: Pick<ToolContext<'files'>, 'files' | 'resolve'>,
  maxBytes: number,
): Promise<ReadResult> {
  const live = await files.readText(path, maximumReadBytes);
  const { path: asked, uri, ...read } = readLines(path, live, range, maxBytes);
  const real = path.linked ? (await resolve(path.realPath)).path : asked;
  return { path: asked, uri, ...(real === asked ? {} : { resolvedTo: real }), ...read };
}

/**
 * The lines of a range, as many as fit into `maxBytes` of UTF-8, at least a part of one.
 * @throws ToolError `not_found` when the range begins behind the end.
 */
function readLines(path: ResolvedPath, live: LiveText, range: LineRange, maxBytes: number): ReadResult {
  const lf = live.text.includes('\r') ? live.text.replaceAll(/\r\n|\r/g, '\n') : live.text;
  const starts = lineStarts(lf);
  const totalLines = starts.length;
  // The whole text, since a page may begin within a secret.
  const shown = redactText(lf).text;
  if (range.firstLine > totalLines) {
    throw new ToolError(
      'not_found',
      `${path.path} has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}; line ${range.firstLine} does not exist.`,
      `Read from a line between 1 and ${totalLines}.`,
    );
  }
  const wanted = Math.min(totalLines, range.firstLine - 1 + (range.lineCount ?? totalLines));
  const shownStarts = shown === lf ? starts : lineStarts(shown);
  const page = cutToBytes(shown, shownStarts, range.firstLine, wanted, maxBytes);
  return {
    path: path.path,
    uri: path.uri,
    version: textVersion(lf),
    encoding: live.encoding,
    eol: lineEndsOf(live.text),
    totalLines,
    firstLine: range.firstLine,
    lastLine: page.lastLine,
    text: page.text,
    ...(page.lastLine < wanted || page.note !== undefined ? { truncated: true } : {}),
    ...(page.lastLine < totalLines ? { nextFirstLine: page.lastLine + 1 } : {}),
    ...(page.note === undefined ? {} : { note: page.note }),
    ...(live.unsaved ? { unsaved: true } : {}),
    ...(live.unsavedElsewhere ? { unsavedElsewhere: true } : {}),
    ...(live.readonly ? { readonly: true } : {}),
    ...(live.modified > 0 ? { lastModified: new Date(live.modified).toISOString() } : {}),
  };
}

/** One line before, then every line with its number. */
export function numberedText(read: ReadResult): string {
  const marks = [
    `lines ${read.firstLine}-${read.lastLine} of ${read.totalLines}`,
    `version ${read.version}`,
    read.encoding,
    read.eol,
    ...(read.unsaved === true ? ['unsaved changes included'] : []),
    ...(read.unsavedElsewhere === true ? ['unsaved changes of another editor NOT included'] : []),
    ...(read.readonly === true ? ['read-only'] : []),
  ];
  const lines = read.text.split('\n').map((line, at) => `${read.firstLine + at}\t${line}`);
  const more = read.nextFirstLine === undefined ? [] : [`(read on with firstLine ${read.nextFirstLine})`];
  const note = read.note === undefined ? [] : [`(${read.note})`];
  const name = read.resolvedTo === undefined ? read.path : `${read.path} -> ${read.resolvedTo}`;
  return [`${name}: ${marks.join(', ')}`, ...lines, ...note, ...more].join('\n');
}

function lineStarts(lf: string): readonly number[] {
  const starts = [0];
  for (let at = lf.indexOf('\n'); at >= 0; at = lf.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

interface Page {
  readonly text: string;
  readonly lastLine: number;
  readonly note?: string;
}

function cutToBytes(
  lf: string,
  starts: readonly number[],
  firstLine: number,
  lastWanted: number,
  maxBytes: number,
): Page {
  const start = starts[firstLine - 1] ?? 0;
  const textUpTo = (line: number): string => lf.slice(start, (starts[line] ?? lf.length + 1) - 1);
  const whole = textUpTo(lastWanted);
  if (Buffer.byteLength(whole) <= maxBytes) return { text: whole, lastLine: lastWanted };
  let fits = firstLine - 1;
  let beyond = lastWanted;
  while (beyond - fits > 1) {
    const middle = Math.floor((fits + beyond) / 2);
    if (Buffer.byteLength(textUpTo(middle)) <= maxBytes) fits = middle;
    else beyond = middle;
  }
  if (fits >= firstLine) return { text: textUpTo(fits), lastLine: fits };
  const line = textUpTo(firstLine);
  const note = `line ${firstLine} has ${line.length} characters and was cut; search_code shows places inside it`;
  return { text: cutText(line, maxBytes), lastLine: firstLine, note };
}

/** The beginning of a text that fits into so many bytes, without half a character. */
function cutText(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes);
  return new TextDecoder().decode(bytes, { stream: true });
}

function lineEndsOf(text: string): 'lf' | 'crlf' | 'mixed' {
  if (!text.includes('\r')) return 'lf';
  return /(^|[^\r])\n|\r(?!\n)/.test(text) ? 'mixed' : 'crlf';
}
