import { ToolError } from '#base/toolError.ts';
import { quoted, visible } from '#policy/unsafeNames.ts';

/** A symbol that the caller may mean. */
interface Candidate {
  readonly name: string;
  readonly kind?: string;
  readonly container?: string;
  readonly path: { readonly path: string };
  readonly at: { readonly line: number };
  /** The line, where it tells more than a kind. */
  readonly text?: string;
}

/** Candidates that an error lists. */
const maximumListed = 10;
/** Characters of a line that an error shows. */
const maximumText = 80;

/**
 * @param count of all that may be meant, where not all were looked at
 * @throws ToolError `ambiguous_match`, unless there is one or none
 */
export function onlyOne<Found extends Candidate>(
  symbol: string,
  found: readonly Found[],
  count = found.length,
): Found | undefined {
  if (found.length <= 1) return found[0];
  const rest = count - maximumListed;
  throw new ToolError(
    'ambiguous_match',
    `${quoted(symbol)} may be one of ${count}: ${listed(found)}${rest > 0 ? ` and ${rest} more` : ''}.`,
    'Call again with the place of the one you mean as path, or with a qualified name.',
  );
}

/** The error for a name that nothing has. */
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
