import { windows1252 } from '#base/encodings.ts';
import type { LineMatch } from '../search.ts';
import { cutAround, cutEnd } from './cutLine.ts';

/** Matches of one file, all or some of them. `path` is the path that ripgrep printed. */
export interface PrintedFile {
  readonly path: string;
  readonly matches: readonly LineMatch[];
  /** A printed line of the file matches the flag, or it has too many to look at; then `matches` is empty. */
  readonly isFlagged?: true;
}

/** Options of {@link printedFiles}. */
export interface PrintOptions {
  readonly linesBefore: number;
  readonly linesAfter: number;
  /** Matches the lines that flag a file. */
  readonly flag?: RegExp | undefined;
  /** Returns whether a match counts. Its line is 1-based, its ends are UTF-16 units from the start of that line. */
  readonly counts?: (line: number, start: number, end: number) => boolean;
}

type TextOrBytes = { readonly text: string } | { readonly bytes: string };

/** A `match` or `context` message of ripgrep's JSON output (documented at `JSON` in the crate grep-printer). */
interface LineMessage {
  readonly data: {
    readonly path: TextOrBytes;
    readonly lines: TextOrBytes;
    readonly line_number: number;
    readonly submatches: readonly { readonly start: number; readonly end: number }[];
  };
}

/** A printed match or context, with its lines already cut. */
interface PrintedLines {
  readonly line: number;
  readonly lines: readonly string[];
  /** Present when this is a match. */
  readonly match?: { readonly column: number; readonly text: string };
}

/** A JSON message longer than this (in UTF-16 units) is skipped, so that one file cannot fill the memory. */
const maximumMessage = 16 * 1024 * 1024;
/** Lines that are buffered for each file. A file that turns out to be binary within them is left out completely. */
const maximumHeld = 10_000;

/**
 * Parses the JSON lines of ripgrep, in which the messages of one file always follow each other. Yields one item for each file, or
 * several for a file with very many matches.
 */
export async function* printedFiles(output: AsyncIterable<string>, options: PrintOptions): AsyncGenerator<PrintedFile> {
  const { flag } = options;
  const hasContext = options.linesBefore + options.linesAfter > 0;
  let path: string | undefined;
  let printed: PrintedLines[] = [];
  let isFlagged = false;
  for await (const message of messagesOf(output)) {
    if (message === skipped) isFlagged = flag !== undefined;
    else if (message.startsWith('{"type":"match"') || (hasContext && message.startsWith('{"type":"context"'))) {
      if (isFlagged && path !== undefined) continue;
      const { data } = parseMessage(message);
      path ??= decode(data.path);
      isFlagged ||= flag?.test(decode(data.lines)) === true;
      printed.push(printedLines(data, options));
      if (printed.length < maximumHeld) continue;
      // Nothing of a file may be yielded before its last line is known to be free of the flag.
      if (flag !== undefined) isFlagged = true;
      if (isFlagged) continue;
      const ready = splitReady(printed, options);
      printed = ready.rest;
      yield { path, matches: ready.matches };
    } else if (message.startsWith('{"type":"end"')) {
      const isText = message.includes('"binary_offset":null');
      if (isFlagged) path ??= decode(parseMessage(message).data.path);
      if (isText && path !== undefined) {
        yield isFlagged ? { path, matches: [], isFlagged } : { path, matches: lineMatches(printed, options) };
      }
      path = undefined;
      printed = [];
      isFlagged = false;
    }
  }
}

/** Splits the buffered lines into matches whose context is complete, and the lines that later matches still need. */
function splitReady(
  printed: readonly PrintedLines[],
  options: PrintOptions,
): { readonly matches: readonly LineMatch[]; readonly rest: PrintedLines[] } {
  const { linesBefore, linesAfter } = options;
  // Each printed item has at least one line.
  const end = printed.length - linesAfter;
  const matches = lineMatches(printed, options);
  const open = printed.slice(end);
  const openMatches = open.filter(({ match }) => match !== undefined).length;
  const around = printed.slice(Math.max(0, end - linesBefore), end).map(({ line, lines }) => ({ line, lines }));
  return { matches: matches.slice(0, matches.length - openMatches), rest: [...around, ...open] };
}

/** Stands for a message that was too long. */
const skipped = '';

async function* messagesOf(output: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  let skipping = false;
  for await (const piece of output) {
    let start = 0;
    for (let end = piece.indexOf('\n'); end >= 0; end = piece.indexOf('\n', start)) {
      yield skipping ? skipped : rest + piece.slice(start, end);
      skipping = false;
      rest = '';
      start = end + 1;
    }
    if (!skipping) rest += piece.slice(start);
    if (rest.length > maximumMessage) {
      rest = '';
      skipping = true;
    }
  }
}

function parseMessage(message: string): LineMessage {
  const parsed: LineMessage = JSON.parse(message);
  return parsed;
}

function printedLines(data: LineMessage['data'], { counts }: PrintOptions): PrintedLines {
  const text = decodeLines(data.lines);
  const mark = data.line_number === 1 && text.startsWith('\uFEFF') ? 1 : 0;
  const lines = text
    .slice(mark)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/);
  const units = (bytes: number): number => unitsBefore(data.lines, text, bytes);
  const first =
    counts === undefined
      ? data.submatches[0]
      : data.submatches.find(({ start, end }) => counts(data.line_number, units(start), units(end)));
  if (first === undefined) return { line: data.line_number, lines: lines.map(cutEnd) };
  const column = Math.max(1, 1 + units(first.start) - mark);
  return { line: data.line_number, lines: lines.map(cutEnd), match: { column, text: cutAround(lines, column) } };
}

/** Converts a byte offset to an offset in UTF-16 units. */
function unitsBefore(lines: TextOrBytes, text: string, bytes: number): number {
  if (bytes === 0) return 0;
  if ('text' in lines && Buffer.byteLength(text) === text.length) return bytes;
  // Lines that are not UTF-8 are read as Windows-1252, where each byte is one character.
  return 'text' in lines ? Buffer.from(text).toString('utf8', 0, bytes).length : bytes;
}

/** Decodes lines as they are read, too: when they are not UTF-8, as Windows-1252. */
function decodeLines(value: TextOrBytes): string {
  return 'text' in value ? value.text : windows1252(Buffer.from(value.bytes, 'base64'));
}

function decode(value: TextOrBytes): string {
  return 'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString('utf8');
}

function lineMatches(
  printed: readonly PrintedLines[],
  { linesBefore, linesAfter }: PrintOptions,
): readonly LineMatch[] {
  if (linesBefore + linesAfter === 0) {
    return printed.flatMap(({ line, match }) =>
      match === undefined ? [] : [{ line, ...match, before: [], after: [] }],
    );
  }
  const texts = new Map(printed.flatMap(({ line, lines }) => lines.map((text, at) => [line + at, text] as const)));
  return printed.flatMap(({ line, lines, match }) => {
    if (match === undefined) return [];
    const before = neighbours(texts, line - linesBefore, line);
    const after = neighbours(texts, line + lines.length, line + lines.length + linesAfter);
    return [{ line, ...match, before, after }];
  });
}

function neighbours(texts: ReadonlyMap<number, string>, from: number, to: number): readonly string[] {
  const found: string[] = [];
  for (let line = from; line < to; line += 1) {
    const text = texts.get(line);
    if (text !== undefined) found.push(text);
  }
  return found;
}
