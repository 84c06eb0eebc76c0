import type { TomlDocument } from '@decimalturn/toml-patch';
import type { JsonValue } from './assistant.ts';
import type { TextEdit } from './textEdit.ts';
import { offsetOf, rowsOf, startsWith, type TomlRow } from './tomlRow.ts';
import { tomlAssignment } from './tomlText.ts';

type InlineTable = Extract<TomlRow['value'], { items: readonly { item: { equals: number } }[] }>;

interface Insertion {
  readonly edit: TextEdit;
  /** The table in braces as it was when nothing was in it. */
  readonly emptyParent?: string;
}

/** Appends to a table in braces that keys lead to, as `mcp_servers = { … }`; undefined when there is none. */
export function inlineInsertion(
  text: string,
  blocks: TomlDocument['cst'],
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

/** Takes out of a table in braces what keys lead to; undefined when it is not there. */
export function inlineRemoval(
  text: string,
  blocks: TomlDocument['cst'],
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

/** The outermost table in braces on the way, and the keys that lead on from it. */
function inlineTable(
  blocks: TomlDocument['cst'],
  path: readonly string[],
): { readonly table: InlineTable; readonly rest: readonly string[] } | undefined {
  for (const located of rowsOf(blocks)) {
    const { value } = located.row;
    const isOnTheWay = located.path.length < path.length && startsWith(path, located.path);
    if (isOnTheWay && isInlineTable(value)) return { table: value, rest: path.slice(located.path.length) };
  }
  return undefined;
}

function isInlineTable(value: TomlRow['value']): value is InlineTable {
  const type: string = value.type;
  return type === 'InlineTable';
}
