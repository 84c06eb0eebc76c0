import type { FoundFile } from '#base/files.ts';
import type { CallItem, WorkspaceLocation, OutlineSymbol, TypeItem } from '#base/language.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { folderAt } from '../../fakes/workspace.ts';
import { ToolRun } from '../workspace/toolRun.ts';

const cart = `export class Cart {
  items = [];
  addItem(item) {
    this.items.push(item);
    total(this);
  }
}
export function total(cart) {
  return cart.items.length;
}
`;

const order = `import { Cart, total } from './cart.ts';
export class Order {
  addItem(item) {}
  pay() { return total(new Cart()); }
}
`;

/** A declaration that begins at the first column; its name stands where the text says. */
export function declared(
  name: string,
  kind: string,
  [firstLine, lastLine]: readonly [number, number],
  nameColumn: number,
  children: readonly OutlineSymbol[] = [],
): OutlineSymbol {
  const range = { firstLine, firstColumn: 1, lastLine, lastColumn: 80 };
  return { name, kind, ...range, nameLine: firstLine, nameColumn, children };
}

export function fileIn(path: string): FoundFile {
  return { path, uri: `file:///w/${path}`, fsPath: `/w/${path}`, folder: folderAt('/w') };
}

/** A name of some length in a file. */
export function placeIn(path: string, line: number, column: number, length = 1): WorkspaceLocation {
  return { ...fileIn(path), firstLine: line, firstColumn: column, lastLine: line, lastColumn: column + length };
}

function symbolIn(path: string, symbol: OutlineSymbol, container?: string): SymbolPlace {
  const { name, kind, firstLine, lastLine } = symbol;
  return { ...fileIn(path), name, kind, ...(container !== undefined && { container }), firstLine, lastLine };
}

const cartAddItem = declared('addItem', 'method', [3, 6], 3);
const cartClass = declared('Cart', 'class', [1, 7], 14, [declared('items', 'property', [2, 2], 3), cartAddItem]);
const totalFunction = declared('total', 'function', [8, 10], 17);
const orderAddItem = declared('addItem', 'method', [3, 3], 3);
const orderPay = declared('pay', 'method', [4, 4], 3);
const orderClass = declared('Order', 'class', [2, 5], 14, [orderAddItem, orderPay]);

/** Two files whose language services know all about them. */
export function cartProject(more: Readonly<Record<string, string>> = {}): ToolRun {
  const run = new ToolRun({ '/w/src/cart.ts': cart, '/w/src/order.ts': order, ...more });
  run.language.outlines.set('src/cart.ts', [cartClass, totalFunction]);
  run.language.outlines.set('src/order.ts', [orderClass]);
  run.symbols.places = [
    symbolIn('src/cart.ts', cartClass),
    symbolIn('src/cart.ts', { ...cartAddItem, name: 'addItem()' }, 'Cart'),
    symbolIn('src/cart.ts', totalFunction),
    symbolIn('src/order.ts', orderClass),
    symbolIn('src/order.ts', orderAddItem, 'Order'),
    symbolIn('src/order.ts', orderPay, 'Order'),
  ];
  return run;
}

/** An end of a hierarchy that leads nowhere; a test makes it lead on. */
export function hierarchyItem(name: string, path: string, line: number) {
  return { name, kind: 'function', place: placeIn(path, line, 1), nameLine: line, nameColumn: 1 };
}

/** Items by name, each with those that it leads to: the calls in it stand in the lines 1, 2, 3... */
export function callGraph(follows: Readonly<Record<string, readonly string[]>>): (name: string) => CallItem {
  const itemOf = (name: string): CallItem => ({
    ...hierarchyItem(name, `src/${name}.ts`, 1),
    calls: async () => (follows[name] ?? []).map((other, at) => ({ item: itemOf(other), lines: [at + 1] })),
  });
  return itemOf;
}

export function typeGraph(follows: {
  readonly supertypes: Readonly<Record<string, readonly string[]>>;
  readonly subtypes: Readonly<Record<string, readonly string[]>>;
}): (name: string) => TypeItem {
  const itemOf = (name: string): TypeItem => ({
    ...hierarchyItem(name, `src/${name}.ts`, 1),
    types: async (direction) => (follows[direction][name] ?? []).map(itemOf),
  });
  return itemOf;
}
