import { redactText } from '#audit/redactText.ts';
import type { FoundFile, ResolvedPath } from '#base/files.ts';
import { ToolError } from '#base/toolError.ts';
import type { PageLimits, ToolContext } from '#call/tool.ts';
import { cutToBytes, joinLines } from '../../workspace/cutLines.ts';
import { maximumReadBytes } from '../../workspace/readRange.ts';

/** The most UTF-16 units shown of a line, and how many of them before the column. */
const shown = 200;
const shownBefore = 60;

/**
 * Reads the lines of a file as the editor has it, redacted as a whole text: a name that an assistant gives is compared with nothing
 * else (threat row A32).
 * @throws ToolError as {@link Files.readText}
 */
export async function linesOf(
  path: ResolvedPath,
  { files }: Pick<ToolContext<'files'>, 'files'>,
): Promise<readonly string[]> {
  return redactText((await files.readText(path, maximumReadBytes)).text).text.split(/\r\n|\r|\n/);
}

/** Redacted lines for results. Reads each file once; a file that cannot be read has no lines. */
export class SourceLines {
  readonly #context: Pick<ToolContext<'files'>, 'files' | 'resolve'>;
  readonly #files = new Map<string, Promise<readonly string[]>>();

  constructor(context: Pick<ToolContext<'files'>, 'files' | 'resolve'>) {
    this.#context = context;
  }

  of({ fsPath }: Pick<FoundFile, 'fsPath'>): Promise<readonly string[]> {
    const known = this.#files.get(fsPath) ?? this.#read(fsPath);
    this.#files.set(fsPath, known);
    return known;
  }

  /** Returns a line trimmed and cut around a column, or undefined when there is none. Both are 1-based. */
  async around(file: Pick<FoundFile, 'fsPath'>, line: number, column: number): Promise<string | undefined> {
    const text = (await this.of(file))[line - 1];
    return text === undefined ? undefined : cutAround(text, column);
  }

  /**
   * Returns the code of whole lines, as much of it as fits into `room` bytes; undefined when the file does not have them. Lines are
   * 1-based, and `nextFirstLine` is where the code was cut.
   */
  async code(
    place: Pick<FoundFile, 'fsPath'> & { readonly firstLine: number; readonly lastLine: number },
    room: number,
    form: PageLimits['form'],
  ): Promise<{ readonly code: string; readonly lastLine: number; readonly nextFirstLine?: number } | undefined> {
    const lines = await this.of(place);
    const lastLine = Math.min(place.lastLine, lines.length);
    if (lastLine < place.firstLine) return undefined;
    const page = cutToBytes(joinLines(lines.slice(place.firstLine - 1, lastLine)), place.firstLine, room, form);
    const isCut = page.lastLine < lastLine;
    return { lastLine, code: page.text, ...(isCut ? { nextFirstLine: page.lastLine + 1 } : {}) };
  }

  async #read(fsPath: string): Promise<readonly string[]> {
    try {
      const path = await this.#context.resolve(fsPath);
      return await linesOf(path, this.#context);
    } catch (error) {
      if (error instanceof ToolError) return [];
      throw error;
    }
  }
}

/** Renders code with its line numbers, and says where to read on when it was cut. */
export function codeText({
  firstLine,
  code,
  nextFirstLine,
}: {
  readonly firstLine: number;
  readonly code?: string;
  readonly nextFirstLine?: number;
}): readonly string[] {
  const lines = code?.split('\n').map((line, at) => `${firstLine + at}\t${line}`) ?? [];
  return nextFirstLine === undefined ? lines : [...lines, `(read on with read_file, firstLine ${nextFirstLine})`];
}

function cutAround(line: string, column: number): string {
  const text = line.trim();
  if (text.length <= shown) return text;
  const indent = line.length - line.trimStart().length;
  const start = Math.max(0, Math.min(column - 1 - indent - shownBefore, text.length - shown));
  const end = start + shown;
  const part = text.slice(start, end).toWellFormed().replaceAll('\ufffd', '');
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}
