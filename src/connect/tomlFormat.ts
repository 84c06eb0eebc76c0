import { isDeepStrictEqual } from 'node:util';
import { parse, parseDocument, patch, type TomlDocument } from '@decimalturn/toml-patch';
import type { JsonValue } from './assistant.ts';
import { type ConfigurationFormat, nothingCreated, type SetText, SyntaxProblem } from './configurationFormat.ts';
import { isRecord, plain, valueAt, withoutKey, withoutKeyAndEmptyParents } from './plainValue.ts';
import { applyEdits, indentationAt, lineEndOf, lineStart, type TextEdit } from './textEdit.ts';

/**
 * Reads and edits TOML 1.0. A new value becomes a table at the end of the text, or joins an existing table. Rare ways to write
 * a table are left to the library, whose result is compared with the expected value.
 */
export const tomlFormat: ConfigurationFormat = {
  read(text) {
    return text.trim() === '' ? undefined : parsed(text);
  },

  set(text, path, value) {
    const wanted = withKey(parsed(text), path, value);
    const edited =
      withReplaced(text, path, value) ??
      withRow(text, path, value) ??
      withInline(text, path, value) ??
      withTable(text, path, value);
    if (edited !== undefined && isDeepStrictEqual(parsedOrNothing(edited.text), wanted)) return edited;
    return { text: patched(text, wanted), created: nothingCreated };
  },

  remove(text, path, created) {
    const value = valueOf([...parseDocument(text).cst], path);
    if (created?.replaced !== undefined && value !== undefined) {
      return applyEdits(text, [{ ...rangeOf(text, value), text: created.replaced }]);
    }
    const wanted = withoutKey(parsed(text), path);
    const blocks = [...parseDocument(text).cst];
    const inline = inlineRemoval(text, blocks, path, created?.emptyParent);
    const lines = linesOf(text, blocks, path);
    const shortened = inline === undefined ? withoutLines(text, lines) : applyEdits(text, [inline]);
    const left = parsedOrNothing(shortened);
    const others = [left, wanted].map((each) => withoutKeyAndEmptyParents(each, path));
    const isRight = left !== undefined && valueAt(left, path) === undefined && isDeepStrictEqual(others[0], others[1]);
    return isRight ? shortened : patched(text, wanted);
  },
};

/** Replaces the value of a row or of a key in an inline table. */
function withReplaced(text: string, path: readonly string[], value: JsonValue): SetText | undefined {
  const found = valueOf([...parseDocument(text).cst], path);
  if (found === undefined) return undefined;
  const range = rangeOf(text, found);
  const replaced = text.slice(range.start, range.end);
  return { text: applyEdits(text, [{ ...range, text: tomlValue(value) }]), created: { keys: 0, replaced } };
}

/** Appends a row to an existing table. */
function withRow(text: string, path: readonly string[], value: JsonValue): SetText | undefined {
  const blocks = [...parseDocument(text).cst];
  const table = tableAt(blocks, path.slice(0, -1));
  if (table === undefined || isRecord(value)) return undefined;
  const end = endOfTable(text, table);
  const at = text.indexOf('\n', end);
  const start = at === -1 ? text.length : at - (text[at - 1] === '\r' ? 1 : 0);
  const row = lineEndOf(text) + indentationAt(text, end) + tomlAssignment(path.at(-1) ?? '', value);
  return { text: applyEdits(text, [{ start, end: start, text: row }]), created: nothingCreated };
}

function withInline(text: string, path: readonly string[], value: JsonValue): SetText | undefined {
  const insertion = inlineInsertion(text, [...parseDocument(text).cst], path, value);
  if (insertion === undefined) return undefined;
  return { text: applyEdits(text, [insertion.edit]), created: { keys: 0, emptyParent: insertion.emptyParent } };
}

/** Appends a block. A text without a final line end gets none, by which a removal knows that there was none. */
function withTable(text: string, path: readonly string[], table: JsonValue): SetText | undefined {
  if (!isRecord(table)) return undefined;
  const lineBreak = lineEndOf(text);
  const rows = Object.entries(table).map(([key, value]) => tomlAssignment(key, value));
  const lines = [`[${path.map(tomlKey).join('.')}]`, ...rows].join(lineBreak);
  const isEnded = text === '' || text.endsWith('\n');
  const before = text === '' ? '' : lineBreak + (isEnded ? '' : lineBreak);
  return { text: text + before + lines + (isEnded ? lineBreak : ''), created: nothingCreated };
}

