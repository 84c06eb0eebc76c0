import { isScalar, stringify, type Pair, type ParsedNode, type YAMLMap } from 'yaml';
import type { JsonValue } from './assistant.ts';
import { lineEndOf, lineStart, nextLine, type TextEdit } from './textEdit.ts';

export type YamlPair = Pair<ParsedNode, ParsedNode | null>;

export function pairOf(map: YAMLMap.Parsed, key: string): YamlPair | undefined {
  return map.items.find((pair) => isScalar(pair.key) && pair.key.value === key);
}

/** A value as a block, without a line end after it; its first line is without indentation. */
export function blockText(value: JsonValue, indentation: string, lineBreak: string, step: number): string {
  const text = stringify(value, { indent: step, lineWidth: 0 });
  return text
    .trimEnd()
    .split('\n')
    .join(lineBreak + indentation);
}

/** Appends a pair to a mapping that has some, or puts the first one into `{}`. */
export function pairInsertion(text: string, map: YAMLMap.Parsed, key: string, value: JsonValue): readonly TextEdit[] {
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

/** Takes out a pair: its lines, or its part of a mapping in braces. */
export function pairRemoval(text: string, map: YAMLMap.Parsed, pair: YamlPair): readonly TextEdit[] {
  if (map.flow !== true) return [linesRemoval(text, lineStart(text, pair.key.range[0]), endOf(pair))];
  const index = map.items.indexOf(pair);
  const [previous, next] = [map.items[index - 1], map.items[index + 1]];
  if (previous !== undefined) return [{ start: endOf(previous), end: endOf(pair), text: '' }];
  return [{ start: pair.key.range[0], end: next === undefined ? endOf(pair) : next.key.range[0], text: '' }];
}

export function valueReplacement(text: string, pair: YamlPair, value: JsonValue): TextEdit {
  const start = afterColon(text, pair);
  const end = Math.max(start, start + text.slice(start, endOf(pair)).trimEnd().length);
  return { start, end, text: ` ${JSON.stringify(value)}` };
}

/** What stands after the colon of a pair that has nothing in it yet, as ` {}`; undefined for anything else. */
export function emptyContainer(text: string, pair: YamlPair): string | undefined {
  const start = afterColon(text, pair);
  const source = text.slice(start, Math.max(start, endOf(pair)));
  if (/^[ \t]*(?:null|~|\{[ \t]*\})$/.test(source)) return source;
  return pair.value === null || (isScalar(pair.value) && pair.value.source === '') ? '' : undefined;
}

/** Puts a first block into a pair that has nothing in it yet; below what comments stand beside it. */
export function filledContainer(
  text: string,
  map: YAMLMap.Parsed,
  pair: YamlPair,
  value: JsonValue,
): readonly TextEdit[] {
  const start = afterColon(text, pair);
  const end = start + (emptyContainer(text, pair) ?? '').length;
  if (map.flow === true) return [{ start, end, text: ` ${JSON.stringify(value)}` }];
  const keyStart = pair.key.range[0];
  const step = stepOf(text, map);
  const indentation = text.slice(lineStart(text, keyStart), keyStart) + ' '.repeat(step);
  return [{ start, end, text: '' }, blockInsertion(text, end, value, indentation, step)];
}

/** The way back from `filledContainer`. */
export function withoutBlock(
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

/** The range of a block ends in its last line, or at the start of the next one. */
function endOfLines(text: string, offset: number): number {
  return text[offset - 1] === '\n' ? offset : nextLine(text, offset);
}

function endOf({ key, value }: YamlPair): number {
  return Math.max(key.range[1], value?.range[1] ?? 0);
}

function afterColon(text: string, { key }: YamlPair): number {
  return text.indexOf(':', key.range[1]) + 1;
}

/** How much deeper the mappings in a mapping are; two spaces where it has none. */
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
