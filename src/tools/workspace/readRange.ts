import * as z from 'zod';
import { redactText } from '#audit/redactText.ts';
import type { LiveText, ResolvedPath } from '#base/files.ts';
import { versionOfShown } from '#audit/textVersion.ts';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import { printable } from '#call/sanitise.ts';
import type { PageLimits, ToolContext } from '#call/tool.ts';
import { cutLine, cutNote, cutToBytes, endOfLine, shownLines } from './cutLines.ts';
import type { NotebookView } from './notebookCells.ts';
import { pathInput } from './pathInput.ts';

/** The largest file that is read as a whole, in bytes; of larger ones only ranges of lines are read (threat row P13). */
export const maximumReadBytes = 5 * 1024 * 1024;
/** The largest line or column number of inputs and outputs. */
export const maximumLine = 10_000_000;

/** The output fields of a read range of lines. */
export const readFields = {
  path: z.string().describe('Workspace-relative path'),
  uri: z.string().describe('URI of the file'),
  resolvedTo: z.string().exactOptional().describe('Path of the real file when path leads through a link'),
  version: z.string().exactOptional().describe('Send it with edits by line number; absent when no edit could use it'),
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
  /** Inclusive; undefined for as many lines as fit. A line after the end of the file stands for the last one. */
  readonly lastLine: number | undefined;
  /** Columns of one line, 1-based and inclusive, in UTF-16 units of the text that is shown. */
  readonly firstColumn?: number | undefined;
  readonly lastColumn?: number | undefined;
}

/** A text of which lines are read. */
interface Source {
  /** The text as the assistant may see it, with LF line ends. */
  readonly shown: string;
  /** The number of its first line in the file, which is 1 for a whole text. */
  readonly offset: number;
  readonly totalLines: number;
  readonly facts: Omit<ReadResult, 'firstLine' | 'lastLine' | 'text' | 'totalLines'>;
}

/** The input fields of a read: a file, and the range of its lines. */
export const readInput = {
  path: pathInput.describe('Names the file'),
  firstLine: z.int().min(1).max(maximumLine).default(1).describe('Begins here, 1-based'),
  lastLine: z.int().min(1).max(maximumLine).exactOptional().describe('Ends here; default: all that fit'),
};

/**
 * Reads a range of lines of a file. Of a file that is too large to be read as a whole, only the range is read, and the text around it in
 * which a secret may begin or end.
 * @param view renders the text in another form, to which the lines refer then
 * @throws InvalidArgumentsError when the range ends before it begins; ToolError as `Files.readText`; `not_found` when the range begins after the end of the file; `too_large` when the whole of a
 *   large file is asked for
 */
export async function readRange(
  path: ResolvedPath,
  range: LineRange,
  { files, resolve }: Pick<ToolContext<'files'>, 'files' | 'resolve'>,
  limits: Pick<PageLimits, 'readBytes' | 'form'>,
  view?: (text: string) => NotebookView | undefined,
  signal?: AbortSignal,
): Promise<ReadResult> {
  const { firstLine, lastLine } = range;
  if (lastLine !== undefined && lastLine < firstLine) throw new InvalidArgumentsError('lastLine: is before firstLine');
  const name = { path: path.path, uri: path.uri, ...(await realName(path, resolve)) };
  if (path.kind === 'file' && path.size > (view === undefined ? maximumReadBytes : maximumNotebookBytes)) {
    return readLarge(name, path, range, files, limits, signal);
  }
  const live = await files.readText(path, view === undefined ? maximumReadBytes : maximumNotebookBytes);
  const seen = view?.(live.text);
  const lf = withLineFeeds(seen?.text ?? live.text);
  // The whole text is redacted, because a page may begin within a secret.
  const shown = redactText(lf).text;
  const notes = [...(seen === undefined ? [] : [seen.note]), ...doubtNote(live)];
  const facts = {
    ...name,
    ...(seen === undefined ? { version: versionOfShown(shown) } : {}),
    ...factsOf(live, notes),
    eol: lineEndsOf(live.text),
  };
  return readLines({ shown, offset: 1, totalLines: countLines(lf), facts }, range, limits);
}

