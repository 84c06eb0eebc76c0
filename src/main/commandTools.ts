import { Emitter, type Subscription } from '#base/event.ts';
import type { Tool, ToolSource } from '#call/tool.ts';
import type { WatchedSettings } from '#editor/settings.ts';
import {
  commandTool,
  commandToolDefinition,
  definitionProblem,
  type CommandToolDefinition,
} from '#tools/commands/commandTools.ts';

/**
 * The tools that the user made of commands, as the settings say now. A definition that is no good is left out and told of, once.
 * @param isTaken whether a tool of ours has a name
 * @param warn for the log
 */
export function createCommandTools(
  settings: Pick<WatchedSettings, 'current' | 'onDidChange'>,
  isTaken: (name: string) => boolean,
  warn: (message: string) => void,
) {
  const changed = new Emitter<void>();
  let written = '[]';
  let tools: readonly Tool[] = [];
  const read = (): boolean => {
    const { commandTools } = settings.current();
    const text = JSON.stringify(commandTools);
    if (text === written) return false;
    written = text;
    tools = toolsOf(commandTools, isTaken, warn);
    return true;
  };
  read();
  const subscription = settings.onDidChange(() => {
    if (read()) changed.fire();
  });
  return {
    get tools() {
      return tools;
    },
    onDidChange: changed.event,
    /** Why one more definition would be left out; undefined for a good one. */
    problemOf(given: unknown): string | undefined {
      const found = readDefinition(given, (name) => isTaken(name) || tools.some((tool) => tool.name === name));
      return typeof found === 'string' ? found : undefined;
    },
    dispose: () => subscription.dispose(),
  } satisfies ToolSource & Subscription & { problemOf: unknown };
}

function toolsOf(
  definitions: readonly unknown[],
  isTaken: (name: string) => boolean,
  warn: (message: string) => void,
): readonly Tool[] {
  const made = new Map<string, Tool>();
  for (const [at, given] of definitions.entries()) {
    const read = readDefinition(given, (name) => isTaken(name) || made.has(name));
    if (typeof read === 'string') warn(`Entry ${at + 1} of drawbridge.commandTools is left out: ${read}`);
    else made.set(read.name, commandTool(read));
  }
  return [...made.values()];
}

/** A good definition, or what is wrong with it. */
function readDefinition(given: unknown, isTaken: (name: string) => boolean): CommandToolDefinition | string {
  const parsed = commandToolDefinition.safeParse(given);
  if (!parsed.success) {
    return parsed.error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ');
  }
  return definitionProblem(parsed.data, isTaken) ?? parsed.data;
}
