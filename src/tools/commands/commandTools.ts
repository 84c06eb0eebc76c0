import * as z from 'zod';
import { ToolError } from '#base/toolError.ts';
import { inputFromJsonSchema } from '#call/jsonSchemaInput.ts';
import { defineProposingTool, type ProposingTool } from '#call/tool.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { changeOutcomeSchema, renderOutcome } from '../edit/changeOutcome.ts';
import { readArguments } from './commandArguments.ts';
import { proposeCommand, runProposed } from './editorCommand.ts';

const name = z
  .string()
  .max(48)
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/, 'a name has to be verb_noun in lower case, such as "organize_imports"');
const printable = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u, 'it holds characters that cannot be seen');

/** A command made into a tool by the user; the setting `drawbridge.commandTools` is a list of these. */
export const commandToolDefinition = z.strictObject({
  name,
  title: printable.min(1).max(40),
  description: printable.min(1).max(1024),
  command: z.string().min(1).max(200),
  /** JSON Schema of what an assistant gives; nothing unless said. */
  argumentSchema: z.looseObject({ type: z.literal('object').default('object') }).exactOptional(),
  /** What the command is given: JSON, in which `{"$input":"name"}` stands for an argument of the assistant. */
  arguments: z.array(z.unknown()).max(50).exactOptional(),
  /** `edit`: goes through without a question where edits do. Always asked for otherwise, unless a rule allows it. */
  risk: z.enum(['execute', 'edit']).default('execute'),
});

export type CommandToolDefinition = z.infer<typeof commandToolDefinition>;

/**
 * What is wrong with a definition apart from its form, as a sentence; undefined for a good one.
 * @param isTaken whether another tool has the name
 */
export function definitionProblem(
  { name: own, command, argumentSchema, arguments: given = [] }: CommandToolDefinition,
  isTaken: (name: string) => boolean,
): string | undefined {
  if (isTaken(own)) return `There is a tool ${own} already.`;
  const why = deniedCommand(command);
  if (why !== undefined) return `No assistant may run ${command}: it ${why}.`;
  const properties = z.record(z.string(), z.unknown()).safeParse(argumentSchema?.['properties'] ?? {});
  if (!properties.success) return 'The properties of argumentSchema have to be an object.';
  const unknown = inputNames(given).find((each) => !Object.hasOwn(properties.data, each));
  if (unknown !== undefined) return `"arguments" names the input ${unknown}, which argumentSchema does not have.`;
  try {
    // With no input every place that is written out has to be well-formed; one that waits for an input is tried when called.
    readArguments(
      given.filter((each) => inputNames(each).length === 0),
      () => undefined,
    );
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  return undefined;
}

/** The tool that a good definition stands for. */
export function commandTool(definition: CommandToolDefinition): ProposingTool<unknown, 'commands'> {
  const { title, description, command: id, argumentSchema, risk } = definition;
  return defineProposingTool({
    name: definition.name,
    title,
    toolset: 'commands',
    risk,
    timeLimitSeconds: 30,
    needs: ['commands'],
    description,
    input: inputFromJsonSchema({ properties: {}, additionalProperties: false, ...argumentSchema }),
    output: changeOutcomeSchema,
    targets: () => [],
    reason: () => undefined,
    async propose(given, context) {
      const { command: _command, ...proposal } = await proposeCommand(id, filledIn(definition, given), context);
      return { ...proposal, title };
    },
    async act(proposal, ports, signal) {
      if (proposal.definition !== id) {
        const message = 'The tool stands for another command than the one that was approved; nothing was done.';
        throw new ToolError('unavailable', message, 'Call it again.');
      }
      return runProposed(proposal, ports, signal);
    },
    render: renderOutcome,
  });
}

const inputReference = z.strictObject({ $input: z.string().min(1).max(100) });

/** The fixed arguments with what the assistant gave in its places; what it left out is left out of objects, and null in lists. */
function filledIn({ arguments: fixed, argumentSchema }: CommandToolDefinition, given: unknown): readonly unknown[] {
  if (fixed === undefined) return argumentSchema === undefined ? [] : [given];
  const values = z.record(z.string(), z.unknown()).parse(given ?? {});
  const fill = (value: unknown): unknown => {
    const reference = inputReference.safeParse(value);
    if (reference.success)
      return Object.hasOwn(values, reference.data.$input) ? values[reference.data.$input] : undefined;
    if (Array.isArray(value)) return value.map((each) => fill(each) ?? null);
    if (typeof value !== 'object' || value === null) return value;
    const filled = Object.entries(value).map(([key, each]) => [key, fill(each)] as const);
    const kept = filled.filter(([, each]) => each !== undefined);
    // A place with nothing in it is no place.
    return kept.length === 0 && filled.length > 0 ? undefined : Object.fromEntries(kept);
  };
  const filled = fixed.map(fill);
  const last = filled.findLastIndex((each) => each !== undefined);
  return filled.slice(0, last + 1).map((each) => each ?? null);
}

function inputNames(value: unknown): readonly string[] {
  const reference = inputReference.safeParse(value);
  if (reference.success) return [reference.data.$input];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(inputNames);
}
