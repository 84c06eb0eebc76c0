import {
  type Document,
  isMap,
  isScalar,
  type Pair,
  type ParsedNode,
  parseDocument,
  stringify,
  type YAMLMap,
} from 'yaml';
import type { JsonValue } from './assistant.ts';
import { type ConfigurationFormat, nothingCreated, SyntaxProblem } from './configurationFormat.ts';
import { plain } from './plainValue.ts';
import { applyEdits, lineEndOf, lineStart, nextLine, placeOf, type TextEdit } from './textEdit.ts';

/**
 * Reads and edits YAML 1.2 as text: the library finds the offsets, and only our lines change. Its own output would reformat
 * the whole document.
 */
export const yamlFormat: ConfigurationFormat = {
  read(text) {
    const document = parsed(text);
    try {
      return plain(document.toJS()) ?? undefined;
    } catch (error) {
      if (!(error instanceof ReferenceError)) throw error;
      throw new SyntaxProblem('an alias leads nowhere, or too far', { cause: error });
    }
  },

  set(text, path, value) {
    const root = rootOf(text);
    if (root === undefined) return { text: withDocument(text, nested(path, value)), created: { keys: path.length } };
    const { map, pair, depth } = located(text, root, path);
    const rest = path.slice(depth + 1);
    if (pair === undefined) {
      const edits = pairInsertion(text, map, path[depth] ?? '', nested(rest, value));
      return { text: applyEdits(text, edits), created: { keys: rest.length } };
    }
    if (rest.length === 0)
      return { text: applyEdits(text, [valueReplacement(text, pair, value)]), created: nothingCreated };
    const emptyParent = emptyContainer(text, pair);
    if (emptyParent === undefined) throw new SyntaxProblem(`"${path[depth]}" is no mapping of its own`);
    const edits = filledContainer(text, map, pair, nested(rest, value));
    return { text: applyEdits(text, edits), created: { keys: rest.length - 1, emptyParent } };
  },

  remove(text, path, created) {
    const root = rootOf(text);
    if (root === undefined) return text;
    let keys = created?.keys ?? 0;
    let target = [...path];
    let { map, pair, depth } = located(text, root, target);
    if (pair === undefined || depth < path.length - 1) return text;
    while (keys > 0 && target.length > 1 && map.items.length === 1) {
      target = target.slice(0, -1);
      keys--;
      ({ map, pair, depth } = located(text, root, target));
    }
    if (pair === undefined) return text;
    if (map.items.length > 1 || target.length === 1) return applyEdits(text, pairRemoval(text, map, pair));
    const container = located(text, root, target.slice(0, -1)).pair;
    if (container === undefined) return text;
    return applyEdits(text, withoutBlock(text, container, map, created?.emptyParent ?? ' {}'));
  },
};

/** Returns the top mapping of the document; undefined when the document is empty. */
function rootOf(text: string): YAMLMap.Parsed | undefined {
  const { contents } = parsed(text);
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  if (isMap(contents)) return contents;
  throw new SyntaxProblem('it holds no mapping');
}

/** Appends a block. A text without a final line end gets none, by which a removal knows that there was none. */
function withDocument(text: string, value: JsonValue): string {
  const lineBreak = lineEndOf(text);
  const block = blockText(value, '', lineBreak, 2);
  return text === '' || text.endsWith('\n') ? text + block + lineBreak : text + lineBreak + block;
}

interface Located {
  /** The deepest mapping on the path that is not empty. */
  readonly map: YAMLMap.Parsed;
  /** The number of keys that lead to that mapping. */
  readonly depth: number;
  /** The pair of the next key in it: the value itself, or a container that is empty or no mapping. */
  readonly pair: YamlPair | undefined;
}

function located(text: string, root: YAMLMap.Parsed, path: readonly string[]): Located {
  let map = root;
  for (const [depth, key] of path.entries()) {
    const pair = pairOf(map, key);
    const inner: ParsedNode | null | undefined = pair?.value;
    if (pair === undefined || depth === path.length - 1) return { map, depth, pair };
    if (!isMap(inner) || inner.items.length === 0) return { map, depth, pair };
    map = inner;
  }
  throw new SyntaxProblem(`there is no place for it at ${placeOf(text, root.range[0])}`);
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

function parsed(text: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error === undefined) return document;
  const [message = ''] = error.message.split(/ at line |\n/);
  const where = error.linePos ? ` at line ${error.linePos[0].line}, column ${error.linePos[0].col}` : '';
  throw new SyntaxProblem(`${message.charAt(0).toLowerCase()}${message.slice(1)}${where}`, { cause: error });
}

type YamlPair = Pair<ParsedNode, ParsedNode | null>;

function pairOf(map: YAMLMap.Parsed, key: string): YamlPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** Returns a value as a block without a final line end; the first line has no indentation. */
function blockText(value: JsonValue, indentation: string, lineBreak: string, step: number): string {
  const text = stringify(value, { indent: step, lineWidth: 0 });
  return text
    .trimEnd()
    .split('\n')
    .join(lineBreak + indentation);
}

