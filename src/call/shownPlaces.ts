import { type Columns, columnsIn, shownRange } from '#audit/shownColumns.ts';
import type { FoundFile } from '#base/files.ts';
import type { Position, TextRange } from '#base/language.ts';
import { ToolError } from '#base/toolError.ts';

/** The largest file whose columns are converted, in bytes. */
const maximumBytes = 64 * 1024 * 1024;

type File = Pick<FoundFile, 'fsPath'>;

/**
 * The places of one call as the assistant sees them: language services count columns in texts as they are, and assistants in what
 * they see, so that a column does not tell how long a redacted secret is (threat row A32). Reads each file once.
 */
export class ShownPlaces {
  readonly #read: (fsPath: string, maxBytes: number) => Promise<string>;
  readonly #files = new Map<string, Promise<Columns | undefined>>();

  /** @param read returns the text of a file that the call may read. Throws ToolError for another one. */
  constructor(read: (fsPath: string, maxBytes: number) => Promise<string>) {
    this.#read = read;
  }

  /** Returns a position in the text itself for one that the assistant gave. */
  async real(file: File, at: Position): Promise<Position> {
    const columns = await this.of(file);
    return columns === undefined ? at : { line: at.line, column: columns.real(at) };
  }

  /** Returns items of a file whose ranges count columns as the assistant sees them, without those inside a redacted piece. */
  async ranges<Item extends TextRange>(file: File, items: readonly Item[]): Promise<readonly Item[]> {
    const columns = items.length === 0 ? undefined : await this.of(file);
    if (columns === undefined) return items;
    return items.filter((item) => !columns.hides(item)).map((item) => ({ ...item, ...shownRange(columns, item) }));
  }

  /** Does the same for positions. */
  async positions<Item extends Position>(file: File, items: readonly Item[]): Promise<readonly Item[]> {
    const columns = items.length === 0 ? undefined : await this.of(file);
    return columns === undefined ? items : items.map((item) => ({ ...item, column: columns.shown(item) }));
  }

  /** Returns the columns of a file; undefined when they are the same for the assistant. */
  of({ fsPath }: File): Promise<Columns | undefined> {
    const known = this.#files.get(fsPath) ?? this.#columnsIn(fsPath);
    this.#files.set(fsPath, known);
    return known;
  }

  async #columnsIn(fsPath: string): Promise<Columns | undefined> {
    try {
      return columnsIn(await this.#read(fsPath, maximumBytes));
    } catch (error) {
      // Nothing of the file is shown.
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }
}
