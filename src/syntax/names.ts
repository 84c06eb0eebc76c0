import type { Node, QueryMatch } from '@vscode/tree-sitter-wasm';
import type { OutlineSymbol, Position } from '#base/language.ts';

/** The most declarations and uses of one text; further ones are of no use to a reader. */
const mostDeclarations = 10_000;
const mostUses = 1000;
/** The most UTF-16 units of a name. */
const longestName = 200;

/** A declaration that a query found, before it is put into its container. */
interface Tag {
  readonly kind: string;
  readonly name: string;
  /** Offsets of the name, or of its last part: `total` of `Cart::total`. */
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
  readonly pattern: number;
}

/** A declaration with the declarations in it, while the tree is built. */
interface Placed {
  readonly tag: Tag;
  readonly children: Placed[];
}

/** Types in which a function is a method. */
const types: ReadonlySet<string> = new Set(['class', 'struct', 'interface', 'object', 'enum']);

/**
 * Returns the declarations that a query found, in file order, each below the one that contains it. A query captures the name as
 * `@name`, the whole declaration by the name of its kind, and the type of a method that stands outside it as `@container`.
 */
export function declarationsOf(matches: readonly QueryMatch[], text: string): readonly OutlineSymbol[] {
  const byName = new Map<number, Tag>();
  for (const match of matches) {
    const tag = tagOf(match);
    if (tag === undefined) continue;
    const known = byName.get(tag.nameStart);
    // An earlier pattern of the query is the more exact one.
    if (known === undefined || tag.pattern < known.pattern) byName.set(tag.nameStart, tag);
    if (byName.size >= mostDeclarations) break;
  }
  const tags = [...byName.values()].toSorted((one, other) => one.start - other.start || other.end - one.end);
  const roots: Placed[] = [];
  const open: Placed[] = [];
  for (const tag of tags) {
    while (open.length > 0 && (open.at(-1)?.tag.end ?? 0) < tag.end) open.pop();
    const placed: Placed = { tag, children: [] };
    const around = open.at(-1);
    // Several names of one declaration, as in `int a, b;`, stand beside each other.
    const isBeside = around !== undefined && around.tag.start === tag.start && around.tag.end === tag.end;
    if (isBeside) (open.at(-2)?.children ?? roots).push(placed);
    else {
      (around?.children ?? roots).push(placed);
      open.push(placed);
    }
  }
  const positionOf = positionsIn(text);
  return roots.map((each) => symbolOf(each, undefined, positionOf));
}

function tagOf({ captures, patternIndex }: QueryMatch): Tag | undefined {
  const named = captures.find(({ name }) => name === 'name')?.node;
  const whole = captures.find(({ name }) => name !== 'name' && name !== 'container');
  if (named === undefined || whole === undefined) return undefined;
  const container = captures.find(({ name }) => name === 'container')?.node.text;
  const written = named.text.slice(0, longestName).toWellFormed();
  const last = Math.max(written.lastIndexOf('::') + 2, 0);
  const isPart = last > 1 && last < written.length;
  const kind = whole.name.replaceAll('_', ' ');
  return {
    kind: kind === 'impl' ? 'object' : kind,
    name: kind === 'impl' ? implementationName(whole.node, written) : container ? `${container}.${written}` : written,
    nameStart: named.startIndex + (isPart ? last : 0),
    start: whole.node.startIndex,
    end: whole.node.endIndex,
    pattern: patternIndex,
  };
}

/** Returns the name of a Rust implementation as its language service writes it: `impl Display for Cart`. */
function implementationName(node: Node, type: string): string {
  const trait = node.childForFieldName('trait')?.text.replace(/<.*$/s, '');
  return trait === undefined ? `impl ${type}` : `impl ${trait} for ${type}`;
}

function symbolOf(
  { tag, children }: Placed,
  container: string | undefined,
  positionOf: (offset: number) => Position,
): OutlineSymbol {
  const [first, last, name] = [positionOf(tag.start), positionOf(tag.end), positionOf(tag.nameStart)];
  const kind = tag.kind === 'function' && types.has(container ?? '') ? 'method' : tag.kind;
  return {
    name: tag.name,
    kind,
    firstLine: first.line,
    firstColumn: first.column,
    lastLine: last.line,
    lastColumn: last.column,
    nameLine: name.line,
    nameColumn: name.column,
    foundBy: 'syntax',
    children: children.map((child) => symbolOf(child, kind, positionOf)),
  };
}

/** Returns the function that turns an offset into a position. */
function positionsIn(text: string): (offset: number) => Position {
  const starts = [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map(({ 0: end, index }) => index + end.length)];
  return (offset) => {
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  };
}

/** Matches the kinds of nodes that are names in the grammars of {@link NamedLanguage}. */
const identifier = /identifier$|identifier_pattern$|^name$|^constant$|^(?:instance|class|global)_variable$/;

/** Returns the places where a name stands as an identifier, in order. */
export function usesOf(root: Node, text: string, name: string): readonly Position[] {
  if (name === '') return [];
  const positionOf = positionsIn(text);
  const found: Position[] = [];
  for (let at = text.indexOf(name); at >= 0 && found.length < mostUses; at = text.indexOf(name, at + name.length)) {
    const node = root.descendantForIndex(at, at + name.length);
    const isWhole = node?.startIndex === at && node.endIndex === at + name.length;
    if (isWhole && node.childCount === 0 && identifier.test(node.type)) found.push(positionOf(at));
  }
  return found;
}
