import { getNodeValue, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import type { JsonValue } from './assistant.ts';
import { nothingCreated, SyntaxProblem, type ConfigurationFormat } from './configurationFormat.ts';
import { propertyInsertion, propertyRemoval } from './jsonProperty.ts';
import { jsonText } from './jsonText.ts';
import { plain } from './plainValue.ts';
import { applyEdits, lineEndOf, placeOf } from './textEdit.ts';

/** JSON as assistants read it: with comments and trailing commas, both of which are kept. */
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
      const edits = node === undefined ? [] : [replacement(text, container, node, value)];
      return { text: applyEdits(text, edits), created: nothingCreated };
    }
    const { edits, emptyParent } = propertyInsertion(text, container, key, nested(rest, value));
    return { text: applyEdits(text, edits), created: { keys: rest.length, emptyParent } };
  },

  remove(text, path, created) {
    const root = parsed(text);
    if (root === undefined) return text;
    let keys = created?.keys ?? 0;
    let target = [...path];
    let { container, depth } = deepest(text, root, target);
    if (depth < path.length - 1 || propertyOf(text, container, path.at(-1) ?? '') === undefined) return text;
    for (; keys > 0 && isAllThereIs(text, container); keys--) {
      target = target.slice(0, -1);
      if (target.length === 0) return withoutRoot(text, root);
      ({ container, depth } = deepest(text, root, target));
    }
    const property = propertyOf(text, container, target[depth] ?? '');
    const emptyParent = keys === 0 ? created?.emptyParent : undefined;
    return property === undefined ? text : applyEdits(text, propertyRemoval(text, container, property, emptyParent));
  },
};

/** Whether an object holds one property and nothing else, not even a comment. */
function isAllThereIs(text: string, { offset, length, children = [] }: Node): boolean {
  const [property, second] = children;
  if (property === undefined || second !== undefined) return false;
  const before = text.slice(offset + 1, property.offset);
  return before.trim() === '' && /^[\s,]*$/.test(text.slice(property.offset + property.length, offset + length - 1));
}

/** A file of comments that does not end its last line still does not afterwards, which also tells a removal so. */
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

/** The deepest object on the way that is there, and how many keys lead to it. Never the value itself. */
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

/** Two of one key would leave open which of them is meant. */
function propertyOf(text: string, object: Node, key: string): Node | undefined {
  const [first, second] = (object.children ?? []).filter(({ children }) => children?.[0]?.value === key);
  if (second === undefined) return first;
  throw new SyntaxProblem(`"${key}" is there twice, the second time at ${placeOf(text, second.offset)}`);
}

function sourceOf(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function parsed(text: string): Node | undefined {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [error] = errors;
  if (error === undefined) return root;
  throw new SyntaxProblem(
    `${problems.get(printParseErrorCode(error.error)) ?? 'it is not valid'} at ${placeOf(text, error.offset)}`,
  );
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
