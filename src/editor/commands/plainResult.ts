import * as vscode from 'vscode';
import type { WorkspaceFolder } from '#base/workspace.ts';
import { folderContaining, pathOf } from '#policy/paths.ts';

/** The limits of a result: levels of nesting, values of all kinds, and UTF-16 units of one text. */
const most = { depth: 8, values: 5000, text: 20_000 };

/**
 * Returns the result of a command as JSON text: places have the form that commands accept; cycles, functions and what exceeds
 * a limit become a word. Reads only the own fields of an object, and no getter.
 */
export function plainResult(result: unknown, folders: readonly WorkspaceFolder[]): string {
  if (result === undefined) return '';
  let values = 0;
  const above = new Set<object>();
  const plain = (value: unknown, depth: number): unknown => {
    values += 1;
    if (values > most.values) return '[more]';
    if (typeof value === 'string') return value.length > most.text ? `${cut(value)}[cut]` : value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function' || typeof value === 'symbol') return `[${typeof value}]`;
    if (typeof value !== 'object' || value === null) return value;
    if (above.has(value)) return '[circular]';
    const known = knownValue(value, folders);
    if (known !== undefined) return known;
    if (depth >= most.depth) return Array.isArray(value) ? '[list]' : '[object]';
    above.add(value);
    try {
      return fieldsOf(
        value,
        (each) => plain(each, depth + 1),
        () => values > most.values,
      );
    } finally {
      above.delete(value);
    }
  };
  return JSON.stringify(plain(result, 0)) ?? '';
}

/** Returns the plain form of an instance of a known class; undefined for other objects. */
function knownValue(value: object, folders: readonly WorkspaceFolder[]): unknown {
  if (value instanceof vscode.Uri) return { $uri: addressOf(value, folders) };
  if (value instanceof vscode.Position) return { $position: { line: value.line + 1, column: value.character + 1 } };
  if (value instanceof vscode.Range) return { $range: lines(value) };
  if (value instanceof vscode.Location) {
    return { $location: { path: addressOf(value.uri, folders), ...lines(value.range) } };
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Error) return { error: cut(value.message) };
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  return undefined;
}

function lines({ start, end }: vscode.Range) {
  return {
    firstLine: start.line + 1,
    firstColumn: start.character + 1,
    lastLine: end.line + 1,
    lastColumn: end.character + 1,
  };
}

function fieldsOf(value: object, plain: (value: unknown) => unknown, isFull: () => boolean): unknown {
  if (value instanceof Map) return fieldsOf([...value.entries()], plain, isFull);
  if (value instanceof Set) return fieldsOf([...value], plain, isFull);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    for (const each of value) {
      list.push(plain(each));
      if (isFull()) break;
    }
    return list;
  }
  const fields: [string, unknown][] = [];
  for (const key of Object.keys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, key);
    // A getter can have side effects.
    const each: unknown = descriptor !== undefined && 'value' in descriptor ? descriptor.value : '[getter]';
    if (each !== undefined && typeof each !== 'function') fields.push([key, plain(each)]);
    if (isFull()) break;
  }
  return Object.fromEntries(fields);
}

/** Returns a path as tools accept it, or the whole URI of a file outside the workspace. */
function addressOf(uri: vscode.Uri, folders: readonly WorkspaceFolder[]): string {
  const place = uri.scheme === 'file' ? folderContaining(uri.fsPath, folders) : undefined;
  return place === undefined ? uri.toString() : pathOf(place, folders);
}

function cut(text: string): string {
  return text.slice(0, most.text).toWellFormed();
}
