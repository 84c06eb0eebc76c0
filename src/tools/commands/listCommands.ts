import * as z from 'zod';
import { decodeCursor, encodeCursor } from '#call/cursor.ts';
import type { EditorCommand } from '#call/ports/commands.ts';
import { defineTool, inputFromZod, outputFromZod } from '#call/tool.ts';
import { visible } from '#policy/unsafeNames.ts';
import { countedPart, cursorInput, fittingCount, limitsFor, maxResultsInput, pageOutput } from '../page.ts';
import { commandTitle } from './editorCommand.ts';

const command = z.object({
  command: z.string().describe('Id'),
  name: z.string().describe('Category and title, as the palette shows it'),
  keybinding: z.string().exactOptional().describe('Out of the box'),
  extension: z.string().exactOptional().describe("Absent for the editor's own"),
  allowed: z.boolean().describe('run_command may run it'),
});
type Listed = z.infer<typeof command>;

const position = z.object({ rank: z.number(), id: z.string() });

/** Finds commands by name, so that the assistant can ask the user to allow the right one. */
export const listCommands = defineTool({
  name: 'list_commands',
  title: 'List commands',
  toolset: 'commands',
  risk: 'read',
  isOptional: true,
  needs: ['commands'],
  worksWithoutFolder: true,
  hasLongResults: true,
  description:
    'Find commands of the editor and its extensions by title, category or id, best match first, for run_command. ' +
    'Those that no assistant may run are left out. Example: {"query":"restart typescript"}.',
  input: inputFromZod(
    z.strictObject({
      query: z.string().max(200).default('').describe('Gives words, or letters in order; empty for all'),
      onlyAllowed: z.boolean().default(false).describe('Keeps those that run_command may run'),
      maxResults: maxResultsInput,
      cursor: cursorInput,
    }),
  ),
  output: outputFromZod(z.object({ commands: z.array(command).max(1000), ...pageOutput })),
  targets: () => [],
  async run({ cursor, maxResults, ...query }, { commands, limits }) {
    const after = cursor === undefined ? undefined : decodeCursor(cursor, query, position);
    const found = (await commands.list())
      .filter(({ id }) => !query.onlyAllowed || commands.isAllowed(id))
      .flatMap((each) => {
        const rank = commandRank(each, query.query);
        return rank === undefined ? [] : [{ rank, id: each.id, listed: describe(each, commands.isAllowed(each.id)) }];
      })
      .toSorted(inOrder);
    const rest = after === undefined ? found : found.filter((each) => inOrder(after, each) < 0);
    const show = ({ listed }: (typeof rest)[number]) => ({ text: textOf(listed), data: [listed] });
    const count = fittingCount(rest, show, limitsFor(maxResults, limits));
    const last = rest[count - 1];
    const truncated = count < rest.length;
    return {
      commands: rest.slice(0, count).map(({ listed }) => listed),
      totalCount: found.length,
      truncated,
      ...(truncated && last && { nextCursor: encodeCursor(query, { rank: last.rank, id: last.id }) }),
    };
  },
  render: (data) => ({
    text: [
      countedPart(data.commands.length, data.totalCount, 'command'),
      ...data.commands.map(textOf),
      ...(data.nextCursor === undefined ? [] : [`(more: cursor ${data.nextCursor})`]),
    ].join('\n'),
  }),
});

function inOrder(one: z.infer<typeof position>, other: z.infer<typeof position>): number {
  if (one.rank !== other.rank) return one.rank - other.rank;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

function describe(each: EditorCommand, allowed: boolean): Listed {
  const { id, keybinding, extension } = each;
  return {
    command: id,
    name: visible(commandTitle(each)),
    ...(keybinding !== undefined && { keybinding: visible(keybinding) }),
    ...(extension !== undefined && { extension }),
    allowed,
  };
}

function textOf({ command: id, name, keybinding, extension, allowed }: Listed): string {
  const facts = [...(keybinding === undefined ? [] : [keybinding]), ...(extension === undefined ? [] : [extension])];
  return [
    id,
    `"${name}"`,
    ...(facts.length === 0 ? [] : [`(${facts.join(', ')})`]),
    ...(allowed ? ['allowed'] : []),
  ].join(' ');
}

/**
 * Returns how well a command fits a query, as the command palette ranks it: every word, or its letters in order, has to be in
 * the title or the id. 0 is the best rank; undefined is returned for a command that does not fit.
 */
function commandRank(editorCommand: EditorCommand, query: string): number | undefined {
  const words = query
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const title = commandTitle(editorCommand).toLowerCase();
  const id = editorCommand.id.toLowerCase();
  if (id === words.join(' ')) return 0;
  const ranks = words.map((word) => wordRank(word, title, id));
  let worst = 0;
  for (const rank of ranks) {
    if (rank === undefined) return undefined;
    worst = Math.max(worst, rank);
  }
  return worst;
}

function wordRank(word: string, title: string, id: string): number | undefined {
  if (beginsWord(title, word)) return 1;
  if (title.includes(word)) return 2;
  if (id.includes(word)) return 3;
  return hasInOrder(title, word) || hasInOrder(id, word) ? 4 : undefined;
}

function beginsWord(text: string, word: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).some((each) => each.startsWith(word));
}

function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const letter of text) if (letter === letters[at]) at += 1;
  return at >= letters.length;
}