/** Removes lines, and the one blank line that an insertion had put before them. */
function withoutLines(text: string, lines: readonly TextEdit[]): string {
  const edits = lines.map((line) => {
    const isEnd = line.end === text.length;
    if (isEnd && !text.endsWith('\n')) {
      const blank = /(?:\r?\n){1,2}$/.exec(text.slice(0, line.start))?.[0].length ?? 0;
      return { ...line, start: line.start - blank };
    }
    const before = /(?<=^|\n)\r?\n$/.exec(text.slice(0, line.start))?.[0].length ?? 0;
    const isBeforeBlank = isEnd || /^\r?\n/.test(text.slice(line.end));
    return { ...line, start: isBeforeBlank ? line.start - before : line.start };
  });
  return applyEdits(text, edits);
}

function parsed(text: string): unknown {
  try {
    return plain(parse(text));
  } catch (error) {
    throw syntaxProblem(error);
  }
}

function parsedOrNothing(text: string): unknown {
  try {
    return plain(parse(text));
  } catch {
    return undefined;
  }
}

function patched(text: string, value: unknown): string {
  const result = patch(text, value);
  if (isDeepStrictEqual(parsedOrNothing(result), value)) return result;
  throw new SyntaxProblem('its entry cannot be changed without changing something else');
}

function withKey(value: unknown, path: readonly string[], inner: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return inner;
  if (value !== undefined && !isRecord(value)) throw new SyntaxProblem(`there is no table for "${key}"`);
  return { ...value, [key]: withKey(value?.[key], rest, inner) };
}

function syntaxProblem(error: unknown): SyntaxProblem {
  const place = error instanceof Error && 'line' in error && 'column' in error ? error : undefined;
  const reason = error instanceof Error ? (error.message.split('\n').at(-1) ?? '') : String(error);
  const where = place === undefined ? '' : ` at line ${String(place.line)}, column ${Number(place.column) + 1}`;
  return new SyntaxProblem(`${reason.charAt(0).toLowerCase()}${reason.slice(1)}${where}`, { cause: error });
}

type Block = TomlDocument['cst'][number];
type Table = Extract<Block, { items: readonly unknown[] }>;
type TomlRow = Extract<Block, { equals: number }>;
type Position = Block['loc']['start'];

/** A `key = value` row with its whole path of keys, those of the table header included. */
interface LocatedRow {
  readonly path: readonly string[];
  readonly row: TomlRow;
}

/** Returns all rows outside of arrays of tables. */
function rowsOf(blocks: readonly Block[]): readonly LocatedRow[] {
  return blocks.flatMap((block): LocatedRow[] => {
    if ('equals' in block) return [{ path: block.key.value, row: block }];
    if (!isTable(block)) return [];
    const header = block.key.item.value;
    return rowsIn(block).map((row) => ({ path: [...header, ...row.key.value], row }));
  });
}

/** Returns the table whose header has exactly these keys. */
function tableAt(blocks: readonly Block[], path: readonly string[]): Table | undefined {
  return blocks.find((block): block is Table => isTable(block) && isSame(block.key.item.value, path));
}

/** Returns the offset for the next row of a table: after its last row, before the comments of the next table. */
function endOfTable(text: string, table: Table): number {
  return offsetOf(text, (rowsIn(table).at(-1) ?? table.key).loc.end);
}

