import * as z from 'zod';
import { Emitter, type Event, type Subscription } from '#base/event.ts';
import { ToolError } from '#base/toolError.ts';
import { inputFromJsonSchema } from '#call/jsonSchemaInput.ts';
import type { ProposingTool, Tool, ToolSource } from '#call/tool.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';
import { readArguments } from './commandArguments.ts';
import { describeCommand, editorCommand } from './editorCommand.ts';
import { foreignTool } from './foreignTool.ts';

const toolName = z
  .string()
  .max(48)
  .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)+$/, 'a name has to be verb_noun in lower case, such as "organize_imports"');
const printable = z.string().regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+$/u, 'it holds characters that cannot be seen');

/** The definition of a tool that the user made of a command; the setting `drawbridge.commandTools` is a list of these. */
export const commandToolDefinition = z.strictObject({
  name: toolName,
  title: printable.min(1).max(40),
  description: printable.min(1).max(1024),
  command: z.string().min(1).max(200),
  /** JSON Schema of the input; without it the tool takes no input. */
  argumentSchema: z.looseObject({ type: z.literal('object').default('object') }).exactOptional(),
  /** The arguments of the command: JSON, in which `{"$input":"name"}` stands for a field of the input. */
  arguments: z.array(z.unknown()).max(50).exactOptional(),
  /** A tool of risk `edit` runs without approval where edits do; otherwise each call waits for approval, unless a rule allows it. */
  risk: z.enum(['execute', 'edit']).default('execute'),
});

export type CommandToolDefinition = z.infer<typeof commandToolDefinition>;

/**
 * Returns a sentence that says what is wrong with a definition of the right form; undefined for one without a problem.
 * @param isTaken says whether another tool has the name
 */
export function definitionProblem(
  { name, command, argumentSchema, arguments: given = [] }: CommandToolDefinition,
  isTaken: (name: string) => boolean,
): string | undefined {
  if (isTaken(name)) return `There is a tool ${name} already.`;
  const why = deniedCommand(command);
  if (why !== undefined) return `No assistant may run ${command}: it ${why}.`;
  const properties = z.record(z.string(), z.unknown()).safeParse(argumentSchema?.['properties'] ?? {});
  if (!properties.success) return 'The properties of argumentSchema have to be an object.';
  const unknown = inputNames(given).find((each) => !Object.hasOwn(properties.data, each));
  if (unknown !== undefined) return `"arguments" names the input ${unknown}, which argumentSchema does not have.`;
  try {
    // A place that is written out has to be well-formed now; one that names an input is checked at each call.
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

/** Returns the tool for a definition that has no problem. */
export function commandTool(definition: CommandToolDefinition): ProposingTool<unknown, 'commands'> {
  const { name, title, description, command: id, argumentSchema, risk } = definition;
  return foreignTool({
    ...editorCommand,
    name,
    title,
    description,
    risk,
    input: inputFromJsonSchema({ properties: {}, additionalProperties: false, ...argumentSchema }),
    callOf: (given) => ({ definition: id, arguments: filledIn(definition, given) }),
    describe: async (call, context) => ({ ...(await describeCommand(call, context)).details, title }),
    confirm(approved) {
      if (approved === id) return;
      const message = 'The tool runs another command now than the one that was approved; nothing was done.';
      throw new ToolError('unavailable', message, 'Call it again.');
    },
  });
}

/** The part of the settings that holds the user's own tools. */
export interface CommandToolSettings {
  /** Returns the settings as they are now; the definitions are not checked yet. */
  current(): { readonly commandTools: readonly unknown[] };
  readonly onDidChange: Event<void>;
}

/** An entry of the setting that is left out. */
export interface WrongCommandTool {
  /** The name in the entry; undefined for an entry without one. */
  readonly name: string | undefined;
  /** 1-based. */
  readonly position: number;
  /** Says in one sentence or more why the entry is left out. */
  readonly problem: string;
}

/**
 * Makes tools of the commands that the settings name now, and follows the settings. A definition with a problem is left out,
 * and a warning says so once.
 * @param isTaken says whether one of the built-in tools has a name
 * @param warn writes to the log
 */
export function createCommandTools(
  settings: CommandToolSettings,
  isTaken: (name: string) => boolean,
  warn: (message: string) => void,
) {
  const changed = new Emitter<void>();
  let written = '[]';
  let read = readAll([], isTaken);
  const readAgain = (): boolean => {
    const { commandTools } = settings.current();
    const text = JSON.stringify(commandTools);
    if (text === written) return false;
    written = text;
    read = readAll(commandTools, isTaken);
    for (const { position, problem } of read.wrong) {
      warn(`Entry ${position} of drawbridge.commandTools is left out: ${problem}`);
    }
    return true;
  };
  readAgain();
  const subscription = settings.onDidChange(() => {
    if (readAgain()) changed.fire();
  });
  return {
    get tools(): readonly Tool[] {
      return read.tools;
    },
    /** The entries that are left out now. */
    get wrong(): readonly WrongCommandTool[] {
      return read.wrong;
    },
    /** The command of each tool, by the name of the tool. */
    get commands(): ReadonlyMap<string, string> {
      return read.commands;
    },
    onDidChange: changed.event,
    /** Returns why one more definition would be left out; undefined for a definition without a problem. */
    problemOf(given: unknown): string | undefined {
      const found = readDefinition(given, (name) => isTaken(name) || read.tools.some((tool) => tool.name === name));
      return typeof found === 'string' ? found : undefined;
    },
    dispose: () => subscription.dispose(),
  } satisfies ToolSource & Subscription & { problemOf: unknown; wrong: unknown; commands: unknown };
}

function readAll(definitions: readonly unknown[], isTaken: (name: string) => boolean) {
  const tools = new Map<string, Tool>();
  const commands = new Map<string, string>();
  const wrong: WrongCommandTool[] = [];
  for (const [at, given] of definitions.entries()) {
    const read = readDefinition(given, (name) => isTaken(name) || tools.has(name));
    if (typeof read === 'string') {
      const name = z.looseObject({ name: z.string() }).safeParse(given).data?.name;
      wrong.push({ name, position: at + 1, problem: read });
    } else {
      tools.set(read.name, commandTool(read));
      commands.set(read.name, read.command);
    }
  }
  return { tools: [...tools.values()], commands, wrong };
}

/** Returns the definition, or a sentence that says what is wrong with it. */
function readDefinition(given: unknown, isTaken: (name: string) => boolean): CommandToolDefinition | string {
  const parsed = commandToolDefinition.safeParse(given);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ');
  }
  return definitionProblem(parsed.data, isTaken) ?? parsed.data;
}

const inputReference = z.strictObject({ $input: z.string().min(1).max(100) });

/** Returns the fixed arguments with the input filled in; a field that is missing in the input is left out of objects, and null in lists. */
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
    // A place such as `$uri` whose only field is missing is left out as a whole.
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
