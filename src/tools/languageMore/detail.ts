import * as z from 'zod';
import type { ResolvedPath } from '#base/files.ts';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { outputFromZod, type OutputSchema, type ToolContext } from '#call/tool.ts';
import type { LineRange } from '#language/languageDetails.ts';
import { visible } from '#policy/unsafeNames.ts';
import type { SymbolInput } from '../language/symbols/symbolAddress.ts';
import { countedPart, fittingCount, pageOutput } from '../page.ts';
import { redactedSecretsOutput, secretsText } from '../redactedSecrets.ts';
import { maximumLine } from '../workspace/readRange.ts';

/** The input of a call; each kind takes some of the fields. */
export interface DetailInput extends SymbolInput, Partial<LineRange> {
  readonly kind: string;
  readonly prefix?: string;
  readonly cursor?: string;
}

export type DetailContext = ToolContext<'files' | 'language' | 'languageDetails' | 'search' | 'symbols' | 'workspace'>;

/** How one kind of detail is asked for, read and written as text. */
export interface Detail<Data> {
  /** The fields of the input, besides `kind`, that this kind takes; a kind that takes no symbol is about a whole file. */
  readonly takes: readonly Exclude<keyof DetailInput, 'kind'>[];
  readonly output: OutputSchema<Data>;
  read(input: DetailInput, context: DetailContext, signal: AbortSignal): Promise<Data>;
  text(data: Data): string;
}

/** The output schema of a line or a column. */
export const lineOutput = z.int().min(1).max(maximumLine).describe('1-based');

/** The output fields of every kind. */
export const detailOutput = {
  path: z.string().describe('Workspace-relative path'),
  note: z.string().exactOptional().describe('Why there may be none'),
  redactedSecrets: redactedSecretsOutput,
};

/** The schema of a page of items. */
export function detailPageOutput<Item>(item: z.ZodType<Item>) {
  const order = 'In the order of the file; completions: best first; selection_ranges: the smallest first';
  return z.object({ ...detailOutput, ...pageOutput, items: z.array(item).max(1000).describe(order) });
}

type DetailPage<Item> = z.infer<ReturnType<typeof detailPageOutput<Item>>>;

/** A kind whose result is a list of items of one file. */
interface ListDetail<Item> extends Pick<Detail<unknown>, 'takes'> {
  readonly item: z.ZodType<Item>;
  /** The noun of one item, for the count. */
  readonly noun: string;
  /** The name of all items, for explaining why there are none. */
  readonly missing: string;
  find(input: DetailInput, context: DetailContext, signal: AbortSignal): Promise<FoundItems<Item>>;
  /** Renders one item as a line of the text. */
  lineOf(item: Item): string;
}

interface FoundItems<Item> {
  readonly path: ResolvedPath;
  readonly items: readonly Item[];
}

/** Makes a kind that returns its items in pages. */
export function listDetail<Item>(list: ListDetail<Item>): Detail<DetailPage<Item>> {
  return {
    takes: list.takes,
    output: outputFromZod(detailPageOutput(list.item)),
    async read(input, context, signal) {
      return pageOf(await list.find(input, context, signal), list, input, context);
    },
    text: (page) => pageText(page, list),
  };
}

/** Returns the items that fit on the page of the cursor. */
async function pageOf<Item>(
  { path, items: all }: FoundItems<Item>,
  list: ListDetail<Item>,
  { cursor, ...query }: DetailInput,
  { language, limits }: DetailContext,
): Promise<DetailPage<Item>> {
  const start = cursor === undefined ? 0 : decodeCursor(cursor, query, z.int().min(0));
  const rest = all.slice(start);
  const show = (item: Item) => ({ text: list.lineOf(item), data: [item] });
  const count = fittingCount(rest, show, limits);
  const truncated = count < rest.length;
  const note = all.length === 0 ? await language.explain(path, list.missing) : '';
  return {
    path: visible(path.path),
    items: rest.slice(0, count),
    totalCount: all.length,
    truncated,
    ...(truncated ? { nextCursor: encodeCursor(query, start + count) } : {}),
    ...(note === '' ? {} : { note }),
  };
}

/** Renders a page as text: the count, then one item a line. */
function pageText<Item>(
  { path, items, totalCount, nextCursor, note, redactedSecrets }: DetailPage<Item>,
  list: ListDetail<Item>,
): string {
  return [
    `${path}: ${countedPart(items.length, totalCount, list.noun)}`,
    ...items.map((item) => list.lineOf(item)),
    ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
    ...(note === undefined ? [] : [`(${note})`]),
    ...secretsText(redactedSecrets),
  ].join('\n');
}