/** Returns removals of the lines of all tables and rows at or below a path of keys. */
function linesOf(text: string, blocks: readonly Block[], path: readonly string[]): readonly TextEdit[] {
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

function offsetOf(text: string, { line, column }: Position): number {
  let start = 0;
  for (let number = 1; number < line; number++) start = text.indexOf('\n', start) + 1;
  return start + column;
}

function startsWith(path: readonly string[], keys: readonly string[]): boolean {
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

type InlineTable = Extract<TomlRow['value'], { items: readonly { item: TomlRow }[] }>;

interface Insertion {
  readonly edit: TextEdit;
  /** The text of the inline table before, if it was empty. */
  readonly emptyParent?: string;
}

/** Appends to an inline table on a path of keys, as `mcp_servers = { … }`; returns undefined when there is none. */
function inlineInsertion(
  text: string,
  blocks: readonly Block[],
  path: readonly string[],
  value: JsonValue,
): Insertion | undefined {
  const { table, rest } = inlineTable(blocks, path) ?? {};
  const [key, ...deeper] = rest ?? [];
  if (table === undefined || key === undefined || deeper.length > 0) return undefined;
  const last = table.items.at(-1);
  if (last === undefined) {
    const [start, end] = [offsetOf(text, table.loc.start), offsetOf(text, table.loc.end)];
    const edit = { start, end, text: `{ ${tomlAssignment(key, value)} }` };
    return { edit, emptyParent: text.slice(start, end) };
  }
  const start = offsetOf(text, last.item.loc.end);
  return { edit: { start, end: start, text: `, ${tomlAssignment(key, value)}` } };
}

/** Removes a value from an inline table; returns undefined when the value is not in one. */
function inlineRemoval(
  text: string,
  blocks: readonly Block[],
  path: readonly string[],
  emptyParent: string | undefined,
): TextEdit | undefined {
  const { table, rest } = inlineTable(blocks, path) ?? {};
  const index = table?.items.findIndex(({ item }) => startsWith(item.key.value, rest ?? [])) ?? -1;
  const [previous, item, next] = [table?.items[index - 1], table?.items[index], table?.items[index + 1]];
  if (table === undefined || item === undefined) return undefined;
  const [start, end] = [offsetOf(text, item.item.loc.start), offsetOf(text, item.item.loc.end)];
  if (previous !== undefined) return { start: offsetOf(text, previous.item.loc.end), end, text: '' };
  if (next !== undefined) return { start, end: offsetOf(text, next.item.loc.start), text: '' };
  const whole = { start: offsetOf(text, table.loc.start), end: offsetOf(text, table.loc.end) };
  return { ...whole, text: emptyParent ?? '{}' };
}

/** Returns the innermost inline table on a path of keys, and the rest of the path, which has at least one key. */
function inlineTable(
  blocks: readonly Block[],
  path: readonly string[],
): { readonly table: InlineTable; readonly rest: readonly string[] } | undefined {
  for (const located of rowsOf(blocks)) {
    const { value } = located.row;
    const isOnTheWay = located.path.length < path.length && startsWith(path, located.path);
    if (isOnTheWay && isInlineTable(value)) return innermost(value, path.slice(located.path.length));
  }
  return undefined;
}

function innermost(table: InlineTable, rest: readonly string[]): { table: InlineTable; rest: readonly string[] } {
  for (const { item } of table.items) {
    const keys = item.key.value;
    const isOnTheWay = keys.length < rest.length && startsWith(rest, keys);
    if (isOnTheWay && isInlineTable(item.value)) return innermost(item.value, rest.slice(keys.length));
  }
  return { table, rest };
}

/** Returns the value at exactly this path, if it stands in a row or an inline table. */
function valueOf(blocks: readonly Block[], path: readonly string[]): TomlRow['value'] | undefined {
  const row = rowsOf(blocks).find((located) => isSame(located.path, path))?.row;
  const { table, rest = [] } = inlineTable(blocks, path) ?? {};
  return row?.value ?? table?.items.find(({ item }) => isSame(item.key.value, rest))?.item.value;
}

function rangeOf(text: string, { loc }: TomlRow['value']): { readonly start: number; readonly end: number } {
  return { start: offsetOf(text, loc.start), end: offsetOf(text, loc.end) };
}

function isInlineTable(value: TomlRow['value']): value is InlineTable {
  const type: string = value.type;
  return type === 'InlineTable';
}

/** Returns a row, as `args = ["a"]`. */
function tomlAssignment(key: string, value: JsonValue): string {
  return `${tomlKey(key)} = ${tomlValue(value)}`;
}

function tomlKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key);
}

/** Returns a value on one line. JSON strings are basic strings of TOML, except that JSON does not escape DEL. */
function tomlValue(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(tomlValue).join(', ')}]`;
  if (isRecord(value)) {
    const rows = Object.entries(value).map(([key, inner]) => tomlAssignment(key, inner));
    return rows.length === 0 ? '{}' : `{ ${rows.join(', ')} }`;
  }
  return JSON.stringify(value).replaceAll('\u007F', String.raw`\u007F`);
}
