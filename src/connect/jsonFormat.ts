import { getNodeValue, type Node, parse, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import type { JsonValue } from './assistant.ts';
import {
  type ConfigurationFormat,
  type CreatedKeys,
  nothingCreated,
  type SetText,
  SyntaxProblem,
} from './configurationFormat.ts';
import { plain } from './plainValue.ts';
import { applyEdits, indentationAt, lineEndOf, lineStart, placeOf, type TextEdit } from './textEdit.ts';

/** Reads and edits JSON with comments and trailing commas, both of which stay. */
export const jsonFormat: ConfigurationFormat = {
  read(text) {
    const root = parsed(text);
    return root && plain(getNodeValue(root));
  },

  set(text, path, value) {
    const root = parsed(text);
    if (root === undefined) {
      return { text: withRoot(text, nested(path, value)), created: { keys: path.length } };
    }
    const { container, depth } = deepest(text, root, path);
    if (container.type !== 'object')
      throw new SyntaxProblem(`there is no object at ${placeOf(text, container.offset)}`);
    const [key = '', ...rest] = path.slice(depth);
    const property = propertyOf(text, container, key);
    if (property !== undefined) {
      const [, node] = property.children ?? [];
      if (node === undefined) return { text, created: nothingCreated };
      const edit = replacement(text, container, node, value);
      return { text: applyEdits(text, [edit]), created: { keys: 0, replaced: sourceOf(text, node) } };
    }
    const { edits, emptyParent } = childInsertion(text, container, newProperty(text, key, nested(rest, value)));
    return { text: applyEdits(text, edits), created: { keys: rest.length, emptyParent } };
  },

  remove(text, path, created) {
    const root = parsed(text);
    if (root === undefined) return text;
    let keys = created?.keys ?? 0;
    let target = [...path];
    let { container, depth } = deepest(text, root, target);
    const found = depth < path.length - 1 ? undefined : propertyOf(text, container, path.at(-1) ?? '');
    if (found === undefined) return text;
    const [, value] = found.children ?? [];
    if (created?.replaced !== undefined && value !== undefined) {
      const edit = { start: value.offset, end: value.offset + value.length, text: created.replaced };
      return applyEdits(text, [edit]);
    }
    for (; keys > 0 && isAllThereIs(text, container); keys--) {
      target = target.slice(0, -1);
      if (target.length === 0) return withoutRoot(text, root);
      ({ container, depth } = deepest(text, root, target));
    }
    const property = propertyOf(text, container, target[depth] ?? '');
    const emptyParent = keys === 0 ? created?.emptyParent : undefined;
    return property === undefined ? text : applyEdits(text, childRemoval(text, container, property, emptyParent));
  },
};

/**
 * Appends an element to the array at a path, and creates the array and the objects above it. The created array counts as the first
 * of the created containers. @throws SyntaxProblem when there is something else than an array
 */
export function appendElement(text: string, path: readonly string[], value: JsonValue): SetText {
  const array = arrayAt(text, path);
  if (array === undefined) {
    const { text: after, created } = jsonFormat.set(text, path, [value]);
    return { text: after, created: { ...created, keys: created.keys + 1 } };
  }
  const { edits, emptyParent } = childInsertion(text, array, {
    inline: () => JSON.stringify(value),
    lines: (indentation) => jsonText(text, value, indentation),
  });
  return { text: applyEdits(text, edits), created: { keys: 0, emptyParent } };
}

/** Replaces the first element that matches in the array at a path; returns the text as it is when there is none. */
export function replaceElement(
  text: string,
  path: readonly string[],
  isMeant: (value: unknown) => boolean,
  value: JsonValue,
): string {
  const found = findElement(text, path, isMeant);
  return found === undefined ? text : applyEdits(text, [replacement(text, found.array, found.element, value)]);
}

/** Removes the first element that matches from the array at a path, and the containers that `created` names if they are empty then. */
export function removeElement(
  text: string,
  path: readonly string[],
  isMeant: (value: unknown) => boolean,
  created: CreatedKeys | undefined,
): string {
  const found = findElement(text, path, isMeant);
  if (found === undefined) return text;
  const { array, element } = found;
  const keys = created?.keys ?? 0;
  if (keys > 0 && isAllThereIs(text, array)) {
    return jsonFormat.remove(text, path, { keys: keys - 1, emptyParent: created?.emptyParent });
  }
  return applyEdits(text, childRemoval(text, array, element, keys === 0 ? created?.emptyParent : undefined));
}

/** Returns the first element that matches in the array at a path, and the array; undefined when there is none. */
function findElement(
  text: string,
  path: readonly string[],
  isMeant: (value: unknown) => boolean,
): { readonly array: Node; readonly element: Node } | undefined {
  const array = arrayAt(text, path);
  const element = array?.children?.find((node) => isMeant(plain(getNodeValue(node))));
  return array === undefined || element === undefined ? undefined : { array, element };
}

/** Returns the array at a path; undefined when the path leads nowhere. */
function arrayAt(text: string, path: readonly string[]): Node | undefined {
  const root = parsed(text);
  if (root === undefined) return undefined;
  const { container, depth } = deepest(text, root, path);
  if (depth < path.length - 1 || container.type !== 'object') return undefined;
  const [, array] = propertyOf(text, container, path.at(-1) ?? '')?.children ?? [];
  if (array === undefined || array.type === 'array') return array;
  throw new SyntaxProblem(`there is no array at ${placeOf(text, array.offset)}`);
}

/** Returns whether an object or an array holds one child and nothing else, not even a comment. */
function isAllThereIs(text: string, { offset, length, children = [] }: Node): boolean {
  const [property, second] = children;
  if (property === undefined || second !== undefined) return false;
  const before = text.slice(offset + 1, property.offset);
  return before.trim() === '' && /^[\s,]*$/.test(text.slice(property.offset + property.length, offset + length - 1));
}

/** Appends the document. A text without a final line end gets none, by which a removal knows that there was none. */
function withRoot(text: string, value: JsonValue): string {
  const lineBreak = lineEndOf(text);
  const whole = jsonText(text, value, '');
  return text.trim() === '' || text.endsWith('\n') ? text + whole + lineBreak : text + lineBreak + whole;
}

function withoutRoot(text: string, { offset, length }: Node): string {
  const [before, after] = [text.slice(0, offset), text.slice(offset + length)];
  return after === '' ? before.replace(/\r?\n$/, '') : before + after.replace(/^\r?\n/, '');
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

function replacement(
  text: string,
  container: Node,
  node: Node,
  value: JsonValue,
): { start: number; end: number; text: string } {
  const isOneLine = !sourceOf(text, container).includes('\n');
  const start = node.offset;
  const indentation = /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', start) + 1))?.[0] ?? '';
  return {
    start,
    end: start + node.length,
    text: isOneLine ? JSON.stringify(value) : jsonText(text, value, indentation),
  };
}

/** Returns the deepest existing object on a path, never the value itself, and how many keys lead to it. */
function deepest(text: string, root: Node, path: readonly string[]): { container: Node; depth: number } {
  let container = root;
  let depth = 0;
  for (const key of path.slice(0, -1)) {
    const [, next] = (container.type === 'object' && propertyOf(text, container, key)?.children) || [];
    if (next === undefined) break;
    container = next;
    depth++;
  }
  return { container, depth };
}

/** Returns the property of a key; throws when the key occurs twice, since programs differ in which one they use. */
function propertyOf(text: string, object: Node, key: string): Node | undefined {
  const [first, second] = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (second === undefined) return first;
  throw new SyntaxProblem(`"${key}" is there twice, the second time at ${placeOf(text, second.offset)}`);
}

function sourceOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function parsed(text: string): Node | undefined {
  const { root, error } = parsedTree(text);
  if (error === undefined) return root;
  throw new SyntaxProblem(
    `${problems.get(printParseErrorCode(error.error)) ?? 'it is not valid'} at ${placeOf(text, error.offset)}`,
  );
}

/** Returns the value of a text of somebody else as far as it can be read; undefined for one that is nested too deep. */
export function parsedLeniently(text: string): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}

function parsedTree(text: string): { readonly root: Node | undefined; readonly error: ParseError | undefined } {
  const errors: ParseError[] = [];
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
    return { root, error: errors[0] };
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new SyntaxProblem('it is nested too deep', { cause: error });
    throw error;
  }
}

