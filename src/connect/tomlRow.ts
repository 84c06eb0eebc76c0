import type { TomlDocument } from '@decimalturn/toml-patch';
import { lineStart, type TextEdit } from './textEdit.ts';

type Block = TomlDocument['cst'][number];
type Table = Extract<Block, { items: readonly unknown[] }>;
export type TomlRow = Extract<Block, { equals: number }>;
type Position = Block['loc']['start'];

/** A `key = value` with all keys that lead to it, those of its table's header included. */
export interface LocatedRow {
  readonly path: readonly string[];
  readonly row: TomlRow;
}

/** All rows outside of arrays of tables. */
export function rowsOf(blocks: readonly Block[]): readonly LocatedRow[] {
  return blocks.flatMap((block): LocatedRow[] => {
    if ('equals' in block) return [{ path: block.key.value, row: block }];
    if (!isTable(block)) return [];
    const header = block.key.item.value;
    return rowsIn(block).map((row) => ({ path: [...header, ...row.key.value], row }));
  });
}

/** The table with a header of exactly these keys. */
export function tableAt(blocks: readonly Block[], path: readonly string[]): Table | undefined {
  return blocks.find((block): block is Table => isTable(block) && isSame(block.key.item.value, path));
}

/** Where the next row of a table belongs: after its last one, not after the comments that come before the next table. */
export function endOfTable(text: string, table: Table): number {
  return offsetOf(text, (rowsIn(table).at(-1) ?? table.key).loc.end);
}

/** The lines of a table and those in it, and of rows that lead to a value, from the first to the last of each piece. */
export function linesOf(text: string, blocks: readonly Block[], path: readonly string[]): readonly TextEdit[] {
  const tables = blocks.filter(isTable).filter((table) => startsWith(table.key.item.value, path));
  const pieces = tables.map((table) => ({ start: table.loc.start, end: (rowsIn(table).at(-1) ?? table.key).loc.end }));
  const elsewhere = rowsOf(blocks.filter((block) => !isTable(block) || !tables.includes(block)));
  const rows = elsewhere.filter((located) => startsWith(located.path, path)).map(({ row }) => row.loc);
  return [...pieces, ...rows].map(({ start, end }) => {
    const lineBreak = text.indexOf('\n', offsetOf(text, end));
    const first = lineStart(text, offsetOf(text, start));
    return { start: first, end: lineBreak === -1 ? text.length : lineBreak + 1, text: '' };
  });
}

export function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let number = 1; number < line; number++) start = text.indexOf('\n', start) + 1;
  return start + column;
}

export function startsWith(path: readonly string[], keys: readonly string[]): boolean {
  return keys.every((key, index) => path[index] === key);
}

function isSame(path: readonly string[], other: readonly string[]): boolean {
  return path.length === other.length && startsWith(path, other);
}

function isTable(block: Block): block is Table {
  return 'items' in block;
}

function rowsIn(table: Table): readonly TomlRow[] {
  return table.items.filter((item) => 'equals' in item);
}
