import * as z from 'zod';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { counted } from '../page.ts';
import { maximumLine } from '../workspace/readRange.ts';
import {
  asEntry,
  depthInput,
  entryOutput,
  entryText,
  fittingEntries,
  maximumEntries,
  walkHierarchy,
} from './symbols/hierarchy.ts';
import {
  resolvedData,
  resolvedOutput,
  resolvedText,
  resolveSymbol,
  symbolInput,
  symbolTargets,
} from './symbols/symbolAddress.ts';

/** The most call lines of one entry. */
const maximumLines = 20;

const call = z.object({
  ...entryOutput,
  callLines: z
    .array(z.int().min(1).max(maximumLine))
    .max(maximumLines)
    .describe('Where the calls stand: in this one when incoming, in the one it follows from when outgoing'),
});

type Call = z.infer<typeof call>;

/** The `get_call_hierarchy` tool: returns the callers of a function, or the functions it calls. */
export const getCallHierarchy = defineTool({
  name: 'get_call_hierarchy',
  title: 'Get call hierarchy',
  toolset: 'language',
  risk: 'read',
  needs: ['files', 'language', 'search', 'symbols', 'workspace'],
  timeLimitSeconds: 30,
  description: 'Get what calls a function, or what it calls, level by level.',
  example: { symbol: 'Cart.addItem', direction: 'incoming' },
  input: inputFromZod(
    z.strictObject({
      ...symbolInput,
      direction: z.enum(['incoming', 'outgoing']).default('incoming').describe('Follows callers (incoming) or callees'),
      depth: depthInput.describe('Follows this many levels'),
    }),
  ),
  output: outputFromZod(
    z.object({
      resolved: resolvedOutput,
      direction: z.enum(['incoming', 'outgoing']).describe('As asked'),
      calls: z.array(call).max(maximumEntries).describe('Each before what follows from it'),
      truncated: z.boolean().exactOptional().describe('There are more than fit; ask for less depth'),
      note: z.string().exactOptional().describe('Why there may be none'),
    }),
  ),
  targets: (asked) => symbolTargets(asked),
  async run({ direction, depth, ...input }, context, signal) {
    const symbol = await resolveSymbol(input, context, signal);
    const roots = await context.language.callItems(symbol.path, symbol.at, signal);
    const { entries, isCut } = await walkHierarchy(roots, (item) => item.calls(direction, signal), depth);
    const calls = entries.map((each): Call => ({ ...asEntry(each), callLines: each.lines.slice(0, maximumLines) }));
    const shown = fittingEntries(calls, callText, context.limits);
    const note = roots.length === 0 ? await context.language.explain(symbol.path, 'call hierarchy') : '';
    return {
      resolved: resolvedData(symbol),
      direction,
      calls: shown,
      ...(isCut || shown.length < calls.length ? { truncated: true } : {}),
      ...(note === '' ? {} : { note }),
    };
  },
  render: ({ resolved, direction, calls, truncated, note }) => ({
    text: [
      `${counted(calls.length, direction === 'incoming' ? 'caller' : 'callee')} of ${resolvedText(resolved)}`,
      ...calls.map(callText),
      ...(truncated === true ? ['(more than fit; ask for less depth)'] : []),
      ...(note === undefined ? [] : [`(${note})`]),
    ].join('\n'),
  }),
});

function callText({ callLines, ...entry }: Call): string {
  return entryText(entry, callLines.length === 0 ? '' : `, calls at ${callLines.join(', ')}`);
}