/** Appends a pair to a mapping that has pairs, or puts the first one into `{}`. */
function pairInsertion(text: string, map: YAMLMap.Parsed, key: string, value: JsonValue): readonly TextEdit[] {
  const [first, last] = [map.items[0], map.items.at(-1)];
  if (map.flow === true) {
    const start = last === undefined ? map.range[0] + 1 : endOf(last);
    const separator = last === undefined ? '' : ', ';
    return [{ start, end: start, text: `${separator}${JSON.stringify(key)}: ${JSON.stringify(value)}` }];
  }
  if (first === undefined || last === undefined) return [];
  const start = first.key.range[0];
  const indentation = text.slice(lineStart(text, start), start);
  return [blockInsertion(text, endOf(last), { [key]: value }, indentation, stepOf(text, map))];
}

/** Removes a pair: its lines, or its part of a flow mapping. */
function pairRemoval(text: string, map: YAMLMap.Parsed, pair: YamlPair): readonly TextEdit[] {
  if (map.flow !== true) return [linesRemoval(text, lineStart(text, pair.key.range[0]), endOf(pair))];
  const index = map.items.indexOf(pair);
  const [previous, next] = [map.items[index - 1], map.items[index + 1]];
  if (previous !== undefined) return [{ start: endOf(previous), end: endOf(pair), text: '' }];
  return [{ start: pair.key.range[0], end: next === undefined ? endOf(pair) : next.key.range[0], text: '' }];
}

function valueReplacement(text: string, pair: YamlPair, value: JsonValue): TextEdit {
  const start = afterColon(text, pair);
  const end = Math.max(start, start + text.slice(start, endOf(pair)).trimEnd().length);
  return { start, end, text: ` ${JSON.stringify(value)}` };
}

/** Returns the text after the colon of a pair with an empty value, as ` {}`; undefined for any other value. */
function emptyContainer(text: string, pair: YamlPair): string | undefined {
  const start = afterColon(text, pair);
  const source = text.slice(start, Math.max(start, endOf(pair)));
  if (/^[ \t]*(?:null|~|\{[ \t]*\})$/.test(source)) return source;
  return pair.value === null || (isScalar(pair.value) && pair.value.source === '') ? '' : undefined;
}

/** Puts the first block into a pair with an empty value, below the comments beside it. */
function filledContainer(text: string, map: YAMLMap.Parsed, pair: YamlPair, value: JsonValue): readonly TextEdit[] {
  const start = afterColon(text, pair);
  const end = start + (emptyContainer(text, pair) ?? '').length;
  if (map.flow === true) return [{ start, end, text: ` ${JSON.stringify(value)}` }];
  const keyStart = pair.key.range[0];
  const step = stepOf(text, map);
  const indentation = text.slice(lineStart(text, keyStart), keyStart) + ' '.repeat(step);
  return [{ start, end, text: '' }, blockInsertion(text, end, value, indentation, step)];
}

/** Reverts `filledContainer`. */
function withoutBlock(
  text: string,
  container: YamlPair,
  map: YAMLMap.Parsed,
  emptyParent: string,
): readonly TextEdit[] {
  const start = afterColon(text, container);
  const [first, last] = [map.items[0], map.items.at(-1)];
  if (map.flow === true) return [{ start, end: map.range[1], text: emptyParent }];
  if (first === undefined || last === undefined) return [];
  const lines = linesRemoval(text, lineStart(text, first.key.range[0]), endOf(last));
  return [{ start, end: start, text: emptyParent }, lines];
}

function blockInsertion(text: string, after: number, value: JsonValue, indentation: string, step: number): TextEdit {
  const lineBreak = lineEndOf(text);
  const start = endOfLines(text, after);
  const block = indentation + blockText(value, indentation, lineBreak, step);
  const isUnended = start === text.length && !text.endsWith('\n');
  return { start, end: start, text: isUnended ? lineBreak + block : block + lineBreak };
}

function linesRemoval(text: string, start: number, after: number): TextEdit {
  const end = endOfLines(text, after);
  const isUnended = end === text.length && !text.endsWith('\n');
  const lineBreak = isUnended ? (/\r?\n$/.exec(text.slice(0, start))?.[0].length ?? 0) : 0;
  return { start: start - lineBreak, end, text: '' };
}

/** Returns the offset after the last line of a block, whose range ends in that line or at the start of the next one. */
function endOfLines(text: string, offset: number): number {
  return text[offset - 1] === '\n' ? offset : nextLine(text, offset);
}

function endOf({ key, value }: YamlPair): number {
  return Math.max(key.range[1], value?.range[1] ?? 0);
}

function afterColon(text: string, { key }: YamlPair): number {
  return text.indexOf(':', key.range[1]) + 1;
}

/** Returns the indentation step of the mappings in a mapping; two spaces when it has none. */
function stepOf(text: string, map: YAMLMap.Parsed): number {
  const column = columnOf(text, map.range[0]);
  for (const { value } of map.items) {
    const isBlock = value !== null && 'items' in value && value.flow !== true && value.items.length > 0;
    const deeper = isBlock ? columnOf(text, value.range[0]) - column : 0;
    if (deeper > 0) return deeper;
  }
  return 2;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}
