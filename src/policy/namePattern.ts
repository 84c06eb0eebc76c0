interface CharacterSet {
  readonly negated: boolean;
  /** A range of code points; both ends are included. */
  readonly ranges: readonly (readonly [from: number, to: number])[];
}

/** A part of a name pattern: any text, any one character, one character of a set, or literal text. */
type Token = '*' | '?' | CharacterSet | { readonly text: string };

/** A glob for one name of a path. */
export interface NamePattern {
  readonly source: string;
  /** The only name that matches, when there are no wildcards. */
  readonly literal?: string;
  readonly tokens: readonly Token[];
  /**
   * The parts between the `*`. The first match of a run after the previous run is as good as a later one, and a run has no
   * repetition, so a name of n characters takes at most n * m steps for a run of m. One regular expression for the whole pattern
   * with four `*` would take a minute for a hostile name (threat row H16).
   */
  readonly runs: readonly RegExp[];
}

/** Returns undefined when a `[` is not closed or its set is empty. */
export function parseName(source: string): NamePattern | undefined {
  const tokens: Token[] = [];
  for (const [part, negation, members] of source.matchAll(/\*+|\?|\[([!^]?)(\]?[^\]]*)\]|[^]/g)) {
    const token = members === undefined ? plainToken(part) : setToken(members, negation !== '');
    if (token === undefined) return undefined;
    tokens.push(token);
  }
  const literal = literalOf(tokens);
  return {
    source,
    tokens,
    runs: runsOf(tokens),
    ...(literal !== undefined && { literal }),
  };
}

export function nameMatches({ literal, runs }: NamePattern, name: string): boolean {
  if (literal !== undefined) return name === literal;
  let end = 0;
  for (const run of runs) {
    run.lastIndex = end;
    if (!run.test(name)) return false;
    end = run.lastIndex;
  }
  return true;
}

function isText(token: Token): token is { readonly text: string } {
  return typeof token !== 'string' && 'text' in token;
}

function plainToken(part: string): Token | undefined {
  if (part.startsWith('*')) return '*';
  if (part === '?') return '?';
  return part === '[' ? undefined : { text: part };
}

/** Reads a set of one character as that character, which is how wildcards in names are escaped. */
function setToken(members: string, negated: boolean): Token | undefined {
  const characters = Array.from(members);
  const [only] = characters;
  if (only === undefined) return undefined;
  if (characters.length === 1 && !negated) return { text: only };
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const from = codePoint(characters[at]);
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length;
    const to = isRange ? codePoint(characters[at + 2]) : from;
    if (to < from) return undefined;
    ranges.push([from, to]);
    if (isRange) at += 2;
  }
  return { negated, ranges };
}

function codePoint(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0;
}

function literalOf(tokens: readonly Token[]): string | undefined {
  let literal = '';
  for (const token of tokens) {
    if (!isText(token)) return undefined;
    literal += token.text;
  }
  return literal;
}

function runsOf(tokens: readonly Token[]): readonly RegExp[] {
  const sources = [tokens[0] === '*' ? '' : '^'];
  for (const token of tokens) {
    if (token === '*') sources.push('');
    else sources.push(`${sources.pop() ?? ''}${sourceOf(token)}`);
  }
  if (tokens.at(-1) !== '*') sources.push(`${sources.pop() ?? ''}$`);
  return sources.filter((source) => source !== '').map((source) => new RegExp(source, 'gsu'));
}

function sourceOf(token: Exclude<Token, '*'>): string {
  if (token === '?') return '.';
  if (isText(token)) return token.text.replace(/[$()*+./?[\\\]^{|}]/g, '\\$&');
  const ranges = token.ranges.map(([from, to]) => `\\u{${from.toString(16)}}-\\u{${to.toString(16)}}`);
  return `[${token.negated ? '^' : ''}${ranges.join('')}]`;
}