/** The largest notebook that is shown as cells, in bytes: most of it are images that are left out. */
const maximumNotebookBytes = 20 * 1024 * 1024;

async function readLarge(
  name: Pick<ReadResult, 'path' | 'uri' | 'resolvedTo'>,
  path: ResolvedPath,
  range: LineRange,
  files: ToolContext<'files'>['files'],
  limits: Pick<PageLimits, 'readBytes' | 'form'>,
  signal: AbortSignal | undefined,
): Promise<ReadResult> {
  if (range.firstLine === 1 && range.lastLine === undefined && range.firstColumn === undefined) {
    throw new ToolError(
      'too_large',
      `${path.path} has ${path.size} bytes, more than the ${maximumReadBytes} that are read as a whole.`,
      'Read a range of its lines, for example {"firstLine":1,"lastLine":200}, or find lines with search_code and this path.',
    );
  }
  const window = await files.readWindow(
    path,
    range.firstLine,
    range.lastLine === undefined ? maximumLine : range.lastLine - range.firstLine + 1,
    signal,
  );
  const { text, start, end, totalLines } = window;
  // No shape of a secret but a private key is longer than the text around the window.
  const shown = redactText(text).part(start, end);
  const facts = { ...name, ...factsOf(window, doubtNote(window)), eol: window.eol };
  return readLines({ shown, offset: range.firstLine, totalLines, facts }, range, limits);
}

