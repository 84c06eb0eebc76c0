/** Numbers from 0 (included) to 1 (excluded), the same for the same seed on every machine. */
export type Random = () => number;

/** mulberry32: small, and good enough for text. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** @param limit excluded */
export function integer(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick<T>(random: Random, items: readonly [T, ...T[]]): T {
  return items[integer(random, items.length)] ?? items[0];
}

const nouns = list(
  'account address agent archive batch basket branch buffer cache catalog channel client cluster column commit config',
  'contact container counter country customer cursor dashboard delivery device discount document domain editor element',
  'employee endpoint entry event feature field filter folder gateway graph group handler header history identity image',
  'index invoice item job journal label ledger limit link locale market matrix member message metric model module node',
  'notice option order owner package page parcel partner payment permission pipeline plan point policy price process',
  'product profile project provider quota range receipt record region report request resource response result role',
  'route schedule schema scope section segment sensor session setting shipment signal snapshot source stage status',
  'store stream summary supplier table target task template tenant ticket token topic tracker user vendor version view',
);
const verbs = list(
  'add apply assign attach build cancel check close collect compare compute convert copy create decode delete describe',
  'detach enable encode ensure fetch filter find format get handle import insert join list load lock log map mark match',
  'merge move normalize notify open parse print publish read record reduce refresh register reject release remove render',
  'replace report require reset resolve restore retry run save schedule select send set show sort split start stop store',
);

function list(...lines: readonly string[]): readonly [string, ...string[]] {
  const [first = '', ...rest] = lines.flatMap((line) => line.split(' '));
  return [first, ...rest];
}

/** A name for a file, a folder or a variable. */
export function noun(random: Random): string {
  return pick(random, nouns);
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function call(random: Random): string {
  return `${pick(random, verbs)}${capital(noun(random))}${random() < 0.4 ? capital(noun(random)) : ''}`;
}

/** One statement of a body, without indentation. */
const statements: readonly [(random: Random) => string, ...((random: Random) => string)[]] = [
  (random) => `const ${noun(random)} = await ${call(random)}(${noun(random)}, ${noun(random)}.${noun(random)});`,
  (random) => `if (${noun(random)}.${noun(random)} === undefined) return ${call(random)}(${noun(random)});`,
  (random) => `this.${noun(random)} = ${call(random)}(${noun(random)}) ?? ${integer(random, 1000)};`,
  (random) =>
    `// ${capital(pick(random, verbs))} the ${noun(random)} before the ${noun(random)} of the ${noun(random)}.`,
  (random) => `throw new Error(\`No ${noun(random)} for \${${noun(random)}.id} in ${noun(random)}\`);`,
  (random) => `for (const ${noun(random)} of ${call(random)}(${noun(random)}.${noun(random)}s)) {`,
  (random) => `${noun(random)}.push({ ${noun(random)}, ${noun(random)}: '${noun(random)}-${integer(random, 100)}' });`,
  (random) => `return ${noun(random)}.map((${noun(random)}) => ${call(random)}(${noun(random)})).filter(Boolean);`,
  () => '}',
  () => '',
];

/** Lines that look like a program's, without line ends. */
export function sourceLines(random: Random, count: number): string[] {
  const lines: string[] = [];
  while (lines.length < count) {
    if (lines.length < 4) {
      lines.push(`import { ${call(random)} } from '../${noun(random)}/${noun(random)}';`);
    } else if (random() < 0.08) {
      lines.push(`export async function ${call(random)}(${noun(random)}: ${capital(noun(random))}) {`);
    } else {
      const statement = pick(random, statements)(random);
      lines.push(statement === '' ? '' : `${'  '.repeat(1 + integer(random, 3))}${statement}`);
    }
  }
  return lines;
}
