import { ToolError } from '#base/toolError.ts';
import { quoted, visible } from '#policy/unsafeNames.ts';

/** A symbol that the caller may mean. */
interface Candidate {
  readonly name: string;
  readonly kind?: string;
  readonly container?: string;
  readonly path: { readonly path: string };
  readonly at: { readonly line: number };
  /** The line, when it says more than a kind. */
  readonly text?: string;
}

/** The most candidates that an error lists. */
const maximumListed = 10;
/** The most characters of a line that an error shows. */
const maximumText = 80;

/**
 * Returns the only candidate.
 * @param count is the number of all candidates, when not all are in `found`
 * @throws ToolError `ambiguous_match`, when there are several
 */
export function onlyOne<Found extends Candidate>(symbol: string, found: readonly Found[], count: number): Found {
  const [first, second] = found;
  if (first !== undefined && second === undefined) return first;
  const rest = count - maximumListed;
  throw new ToolError(
    'ambiguous_match',
    `${quoted(symbol)} may be one of ${count}: ${listed(found)}${rest > 0 ? ` and ${rest} more` : ''}.`,
    'Call again with the path and line of the symbol that you mean, or with a qualified name.',
  );
}

/** Returns the only candidate, or undefined when there is none. Throws as {@link onlyOne}. */
export function atMostOne<Found extends Candidate>(symbol: string, found: readonly Found[]): Found | undefined {
  return found.length === 0 ? undefined : onlyOne(symbol, found, found.length);
}

/** Returns the error for a name that no symbol has. */
export function unknownSymbol(
  symbol: string,
  where: string,
  near: readonly Candidate[],
  explanation?: string,
): ToolError {
  const names = near.length === 0 ? '' : ` Near: ${listed(near)}.`;
  const why = explanation === undefined || explanation === '' ? '' : ` ${explanation}`;
  return new ToolError(
    'not_found',
    `Nothing named ${quoted(symbol)} was found in ${where}.${names}${why}`,
    near.length > 0
      ? 'Use one of these names, or search_code.'
      : 'Check the spelling, or use find_symbols or search_code.',
  );
}

function listed(candidates: readonly Candidate[]): string {
  return candidates
    .slice(0, maximumListed)
    .map(({ name, kind, container, path, at, text }) => {
      const qualified = container === undefined ? name : `${container}.${name}`;
      const line = text === undefined ? '' : `: ${text.trim().slice(0, maximumText).toWellFormed()}`;
      return `${visible(qualified)}${kind === undefined ? '' : ` (${kind})`} ${visible(path.path)}:${at.line}${line}`;
    })
    .join(candidates.some((each) => each.text !== undefined) ? '; ' : ', ');
}