function factsOf(live: Omit<LiveText, 'text' | 'unifiedLineEnds'>, notes: readonly string[]) {
  return {
    encoding: live.encoding,
    ...(live.unsaved ? { unsaved: true } : {}),
    ...(live.unsavedElsewhere ? { unsavedElsewhere: true } : {}),
    ...(live.readonly ? { readonly: true } : {}),
    ...(live.modified > 0 ? { lastModified: new Date(live.modified).toISOString() } : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}

function doubtNote({ encodingDoubt, encoding }: Pick<LiveText, 'encodingDoubt' | 'encoding'>): readonly string[] {
  if (encodingDoubt === undefined) return [];
  return encodingDoubt === 'guessed'
    ? [`no setting tells its encoding, ${encoding} is a guess, and it cannot be edited until files.encoding is set`]
    : [`the editor holds it as ${encoding}, which cannot represent its bytes, so it cannot be edited`];
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
  source: Source,
  range: LineRange,
  { readBytes, form }: Pick<PageLimits, 'readBytes' | 'form'>,
): ReadResult {
  const { shown, offset, totalLines, facts } = source;
  const { firstLine } = range;
  if (firstLine > totalLines) {
    throw new ToolError(
      'not_found',
      `${facts.path} has ${totalLines} ${totalLines === 1 ? 'line' : 'lines'}; line ${firstLine} does not exist.`,
      `Read from a line between 1 and ${totalLines}.`,
    );
  }
  // The text gets at least half of the bytes, however long the path is.
  const room = Math.max(readBytes - seenBytes(widestFrame(source), form) - besides, Math.floor(readBytes / 2));
  const wanted = Math.min(totalLines, range.lastLine ?? totalLines);
  const start = startOfLine(shown, firstLine - offset);
  if (range.firstColumn !== undefined || range.lastColumn !== undefined) {
    return readColumns(source, range, shown.slice(start, endOfLine(shown, start)), room, form);
  }
  // More characters than bytes cannot fit.
  const lines = shownLines(shown, { start, firstLine, count: wanted - firstLine + 1, room });
  const page = cutToBytes(lines, firstLine, room, form);
  const notes = [facts.note, page.note].flatMap((note) => note ?? []);
  return {
    ...facts,
    totalLines,
    firstLine,
    lastLine: page.lastLine,
    text: page.text,
    ...(page.lastLine < wanted || page.note !== undefined ? { truncated: true } : {}),
    ...(page.lastLine < totalLines ? { nextFirstLine: page.lastLine + 1 } : {}),
    ...(notes.length > 0 ? { note: notes.join('; ') } : {}),
  };
}

/**
 * Returns columns of one line, as many as fit.
 * @throws InvalidArgumentsError for columns of several lines; ToolError `not_found` when they begin after the end of the line
 */
function readColumns(
  { totalLines, facts }: Source,
  { firstLine, lastLine = firstLine, firstColumn = 1, lastColumn = Infinity }: LineRange,
  line: string,
  room: number,
  form: PageLimits['form'],
): ReadResult {
  if (lastLine !== firstLine)
    throw new InvalidArgumentsError('firstColumn and lastColumn belong to one line: read one line.');
  if (lastColumn < firstColumn) throw new InvalidArgumentsError('lastColumn is before firstColumn.');
  if (firstColumn > Math.max(1, line.length)) {
    throw new ToolError(
      'not_found',
      `Line ${firstLine} of ${facts.path} has ${line.length} characters; column ${firstColumn} does not exist.`,
      `Read from a column between 1 and ${Math.max(1, line.length)}.`,
    );
  }
  const wanted = line.slice(firstColumn - 1, Math.min(lastColumn, line.length));
  const text = cutLine(wanted, firstLine, room, form);
  const lastShown = firstColumn - 1 + text.length;
  const isCut = text.length < wanted.length;
  const more = isCut ? [`read on with firstColumn ${lastShown + 1}`] : [];
  const columns = `columns ${firstColumn}-${lastShown} of ${line.length} of line ${firstLine}`;
  const notes = [facts.note, columns, ...more].flatMap((note) => note ?? []);
  return {
    ...facts,
    totalLines,
    firstLine,
    lastLine: firstLine,
    text,
    ...(isCut ? { truncated: true } : {}),
    ...(firstLine < totalLines ? { nextFirstLine: firstLine + 1 } : {}),
    note: notes.join('; '),
  };
}

/** Returns a read without its text, with every other field at its longest. */
function widestFrame({ facts, totalLines: line }: Source): ReadResult {
  const note = [facts.note, cutNote(line, maximumReadBytes)].flatMap((each) => each ?? []).join('; ');
  return {
    ...facts,
    totalLines: line,
    firstLine: line,
    lastLine: line,
    text: '',
    truncated: true,
    nextFirstLine: line,
    note,
  };
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
    ...(read.version === undefined ? [] : [`version ${read.version}`]),
    // UTF-8 and LF are omitted, because nearly every file has them.
    ...(read.encoding === 'utf8' ? [] : [read.encoding]),
    ...(read.eol === 'lf' ? [] : [read.eol]),
    ...(read.unsaved === true ? ['unsaved changes included'] : []),
    ...(read.unsavedElsewhere === true ? ['unsaved changes of another editor NOT included'] : []),
    ...(read.readonly === true ? ['read-only'] : []),
  ];
  const isCut = read.truncated === true && read.nextFirstLine !== undefined;
  const more = !isCut ? [] : [`(read on with firstLine ${read.nextFirstLine})`];
  const note = read.note === undefined ? [] : [`(${read.note})`];
  const name = read.resolvedTo === undefined ? read.path : `${read.path} -> ${read.resolvedTo}`;
  return [`${name}: ${marks.join(', ')}`, withNumbers(read.text, read.firstLine), ...note, ...more].join('\n');
}

function withNumbers(text: string, firstLine: number): string {
  let line = firstLine;
  let numbered = `${line}\t`;
  let start = 0;
  for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
    line += 1;
    numbered += `${text.slice(start, end + 1)}${line}\t`;
    start = end + 1;
  }
  return numbered + text.slice(start);
}

function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n|\r/g, '\n') : text;
}

function countLines(lf: string): number {
  let lines = 1;
  for (let at = lf.indexOf('\n'); at >= 0; at = lf.indexOf('\n', at + 1)) lines += 1;
  return lines;
}

/** Returns where a line begins. @param index of the line, from 0 */
function startOfLine(lf: string, index: number): number {
  let at = 0;
  for (let line = 0; line < index; line += 1) at = lf.indexOf('\n', at) + 1;
  return at;
}

function lineEndsOf(text: string): 'lf' | 'crlf' | 'mixed' {
  if (!text.includes('\r')) return 'lf';
  return /(^|[^\r])\n|\r(?!\n)/.test(text) ? 'mixed' : 'crlf';
}
