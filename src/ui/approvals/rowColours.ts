import { compose } from '#changes/hunks.ts';
import type { PageTheme } from '#ui/page/fromPage.ts';
import type { PageRow, RowPart, RowsMessage, ToPage } from '#ui/page/messages.ts';
import type { Drawings, FileChanges } from './drawings.ts';
import { shadesOf } from './readableColours.ts';

/** Pairs of the end of a run of text in UTF-16 units, and its style; see `LineColours`. */
type Runs = readonly number[];

/** Returns the colours of the first lines of a text; undefined for a text that stays plain. */
export type ColourCode = (text: {
  readonly theme: { readonly id: string; readonly kind: PageTheme['kind'] };
  readonly path: string;
  readonly text: string;
  readonly lines: number;
}) => Promise<{ readonly lines: readonly Runs[]; readonly palette: readonly string[] } | undefined>;

export interface RowColoursOptions {
  readonly colourCode: ColourCode;
  readonly drawings: Pick<Drawings, 'last'>;
  readonly post: (message: ToPage) => void;
}

/** Rows of a file that the page was sent. */
interface SentRows {
  readonly id: string;
  readonly drawing: number;
  readonly file: number;
  readonly rows: readonly PageRow[];
  /** The number of the first row; undefined for unchanged lines, which have no number. */
  readonly from: number | undefined;
}

/** The most messages with rows that get other colours when the theme changes. */
const mostSent = 200;

/**
 * Sends the colours of rows after the rows, so that no row waits for its colours. They are ranges of styles: the text that the page
 * shows stays what the rows say.
 */
export class RowColours {
  readonly #options: RowColoursOptions;
  #theme: PageTheme | undefined;
  #sent: SentRows[] = [];
  /** The colours of which the page was sent a palette, and the number of the first of them. */
  #palette: { readonly json: string; readonly first: number; readonly next: number } = { json: '', first: 0, next: 0 };
  #last: Promise<void> = Promise.resolve();

  constructor(options: RowColoursOptions) {
    this.#options = options;
  }

  /** The page is drawn anew, and knows nothing. */
  restart(): void {
    this.#sent = [];
    this.#palette = { json: '', first: 0, next: 0 };
  }

  /** The page has another theme, or the colours of its theme may have changed. */
  setTheme(theme = this.#theme): void {
    this.#theme = theme;
    this.#palette = { ...this.#palette, json: '' };
    for (const sent of this.#sent) this.#colour(sent);
  }

  /** Follows a message to the page with the colours of its rows. */
  follow(message: ToPage): void {
    if (message.type === 'state') for (const rows of message.rows) this.#follow(rows);
    else if (message.type === 'rows') this.#follow(message);
    else if (message.type === 'unchangedRows') this.#add({ ...message, from: undefined });
  }

  #follow({ id, drawing, file, from, rows }: Omit<RowsMessage, 'type'>): void {
    if (file !== undefined) this.#add({ id, drawing, file, from, rows });
  }

