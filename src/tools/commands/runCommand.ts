import * as z from 'zod';
import { InvalidArgumentsError, ToolError } from '#base/toolError.ts';
import type { Commands } from '#call/ports/commands.ts';
import { inputFromZod, type InputSchema } from '#call/tool.ts';
import { quoted } from '#policy/unsafeNames.ts';
import { reasonInput } from '../edit/proposalInput.ts';
import { placeForms } from './commandArguments.ts';
import { commandTitle, describeCommand, editorCommand } from './editorCommand.ts';
import { foreignTool } from './foreignTool.ts';

const written = inputFromZod(
  z.strictObject({
    command: z.string().min(1).max(200).describe('Repeats the id of list_commands'),
    arguments: z.string().max(100_000).default('[]').describe(`Gives a JSON array. Places: ${placeForms}`),
    reason: reasonInput,
  }),
);

/** Accepts the list of arguments as well as its text, because models send both. */
const input: InputSchema<{ command: string; given: readonly unknown[]; reason?: string }> = {
  get jsonSchema() {
    return written.jsonSchema;
  },
  parse(value) {
    const { arguments: text, ...rest } = written.parse(withTextOfArguments(value));
    return { ...rest, given: listOf(text) };
  },
};

/** Runs a command of the editor or of an extension that the user put on the list. */
export const runCommand = foreignTool({
  ...editorCommand,
  name: 'run_command',
  title: 'Run command',
  summary: 'Run a command of the editor or of an extension, only one that you allow.',
  risk: 'execute',
  isOptional: true,
  description:
    'Run a command of the editor or of an extension, once the user approves; only those that list_commands shows as ' +
    'allowed. Returns what the command returns. Prefer a tool of its own where there is one. ' +
    'Example: {"command":"typescript.restartTsServer","reason":"Its types are stale"}.',
  input,
  reason: ({ reason }) => reason,
  callOf: ({ command, given }) => ({ definition: command, arguments: given }),
  async describe(call, context) {
    const { command, details } = await describeCommand(call, context);
    refuseUnlisted(call.definition, context.commands);
    return { ...details, title: `Run command: ${commandTitle(command)}` };
  },
  // The user may have taken the command off the list since it was proposed.
  confirm: (id, { commands }) => refuseUnlisted(id, commands),
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
    // Text that is no JSON gets the refusal below.
  }
  throw new InvalidArgumentsError('arguments: has to be a JSON array of 50 values at most, such as ["a", 1]');
}
