import * as z from 'zod';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import type { Commands } from '#call/ports/commands.ts';
import { defineProposingTool, inputFromZod, type InputSchema } from '#call/tool.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { placeForms } from './commandArguments.ts';
import { commandTitle, proposeCommand, runProposed } from './editorCommand.ts';

const written = inputFromZod(
  z.strictObject({
    command: z.string().min(1).max(200).describe('Id, as list_commands gives it'),
    arguments: z.string().max(100_000).default('[]').describe(`JSON array. Places: ${placeForms}`),
    reason: reasonInput,
  }),
);

/** Models send the list itself as well as its text. */
const input: InputSchema<{ command: string; given: readonly unknown[]; reason?: string }> = {
  jsonSchema: written.jsonSchema,
  parse(value) {
    const { arguments: text, ...rest } = written.parse(withTextOfArguments(value));
    return { ...rest, given: listOf(text) };
  },
};

/** A command of the editor or of an extension that the user put on the list. */
export const runCommand = defineProposingTool({
  name: 'run_command',
  title: 'Run command',
  summary: 'Run a command of the editor or of an extension, only one that you allow.',
  toolset: 'commands',
  risk: 'execute',
  isOptional: true,
  timeLimitSeconds: 30,
  needs: ['commands'],
  description:
    'Run a command of the editor or of an extension, once the user approves; only those that list_commands shows as ' +
    'allowed. Returns what the command returns. Prefer a tool of its own where there is one. ' +
    'Example: {"command":"typescript.restartTsServer","reason":"Its types are stale"}.',
  input,
  output: changeOutcomeSchema,
  targets: () => [],
  reason: ({ reason }) => reason,
  async propose({ command: id, given }, context) {
    const { command, ...proposal } = await proposeCommand(id, given, context);
    refuseUnlisted(id, context.commands);
    return { ...proposal, title: `Run command: ${commandTitle(command)}` };
  },
  async act(proposal, ports, signal) {
    // The list may be another one than when it was asked for.
    refuseUnlisted(proposal.definition, ports.commands);
    return runProposed(proposal, ports, signal);
  },
  render: renderOutcome,
});

function refuseUnlisted(id: string, commands: Commands): void {
  if (commands.isAllowed(id)) return;
  throw new ToolError(
    'denied',
    `The user has not allowed ${quoted(id)}.`,
    'Do without it, or ask the user to add it to the setting drawbridge.commands.allow.',
  );
}

function withTextOfArguments(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('arguments' in value) || !Array.isArray(value.arguments)) {
    return value;
  }
  return { ...value, arguments: JSON.stringify(value.arguments) };
}

function listOf(text: string): readonly unknown[] {
  try {
    const parsed = z.array(z.unknown()).max(50).safeParse(JSON.parse(text));
    if (parsed.success) return parsed.data;
  } catch {
    // Says the same.
  }
  throw new InvalidArgumentsError('arguments: has to be a JSON array of 50 values at most, such as ["a", 1]');
}
