import type { OtherTool } from '#call/ports/otherTools.ts';
import { deniedCommand } from '#policy/deniedCommands.ts';

const carryingWords =
  /^(?:bash|cmd|commands?|eval|exec|execut(?:e|able)|install|powershell|process|program|run|scripts?|shell|subagent|tasks?|terminal)$/;

/** Whether another extension's tool seems to run commands, programs or other tools, by its name and those of its arguments. */
export function carriesCommands({ name, inputSchema }: Pick<OtherTool, 'name' | 'inputSchema'>): boolean {
  const { properties } = inputSchema;
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return [name, ...names].flatMap(wordsOf).some((word) => carryingWords.test(word));
}

/**
 * A command of the editor in the arguments of another extension's tool that no assistant may run, whatever tool runs it
 * (threat row A2): a text that is its id, where the argument or the tool is about commands, or a `command:` URI.
 * @returns the id and why, as the end of "It ..."
 */
export function deniedIn(
  { name }: Pick<OtherTool, 'name'>,
  input: unknown,
): { readonly command: string; readonly why: string } | undefined {
  for (const command of commandsIn(input, /command/i.test(name))) {
    const why = deniedCommand(command);
    if (why !== undefined) return { command, why };
  }
  return undefined;
}

function commandsIn(value: unknown, isAboutCommands: boolean): readonly string[] {
  if (typeof value === 'string') {
    // `drawbridge.` stands before nothing but our own commands and settings.
    const id = /^[\w-]+(?:\.[\w-]+)+$/.exec(value.trim())?.[0];
    const isId = id !== undefined && (isAboutCommands || /^_*drawbridge\./i.test(id));
    const links = value.replaceAll(/%2e/gi, '.').matchAll(/\bcommand:([\w-]+(?:\.[\w-]+)+)/gi);
    return [...(isId ? [id] : []), ...Array.from(links, ([, named = '']) => named)];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]) => commandsIn(each, isAboutCommands || /command/i.test(key)));
}

/** `runInTerminal`, `run_in_terminal` and `run-in-terminal` are the same three words. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
}
