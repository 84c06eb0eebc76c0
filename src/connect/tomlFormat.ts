import { isDeepStrictEqual } from 'node:util';
import { parse, parseDocument, patch } from '@decimalturn/toml-patch';
import type { JsonValue } from './assistant.ts';
import { nothingCreated, SyntaxProblem, type ConfigurationFormat, type SetText } from './configurationFormat.ts';
import { isRecord, plain, valueAt, withoutKey, withoutKeyAndEmptyParents } from './plainValue.ts';
import { applyEdits, indentationAt, lineEndOf, type TextEdit } from './textEdit.ts';
import { inlineInsertion, inlineRemoval } from './tomlInline.ts';
import { endOfTable, linesOf, offsetOf, rowsOf, tableAt } from './tomlRow.ts';
import { tomlAssignment, tomlKey, tomlValue } from './tomlText.ts';

/**
 * TOML 1.0. A new value becomes a table at the end, as people write it, or goes where others of its kind are. What is written
 * in a way that is rare is left to the library, whose result is compared.
 */
export const tomlFormat: ConfigurationFormat = {
  read(text) {
    return text.trim() === '' ? undefined : parsed(text);
  },

  set(text, path, value) {
    const wanted = withKey(parsed(text), path, value);
    const edited = withRow(text, path, value) ?? withInline(text, path, value) ?? withTable(text, path, value);
    if (edited !== undefined && isDeepStrictEqual(parsedOrNothing(edited.text), wanted)) return edited;
    return { text: patched(text, wanted), created: nothingCreated };
  },

  remove(text, path, created) {
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

/** Replaces a row, or appends one to a table that is there. */
function withRow(text: string, path: readonly string[], value: JsonValue): SetText | undefined {
  const blocks = [...parseDocument(text).cst];
  const found = rowsOf(blocks).find((located) => isDeepStrictEqual(located.path, path))?.row.value.loc;
  if (found !== undefined) {
    const edit = { start: offsetOf(text, found.start), end: offsetOf(text, found.end), text: tomlValue(value) };
    return { text: applyEdits(text, [edit]), created: nothingCreated };
  }
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

/** A file that does not end its last line still does not afterwards, which also tells a removal so. */
function withTable(text: string, path: readonly string[], table: JsonValue): SetText | undefined {
  if (!isRecord(table)) return undefined;
  const lineBreak = lineEndOf(text);
  const rows = Object.entries(table).map(([key, value]) => tomlAssignment(key, value));
  const lines = [`[${path.map(tomlKey).join('.')}]`, ...rows].join(lineBreak);
  const isEnded = text === '' || text.endsWith('\n');
  const before = text === '' ? '' : lineBreak + (isEnded ? '' : lineBreak);
  return { text: text + before + lines + (isEnded ? lineBreak : ''), created: nothingCreated };
}

/** Of the blank lines around a table one goes with it: that which an insertion had put there. */
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
  throw new SyntaxProblem('it is written in a way that cannot be changed without touching something else');
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
