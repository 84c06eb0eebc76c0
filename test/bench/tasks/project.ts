/** Paths and texts of a shop with some 500 files, some of them broken; the same on every machine. */
export function shopProject(): ReadonlyMap<string, string> {
  return new Map([...fixedFiles, ...features(), ...pages(), ['src/lib/validators.ts', validators()]]);
}

const featureCount = 460;
const areas = ['account', 'cart', 'catalog', 'checkout', 'orders', 'search', 'stock', 'wishes'] as const;
const things = ['Badge', 'Banner', 'Button', 'Card', 'Dialog', 'Field', 'List', 'Panel', 'Row', 'Tile'] as const;

/** The number of pages with an unused import. */
export const pageCount = 12;
export const validatorCount = 60;

/** The kinds of files of a feature. */
export type FeatureKind = 'cart' | 'wishlist' | 'price' | 'slug' | 'plain';

/** Every generated feature, with its path and the functions that it uses. */
export const featureFiles: readonly { readonly path: string; readonly name: string; readonly kind: FeatureKind }[] =
  Array.from({ length: featureCount }, (_, at) => {
    const area = areas[at % areas.length] ?? areas[0];
    const name = `${things[at % things.length] ?? things[0]}${at}`;
    return { path: `src/features/${area}/${name}.tsx`, name, kind: kindOf(at) };
  });

function kindOf(at: number): FeatureKind {
  if (at % 23 === 0) return 'cart';
  if (at % 23 === 1) return 'wishlist';
  if (at % 4 === 2) return 'price';
  return at % 9 === 4 ? 'slug' : 'plain';
}

function features(): readonly [string, string][] {
  return featureFiles.map(({ path, name, kind }) => [path, `${featureText(name, kind)}\n`]);
}

function featureText(name: string, kind: FeatureKind): string {
  return texts[kind](name).join('\n');
}

const texts: Readonly<Record<FeatureKind, (name: string) => readonly string[]>> = {
  cart: (name) => [
    "import type { Cart, CartItem } from '../../lib/cart';",
    '',
    propsOf(name, '  readonly cart: Cart;', '  readonly item: CartItem;'),
    `export function ${name}({ cart, item }: ${name}Props) {`,
    '  const add = (): void => cart.addItem(item, 2);',
    '  return <button onClick={add}>{cart.total()}</button>;',
    '}',
  ],
  wishlist: (name) => [
    "import type { CartItem } from '../../lib/cart';",
    "import type { Wishlist } from '../../lib/wishlist';",
    '',
    propsOf(name, '  readonly wishes: Wishlist;', '  readonly item: CartItem;'),
    `export function ${name}({ wishes, item }: ${name}Props) {`,
    '  const add = (): void => wishes.addItem(item);',
    '  return <button onClick={add}>{wishes.total()}</button>;',
    '}',
  ],
  price: (name) => [
    "import { formatPrice } from '../../lib/money';",
    '',
    propsOf(name, '  readonly cents: number;'),
    `export function ${name}({ cents }: ${name}Props) {`,
    '  return <span>{formatPrice(cents)}</span>;',
    '}',
  ],
  slug: (name) => [
    "import { slugOf } from '../../lib/text';",
    '',
    propsOf(name, '  readonly title: string;'),
    `export function ${name}({ title }: ${name}Props) {`,
    '  return <a href={slugOf(title)}>{title}</a>;',
    '}',
  ],
  plain: (name) => [
    propsOf(name, '  readonly title: string;', '  readonly total: number;'),
    `export function ${name}({ title, total }: ${name}Props) {`,
    '  return (',
    '    <section>',
    '      <h2>{title}</h2>',
    '      <p>{total}</p>',
    '    </section>',
    '  );',
    '}',
  ],
};

function propsOf(name: string, ...fields: readonly string[]): string {
  return [`export interface ${name}Props {`, ...fields, '}', ''].join('\n');
}

/** Each imports two functions and uses one. */
function pages(): readonly [string, string][] {
  return Array.from({ length: pageCount }, (_, at): [string, string] => [
    `src/pages/Page${at}.tsx`,
    [
      "import { formatPrice } from '../lib/money';",
      "import { titleCase } from '../lib/text';",
      '',
      `export function Page${at}() {`,
      at % 2 === 0 ? "  return <h1>{titleCase('shop')}</h1>;" : '  return <h1>{formatPrice(100)}</h1>;',
      '}',
      '',
    ].join('\n'),
  ]);
}

function validators(): string {
  const one = (at: number): string =>
    [
      `/** Whether a text has at least ${at} characters. */`,
      `export function hasAtLeast${at}(text: string): boolean {`,
      `  return text.length >= ${at};`,
      '}',
      '',
    ].join('\n');
  return `${Array.from({ length: validatorCount }, (_, at) => one(at)).join('\n')}\nexport function isEmail(text: string): boolean {\n  return text.includes('@');\n}\n`;
}