const problems: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'there is an unknown word'],
  ['InvalidNumberFormat', 'there is a wrong number'],
  ['PropertyNameExpected', 'a property name is missing'],
  ['ValueExpected', 'a value is missing'],
  ['ColonExpected', 'a colon is missing'],
  ['CommaExpected', 'a comma is missing'],
  ['CloseBraceExpected', 'a closing brace is missing'],
  ['CloseBracketExpected', 'a closing bracket is missing'],
  ['EndOfFileExpected', 'there is more after the end'],
  ['UnexpectedEndOfComment', 'a comment does not end'],
  ['UnexpectedEndOfString', 'a string does not end'],
  ['InvalidEscapeCharacter', 'a string has a wrong escape'],
  ['InvalidUnicode', 'a string has a wrong escape'],
  ['InvalidCharacter', 'there is a character that is not allowed'],
]);

interface Insertion {
  readonly edits: readonly TextEdit[];
  /** The white space before the closing bracket of a container that had no children; undefined when it had some. */
  readonly emptyParent?: string | undefined;
}

/** A property of an object, or an element of an array, to insert. */
interface NewChild {
  /** Returns its text on the line of the last child. */
  inline(last: Node): string;
  /** Returns its text on lines of its own; the first line has no indentation. */
  lines(indentation: string): string;
}

