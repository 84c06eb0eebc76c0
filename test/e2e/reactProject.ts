/** Files of a React-like project that uses every name alike, so that answers can be counted. */
export function reactProject(components: number): { readonly files: Readonly<Record<string, string>> } {
  const compilerOptions = {
    strict: true,
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'preserve',
    target: 'es2022',
    paths: { '@/*': ['./src/*'] },
  };
  const files: Record<string, string> = {
    'tsconfig.json': JSON.stringify({ compilerOptions, include: ['src'] }),
    'src/jsx.d.ts': 'declare namespace JSX {\n  interface IntrinsicElements {\n    [name: string]: unknown;\n  }\n}\n',
    'src/price.ts': [
      '/** What something costs. */',
      'export function price(amount: number): number {',
      '  return Math.round(amount);',
      '}',
      'export interface Priced {',
      '  cost(): number;',
      '}',
      'export const defaultItem: Priced = { cost: () => 1 };',
      '',
    ].join('\n'),
    // Does not compile, and does not parse either.
    'src/broken.tsx': [
      "import { nothing } from './nowhere';",
      'export function Broken(props: { name: string }) {',
      '  const half = nothing(',
      '  return <div>{props.name</div>;',
      '}',
      'export class Unfinished extends {',
      '',
    ].join('\n'),
  };
  for (let number = 0; number < components; number += 1) {
    files[`src/shop/c${number}.tsx`] = [
      "import { price, type Priced } from '@/price';",
      `export class Item${number} implements Priced {`,
      '  cost() {',
      `    return price(${number});`,
      '  }',
      '}',
      `/** Shows item ${number}. */`,
      `export function Component${number}(props: { name: string }) {`,
      `  return <div title={props.name}>{price(${number})}</div>;`,
      '}',
      '',
    ].join('\n');
  }
  return { files };
}