const fixedFiles: readonly [string, string][] = Object.entries({
  'package.json': '{ "name": "shop", "private": true, "type": "module" }\n',
  'tsconfig.json': `${JSON.stringify(
    {
      compilerOptions: {
        strict: true,
        target: 'es2022',
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'preserve',
        noEmit: true,
        types: [],
      },
      include: ['src'],
    },
    undefined,
    2,
  )}\n`,
  'src/jsx.d.ts': 'declare namespace JSX {\n  interface IntrinsicElements {\n    [name: string]: unknown;\n  }\n}\n',
  'src/lib/cart.ts': `import { formatPrice } from './money';

export interface CartItem {
  readonly sku: string;
  readonly price: number;
}

export class Cart {
  readonly #lines: { readonly item: CartItem; readonly quantity: number }[] = [];

  addItem(item: CartItem, quantity: number): void {
    this.#lines.push({ item, quantity });
  }

  total(): number {
    return this.#lines.reduce((sum, { item, quantity }) => sum + item.price * quantity, 0);
  }

  label(): string {
    return formatPrice(this.total());
  }
}
`,
  'src/lib/wishlist.ts': `import type { CartItem } from './cart';

export class Wishlist {
  readonly #items: CartItem[] = [];

  addItem(item: CartItem): void {
    this.#items.push(item);
  }

  total(): number {
    return this.#items.length;
  }
}
`,
  'src/lib/money.ts': `export function formatPrice(cents: number): string {
  return \`\${(cents / 100).toFixed(2)} EUR\`;
}
`,
  'src/lib/text.ts': `export function titleCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function slugOf(text: string): string {
  return text.toLowerCase().replaceAll(' ', '-');
}
`,
  'src/lib/dates.ts': `export function today(): Date {
  return new Date();
}

export function tomorrow(): Date {
  return new Date(Date.now() + 86_400_000);
}

export function yesterday(): Date {
  return new Date(Date.now() - 86_400_000);
}

export function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000);
}
`,
  'src/lib/delivery.ts': `import { inDays, today } from './dates';

export function deliveredBy(isExpress: boolean): Date {
  return isExpress ? today() : inDays(3);
}
`,
  'src/lib/payment.ts': `export function post(path: string, body: object): string {
  return \`\${path} \${JSON.stringify(body)}\`;
}

export function charge(cents: number): string {
  return post('/charge', { cents });
}

export function refund(cents: number): string {
  return post('/refund', { cents });
}
`,
  'src/lib/checkout.ts': `import { charge, refund } from './payment';
import type { Cart } from './cart';

/** Charges for everything in a cart. */
export function checkout(cart: Cart): string {
  return charge(cart.total());
}

export function cancelOrder(cents: number): string {
  return refund(cents);
}
`,
  'src/lib/session.ts': `export const session: { user: string | undefined; visits: number } = { user: undefined, visits: 0 };

export function signIn(name: string): void {
  session.user = name;
  session.visits += 1;
}

export function signOut(): void {
  session.user = undefined;
}

export function greeting(): string {
  return session.user === undefined ? 'Hello' : \`Hello, \${session.user}\`;
}
`,
  'src/storage/store.ts': `export interface KeyValueStore {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
}
`,
  'src/storage/memory.ts': store('MemoryStore', 'implements KeyValueStore'),
  'src/storage/cached.ts': store('CachedStore', 'implements KeyValueStore'),
  'src/storage/audited.ts': store('AuditedStore', 'implements KeyValueStore'),
  'src/storage/lookalike.ts': store('Lookalike', ''),
  'src/shapes/shape.ts': 'export abstract class Shape {\n  abstract area(): number;\n}\n',
  'src/shapes/polygon.ts':
    "import { Shape } from './shape';\n\nexport abstract class Polygon extends Shape {\n  abstract corners(): number;\n}\n",
  'src/shapes/square.ts': `import { Polygon } from './polygon';

export class Square extends Polygon {
  constructor(readonly side: number) {
    super();
  }

  area(): number {
    return this.side ** 2;
  }

  corners(): number {
    return 4;
  }
}
`,
  'src/shapes/circle.ts': `import { Shape } from './shape';

export class Circle extends Shape {
  constructor(readonly radius: number) {
    super();
  }

  area(): number {
    return Math.PI * this.radius ** 2;
  }
}
`,
  'src/broken/missingImport.ts': 'export function price(cents: number): string {\n  return formatPrice(cents);\n}\n',
  'src/broken/wrongType.ts': `import { formatPrice } from '../lib/money';

export function twice(cents: number): number {
  return formatPrice(cents * 2);
}
`,
  'src/broken/missingMember.ts': `import type { KeyValueStore } from '../storage/store';

export class NullStore implements KeyValueStore {
  read(): undefined {
    return undefined;
  }
}
`,
  'src/broken/syntax.ts': 'export function unfinished(: string {\n  return\n',
  'src/untidy/spacing.ts': 'export function add( a:number,b :number ):number{\nreturn a+b\n}\n',
  'src/untidy/imports.ts': `import { titleCase } from '../lib/text';
import { formatPrice } from '../lib/money';
import { today } from '../lib/dates';

export const label = titleCase(formatPrice(100));
`,
});

function store(name: string, clause: string): string {
  const head = clause === '' ? '' : "import type { KeyValueStore } from './store';\n\n";
  return `${head}export class ${name} ${clause === '' ? '' : `${clause} `}{
  readonly #values = new Map<string, string>();

  read(key: string): string | undefined {
    return this.#values.get(key);
  }

  write(key: string, value: string): void {
    this.#values.set(key, value);
  }
}
`;
}