function newProperty(text: string, key: string, value: JsonValue): NewChild {
  return {
    inline(last) {
      const space = /^"(?:[^"\\]|\\.)*"\s*:\s/.test(text.slice(last.offset)) ? ' ' : '';
      return `${JSON.stringify(key)}:${space}${JSON.stringify(value)}`;
    },
    lines: (indentation) => `${JSON.stringify(key)}: ${jsonText(text, value, indentation)}`,
  };
}

/**
 * Appends a child to an object or an array, on its own line if the others are. Comments stay beside the child that they follow.
 */
function childInsertion(text: string, container: Node, child: NewChild): Insertion {
  const last = container.children?.at(-1);
  if (last === undefined) return intoEmpty(text, container, child);
  const end = last.offset + last.length;
  const comma = commaAfter(text, end);
  const comesAfter = comma === undefined ? end : comma + 1;
  const separator: readonly TextEdit[] = comma === undefined ? [{ start: end, end, text: ',' }] : [];
  const trailing = comma === undefined ? '' : ',';
  if (!isOnOwnLine(text, last.offset)) {
    const inline = ` ${child.inline(last)}${trailing}`;
    return { edits: [...separator, { start: comesAfter, end: comesAfter, text: inline }] };
  }
  const indentation = indentationAt(text, last.offset);
  const start = endOfComments(text, comesAfter);
  const line = `${lineEndOf(text)}${indentation}${child.lines(indentation)}${trailing}`;
  return { edits: [...separator, { start, end: start, text: line }] };
}

/** Removes a child of an object or an array with its comma. Comments stay. */
function childRemoval(
  text: string,
  container: Node,
  child: Node,
  emptyParent: string | undefined,
): readonly TextEdit[] {
  const children = container.children ?? [];
  const index = children.indexOf(child);
  const previous = children[index - 1];
  const start = child.offset - (/\s*$/.exec(text.slice(0, child.offset))?.[0].length ?? 0);
  const comma = commaAfter(text, child.offset + child.length);
  const end = comma === undefined ? child.offset + child.length : comma + 1;
  if (children.length === 1) return [onlyRemoval(text, container, { start, end }, emptyParent)];
  const isLast = index === children.length - 1;
  const before =
    isLast && comma === undefined && previous ? commaAfter(text, previous.offset + previous.length) : undefined;
  const removal = { start, end, text: '' };
  if (before === undefined) return [removal];
  // The comma before the child goes, too; both edits touch when no comment stands between them.
  return [{ start: before, end: before + 1, text: '' }, removal];
}

function onlyRemoval(
  text: string,
  container: Node,
  { start, end }: { readonly start: number; readonly end: number },
  emptyParent: string | undefined,
): TextEdit {
  const close = container.offset + container.length - 1;
  if (text.slice(end, close).trim() !== '') return { start, end, text: '' };
  const hasComment = text.slice(container.offset + 1, start).trim() !== '';
  const rest = emptyParent ?? (hasComment ? text.slice(end, close) : '');
  return { start, end: close, text: rest };
}

function intoEmpty(text: string, container: Node, child: NewChild): Insertion {
  const close = container.offset + container.length - 1;
  const emptyParent = /\s*$/.exec(text.slice(container.offset + 1, close))?.[0] ?? '';
  const start = close - emptyParent.length;
  const outer = /^[ \t]*/.exec(text.slice(lineStart(text, container.offset)))?.[0] ?? '';
  const indentation = outer + indentationStep(text);
  const lineBreak = lineEndOf(text);
  const line = `${lineBreak}${indentation}${child.lines(indentation)}`;
  const closing = emptyParent.includes('\n') ? '' : lineBreak + outer;
  return { edits: [{ start, end: start, text: line + closing }], emptyParent };
}

function isOnOwnLine(text: string, offset: number): boolean {
  const before = text.slice(lineStart(text, offset), offset);
  return before.trim() === '' && lineStart(text, offset) > 0;
}

/** Returns the offset of the comma after a property, past comments; undefined when there is none. */
function commaAfter(text: string, offset: number): number | undefined {
  const end = endOfMatch(/(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*/y, text, offset);
  return text[end] === ',' ? end : undefined;
}

/** Returns the end of the comments after an offset on its line; the offset itself when there is none. */
function endOfComments(text: string, offset: number): number {
  return endOfMatch(/(?:[ \t]*(?:\/\/[^\r\n]*|\/\*[\s\S]*?\*\/))*/y, text, offset);
}

function endOfMatch(sticky: RegExp, text: string, offset: number): number {
  sticky.lastIndex = offset;
  return offset + (sticky.exec(text)?.[0].length ?? 0);
}

/** Returns a value as JSON over several lines in the style of a document; the first line has no indentation. */
function jsonText(document: string, value: JsonValue, indentation: string): string {
  const lines = JSON.stringify(value, undefined, indentationStep(document)).split('\n');
  return lines.join(lineEndOf(document) + indentation);
}

/** Returns the indentation of the first nested line of a document; two spaces when it has none. */
function indentationStep(document: string): string {
  const [, step = '  '] = /^(\t| {1,8})(?=["}{[\]])/m.exec(document) ?? [];
  return step;
}
