import * as z from 'zod';
import { decodeCursor, encodeCursor } from '../../core/cursor.ts';
import { outputFromZod, ToolError, type ToolContext } from '../../core/tool.ts';
import { visible } from '../../policy/unsafeNames.ts';
import type { ResolvedPath } from '../../ports/files.ts';
import { cursorInput } from '../cursor.ts';
import { counted, fittingCount, pageOutput } from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { pathInput } from '../workspace/pathInput.ts';
import { maximumLine } from '../workspace/textLines.ts';

/** What every tool about all of one file takes. */
export const fileInput = { path: pathInput.describe('File'), cursor: cursorInput };

/** A field of an answer that counts lines or columns. */
export const lineOutput = z.int().min(1).max(maximumLine).describe('1-based');

/** The lines that are asked about: all of them where nothing is said. */
export const linesInput = {
  firstLine: z.int().min(1).max(maximumLine).default(1).describe('First line'),
  lastLine: z.int().min(1).max(maximumLine).default(maximumLine).describe('Last line, inclusive'),
};

/** Of a tool whose answer is a {@link detailPage}. */
export function detailOutput<Item extends z.ZodType>(item: Item, order = 'In the order of the file') {
  return outputFromZod(
    z.object({
      path: z.string().describe('Workspace-relative path'),
      ...pageOutput,
      note: z.string().exactOptional().describe('Why there may be none'),
      redactedSecrets: redactedSecretsOutput,
      items: z.array(item).max(1000).describe(order),
    }),
  );
}

interface DetailPage<Item> {
  readonly path: string;
  readonly items: readonly Item[];
  readonly totalCount: number;
  readonly truncated: boolean;
  readonly nextCursor?: string;
  readonly note?: string;
  readonly redactedSecrets?: number;
}

/** @throws ToolError `not_found`, `unavailable`: the one target is no file */
export function targetFile({ targets: [path] }: Pick<ToolContext, 'targets'>): ResolvedPath {
  if (path === undefined) throw new Error('An address of the input was not resolved');
  if (path.kind === 'file') return path;
  throw path.kind === 'missing'
    ? new ToolError('not_found', `${path.path} does not exist.`, 'Find it with find_files.')
    : new ToolError('unavailable', `${path.path} is a folder.`, 'Name a file in it.');
}

/**
 * The items of a file that fit on the page that the cursor asks for.
 * @param query the input without its cursor
 * @param noun of what a language service did not tell when there are none
 */
export async function detailPage<Item>(
  all: readonly Item[],
  textOf: (item: Item) => string,
  { cursor, ...query }: { readonly cursor?: string; readonly [name: string]: unknown },
  path: ResolvedPath,
  noun: string,
  { language, limits }: Pick<ToolContext<'language'>, 'language' | 'limits'>,
) {
  const start = cursor === undefined ? 0 : decodeCursor(cursor, query, z.int().min(0));
  const rest = all.slice(start);
  const show = (item: Item) => ({ text: textOf(item), data: [item] });
  const count = fittingCount(rest, show, limits.maxResults, limits);
  const truncated = count < rest.length;
  const note = all.length === 0 ? await language.explain(path, noun) : '';
  return {
    path: visible(path.path),
    items: rest.slice(0, count),
    totalCount: all.length,
    truncated,
    ...(truncated ? { nextCursor: encodeCursor(query, start + count) } : {}),
    ...(note === '' ? {} : { note }),
  };
}

/** A page as text: what it counts, then an item a line. */
export function detailText<Item>(page: DetailPage<Item>, textOf: (item: Item) => string, noun: string): string {
  const { path, items, totalCount, nextCursor, note, redactedSecrets } = page;
  return [
    `${path}: ${counted(totalCount, noun)}`,
    ...items.map(textOf),
    ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
    ...(note === undefined ? [] : [`(${note})`]),
    ...secretsText(redactedSecrets),
  ].join('\n');
}
