import { isMap, isScalar, parseDocument, type Document, type ParsedNode, type YAMLMap } from 'yaml';
import type { JsonValue } from './assistant.ts';
import { nothingCreated, SyntaxProblem, type ConfigurationFormat } from './configurationFormat.ts';
import { plain } from './plainValue.ts';
import { applyEdits, lineEndOf, placeOf } from './textEdit.ts';
import {
  blockText,
  emptyContainer,
  filledContainer,
  pairInsertion,
  pairOf,
  pairRemoval,
  valueReplacement,
  withoutBlock,
  type YamlPair,
} from './yamlPair.ts';

/**
 * YAML 1.2 as a text: the library says where everything is, and only our lines change. Its own output would format the
 * whole document anew.
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

/** The mapping that the document is; undefined when it says nothing yet. */
function rootOf(text: string): YAMLMap.Parsed | undefined {
  const { contents } = parsed(text);
  if (contents === null || (isScalar(contents) && contents.value === null)) return undefined;
  if (isMap(contents)) return contents;
  throw new SyntaxProblem('it holds no mapping');
}

/** A file that does not end its last line still does not afterwards, which also tells a removal so. */
function withDocument(text: string, value: JsonValue): string {
  const lineBreak = lineEndOf(text);
  const block = blockText(value, '', lineBreak, 2);
  return text === '' || text.endsWith('\n') ? text + block + lineBreak : text + lineBreak + block;
}

interface Located {
  /** The deepest mapping on the way that has something in it. */
  readonly map: YAMLMap.Parsed;
  /** How many keys lead to that mapping. */
  readonly depth: number;
  /** What the next key names in it: the value itself, or a container that is no filled mapping. */
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
