import * as z from 'zod';
import type { TypeItem } from '#base/language.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import {
  asEntry,
  depthInput,
  entryOutput,
  entryText,
  fittingEntries,
  maximumEntries,
  walkHierarchy,
} from './symbols/hierarchy.ts';
import { inferredNote, inferredTypes } from './symbols/inferredTypes.ts';
import {
  resolvedData,
  resolvedOutput,
  resolvedText,
  resolveSymbol,
  symbolInput,
  symbolTargets,
} from './symbols/symbolAddress.ts';

const directions = ['supertypes', 'subtypes'] as const;
type Direction = (typeof directions)[number];

const type = z.object({
  ...entryOutput,
  relation: z.enum(directions).describe('Relation to the requested type'),
});

type Type = z.infer<typeof type>;

/** The `get_type_hierarchy` tool: returns the supertypes and subtypes of a type. */
export const getTypeHierarchy = defineTool({
  name: 'get_type_hierarchy',
  title: 'Get type hierarchy',
  toolset: 'language',
  risk: 'read',
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description: 'Get the supertypes and subtypes of a class or interface, level by level.',
  example: { symbol: 'Cart' },
  input: inputFromZod(
    z.strictObject({
      ...symbolInput,
      direction: z
        .enum([...directions, 'both'])
        .default('both')
        .describe('Follows these'),
      depth: depthInput.describe('Follows this many levels'),
    }),
  ),
  output: outputFromZod(
    z.object({
      resolved: resolvedOutput,
      types: z
        .array(type)
        .max(2 * maximumEntries)
        .describe('Supertypes first, each before what follows from it'),
      truncated: z.boolean().exactOptional().describe('There are more than fit; ask for less depth'),
      note: z.string().exactOptional().describe('Why there may be none, or how they were found'),
    }),
  ),
  targets: (asked) => symbolTargets(asked),
  async run({ direction, depth, ...input }, context, signal) {
    const symbol = await resolveSymbol(input, context, signal);
    const known = await context.language.typeItems(symbol.path, symbol.at, signal);
    const roots = known.length > 0 ? known : await inferredTypes(symbol, context, signal);
    const walks = await Promise.all(
      directions
        .filter((each) => direction === 'both' || direction === each)
        .map(async (relation) => ({ relation, ...(await walk(roots, relation, depth, signal)) })),
    );
    const types = walks.flatMap(({ relation, entries }) => entries.map((each) => ({ ...asEntry(each), relation })));
    const shown = fittingEntries(types, typeText, context.limits);
    const note =
      known.length > 0
        ? ''
        : types.length > 0
          ? inferredNote
          : await context.language.explain(symbol.path, 'type hierarchy');
    return {
      resolved: resolvedData(symbol),
      types: shown,
      ...(walks.some(({ isCut }) => isCut) || shown.length < types.length ? { truncated: true } : {}),
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({ resolved, types, truncated, note }) => ({
    text: [
      `Types around ${resolvedText(resolved)}${types.length === 0 ? ': none' : ''}`,
      ...types.map(typeText),
      ...(truncated === true ? ['(more than fit; ask for less depth)'] : []),
      ...(note === undefined ? [] : [`(${note})`]),
    ].join('\n'),
  }),
});

function walk(roots: readonly TypeItem[], direction: Direction, depth: number, signal: AbortSignal) {
  const follow = async (item: TypeItem) =>
    (await item.types(direction, signal)).map((each) => ({ item: each, lines: [] }));
  return walkHierarchy(roots, follow, depth);
}

function typeText({ relation, ...entry }: Type): string {
  const text = entryText(entry);
  const indent = text.length - text.trimStart().length;
  return `${text.slice(0, indent)}${relation === 'supertypes' ? '^' : 'v'} ${text.slice(indent)}`;
}
