import * as z from 'zod';
import { nativeCommandTool, shells } from '#base/nativeCommand.ts';
import type { ActionProposal } from '#base/proposal.ts';
import { ToolError } from '#base/toolError.ts';
import type { CommandLines, UnderstoodCommand } from '#call/ports/commandLines.ts';
import { defineProposingTool, inputFromZod } from '#call/tool.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';

const input = z.strictObject({
  assistant: z.string(),
  tool: z.string(),
  shell: z.enum(shells),
  text: z.string(),
  folder: z.string(),
  reason: z.string().optional(),
  isInput: z.boolean().optional(),
  seesInput: z.boolean().optional(),
  leavesSandbox: z.boolean().optional(),
  namesOwnSettings: z.boolean().optional(),
  /** When the user last approved this command line of this session, in milliseconds since the epoch. */
  approvedAt: z.number().optional(),
});
type Input = z.infer<typeof input>;

/**
 * A command that an assistant runs in a shell of its own. No assistant is offered this tool: the hook of the assistant hands the command
 * over (`src/mcp/hook.ts`), so that it is judged, shown and recorded as every other action. The assistant runs it.
 */
export const nativeCommand = defineProposingTool({
  name: nativeCommandTool,
  title: 'Run in its own shell',
  toolset: 'commands',
  // The proposal has the risk of the command.
  risk: 'ui',
  needs: ['commandLines'],
  description: 'A command that an assistant runs in a shell of its own, which its hook hands over.',
  input: inputFromZod(input),
  output: changeOutcomeSchema,
  timeLimitSeconds: 30,
  targets: () => [],
  reason: ({ reason }) => reason,
  async propose(given, { commandLines }, signal): Promise<ActionProposal> {
    const { tool, shell, text, folder, isInput, namesOwnSettings } = given;
    const understood = await commandLines.understand({ shell, text, folder }, signal);
    const { places, closed } = understood;
    const onceOnly =
      namesOwnSettings === true
        ? 'it names settings that decide what you are asked'
        : closed[0] && `it changes ${closed[0]}, which no tool of Drawbridge may change`;
    if (onceOnly === undefined && isElsewhere(understood)) {
      const message = 'The command only changes files outside the folders of this window.';
      throw new ToolError('outside_workspace', message, 'The rules of the assistant decide about it.');
    }
    const asks = whyItAsks(given, understood, commandLines);
    // Nobody knows which program reads what is typed.
    const isRead = understood.class === 'reads' && isInput !== true && onceOnly === undefined;
    return {
      kind: 'action',
      files: [],
      title: `${isInput === true ? 'Type' : 'Run'} ${text.trim().replaceAll(/\s+/g, ' ')}`,
      definition: tool,
      arguments: { shell, folder, text },
      places,
      remarks: remarksOf(given, understood),
      command: {
        text,
        class: isRead || understood.class !== 'reads' ? understood.class : 'runs',
        parts: understood.parts,
        scripts: understood.scripts,
        ...(asks !== undefined && { asks }),
        ...(onceOnly !== undefined && { onceOnly }),
      },
    };
  },
  render: renderOutcome,
});

/** Returns whether a command changes files, and all of them are outside the folders of the window. */
function isElsewhere({ parts, places, outside, writesElsewhere }: UnderstoodCommand): boolean {
  const namesAll = !writesElsewhere && parts.every((part) => part.class !== 'runs');
  return namesAll && outside.length > 0 && places.length === 0;
}

/** Returns why the user is asked about a command that runs something, in a few words. */
function whyItAsks(
  { assistant, seesInput, approvedAt = 0 }: Input,
  { runs, takesCommands }: UnderstoodCommand,
  commandLines: CommandLines,
): string | undefined {
  if (commandLines.level(assistant) === 'everything') return 'you review all commands';
  if (takesCommands && seesInput !== true) return 'the program takes commands that are not reviewed';
  const changed = commandLines.changedSince(runs, approvedAt);
  return changed === undefined ? undefined : `${changed} was changed by an assistant`;
}

function remarksOf(
  { isInput, seesInput, leavesSandbox, namesOwnSettings }: Input,
  { writesElsewhere, takesCommands, outside }: UnderstoodCommand,
): readonly string[] {
  return [
    ...(namesOwnSettings === true ? ['It names settings that decide what you are asked about.'] : []),
    ...(writesElsewhere ? ['It may also change files that its text does not name.'] : []),
    ...(outside.length > 0 ? [`It also changes files outside the folders of this window: ${outside.join(', ')}.`] : []),
    ...(takesCommands && seesInput !== true
      ? ['It starts a program that takes further commands, and you are not asked about those.']
      : []),
    ...(isInput === true ? ['The text is typed into a program that the assistant started before.'] : []),
    ...(leavesSandbox === true ? ['It asks to run outside the sandbox of the assistant, which asks you itself.'] : []),
  ];
}
