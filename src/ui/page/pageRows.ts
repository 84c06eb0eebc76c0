import type { PageMessage } from './fromPage.ts';
import { withColours } from './colours.ts';
import type { ColoursMessage, PageRow, ToPage } from './messages.ts';

/** Where a row stands: the index of its file, and its 0-based number there. */
export interface RowPlace {
  readonly file: number;
  readonly row: number;
}

const noRows: readonly PageRow[] = [];
const noneUnchanged: ReadonlyMap<number, PageRow> = new Map();

/** The rows of changes that have come from the host. The page asks for those that it needs. */
export class PageRows {
  readonly #send: (message: PageMessage) => void;
  /** Rows from the first one on, without a gap. */
  readonly #rows = new Map<string, readonly PageRow[]>();
  /** Rows of large changes that came before those above them. */
  readonly #later = new Map<string, ReadonlyMap<number, PageRow>>();
  readonly #asked = new Set<string>();
  /** Files of large changes of which rows were asked for and have not come. */
  readonly #awaited = new Set<string>();
  /** Unchanged lines that the user asked for, by their 1-based number before the change. */
  readonly #unchanged = new Map<string, ReadonlyMap<number, PageRow>>();

  constructor(send: (message: PageMessage) => void) {
    this.#send = send;
  }

  /** Returns the rows that have come so far. @param file absent for the arguments of an action */
  of(id: string, drawing: number, file: number | undefined): readonly PageRow[] {
    return this.#rows.get(keyOf(id, drawing, file)) ?? noRows;
  }

  /** Asks the host for the rows that follow those that have come. */
  ask(id: string, drawing: number, file: number | undefined): void {
    const from = this.of(id, drawing, file).length;
    const asked = `${keyOf(id, drawing, file)} ${from}`;
    if (this.#asked.has(asked)) return;
    this.#asked.add(asked);
    this.#send({ type: 'moreRows', id, from, ...(file !== undefined && { file }) });
  }

  /** Returns a row of a large change; undefined until it has come. */
  at(id: string, drawing: number, { file, row }: RowPlace): PageRow | undefined {
    const key = keyOf(id, drawing, file);
    return this.#rows.get(key)?.[row] ?? this.#later.get(key)?.get(row);
  }

  /** Asks the host for rows of a large change, from this one on, unless it owes rows of that file already. */
  askAt(id: string, drawing: number, { file, row }: RowPlace): void {
    const key = keyOf(id, drawing, file);
    if (this.#awaited.has(key)) return;
    this.#awaited.add(key);
    this.#send({ type: 'moreRows', id, file, from: row });
  }

  /** Returns the unchanged lines of a file that have come, by their 1-based number before the change. */
  unchanged(id: string, drawing: number, file: number | undefined): ReadonlyMap<number, PageRow> {
    return this.#unchanged.get(keyOf(id, drawing, file)) ?? noneUnchanged;
  }

  take({ id, drawing, file, from, rows }: Omit<Extract<ToPage, { type: 'rows' }>, 'type'>): void {
    const key = keyOf(id, drawing, file);
    const old = this.#rows.get(key) ?? noRows;
    this.#awaited.delete(key);
    if (from === old.length) this.#rows.set(key, [...old, ...rows]);
    else if (from > old.length) {
      const later = new Map(this.#later.get(key));
      for (const [index, row] of rows.entries()) later.set(from + index, row);
      this.#later.set(key, later);
    }
  }

  takeUnchanged({ id, drawing, file, rows }: Extract<ToPage, { type: 'unchangedRows' }>): void {
    const key = keyOf(id, drawing, file);
    const numbered = rows.flatMap((row) =>
      row.kind === 'context' && row.before !== undefined ? [[row.before, row] as const] : [],
    );
    this.#unchanged.set(key, new Map([...(this.#unchanged.get(key) ?? []), ...numbered]));
  }

  /** Gives rows that have come their colours. */
  takeColours({ id, drawing, file, from, lines, runs }: ColoursMessage): void {
    const key = keyOf(id, drawing, file);
    if (from === undefined) {
      const unchanged = new Map(this.#unchanged.get(key));
      for (const [index, line] of (lines ?? []).entries()) {
        const row = unchanged.get(line);
        if (row) unchanged.set(line, withColours(row, runs[index]));
      }
      this.#unchanged.set(key, unchanged);
      return;
    }
    const rows = this.#rows.get(key) ?? noRows;
    const coloured = (row: PageRow, index: number): PageRow => withColours(row, runs[index - from]);
    this.#rows.set(key, rows.map(coloured));
    const later = this.#later.get(key);
    if (later) this.#later.set(key, new Map([...later].map(([index, row]) => [index, coloured(row, index)])));
  }

  /** Forgets the rows of an approval that belong to other drawings. */
  keepDrawing(id: string, drawing: number | undefined): void {
    const current = `${id} ${drawing ?? ''} `;
    this.#keep((key) => !key.startsWith(`${id} `) || key.startsWith(current));
  }

  /** Forgets the rows of all other approvals. */
  keepApprovals(known: ReadonlySet<string>): void {
    this.#keep((key) => known.has(key.slice(0, key.indexOf(' '))));
  }

  #keep(isKept: (key: string) => boolean): void {
    for (const kept of [this.#rows, this.#later, this.#asked, this.#awaited, this.#unchanged]) {
      for (const key of kept.keys()) if (!isKept(key)) kept.delete(key);
    }
  }
}

function keyOf(id: string, drawing: number, file: number | undefined): string {
  return `${id} ${drawing} ${file ?? 'action'}`;
}