  #add(sent: SentRows): void {
    this.#sent = [...this.#sent.filter(({ id, drawing }) => id !== sent.id || drawing === sent.drawing), sent].slice(
      -mostSent,
    );
    this.#colour(sent);
  }

  /** One after the other, so that colours of an earlier theme never come after those of a later one. */
  #colour(sent: SentRows): void {
    this.#last = this.#last.then(() => this.#send(sent)).catch(() => undefined);
  }

  async #send(sent: SentRows): Promise<void> {
    const { id, drawing, file, rows, from } = sent;
    const theme = this.#theme;
    const shown = this.#options.drawings.last(id);
    const changes = shown?.number === drawing ? shown.files[file] : undefined;
    if (!theme || !changes || !this.#sent.includes(sent)) return;
    const before = await this.#coloursOf(theme, changes.path, changes.base, last(rows, 'before'));
    const after = await this.#coloursOf(theme, changes.path, resultOf(changes), last(rows, 'after'));
    const palette = after?.palette ?? before?.palette;
    if (palette === undefined || theme !== this.#theme || !this.#sent.includes(sent)) return;
    this.#sendPalette(theme, palette);
    const runs = rows.map((row, index) => {
      const place = placeOf(row);
      const line = (place?.side === 'after' ? after : before)?.lines[(place?.line ?? 0) - 1];
      if (line === undefined || !('parts' in row)) return [];
      const segment = from === undefined ? undefined : changes.segments[from + index];
      // The lines of a text that the user changed may be counted otherwise.
      const length = segment && 'text' in segment.row ? segment.row.text.length : line.at(-2);
      return line.at(-2) === length
        ? numbered(visibleRuns(row.parts, line, segment?.start ?? 0), this.#palette.first)
        : [];
    });
    if (runs.every(({ length }) => length === 0)) return;
    this.#options.post({
      type: 'colours',
      id,
      drawing,
      file,
      ...(from === undefined ? { lines: rows.map(lineOf) } : { from }),
      runs,
    });
  }

  async #coloursOf(theme: PageTheme, path: string, text: string, lines: number): ReturnType<ColourCode> {
    if (lines === 0 || text === '') return undefined;
    return this.#options.colourCode({ theme: { id: theme.id, kind: theme.kind }, path, text, lines });
  }

  #sendPalette({ backgrounds }: PageTheme, palette: readonly string[]): void {
    const json = JSON.stringify(palette);
    if (json === this.#palette.json) return;
    const first = this.#palette.next;
    this.#palette = { json, first, next: first + palette.length };
    const colours = palette.map(
      (colour) => (typeof colour === 'string' ? shadesOf(colour, backgrounds) : undefined) ?? null,
    );
    this.#options.post({ type: 'palette', first, colours });
  }
}

/** Returns the last line that the rows show of one side, 1-based; 0 when they show none. */
function last(rows: readonly PageRow[], side: 'before' | 'after'): number {
  let line = 0;
  for (const row of rows) {
    const place = placeOf(row);
    if (place?.side === side) line = Math.max(line, place.line);
  }
  return line;
}

/** Returns the text in which a row has its colours, and its line there, 1-based. An unchanged line has the colours that it had. */
function placeOf(row: PageRow): { readonly side: 'before' | 'after'; readonly line: number } | undefined {
  if (row.kind === 'added') return { side: 'after', line: row.after ?? 0 };
  return row.kind === 'context' || row.kind === 'removed' ? { side: 'before', line: row.before ?? 0 } : undefined;
}

function lineOf(row: PageRow): number {
  return row.kind === 'context' ? (row.before ?? 0) : 0;
}

/** Returns the text with all hunks, also those that are left out: the lines of the rows count in it. */
function resultOf({ base, hunks }: FileChanges): string {
  return compose(base, hunks);
}

/**
 * Returns the runs of a row, which may begin within its line, over the text that is drawn, in which an escape stands for each
 * hidden character. Escapes keep their own look (threat row A5).
 */
export function visibleRuns(parts: readonly RowPart[], line: Runs, start: number): number[] {
  const runs: number[] = [];
  let [at, drawn, run] = [start, 0, 0];
  const add = (end: number, style: number): void => {
    if (runs.at(-1) === style) runs[runs.length - 2] = end;
    else runs.push(end, style);
  };
  for (const { text, escaped } of parts) {
    if (escaped) {
      at += hiddenLength(text);
      drawn += text.length;
      add(drawn, 0);
      continue;
    }
    const end = at + text.length;
    while (at < end) {
      while (run < line.length && (line[run] ?? 0) <= at) run += 2;
      const next = Math.min(line[run] ?? end, end);
      drawn += next - at;
      add(drawn, line[run + 1] ?? 0);
      at = next;
    }
  }
  return runs.every((value, index) => index % 2 === 0 || value === 0) ? [] : runs;
}

/** Gives the colours of runs the numbers that they have on the page. Text in no colour of its own has none. */
function numbered(runs: readonly number[], first: number): number[] {
  return runs.map((value, index) => (index % 2 === 1 && value >> 4 > 0 ? value + (first << 4) : value));
}

/** The number of UTF-16 units for which escapes stand. */
function hiddenLength(escapes: string): number {
  let length = 0;
  for (const [, code, blanks] of escapes.matchAll(/<(?:U\+([0-9A-F]+)|CR|(\d+) (?:spaces|tabs|blanks))>/g)) {
    if (blanks !== undefined) length += Number(blanks);
    else length += code !== undefined && Number.parseInt(code, 16) > 0xff_ff ? 2 : 1;
  }
  return length;
}
