import { markerOfPiece, type RedactedText, redactText } from '#audit/redactText.ts';
import { ToolError } from '#base/toolError.ts';
import type { ToolContext } from '#call/tool.ts';

/** A match whose text may be redacted; its address stays. */
interface FoundMatch {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

type Context = Pick<ToolContext<'files'>, 'files' | 'resolve'>;

/** The largest file that is read to redact a line of it, in bytes. */
const maximumBytes = 16 * 1024 * 1024;

/** Matches a line that may be a piece of a key: a single word, a very long word, or a line cut by the search. */
const suspect = /^[\s>#|*"'`+/-]*[A-Za-z0-9+/=]{4,}(?:\\+[nr]|[\s"'`,;+])*$|[A-Za-z0-9+/_-]{32}|…/;
/** Matches a likely piece of a key when its file is not readable: a long word with small letters, capitals and digits. */
const unknownPiece = /(?=\S{0,48}[a-z])(?=\S{0,48}[A-Z])(?=\S{0,48}[0-9])[A-Za-z0-9+/_-]{48,4096}={0,2}/g;

/**
 * Redacts pieces of secrets that only the whole file reveals: lines of a key, or a part of a long line that was cut. A
 * secret that is whole within its line is left to the redaction of every result.
 */
export async function redactMatches<Match extends FoundMatch>(
  matches: readonly Match[],
  context: Context,
): Promise<readonly Match[]> {
  const files = new Map<string, LinesOfFile>();
  for (const { path, text, before = [], after = [] } of matches) {
    if (files.has(path) || ![...text.split('\n'), ...before, ...after].some((line) => suspect.test(line))) continue;
    files.set(path, new LinesOfFile(await textOf(path, context)));
  }
  return matches.map((match) => files.get(match.path)?.redact(match) ?? match);
}

/** Returns the text, or undefined when the file is not readable as text any more, or too large. */
async function textOf(path: string, { files, resolve }: Context): Promise<string | undefined> {
  try {
    return (await files.readText(await resolve(path), maximumBytes)).text;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The lines of a file, with the redaction of its whole text. */
class LinesOfFile {
  readonly #lines: readonly { readonly text: string; readonly start: number }[];
  readonly #redacted: RedactedText | undefined;
  readonly #isClean: boolean;

  constructor(text: string | undefined) {
    this.#redacted = text === undefined ? undefined : redactText(text);
    this.#isClean = this.#redacted !== undefined && this.#redacted.text === text;
    let start = 0;
    this.#lines = (text ?? '').split('\n').map((line) => {
      const placed = { text: line, start };
      start += line.length + 1;
      return placed;
    });
  }

  redact<Match extends FoundMatch>(match: Match): Match {
    if (this.#isClean) return match;
    const { line, column, before, after } = match;
    const own = match.text.split('\n');
    return {
      ...match,
      text: own.map((shown, at) => this.#redactLine(line + at, shown, at === 0 ? column : 1)).join('\n'),
      ...(before && { before: before.map((shown, at) => this.#redactLine(line - before.length + at, shown, 1)) }),
      ...(after && { after: after.map((shown, at) => this.#redactLine(line + own.length + at, shown, 1)) }),
    };
  }

  /** @param column 1-based; a long line was cut around it, at most 400 units before it */
  #redactLine(line: number, shown: string, column: number): string {
    const [, head = '', piece = '', tail = ''] = /^(…?)(.*?)(…?)$/su.exec(shown) ?? [];
    if (piece === '') return shown;
    const whole = this.#lines[line - 1];
    const at = whole?.text.indexOf(piece, Math.max(0, column - 500)) ?? -1;
    // The file was not readable, or changed since the search.
    if (this.#redacted === undefined || whole === undefined || at < 0)
      return shown.replaceAll(unknownPiece, markerOfPiece);
    const start = whole.start + at;
    return head + this.#redacted.part(start, start + piece.length) + tail;
  }
}
