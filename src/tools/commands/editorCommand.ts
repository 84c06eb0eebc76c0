import { ToolError } from '#base/toolError.ts';
import type { EditorCommand } from '#call/ports/commands.ts';
import type { ToolContext } from '#call/tool.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { addressesIn, readArguments, uncheckedAddresses, withPlainAddresses } from './commandArguments.ts';
import type { ForeignCall, ForeignDetails, ForeignTool } from './foreignTool.ts';

type Shared = 'port' | 'timeLimitSeconds' | 'deniedIn' | 'perform';

/** The parts that all foreign tools for commands of the editor share; the definition of a tool call is the id of its command. */
export const editorCommand: Pick<ForeignTool<unknown, 'commands'>, Shared> = {
  port: 'commands',
  timeLimitSeconds: 30,
  deniedIn({ definition }) {
    const why = deniedCommand(definition);
    return why === undefined ? undefined : { command: definition, why };
  },
  async perform({ definition, arguments: given, places }, { commands }, signal) {
    // The places are those that were resolved and judged when the tool call was proposed.
    const read = readArguments(listOf(given), (address) => {
      const path = places.find((place) => place.path === address);
      if (path === undefined) throw new Error('A place of an approved command is missing');
      return path;
    });
    return { text: await commands.run(definition, read, signal) };
  },
};

/**
 * Looks up the command of a tool call, and resolves and judges every address in its arguments.
 * @throws InvalidArgumentsError, ToolError as `readArguments` and `resolve` say; `not_found`
 */
export async function describeCommand(
  { definition: id, arguments: written }: ForeignCall,
  { commands, resolve }: Pick<ToolContext<'commands'>, 'commands' | 'resolve'>,
): Promise<{ readonly command: EditorCommand; readonly details: Omit<ForeignDetails, 'title'> }> {
  const command = await commands.find(id);
  if (command === undefined) {
    throw new ToolError('not_found', `There is no command ${quoted(id)}.`, 'Look for it with list_commands.');
  }
  const given = listOf(written);
  const resolved = new Map(
    await Promise.all(addressesIn(given).map(async (address) => [address, await resolve(address)] as const)),
  );
  const pathOf = (address: string) => {
    const path = resolved.get(address);
    if (path === undefined) throw new Error('An address of the arguments was not resolved');
    return path;
  };
  const details = {
    arguments: withPlainAddresses(given, pathOf),
    places: [...resolved.values()],
    remarks: uncheckedAddresses(given)
      .slice(0, 5)
      .map((text) => `Nobody has checked where ${quoted(text)} leads.`),
  };
  return { command, details };
}

/** Returns "Git: Fetch", or the id of a command that has no title. */
export function commandTitle({ id, title, category }: EditorCommand): string {
  if (title === undefined) return id;
  return category === undefined ? title : `${category}: ${title}`;
}

function listOf(given: unknown): readonly unknown[] {
  return Array.isArray(given) ? given : [];
}
