import * as z from 'zod';
import type { HierarchyItem } from '#base/language.ts';
import type { PageLimits } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { fittingCount } from '../../page.ts';
import { maximumLine } from '../../workspace/readRange.ts';

/** The most levels of one call. */
const maximumDepth = 5;
/** The most entries of one result. */
export const maximumEntries = 200;

export const depthInput = z.int().min(1).max(maximumDepth).default(1);

/** The output fields of one entry of a hierarchy. */
export const entryOutput = {
  name: z.string().describe('Its name'),
  kind: z.string().describe('For example "method"'),
  detail: z.string().exactOptional().describe('What the language service adds'),
  depth: z.int().min(1).max(maximumDepth).describe('2 and more: belongs to the nearest less deep one above'),
  path: z.string().describe('Workspace-relative path, or a label when outside'),
  outside: z.boolean().exactOptional().describe('Outside the workspace; no tool takes the path'),
  line: z.int().min(1).max(maximumLine).describe('Of its name, 1-based'),
  isRepeated: z.boolean().exactOptional().describe('Listed elsewhere in this result, with what follows from it'),
};

const entry = z.object(entryOutput);

type Entry = z.infer<typeof entry>;

/** An item that follows from another one, and the lines where it does. */
interface Step<Item extends HierarchyItem> {
  readonly item: Item;
  readonly lines: readonly number[];
}

interface Walked<Item extends HierarchyItem> extends Step<Item> {
  /** The level, 1 for items that follow from the roots. */
  readonly depth: number;
  /** True when the item was met before; it is not followed again, because hierarchies may have cycles. */
  readonly isRepeated: boolean;
}

interface Node<Item extends HierarchyItem> extends Walked<Item> {
  readonly followers: Node<Item>[];
}

/**
 * Follows a hierarchy level by level, so that a repeated item is shown in full where it is nearest to the roots.
 * @param most is the most entries altogether
 * @returns each entry before those that follow from it; `isCut` is true when some were left out
 */
export async function walkHierarchy<Item extends HierarchyItem>(
  roots: readonly Item[],
  follow: (item: Item) => Promise<readonly Step<Item>[]>,
  maxDepth: number,
  most = maximumEntries,
): Promise<{ readonly entries: readonly Walked<Item>[]; readonly isCut: boolean }> {
  const seen = new Set(roots.map(keyOf));
  const tops = roots.map((item) => nodeOf({ item, lines: [] }, 0, false));
  let level: readonly Node<Item>[] = tops;
  let count = 0;
  let isCut = false;
  for (let depth = 1; depth <= maxDepth && level.length > 0; depth += 1) {
    const steps = await Promise.all(level.map(({ item }) => follow(item)));
    const next: Node<Item>[] = [];
    for (const [at, parent] of level.entries()) {
      for (const step of steps[at] ?? []) {
        if (count === most) {
          isCut = true;
          break;
        }
        count += 1;
        const node = nodeOf(step, depth, seen.has(keyOf(step.item)));
        seen.add(keyOf(step.item));
        parent.followers.push(node);
        if (!node.isRepeated) next.push(node);
      }
    }
    level = isCut ? [] : next;
  }
  return { entries: tops.flatMap(({ followers }) => followers.flatMap(inOrder)), isCut };
}

function nodeOf<Item extends HierarchyItem>(step: Step<Item>, depth: number, isRepeated: boolean): Node<Item> {
  return { ...step, depth, isRepeated, followers: [] };
}

function inOrder<Item extends HierarchyItem>({ followers, ...node }: Node<Item>): readonly Walked<Item>[] {
  return [node, ...followers.flatMap(inOrder)];
}

function keyOf({ place, name, nameLine, nameColumn }: HierarchyItem): string {
  return JSON.stringify([place.path, nameLine, nameColumn, name]);
}

/** The most characters of the detail of an item. */
const maximumDetail = 200;

/** Returns an item as an entry of the result. */
export function asEntry<Item extends HierarchyItem>({ item, depth, isRepeated }: Walked<Item>): Entry {
  const { name, kind, detail, place, nameLine } = item;
  return {
    name,
    kind,
    ...(detail === undefined || detail === '' ? {} : { detail: detail.slice(0, maximumDetail).toWellFormed() }),
    depth,
    path: visible(place.path),
    ...(place.outside === true ? { outside: true } : {}),
    line: nameLine,
    ...(isRepeated ? { isRepeated } : {}),
  };
}

/** Renders an entry as a line, indented by its depth. */
export function entryText({ name, kind, detail, depth, path, outside, line, isRepeated }: Entry, more = ''): string {
  const marks = [
    ...(detail === undefined ? [] : [` ${detail}`]),
    ...(outside === true ? [' (outside the workspace)'] : []),
    more,
    ...(isRepeated === true ? [' (see above or below)'] : []),
  ];
  return `${'  '.repeat(depth - 1)}${name} (${kind}) ${path}:${line}${marks.join('')}`;
}

/** Returns the first entries of a list without pages, as many as fit into one result. */
export function fittingEntries<Item>(
  entries: readonly Item[],
  textOf: (item: Item) => string,
  limits: Pick<PageLimits, 'listBytes' | 'form'>,
): Item[] {
  const show = (item: Item) => ({ text: textOf(item), data: [item] });
  return entries.slice(0, fittingCount(entries, show, { ...limits, maxResults: entries.length }));
}
