import type { ActionProposal } from '#base/proposal.ts';
import { ToolError, type ActionResult } from '#base/toolError.ts';
import type { EditorCommand } from '#call/ports/commands.ts';
import type { ToolContext, ToolPorts } from '#call/tool.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { addressesIn, readArguments, uncheckedAddresses, withPlainAddresses } from './commandArguments.ts';

/**
 * To run a command with arguments, every address in them judged.
 * @throws InvalidArgumentsError, ToolError as `readArguments` and `resolve` say; `denied` for what no assistant may run,
 *   `not_found`
 */
export async function proposeCommand(
  id: string,
  given: readonly unknown[],
  { commands, resolve }: Pick<ToolContext<'commands'>, 'commands' | 'resolve'>,
): Promise<Omit<ActionProposal, 'title'> & { readonly command: EditorCommand }> {
  refuseDenied(id);
  const command = await commands.find(id);
  if (command === undefined) {
    throw new ToolError('not_found', `There is no command ${quoted(id)}.`, 'Look for it with list_commands.');
  }
  const resolved = new Map(
    await Promise.all(addressesIn(given).map(async (address) => [address, await resolve(address)] as const)),
  );
  const pathOf = (address: string) => {
    const path = resolved.get(address);
    if (path === undefined) throw new Error('An address of the arguments was not resolved');
    return path;
  };
  return {
    kind: 'action',
    files: [],
    command,
    definition: id,
    arguments: withPlainAddresses(given, pathOf),
    places: [...resolved.values()],
    remarks: uncheckedAddresses(given)
      .slice(0, 5)
      .map((text) => `Nobody has checked where ${quoted(text)} leads.`),
  };
}

/** "Git: Fetch", or the id of a command that has no title. */
export function commandTitle({ id, title, category }: EditorCommand): string {
  if (title === undefined) return id;
  return category === undefined ? title : `${category}: ${title}`;
}

/** Runs what was approved; of before a reload its arguments are JSON, and its places what they were resolved to then. */
export async function runProposed(
  { definition, arguments: given, places }: ActionProposal,
  { commands }: Pick<ToolPorts, 'commands'>,
  signal: AbortSignal,
): Promise<ActionResult> {
  refuseDenied(definition);
  const read = readArguments(Array.isArray(given) ? given : [], (address) => {
    const path = places.find((place) => place.path === address);
    if (path === undefined) throw new Error('A place of an approved command is missing');
    return path;
  });
  return { text: await commands.run(definition, read, signal) };
}

/** @throws ToolError `denied` (threat row A2) */
function refuseDenied(id: string): void {
  const why = deniedCommand(id);
  if (why === undefined) return;
  throw new ToolError(
    'denied',
    `No assistant may run ${quoted(id)}: it ${why}.`,
    'Do not look for another way to it; ask the user to run it by hand if it is needed.',
  );
}
