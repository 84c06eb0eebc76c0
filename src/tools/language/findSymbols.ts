import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import type { SymbolPlace } from '#language/symbols.ts';
import { visible } from '#policy/unsafeNames.ts';
import { counted, cursorInput, fittingCount, pageOutput } from '../page.ts';
import { pathInput, searchRoots } from '../workspace/pathInput.ts';
import { maximumLine } from '../workspace/readRange.ts';
import { isWithin } from './symbols/symbolInWorkspace.ts';

const found = z.object({
  name: z.string().describe('As the language service writes it'),
  kind: z.string().describe('For example "method"'),
  container: z.string().exactOptional().describe('What it is declared in'),
  path: z.string().describe('Workspace-relative path'),
  firstLine: z.int().min(1).max(maximumLine).describe('1-based'),
  lastLine: z.int().min(1).max(maximumLine).describe('Inclusive'),
});

type Found = z.infer<typeof found>;

/** The `find_symbols` tool: finds declarations of the workspace by a part of their name. */
export const findSymbols = defineTool({
  name: 'find_symbols',
  title: 'Find symbols',
  toolset: 'language',
  risk: 'read',
  needs: ['symbols', 'workspace'],
  timeLimitSeconds: 30,
  description: 'Find declarations by a part of their name, best first; search_code finds text.',
  input: inputFromZod(
    z.strictObject({
      query: z.string().max(1000).describe('Part of a name'),
      path: pathInput.exactOptional().describe('Folder to look in'),
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(
    z.object({
      symbols: z.array(found).max(1000).describe('Best first'),
      ...pageOutput,
      note: z.string().exactOptional().describe('Why there may be none'),
    }),
  ),
  targets: ({ path }) => (path === undefined ? [] : [path]),
  async run({ cursor, ...query }, context, signal) {
    const start = cursor === undefined ? 0 : decodeCursor(cursor, query, z.int().min(0));
    const within = context.targets.length === 0 ? undefined : await searchRoots(context);
    const places = await context.symbols.find(query.query, signal);
    const all = places.filter((place) => within?.some((folder) => isWithin(place, folder)) !== false).map(asFound);
    const rest = all.slice(start);
    const most = context.limits.maxResults;
    const count = fittingCount(rest, (each) => ({ text: symbolText(each), data: [each] }), most, context.limits);
    const truncated = count < rest.length;
    return {
      symbols: rest.slice(0, count),
      totalCount: all.length,
      truncated,
      ...(truncated ? { nextCursor: encodeCursor(query, start + count) } : {}),
      ...(all.length === 0 ? { note: noneFound } : {}),
    };
  },
  render: ({ symbols, totalCount, nextCursor, note }) => ({
    text: [
      counted(totalCount, 'symbol'),
      ...symbols.map(symbolText),
      ...(nextCursor === undefined ? [] : [`(more: cursor ${nextCursor})`]),
      ...(note === undefined ? [] : [note]),
    ].join('\n'),
  }),
});

const noneFound =
  'No language service of this window knows such a name; it may still be loading, or there is none for the language. search_code looks at the text itself.';

function asFound({ name, kind, container, path, firstLine, lastLine }: SymbolPlace): Found {
  return {
    name,
    kind,
    ...(container === undefined || container === '' ? {} : { container }),
    path: visible(path),
    firstLine,
    lastLine,
  };
}

function symbolText({ name, kind, container, path, firstLine, lastLine }: Found): string {
  const lines = firstLine === lastLine ? firstLine : `${firstLine}-${lastLine}`;
  return `${container === undefined ? name : `${container}.${name}`} (${kind}) ${path}:${lines}`;
}
