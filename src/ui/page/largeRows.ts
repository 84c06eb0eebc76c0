/** Places of the rows of a large change, of which the page draws only those near the part that is on screen. */

/** A row of the grid of a large change. */
export interface GridRow {
  /** Index of the file. */
  readonly file: number;
  /** 0-based, in the rows of the file; absent for the row that names the file. */
  readonly row: number | undefined;
}

/** The rows of a large change, one after the other: each file's own row, and below it the rows of the file while it is open. */
export class GridRows {
  readonly #order: readonly number[];
  /** The index of the own row of each file, in the order of the files; one more for the end. */
  readonly #starts: readonly number[];

  /**
   * @param order indexes of the files as they are shown
   * @param shown returns the number of rows below a file; 0 for one that is closed
   */
  constructor(order: readonly number[], shown: (file: number) => number) {
    const starts = [0];
    for (const file of order) starts.push((starts.at(-1) ?? 0) + 1 + shown(file));
    this.#order = order;
    this.#starts = starts;
  }

  get count(): number {
    return this.#starts.at(-1) ?? 0;
  }

  /** Returns the row with an index of the grid; undefined when there is none. */
  at(index: number): GridRow | undefined {
    if (index < 0 || index >= this.count) return undefined;
    const place = lastAtMost(this.#starts, index);
    const file = this.#order[place];
    if (file === undefined) return undefined;
    const row = index - (this.#starts[place] ?? 0) - 1;
    return { file, row: row < 0 ? undefined : row };
  }

  /** Returns the index in the grid; that of the file's own row when the row is not shown. */
  indexOf({ file, row }: GridRow): number {
    const place = this.#order.indexOf(file);
    const start = this.#starts[place] ?? 0;
    const end = this.#starts[place + 1] ?? start + 1;
    return row === undefined || start + 1 + row >= end ? start : start + 1 + row;
  }
}

/** Tops of rows in pixels: from their measured heights, and from an estimate of the others. */
export class RowTops {
  readonly #heights: Float64Array;
  #tops: Float64Array | undefined;

  constructor(count: number, heightOf: (index: number) => number) {
    this.#heights = Float64Array.from({ length: count }, (_, index) => heightOf(index));
  }

  /** Takes the height of a row. Returns true when it is another one than before. */
  measure(index: number, height: number): boolean {
    if (Math.abs((this.#heights[index] ?? 0) - height) < 0.5) return false;
    this.#heights[index] = height;
    this.#tops = undefined;
    return true;
  }

  /** Returns the top of a row; of the index behind the last row, the height of all. */
  topOf(index: number): number {
    return this.#all()[Math.max(0, Math.min(index, this.#heights.length))] ?? 0;
  }

  /** Returns the index of the row at a number of pixels below the top. */
  at(pixels: number): number {
    return Math.max(0, Math.min(lastAtMost(this.#all(), pixels), this.#heights.length - 1));
  }

  #all(): Float64Array {
    if (this.#tops) return this.#tops;
    const tops = new Float64Array(this.#heights.length + 1);
    for (const [index, height] of this.#heights.entries()) tops[index + 1] = (tops[index] ?? 0) + height;
    this.#tops = tops;
    return tops;
  }
}

/** Rows of one file, from the first to the last, both included. */
export interface RowRange {
  readonly file: number;
  readonly first: number;
  readonly last: number;
}

/** Returns ranges with some rows added, in order, joined where they touch. */
export function withRange(ranges: readonly RowRange[], added: RowRange): readonly RowRange[] {
  let { first, last } = added;
  const others: RowRange[] = [];
  for (const range of ranges) {
    if (range.file === added.file && range.first <= last + 1 && range.last >= first - 1) {
      if (range.first <= first && range.last >= last) return ranges;
      first = Math.min(first, range.first);
      last = Math.max(last, range.last);
    } else others.push(range);
  }
  return [...others, { file: added.file, first, last }].toSorted((a, b) => a.file - b.file || a.first - b.first);
}

/** Returns the number of rows in the ranges. */
export function rowsIn(ranges: readonly RowRange[]): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** Returns the index of the last number of a rising list that is at most `limit`. */
function lastAtMost(numbers: ArrayLike<number>, limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}
